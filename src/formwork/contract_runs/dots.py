"""One character for each test of the contract suite, for a log, a file or a pipe instead of a terminal."""

from collections import Counter
from typing import TextIO

from formwork.contract.requirement import REQUIREMENTS
from formwork.contract_results.run_events import RunEvent, RunFinished, TestJudged
from formwork.contract_results.test_result import TestResult

_LETTERS = {"failed": "F", "passed": ".", "skipped": "s"}


class TestDots:
    """Writes `.`, `s` (skipped) or `F` to `stream` as tests end, and at the end of the run how many of each."""

    __test__ = False  # no test class, whatever pytest thinks of its name

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._ended: Counter[str] = Counter()

    def receive(self, event: RunEvent) -> None:
        """Show a test that has ended, or the end of the run; an interrupted run is not summed up."""
        match event:
            case TestJudged() if event.result.name.partition("[")[0] in REQUIREMENTS:
                outcome = _outcome(event.result)
                self._ended[outcome] += 1
                self._stream.write(_LETTERS[outcome])
                self._stream.flush()
            case RunFinished() if not event.interrupted:
                counts = ", ".join(f"{self._ended[each]} {each}" for each in _LETTERS if self._ended[each])
                self._stream.write(f"\n{counts or 'no test ended'} in {event.seconds:.2f} s\n")
                self._stream.flush()
            case _:
                pass


def _outcome(result: TestResult) -> str:
    if result.violations:
        return "failed"
    return "passed" if result.skipped is None else "skipped"
