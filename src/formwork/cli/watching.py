"""`cfn test --watch`: what a saved file touches is tested again, until Ctrl-C.

Every run starts the handler anew, so that no process with old code is left.

The reasons are in docs/decisions/0510.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.cli.long_lived import keep_memory_flat
from formwork.cli.saved_files import SavedFiles
from formwork.command_context.output import CommandOutput
from formwork.contract_runs.reports import FOLDER_FILES
from formwork.contract_runs.touched_tests import Touched, read_sources, touched_actions

if TYPE_CHECKING:
    from formwork.contract_results.suite_result import SuiteResult


def watch(
    arguments: argparse.Namespace, output: CommandOutput, prove: Callable[[Touched | None], "SuiteResult | None"]
) -> None:
    """Run all tests, then those that each saved file touches, until the user interrupts.

    `prove` runs the tests that are touched (all if None) and reports; it gives None where they could not run.
    """
    folder: Path | None = arguments.report_folder
    reports = set() if folder is None else {folder / each for each in FOLDER_FILES}
    files = SavedFiles(Path(), {arguments.report_file, arguments.log_file, *reports})
    sources = read_sources(Path())
    result = prove(None)
    keep_memory_flat()
    while result is None or not result.finished.interrupted:
        output.say("watching for saved files; Ctrl-C ends")
        changed = files.wait()
        started = time.monotonic()
        now = read_sources(Path())
        touched = touched_by(changed, sources, now, result)
        sources = now
        output.say(f"\n{', '.join(sorted(changed))} changed: {told(touched)}")
        result = prove(touched) or result
        output.say(f"{time.monotonic() - started:.2f} s after the save")


def touched_by(
    changed: frozenset[str], before: dict[str, str], after: dict[str, str], result: "SuiteResult | None"
) -> Touched | None:
    """Return the tests that a save touches, None for all.

    `before` and `after` are the Python sources of the handlers, `result` is the last run's.
    """
    if result is None or not result.started.inputs:
        return None
    failed = frozenset(test.name for test in result.tests if test.violations)
    if not all(map(is_source, changed)):
        return None  # the schema, inputs, the template: everything may be different
    actions = touched_actions(before, after) if all(each.endswith(".py") for each in changed) else None
    return Touched(result.started.inputs[0], actions, failed=failed)


def is_source(name: str) -> bool:
    """Return whether it is a file of handlers, of which nothing generated follows: below `src`, or Go's anywhere."""
    path = Path(name.replace("\\", "/"))
    return path.parts[0] == "src" or path.suffix == ".go"


def told(touched: Touched | None) -> str:
    """Return which tests are touched, in words."""
    if touched is None:
        return "all tests"
    tests = "all tests" if touched.actions is None else f"the tests of {', '.join(sorted(touched.actions))}"
    more = ", and what failed" if touched.failed else ""
    return f"{tests} with {touched.first}{more}; `cfn test` tries all inputs"
