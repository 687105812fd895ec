"""One run of the contract tests, by pytest where its options are asked for.

pytest takes a third of a run, and is not imported for the others (docs/decisions/1363).
"""

import argparse
import contextlib
import io
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from formwork.command_context.output import CommandOutput
from formwork.contract_runs.last_run import LastRun
from formwork.diagnostics import UsageError

if TYPE_CHECKING:
    from formwork.contract.run import ContractRun
    from formwork.contract.subject import AnySubject
    from formwork.contract_results.run_events import RunEvent
    from formwork.contract_results.suite_result import SuiteResult
    from formwork.contract_runs.dots import TestDots
    from formwork.contract_runs.progress import TestProgress
    from formwork.contract_runs.settings import ContractSettings

# Plugins whose fixtures and options no test here has: looking for fixtures in each takes a part of every run.
_NOT_USED = (
    *("doctest", "legacypath", "monkeypatch", "pastebin", "recwarn"),
    *("setuponly", "setupplan", "subtests", "tmpdir", "unittest"),
)
_ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")
_PYTEST_VARIABLES = ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_ADDOPTS", "PYTEST_PLUGINS")


def run_tests(
    arguments: argparse.Namespace,
    subjects: Sequence[tuple[str, "AnySubject"]],
    output: CommandOutput,
    settings: "ContractSettings",
    begin: Callable[[str], None] = lambda _test: None,
) -> "SuiteResult":
    """Run the selected tests on each subject, and return the result; `begin` is called with each test's name.

    Arguments for pytest, and `--last-failed`, are for pytest to read: then it runs the tests.

    Raises:
        UsageError: pytest does not understand its arguments, or they select nothing.
        SystemExit: a signal such as SIGTERM ended the run; what its tests made was deleted.

    A run that the user interrupted ends in order: what its tests made is deleted, and the result says so.
    """
    from formwork.contract.run import ContractRun

    progress = test_progress(arguments, output)
    by_pytest = bool(arguments.pytest_arguments or arguments.last_failed)
    dots = None
    if progress is None and not by_pytest and not arguments.quiet:
        from formwork.contract_runs.dots import TestDots

        dots = TestDots(_progress_stream(arguments, output))
    run = ContractRun(
        subjects,
        scheduler=settings.scheduler,
        at_a_time=settings.at_a_time,
        overlap=settings.overlap,
        publish=_receiver(begin, progress or dots),
        on_interrupt=lambda: _tell_interrupt(output, progress),
        **({"includes": arguments.touched.includes} if arguments.touched is not None else {}),
    )
    with _ending_signals():
        if by_pytest:
            _run_by_pytest(arguments, run, output, unseen=progress is not None or arguments.quiet)
        else:
            _run_all(run)
    if run.stopped is not None:
        output.say(f"stopped here: {run.stopped}")
    return run.result


def _run_all(run: "ContractRun") -> None:
    if not run.all_tests():
        raise _nothing_selected()
    try:
        run.run()
    finally:
        LastRun(Path()).keep_failures(run.result.tests)


def _run_by_pytest(arguments: argparse.Namespace, run: "ContractRun", output: CommandOutput, *, unseen: bool) -> None:
    """Run what pytest's arguments select; with `unseen` pytest's own words are shown only where it could not run."""
    import pytest

    import formwork.contract
    from formwork.contract.plugin import ContractPlugin

    folder = Path(formwork.contract.__file__).parent
    words = [
        "-c", str(folder / "pytest.ini"), "--rootdir", str(folder / "requirements"),
        "-o", f"cache_dir={LastRun(Path()).folder}",  # which tests failed: for --lf and --ff
        # These two collect garbage, for a fifth of a second, to warn of what no test here can leave.
        "-p", "no:unraisableexception", "-p", "no:threadexception",
        *_without(_NOT_USED),
        "--assert=plain", "--capture=no", "--tb=no", "-q", "--no-header", "--no-summary",
        *(["--lf"] if arguments.last_failed else []),
        *arguments.pytest_arguments,
        str(folder / "requirements"),
    ]  # fmt: skip
    words_of_pytest = io.StringIO() if unseen else _progress_stream(arguments, output)
    plugin = ContractPlugin(run)
    with _only_our_plugins(), contextlib.redirect_stdout(words_of_pytest):
        code = pytest.main(words, plugins=[plugin])
    if plugin.fatal is not None:
        raise plugin.fatal
    if run.stopped is not None:
        return
    if unseen and code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED}:
        output.say(words_of_pytest.getvalue())
    match code:
        case pytest.ExitCode.INTERRUPTED if not run.result.finished.interrupted:
            raise KeyboardInterrupt
        case pytest.ExitCode.USAGE_ERROR:
            raise UsageError(
                "pytest refused the arguments after --", hint="such as: cfn test -- -k contract_create_read"
            )
        case pytest.ExitCode.NO_TESTS_COLLECTED:
            raise _nothing_selected()
        case pytest.ExitCode.INTERNAL_ERROR:
            raise RuntimeError("pytest failed: see its output above")
        case _:
            pass


def _nothing_selected() -> UsageError:
    return UsageError("no test is selected", hint="`cfn test -- --collect-only` lists them")


def _without(plugins: Sequence[str]) -> list[str]:
    return [word for name in plugins for word in ("-p", f"no:{name}")]


@contextlib.contextmanager
def _ending_signals() -> Iterator[None]:
    """Let signals whose handlers exit end the run as Ctrl-C does; the exit is raised at the end of the block.

    pytest takes a SystemExit in a test for a failure of the test, and runs the next one.

    Raises:
        SystemExit: the first that such a handler raised.
    """
    demanded: list[SystemExit] = []
    handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}

    def interrupt(number: int, frame: FrameType | None) -> None:
        try:
            handlers[number](number, frame)
        except SystemExit as exit_:
            demanded.append(exit_)
            raise KeyboardInterrupt from exit_

    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in _ENDING if hasattr(signal, name)):
            if callable(handler := signal.getsignal(number)):
                handlers[number] = handler
                signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if demanded:
            raise demanded[0]


def _receiver(begin: Callable[[str], None], progress: "TestProgress | TestDots | None") -> "Callable[[RunEvent], None]":
    from formwork.contract_results.run_events import TestStarted

    def receive(event: "RunEvent") -> None:
        if isinstance(event, TestStarted):
            begin(event.test)
        if progress is not None:
            progress.receive(event)

    return receive


def _tell_interrupt(output: CommandOutput, progress: "TestProgress | None") -> None:
    """Say at once that Ctrl-C was heard, and why the command does not end at once."""
    if progress is not None:
        progress.clear()
    else:
        output.say("")  # the line of dots ends here
    output.say("interrupted: deleting what the tests made (Ctrl-C again leaves it behind)")


def test_progress(arguments: argparse.Namespace, output: CommandOutput) -> "TestProgress | None":
    """Return a line for a person at a terminal; None where they want pytest's own words, or the handlers' logs."""
    if (
        arguments.quiet
        or not output.terminal
        or output.verbosity
        or arguments.debug_port is not None
        or any(not _selects(each) for each in arguments.pytest_arguments)
    ):
        return None
    from formwork.contract_runs.progress import TestProgress

    return TestProgress(output.err, colour=output.colour)


def _selects(word: str) -> bool:
    """Return whether a pytest argument only selects tests: -k, -m, -x, or a value."""
    return not word.startswith("-") or word.startswith(("-k", "-m", "-x", "--maxfail"))


@contextlib.contextmanager
def _only_our_plugins() -> Iterator[None]:
    """No plugin that happens to be installed, and none of the user's own pytest options, changes the verdict."""
    kept = {name: os.environ.get(name) for name in _PYTEST_VARIABLES}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    os.environ.pop("PYTEST_PLUGINS", None)
    try:
        yield
    finally:
        for name, value in kept.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _progress_stream(arguments: argparse.Namespace, output: CommandOutput) -> Any:
    """Standard output belongs to the report; progress goes there only where the report is text for readers."""
    return output.out if arguments.report == "text" and arguments.report_file is None else output.err
