"""Environments that what is built here is installed into, from a folder of wheels that is filled once per Python."""

import fcntl
import functools
import hashlib
import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from formwork.toolchain.python import find_interpreter
from support.corpus import REPOSITORY

CONSTRAINTS = REPOSITORY / "constraints.txt"
LOCK = REPOSITORY / "requirements.lock"
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = tuple(PROJECT["optional-dependencies"])
MINORS = (11, 12, 13, 14)
CACHE = Path(os.environ.get("FORMWORK_TEST_CACHE") or Path.home() / ".cache" / "formwork-tests")


@functools.cache
def pythons():
    """The Pythons of this machine that the toolkit runs on, the lowest first: {minor version: executable}."""
    found = {}
    for minor in MINORS:
        interpreter = find_interpreter(f"python3.{minor}", search_path=os.environ.get("PATH", ""), home=Path.home())
        if interpreter.minor == minor:
            found[minor] = interpreter.executable
    return found


def build(folder):
    """Build the source distribution, and from that the wheel, as a user's pip does."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=REPOSITORY)
    [sdist] = folder.glob("*.tar.gz")
    words = ("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, sdist)
    run(sys.executable, "-m", "pip", *words, cwd=folder)
    [wheel] = folder.glob("formwork_cfn-*.whl")
    return sdist, wheel


@dataclass(frozen=True)
class Installation:
    """A fresh virtual environment in `folder`, of the Python of that minor version."""

    folder: Path
    minor: int

    @property
    def python(self):
        return self.folder / "bin" / "python"

    @property
    def path(self):
        """PATH with its scripts first."""
        return f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"

    def install(self, *requirements, options=()):
        """Install with what the folder of wheels has, and nothing else."""
        wheels = wheelhouse(self.minor)
        words = ("--no-index", "--find-links", wheels, "--constraint", CONSTRAINTS, *options, *requirements)
        return run(self.python, "-m", "pip", "install", "--quiet", *words, cwd=self.folder)

    def cfn(self, *words, cwd):
        """Run `cfn`; what it printed."""
        return run(self.folder / "bin" / "cfn", *words, cwd=cwd)


def new_installation(folder, minor):
    """An environment that has pip and nothing else."""
    run(pythons()[minor], "-m", "venv", folder, cwd=folder.parent)
    return Installation(folder, minor)


def quick_installation(folder, minor, *requirements):
    """The same as pip makes, without pip in it, in a tenth of the time: for what is not about installing itself."""
    uv = Path(sys.executable).with_name("uv")
    run(uv, "venv", "--quiet", "--python", pythons()[minor], folder, cwd=folder.parent)
    words = ("--offline", "--no-index", "--find-links", wheelhouse(minor), "--constraint", CONSTRAINTS, *requirements)
    run(uv, "pip", "install", "--quiet", "--python", folder / "bin" / "python", *words, cwd=folder.parent)
    run(uv, "pip", "check", "--quiet", "--python", folder / "bin" / "python", cwd=folder.parent)
    return Installation(folder, minor)


@functools.cache
def wheelhouse(minor):
    """The folder with wheels of all that is locked, filled from the index once."""
    folder = CACHE / "wheels" / f"3.{minor}-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of other workers of the tests
        _fill(folder, minor)
    return folder


def _fill(folder, minor):
    if not (folder / "whole").exists():
        words = ("--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--requirement", LOCK)
        run(pythons()[minor], "-m", "pip", "download", *words, "--dest", folder, cwd=folder)
        (folder / "whole").touch()


def run(*command, cwd, env=None):
    """Run a command to its end; what it printed.

    Raises:
        AssertionError: it failed, with all that it printed.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FORMWORK_", "AWS_"))}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**clean, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=900,
    )
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr
