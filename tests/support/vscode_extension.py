"""The VS Code extension, built once per state of its sources as `make vscode` builds it, and its packages from npm."""

import functools
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from formwork.toolchain import BuildSettings
from formwork.toolchain.cache import build_once
from formwork.toolchain.node import find_node
from formwork.toolchain.npm import installed_packages
from support.typescript import CACHE

REPOSITORY = Path(__file__).parents[2]
SOURCES = REPOSITORY / "editors" / "vscode"
_MADE = ("node_modules", "dist", "dist-test", "LICENSE")


@dataclass(frozen=True)
class BuiltExtension:
    """The folder that it was built in, and the packed extension."""

    folder: Path
    package: Path

    def run(self, *words):
        """Run a JavaScript file of the folder with Node; what it said."""
        return _node(self.folder, *words)


@functools.cache
def built_extension():
    """Build the extension, or return what was built of the same sources."""
    files = sorted(each for each in SOURCES.rglob("*") if each.is_file() and not _is_made(each))
    digest = hashlib.sha256()
    for file in (*files, REPOSITORY / "LICENSE"):
        digest.update(f"{file.relative_to(REPOSITORY)}\0".encode() + file.read_bytes() + b"\0")
    root = build_once(CACHE / "vscode-extension" / digest.hexdigest()[:20], _fill)
    return BuiltExtension(root / "editors" / "vscode", root / "formwork.vsix")


def _is_made(path):
    return path.relative_to(SOURCES).parts[0] in _MADE


def _fill(root):
    folder = root / "editors" / "vscode"
    shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns(*_MADE))
    shutil.copy(REPOSITORY / "LICENSE", root)
    packages = installed_packages(SOURCES, BuildSettings(dict(os.environ), CACHE), scripts=False)
    (folder / "node_modules").symlink_to(packages)
    _node(folder, "build.mjs")
    _node(folder, "node_modules/@vscode/vsce/vsce", "package", "--no-dependencies", "--out", root / "formwork.vsix")


def _node(folder, *words):
    command = [find_node(os.environ).executable, *map(str, words)]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr
