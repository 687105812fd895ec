"""What a test expects of the next operation on a stack, and whether it came about."""

import re
from collections.abc import Iterator

from msgspec import Struct, field

from formwork.testing.failures import StepFinding
from formwork.testing.observed import StackEvent
from formwork.testing.operations import StepOutcome


class ExpectedFailure(Struct, frozen=True):
    """A failure that is expected: of a hook `by`, or of a resource `at`, with an error code and a text."""

    by: str = ""
    at: str = ""
    code: str = ""
    match: str = ""

    def describe(self) -> str:
        """Return what is expected, in words."""
        what = f"a refusal by {self.by}" if self.by else "a refusal" if not (self.at or self.code) else "a failure"
        parts = [what, *([f"at {self.at}"] if self.at else []), *([f"with {self.code}"] if self.code else [])]
        return " ".join([*parts, *([f'matching "{self.match}"'] if self.match else [])])

    def fits(self, event: StackEvent) -> bool:
        """Whether an event reports the failure."""
        if self.by and event.hook != self.by:
            return False
        if self.at and event.logical_id != self.at:
            return False
        text = f"{event.reason}\n{event.hook_reason}"
        return self.fits_text(text)

    def fits_text(self, text: str) -> bool:
        """Whether a message has the code and the text."""
        return self.code in text and re.search(self.match, text) is not None


class Expectations(Struct):
    """What is expected of the next operation."""

    in_place: set[str] = field(default_factory=set)
    replaced: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)
    failure: ExpectedFailure | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing in particular is expected."""
        return not (self.in_place or self.replaced or self.outputs or self.failure)

    def describe(self) -> str:
        """Return what is expected, in words."""
        words = [f"an update in place of {name}" for name in sorted(self.in_place)]
        words += [f"a replacement of {name}" for name in sorted(self.replaced)]
        words += [f"another value of the output {name}" for name in sorted(self.outputs)]
        return ", ".join([*words, *([self.failure.describe()] if self.failure else [])])


def judge_failure(expected: ExpectedFailure, outcome: StepOutcome) -> StepFinding | None:
    """Return what is wrong where a failure was expected."""
    if outcome.succeeded:
        return StepFinding(f"expected {expected.describe()}, but the operation succeeded")
    if any(expected.fits(event) for event in outcome.failures):
        return None
    told = outcome.change_set.reason if outcome.change_set.failed else outcome.reason
    if not expected.at and (not expected.by or expected.by in told) and told and expected.fits_text(told):
        return None
    return StepFinding(
        f"expected {expected.describe()}, but the operation failed otherwise", notes=[*failure_notes(outcome)]
    )


def failure_notes(outcome: StepOutcome) -> list[str]:
    """Return the reasons of a failed operation, one a line."""
    told = [outcome.change_set.reason] if outcome.change_set.failed else [outcome.reason]
    for event in outcome.failures:
        who = f"{event.hook}, called for {event.logical_id}" if event.hook else event.logical_id
        told.append(f"{who}: {event.hook_status or event.status}: {event.hook_reason or event.reason}")
    return [each for each in dict.fromkeys(told) if each]


def judge_changes(expected: Expectations, outcome: StepOutcome, now: dict[str, str]) -> Iterator[StepFinding]:
    """Yield what is wrong with how resources were changed; `now` are the physical ids by logical id."""
    planned = {change.logical_id: change for change in outcome.change_set.plan}
    for name in sorted(expected.in_place | expected.replaced):
        if name not in outcome.resources:
            yield StepFinding(f"{name} was not in the stack before the update", logical_id=name)
            continue
        change = planned.get(name)
        if name not in now:
            yield StepFinding(f"{name} is not in the stack any more", logical_id=name)
            continue
        replaced = is_replaced(name, outcome, now)
        why = [
            (each.path, each.before, each.after)
            for each in (change.properties if change else ())
            if not replaced or each.recreation != "Never"
        ]
        ids = [f"physical id {outcome.resources[name]} → {now[name]}"] if replaced else []
        if name in expected.in_place and replaced:
            title = f"{name} was replaced; an update in place was expected"
            yield StepFinding(title, logical_id=name, changes=why, notes=ids, action="CREATE")
        elif name in expected.in_place and change is None:
            yield StepFinding(f"{name} was not changed; an update in place was expected", logical_id=name)
        elif name in expected.replaced and not replaced:
            how = "updated in place" if change else "not changed"
            yield StepFinding(f"{name} was {how}; a replacement was expected", logical_id=name, changes=why)


def judge_plan(expected: Expectations, outcome: StepOutcome) -> Iterator[StepFinding]:
    """Yield the replacements that a change set plans where an update in place is expected."""
    for change in outcome.change_set.plan:
        if change.logical_id in expected.in_place and change.replacement == "True":
            why = [(each.path, each.before, each.after) for each in change.properties if each.recreation != "Never"]
            title = f"{change.logical_id} is replaced by this change set; an update in place was expected"
            yield StepFinding(title, logical_id=change.logical_id, changes=why)


def is_replaced(name: str, outcome: StepOutcome, now: dict[str, str]) -> bool:
    """Return whether an update made another resource: its id is another one, or the old one was deleted."""
    before = outcome.resources[name]
    cleaned = any(
        event.logical_id == name and event.status.startswith("DELETE_") and event.physical_id == before
        for event in outcome.events
    )
    return cleaned or now[name] != before
