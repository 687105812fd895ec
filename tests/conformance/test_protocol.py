"""The handler protocol's vectors against the Python library: in this process, and on every other Python at hand."""

import logging
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "protocol"
LIBRARY = Path(__file__).parents[2] / "runtime" / "python" / "src"
UNIT_TESTS = Path(__file__).parents[1] / "unit"
MINORS = (9, 10, 12, 13, 14)


def load_runner():
    sys.path.insert(0, str(HERE))
    try:
        import run_python
    finally:
        sys.path.remove(str(HERE))
    return run_python


runner = load_runner()


@pytest.mark.parametrize(
    ("kind", "vector"),
    [pytest.param(kind, vector, id=f"{name}: {vector['name']}") for name, kind, vector in runner.load()],
)
def test_vector(kind, vector, caplog):
    caplog.set_level(logging.DEBUG)
    actual = runner.answer(kind, vector)
    assert runner.matches(vector["response"], actual), actual
    assert "canary" not in caplog.text, "credentials in the log"
    assert "canary" not in str(actual), "credentials in the response"


def test_the_vectors_reach_every_behaviour():
    used = {vector["handler"] for _, _, vector in runner.load()}
    assert used == {*runner.BEHAVIOURS, "none"}


def test_a_wrong_response_is_noticed():
    assert not runner.matches({"a": 1}, {"a": 1, "b": 2})
    assert not runner.matches({"a": True}, {"a": 1})
    assert not runner.matches({"a": {"$contains": ["x"]}}, {"a": "y"})


def pythons():
    """Other interpreters of this machine that the library must run on, by minor version."""
    installed = Path.home() / ".pyenv" / "versions"
    for minor in MINORS:
        found = [*sorted(installed.glob(f"3.{minor}.*/bin/python")), shutil.which(f"python3.{minor}")]
        usable = next((str(path) for path in found if path), None)
        if usable is not None:
            yield pytest.param(usable, id=f"3.{minor}")


@pytest.mark.slow
@pytest.mark.parametrize("python", list(pythons()))
def test_vectors_and_chain_on_other_pythons(python):
    result = subprocess.run(
        [python, "-I", "-W", "error", "-c", PROGRAM, str(LIBRARY), str(HERE), str(UNIT_TESTS)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


PROGRAM = """
import pkgutil, sys
sys.path[:0] = sys.argv[1:4]
import cloudformation_cli_python_lib
for module in pkgutil.iter_modules(cloudformation_cli_python_lib.__path__):
    __import__("cloudformation_cli_python_lib." + module.name)
from runtime.kinesis_service import MUTATING, Kinesis, check_created, drive
for checkpoint, deaths in ((False, []), (True, MUTATING)):
    kinesis = Kinesis(dies_before=deaths)
    check_created(kinesis, drive(kinesis, checkpoint=checkpoint)[0][-1])
import run_python
sys.exit(run_python.main([]))
"""
