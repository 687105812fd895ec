"""Whole lives of resources: random sequences of operations, or one short sequence where creates take seconds.

A seed makes the same random ones again. One that fails is shortened.
"""

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from msgspec import Struct, field

from formwork.contract.machine import ResourceLife, Step
from formwork.contract.memory import Effort
from formwork.contract.models import Model
from formwork.contract.recording import StopTestError
from formwork.contract.resource_case import ResourceTestCase
from formwork.contract.sequences import Steps, draw_sequence, shorten
from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import Finding
from formwork.instances import Extent
from formwork.invoke import Exchange

EXAMPLES = {Effort.QUICK: 8, Effort.THOROUGH: 100}
STEPS = {Effort.QUICK: 8, Effort.THOROUGH: 25}
SECONDS = {Effort.QUICK: 10.0, Effort.THOROUGH: 120.0}
# The short sequence, what shows most first: two creates in progress at a time, an update and a delete beside a
# neighbour, then a third resource, callbacks delivered twice and one token used twice.
SHORT_SEQUENCE: tuple[Step, ...] = (
    *(("create_interleaved", 0, 4), ("update", 0, 0), ("delete", 0, 0), ("list", 0, 0)),
    *(("create", 0, 2), ("create_redelivered", 0, 3), ("update", 1, 1)),
    *(("create_twice", 0, 1), ("read", 0, 0), ("delete", 0, 0), ("list", 0, 0)),
)
SHORT_SECONDS = 10.0  # after which no further step of it begins
_FEWEST_STEPS = 3


class Lived(Struct):
    """The executed steps of a sequence, and violations in it that no other test has found.

    `stopped` says why it ended before its last step where a handler did not do what a step needs.
    """

    steps: tuple[Step, ...] = ()
    findings: list[Finding] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    stopped: str | None = None


def live(test: ResourceTestCase) -> None:
    """Run random sequences on the subject of `test`, and record the findings of the first failing one, shortened."""
    subject = test.subject
    effort = subject.effort
    inputs = _inputs(test)
    random = Random(subject.seed)  # noqa: S311 - so that the same sequences come again
    ends = time.monotonic() + SECONDS[effort]
    found = Lived()

    def fails(steps: Steps) -> bool:
        nonlocal found
        if not subject.memory.pace.decide("another life", lambda: time.monotonic() <= ends):
            return False  # shortening may take long: the shortest so far is good enough
        lived = _live_once(test, inputs, steps)
        if lived.findings:
            found = lived
        return bool(lived.findings)

    for _ in range(subject.examples or EXAMPLES[effort]):
        if fails(draw_sequence(random, longest=STEPS[effort], inputs=len(inputs))):
            shorten(found.steps, fails)
            break
    _record(test, found)


def live_briefly(test: ResourceTestCase) -> Lived:
    """Run the short sequence for SHORT_SECONDS, at least three steps, and record its findings."""
    ends = time.monotonic() + SHORT_SECONDS

    def has_time() -> bool:
        return test.subject.memory.pace.decide("another step", lambda: time.monotonic() < ends)

    lived = _live_once(test, _inputs(test), SHORT_SEQUENCE, may_go_on=lambda done: done < _FEWEST_STEPS or has_time())
    if lived.findings:
        _record(test, lived)
    else:
        test.record.exchanges += lived.exchanges
    return lived


def _record(test: ResourceTestCase, lived: Lived) -> None:
    """Record the findings of a sequence, each with the sequence's steps."""
    test.record.exchanges += lived.exchanges
    told = " → ".join(name for name, _, _ in lived.steps)
    for each in lived.findings:
        shown = tuple(lived.exchanges[-12:]) if len(lived.exchanges) > len(each.exchanges) else each.exchanges
        message = f"{each.message} (in the sequence {told})"
        test.record.findings.append(Finding(each.clause, each.level, message, shown, each.differences))


def _live_once(
    test: ResourceTestCase,
    inputs: Sequence[Model],
    steps: Sequence[Step],
    *,
    may_go_on: Callable[[int], bool] = lambda _done: True,
) -> Lived:
    """Run one sequence in a test case of its own, and delete what it created; see `ResourceLife.run`."""
    inner = ResourceTestCase(test.subject, inputs=test.inputs.fork("life"))
    life = ResourceLife(inner, inputs)
    stopped = None
    try:
        life.run(steps, may_go_on=may_go_on)
    except StopTestError as reason:
        stopped = str(reason)
    exchanges = list(inner.record.exchanges)
    known = test.subject.memory.violated
    findings = [each for each in inner.record.findings if each.level is Level.MUST and each.clause not in known]
    try:
        inner.clean_up()
    finally:
        test.record.leftovers += inner.record.leftovers
    test.hold(*inner.record.held)
    test.record.worked |= inner.record.worked
    test.record.tried |= inner.record.tried
    test.record.gaps |= inner.record.gaps
    return Lived(tuple(steps[: life.done]), findings, exchanges, stopped)


def _inputs(test: ResourceTestCase) -> list[dict[str, Any]]:
    """Return a few create models; the first ones differ most."""
    if test.inputs.given:
        return test.inputs.several(3)
    extents = (Extent.MAXIMAL, Extent.MINIMAL, Extent.RANDOM, Extent.RANDOM, Extent.RANDOM)
    return [test.inputs.create(each) for each in extents]
