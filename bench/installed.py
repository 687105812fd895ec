"""Formwork as its users have it: a wheel in a virtual environment of its own, without what this checkout works with.

In a checkout `cfn` finds the tools of development beside it, some of which the libraries import where they are there.
"""

import functools
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from bench.incumbent import HOME, REPOSITORY
from bench.measure import Command

_FOLDER = HOME / "ours"
_BIN = _FOLDER / ("Scripts" if sys.platform == "win32" else "bin")
PYTHON = _BIN / "python"
# What no command of it can do without: its interpreter, doing nothing.
EMPTY = Command([PYTHON, "-I", "-c", "pass"])


@functools.cache
def installed_cfn() -> str:
    """Return the path of `cfn` in `.bench/ours`, installed from this checkout at the first call.

    Raises:
        RuntimeError: it can't be installed; with what pip says.
    """
    if not PYTHON.exists():
        venv.create(_FOLDER)
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as wheels:
        _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, REPOSITORY)
        [wheel] = Path(wheels).iterdir()
        _pip("--python", PYTHON, "install", "--constraint", REPOSITORY / "constraints.txt", "--force-reinstall", wheel)
    return str(_BIN / "cfn")


def _pip(*words: str | Path) -> None:
    argv = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"pip can't install this checkout: {done.stderr[-500:]}")
