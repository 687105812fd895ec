"""Events of a run of the contract tests.

The plugin (or `run_suite`) publishes them; the progress line and `SuiteResult`, which the reports and the exit code
read, receive them. `TestStarted`, `HandlerInvoked` and `TestFinished` come from the thread of the test, and twice for a
test that is run again alone; all others come from one thread, in the order of the tests.
"""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from formwork.contract_results.findings import ClauseResult, Finding
from formwork.contract_results.test_result import TestResult
from formwork.invoke import Exchange
from formwork.invoke.masking import Masker


class RunStarted(Struct, frozen=True):
    """The tests are selected.

    `inputs` are the names of the input sets, `tests` the number of tests that are going to run; `masker` makes a new
    masker of the type's secrets.
    """

    type_name: str
    seed: int
    masker: Callable[[], Masker]
    inputs: tuple[str, ...] = ()
    tests: int = 0


class TestStarted(Struct, frozen=True):
    """A test calls its first handler soon."""

    __test__ = False

    test: str


class HandlerInvoked(Struct, frozen=True):
    """A handler answered; `action` is the request's, or a hook's invocation point."""

    action: str
    exchange: Exchange


class TestFinished(Struct, frozen=True):
    """A test ended and cleaned up; its findings may still have to be confirmed."""

    __test__ = False

    test: str


class FindingReported(Struct, frozen=True):
    """A test found a clause not kept, and tests beside it did not cause it; `test` names its input set, too."""

    test: str
    finding: Finding


class TestJudged(Struct, frozen=True):
    """The final result of a test, after a `FindingReported` for each of its findings."""

    __test__ = False

    result: TestResult


class RunFinished(Struct, frozen=True):
    """No test runs any more.

    `clauses` has the state of every clause that applies to the kind of extension. `nameless` counts the resources, at
    least, that no answer and no request names, so that nothing can delete them. `given_up` says of each handler that
    was given up on how, `sampled` of which targets of a hook only a sample was asked, or which failures were not
    injected. `complete`: every test that applies ran. `interrupted`: the user stopped the run.
    """

    clauses: tuple[ClauseResult, ...]
    seconds: float
    nameless: int = 0
    given_up: tuple[str, ...] = ()
    sampled: tuple[str, ...] = ()
    complete: bool = False
    interrupted: bool = False


RunEvent: TypeAlias = (
    RunStarted | TestStarted | HandlerInvoked | TestFinished | FindingReported | TestJudged | RunFinished
)
Publish: TypeAlias = Callable[[RunEvent], None]


def publish_nothing(event: RunEvent) -> None:
    """Drop the event; used where nothing receives the events of a run."""
