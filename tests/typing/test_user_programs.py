"""Programs of users are checked by mypy and pyright in strict mode: both refuse exactly the marked lines."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.toolchains import must_be_complete, needs_node
from support.typescript import CACHE

HERE = Path(__file__).parent
FILES = sorted((HERE / "users").glob("*.py"))
MYPY_ERROR = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+): error: .*\[[a-z-]+\]$", re.MULTILINE)


def marked(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if "# refused: " in line}


def run(command, cwd=None):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.acceptance
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mypy(path, tmp_path):
    options = ["--strict", "--config-file=", f"--cache-dir={tmp_path}", "--hide-error-context"]
    done = run([sys.executable, "-m", "mypy", *options, path.name], cwd=path.parent)
    assert done.stderr == ""
    assert {int(each["line"]) for each in MYPY_ERROR.finditer(done.stdout)} == marked(path), done.stdout


@pytest.fixture(scope="module")
def pyright():
    """The program, installed once per version into the cache of the tests, from the lock with its hashes."""
    lock = (HERE / "pyright" / "package-lock.json").read_text(encoding="utf-8")
    version = json.loads(lock)["packages"]["node_modules/pyright"]["version"]
    place = CACHE / f"pyright-{version}"
    if not place.is_dir():
        making = CACHE / f"pyright-{version}.{os.getpid()}"
        shutil.copytree(HERE / "pyright", making)
        done = run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=making)
        if done.returncode:
            shutil.rmtree(making)
            if not must_be_complete():
                pytest.skip(f"npm can't install pyright: {done.stderr.strip()[-200:]}")
            pytest.fail(done.stderr)
        try:
            making.rename(place)
        except OSError:  # another worker was first
            shutil.rmtree(making)
    return place / "node_modules" / "pyright" / "index.js"


@pytest.mark.acceptance
@needs_node
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pyright(path, pyright):
    done = run(["node", str(pyright), "--outputjson", "--pythonpath", sys.executable, path.name], cwd=path.parent)
    found = json.loads(done.stdout)["generalDiagnostics"]
    lines = {each["range"]["start"]["line"] + 1 for each in found if each["severity"] == "error"}
    assert lines == marked(path), done.stdout
