"""Which lines are recorded: those with code in the source, as they run, on Pythons with and without sys.monitoring."""

import subprocess
import sys
from pathlib import Path

import pytest

from formwork.contract_results.coverage import FileCoverage, HandlerCoverage
from formwork.contract_results.report.coverage import coverage_line, coverage_to_json
from formwork.languages.python import line_recorder
from formwork.languages.python.coverage import read_coverage
from formwork.toolchain.python import find_interpreter

HANDLERS = '''"""Handlers."""

import contextlib


class Store:
    """A class."""

    limit: int = 3

    def get(
        self,
        name,
    ):
        if name is None:
            raise ValueError(
                name
            )

        return [
            each
            for each in range(self.limit)
        ]

    def never(self):
        """Not called."""

        return None


def resource(event):
    try:
        Store().get("x")
    finally:
        event.pop("a", None)
    for _ in range(3):
        with contextlib.suppress(KeyError):
            event["b"]
    if not event:
        return 1
    return 2


double = lambda number: (
    number
    * 2
)
'''
PROGRAM = """
import importlib.machinery, json, sys
recorder, folder, path = sys.argv[1:]
module = type(sys)("line_recorder")
importlib.machinery.SourceFileLoader("line_recorder", recorder).exec_module(module)
code = compile(open(path).read(), path, "exec")
module.LineRecorder(folder, [path]).loaded(code)
names = {"__name__": "handlers"}
exec(code, names)
names["resource"]({})
import os
os._exit(3)
"""


def interpreters():
    home = Path.home()
    found = {find_interpreter(f"python3.{minor}", search_path="", home=home) for minor in (9, 10, 12, 13, 14)}
    return {each.minor: each.executable for each in found} | {sys.version_info[1]: Path(sys.executable)}


@pytest.mark.parametrize(("minor", "python"), sorted(interpreters().items()))
def test_the_lines_that_ran_survive_a_process_that_is_killed(tmp_path, minor, python):
    package = tmp_path / "src" / "acme"
    package.mkdir(parents=True)
    handlers = package / "handlers.py"
    handlers.write_text(HANDLERS)
    unloaded = package / "other.py"
    unloaded.write_text("x = 1\n\nif x:\n    y = 2\n")
    empty = package / "__init__.py"
    empty.write_text("# nothing\n")
    broken = package / "broken.py"
    broken.write_text("def (")
    records = tmp_path / "records"
    records.mkdir()
    command = [str(python), "-I", "-S", "-c", PROGRAM, line_recorder.__file__, str(records), str(handlers)]
    assert subprocess.run(command, check=False).returncode == 3
    found = read_coverage(records, (empty, broken, handlers, unloaded), tmp_path)
    assert [each.path for each in found.files] == ["src/acme/handlers.py", "src/acme/other.py"], minor
    (own, other) = found.files
    assert own.never_run == ranges_of("raise ValueError", "return None", "return 2", "    number\n")
    assert other.percent == 0
    assert other.never_run == ((1, 4),)


def ranges_of(*texts):
    """The lines of the source from each text to the end of its statement."""
    starts = [HANDLERS[: HANDLERS.index(text)].count("\n") + 1 for text in texts]
    lengths = {"raise ValueError": 1, "    number\n": 1}
    return tuple((start, start + lengths.get(text, 0)) for start, text in zip(starts, texts, strict=True))


def test_a_run_that_loaded_nothing_is_not_one_in_which_nothing_ran(tmp_path):
    assert read_coverage(tmp_path, (Path(line_recorder.__file__),), Path(line_recorder.__file__).parent) is None


def test_the_line_and_the_document_name_what_never_ran():
    lines = frozenset(range(1, 60))
    file = FileCoverage("src/acme/handlers.py", lines, lines - {41, 42, 44, 58} | {43})
    gaps = FileCoverage("src/acme/sub/x.py", frozenset({1, 3, 5, 9}), frozenset({9}))
    whole = FileCoverage("src/acme/y.py", frozenset({1}), frozenset({1}))
    assert gaps.never_run == ((1, 5),)
    assert coverage_line(HandlerCoverage((file,))) == ("handler coverage: 93 % of handlers.py, not run: 41-42, 44, 58")
    assert coverage_line(HandlerCoverage((file, gaps, whole))) == (
        "handler coverage: 89 % of 3 files; handlers.py 93 %, not run: 41-42, 44, 58; sub/x.py 25 %, not run: 1-5"
    )
    assert coverage_line(HandlerCoverage((whole,))) == "handler coverage: 100 % of y.py"
    many = FileCoverage("src/acme/z.py", frozenset(range(40)), frozenset(range(0, 40, 2)))
    assert coverage_line(HandlerCoverage((many,))).endswith("21, 23 and 8 more")
    assert coverage_to_json(HandlerCoverage((gaps,)))["files"] == [
        {"file": "src/acme/sub/x.py", "percent": 25, "lines": 4, "run": 1, "neverRun": [[1, 5]]}
    ]
    assert coverage_to_json(HandlerCoverage(unmeasured="why"))["percent"] is None
