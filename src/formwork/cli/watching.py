"""`cfn test --watch`: what a saved file touches is tested again, until Ctrl-C.

Files are polled: a project has few, and looking at their times costs less than a millisecond. Every run starts the
handler anew, so that no process with old code is left.

The reasons are in docs/decisions/0510.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.output import CommandOutput
from formwork.contract_runs.reports import FOLDER_FILES
from formwork.contract_runs.touched_tests import Touched, read_sources, touched_actions

if TYPE_CHECKING:
    from formwork.contract_results.suite_result import SuiteResult

_INTERVAL = 0.04  # seconds between two looks at the files
_SETTLED = 0.03  # seconds without a change after which a save counts as finished
# Folders that builds, tools and editors write into; what is in them is made of other files.
_IGNORED = frozenset({"__pycache__", "build", "dist", "target", "bin", "node_modules", "venv", "docs"})
# Sources and settings; not what handlers under test may write, such as a database or a log.
_SUFFIXES = frozenset(
    [
        ".py",
        ".ts",
        ".js",
        ".mjs",
        ".cjs",
        ".java",
        ".kt",
        ".go",
        ".mod",
        ".sum",
        ".json",
        ".yaml",
        ".yml",
        ".toml",
        ".txt",
        ".xml",
        ".cfg",
        ".ini",
    ]
)
_CONFIG = ".rpdk-config"


def watch(
    arguments: argparse.Namespace, output: CommandOutput, prove: Callable[[Touched | None], "SuiteResult | None"]
) -> None:
    """Run all tests, then those that each saved file touches, until the user interrupts.

    `prove` runs the tests that are touched (all if None) and reports; it gives None where they could not run.
    """
    folder: Path | None = arguments.report_folder
    reports = set() if folder is None else {folder / each for each in FOLDER_FILES}
    files = _Files(Path(), {arguments.report_file, arguments.log_file, *reports})
    sources = read_sources(Path())
    result = prove(None)
    while result is None or not result.finished.interrupted:
        output.say("watching for saved files; Ctrl-C ends")
        changed = files.wait()
        started = time.monotonic()
        now = read_sources(Path())
        touched = _touched(changed, sources, now, result)
        sources = now
        output.say(f"\n{', '.join(sorted(changed))} changed: {_told(touched)}")
        result = prove(touched) or result
        output.say(f"{time.monotonic() - started:.2f} s after the save")


def _touched(
    changed: frozenset[str], before: dict[str, str], after: dict[str, str], result: "SuiteResult | None"
) -> Touched | None:
    if result is None or not result.started.inputs:
        return None
    failed = frozenset(test.name for test in result.tests if test.violations)
    if not all(Path(each).parts[0] == "src" for each in changed):
        return None  # the schema, inputs, the template: everything may be different
    actions = touched_actions(before, after) if all(each.endswith(".py") for each in changed) else None
    return Touched(result.started.inputs[0], actions, failed=failed)


def _told(touched: Touched | None) -> str:
    if touched is None:
        return "all tests"
    tests = "all tests" if touched.actions is None else f"the tests of {', '.join(sorted(touched.actions))}"
    more = ", and what failed" if touched.failed else ""
    return f"{tests} with {touched.first}{more}; `cfn test` tries all inputs"


class _Files:
    """The files below a folder, without hidden ones, what tools write, and `reports`."""

    def __init__(self, root: Path, reports: set[Path | None]) -> None:
        self._root = root
        self._reports = {each.resolve() for each in reports if each is not None}
        self._seen = self._look()

    def wait(self) -> frozenset[str]:
        """Wait until files are written, added or removed since the last time; their paths, relative to the folder."""
        while (now := self._look()) == self._seen:
            time.sleep(_INTERVAL)
        while True:  # a save may write several files
            time.sleep(_SETTLED)
            if now == (again := self._look()):
                break
            now = again
        before, self._seen = self._seen, now
        return frozenset(name for name in {*before, *now} if before.get(name) != now.get(name))

    def _look(self) -> dict[str, tuple[int, int]]:
        return {name: (status.st_mtime_ns, status.st_size) for name, status in self._walk(str(self._root))}

    def _walk(self, folder: str) -> Iterator[tuple[str, os.stat_result]]:
        try:
            entries = list(os.scandir(folder))
        except OSError:
            return  # removed meanwhile
        for entry in entries:
            if entry.name.startswith(".") and entry.name != _CONFIG:
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _IGNORED:
                        yield from self._walk(entry.path)
                elif self._is_source(entry):
                    yield os.path.relpath(entry.path, self._root), entry.stat()
            except OSError:
                continue

    def _is_source(self, entry: "os.DirEntry[str]") -> bool:
        if entry.name != _CONFIG and os.path.splitext(entry.name)[1] not in _SUFFIXES:  # noqa: PTH122 - a string's
            return False
        return not self._reports or Path(entry.path).resolve() not in self._reports
