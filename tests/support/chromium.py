"""Which Chromium the tests run: the one of this machine, or else a pinned one from npm, kept in the tests' cache."""

import base64
import contextlib
import functools
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.toolchain.cache import build_once
from formwork.toolchain.node import find_node, find_npm
from support.browsers import running_browser
from support.toolchains import must_be_complete
from support.typescript import CACHE

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")
_PACKAGE = "@sparticuz/chromium@153.0.0"
_SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
_UNPACK = """
const [from, to] = process.argv.slice(1), fs = require("node:fs");
fs.createReadStream(from).pipe(require("node:zlib").createBrotliDecompress()).pipe(fs.createWriteStream(to));
"""


@dataclass(frozen=True)
class Chromium:
    """An executable, and the variables that it needs to start."""

    executable: str
    environment: dict[str, str] = field(default_factory=dict)


@functools.cache
def find_chromium():
    """FORMWORK_CHROMIUM, else one on the search path, else the pinned one, which is fetched once.

    Raises:
        EnvironmentProblemError: there is none, and it can't be had.
    """
    own = os.environ.get("FORMWORK_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if own:
        return Chromium(own)
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise _missing("the pinned one is for Linux on x86-64")
    folder = build_once(CACHE / "chromium" / hashlib.sha256(f"{_PACKAGE} {_SHA512}".encode()).hexdigest()[:20], _fill)
    return Chromium(str(folder / "chromium"), {"LD_LIBRARY_PATH": str(folder / "lib")})


@contextlib.contextmanager
def browser_of_tests(profile):
    """A running Chromium for a test; where there is none, the test is skipped, or fails where nothing may be missing."""
    try:
        chromium = find_chromium()
    except EnvironmentProblemError as error:
        (diagnostic,) = error.diagnostics
        missing = pytest.fail if must_be_complete() else pytest.skip
        missing(f"{diagnostic.message}: {diagnostic.hint}")
    with running_browser(chromium, profile) as running:
        yield running


def _missing(why):
    hint = "install chromium-headless-shell or Node.js with npm, or name one in FORMWORK_CHROMIUM"
    return EnvironmentProblemError(f"no Chromium on the search path, and {why}", hint=hint)


def _fill(folder):
    """Fetch the package and unpack into `folder` its Chromium, and the libraries that bare machines lack."""
    try:
        npm, node = find_npm(os.environ), find_node(os.environ).executable
    except EnvironmentProblemError as error:
        raise _missing("no Node.js 20 or later with npm, which fetches one") from error
    _run([npm, "pack", "--silent", "--ignore-scripts", _PACKAGE], folder)
    (package,) = folder.glob("*.tgz")
    if base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode() != _SHA512:
        raise _missing(f"the package {_PACKAGE} is not the one that is pinned")
    for name in ("chromium", "al2023.tar", "swiftshader.tar"):
        _run(["tar", "-xzf", package.name, f"package/bin/{name}.br"], folder)
        _run([node, "-e", _UNPACK, f"package/bin/{name}.br", name], folder)
    for name in ("al2023.tar", "swiftshader.tar"):
        with tarfile.open(folder / name) as archive:
            archive.extractall(folder, filter="data")
        (folder / name).unlink()
    shutil.rmtree(folder / "package")
    package.unlink()
    (folder / "chromium").chmod(0o755)


def _run(words: list[str | Path], folder: Path):
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    if ended.returncode:
        raise _missing(f"fetching {_PACKAGE} failed: {ended.stderr.strip()[-500:]}")
