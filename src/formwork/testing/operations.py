"""Operations on stacks through change sets, as a client of CloudFormation runs them.

The server holds the calls of the client that is used here until the operation has ended.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.testing.observed import PlannedChange, StackEvent, read_event, read_plan

CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]
_NOTHING = ("didn't contain changes", "No updates are to be performed")
_LONGEST_SECONDS = 3600
_POLL_SECONDS = 0.005
_LONGEST_POLL = 0.2


class ChangeSet(Struct, frozen=True):
    """A change set in its final status; `stack` is the id of its stack."""

    id: str
    stack: str
    status: str
    reason: str
    plan: tuple[PlannedChange, ...]

    @property
    def failed(self) -> bool:
        """Whether it can't be executed."""
        return self.status == "FAILED"

    @property
    def refused(self) -> bool:
        """Whether the request was refused, so that there is no change set."""
        return not self.id

    @property
    def unchanged(self) -> bool:
        """Whether it failed because nothing is to change."""
        return self.failed and any(text in self.reason for text in _NOTHING)


class StepOutcome(Struct, frozen=True):
    """What an operation came to: the change set, the status of the stack after it, and its events, oldest first."""

    kind: str
    change_set: ChangeSet
    status: str = ""
    reason: str = ""
    events: tuple[StackEvent, ...] = ()
    resources: Mapping[str, str] = field(default_factory=dict)  # physical ids before, by logical id

    @property
    def succeeded(self) -> bool:
        """Whether it did what it was to do."""
        return self.change_set.unchanged or self.status == f"{self.kind}_COMPLETE"

    @property
    def failures(self) -> list[StackEvent]:
        """The events that report failures, of resources and hooks, oldest first."""
        return [event for event in self.events if event.failed]


def create_change_set(client: Any, request: Mapping[str, Any]) -> ChangeSet:
    """Create a change set and wait until it can be executed, or never can be."""
    import botocore.exceptions  # noqa: PLC0415 - optional

    try:
        made = client.create_change_set(ChangeSetName=f"test-{uuid.uuid4().hex[:12]}", **request)
    except botocore.exceptions.ClientError as error:
        return ChangeSet("", "", "FAILED", error.response["Error"]["Message"], ())
    described = _await_change_set(client, made["Id"])
    plan = list(read_plan(described))
    while token := described.get("NextToken"):
        described = client.describe_change_set(ChangeSetName=made["Id"], NextToken=token, IncludePropertyValues=True)
        plan += read_plan(described)
    return ChangeSet(made["Id"], made["StackId"], described["Status"], described.get("StatusReason", ""), tuple(plan))


def _await_change_set(client: Any, change_set: str) -> dict[str, Any]:
    def describe() -> dict[str, Any]:
        found: dict[str, Any] = client.describe_change_set(ChangeSetName=change_set, IncludePropertyValues=True)
        return found

    return poll(describe, lambda found: not found["Status"].endswith(("_IN_PROGRESS", "_PENDING")))


def execute_change_set(client: Any, change_set: ChangeSet) -> dict[str, Any]:
    """Execute a change set, wait for the end, and return the stack as DescribeStacks shows it."""
    client.execute_change_set(ChangeSetName=change_set.id)
    return await_stack(client, change_set.stack)


def await_stack(client: Any, stack: str) -> dict[str, Any]:
    """Wait until the operation on a stack has ended, and return the stack as DescribeStacks shows it."""

    def describe() -> dict[str, Any]:
        found: dict[str, Any] = client.describe_stacks(StackName=stack)["Stacks"][0]
        return found

    return poll(describe, lambda found: not found["StackStatus"].endswith("_IN_PROGRESS"))


def poll(ask: Callable[[], dict[str, Any]], done: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask until the answer is final; return it."""
    delay, ends = _POLL_SECONDS, time.monotonic() + _LONGEST_SECONDS
    while True:
        answer = ask()
        if done(answer) or time.monotonic() > ends:
            return answer
        time.sleep(delay)
        delay = min(delay * 1.5, _LONGEST_POLL)


def events_since(client: Any, stack: str, last: str) -> list[StackEvent]:
    """Return the events of a stack after the event with the id `last`, oldest first; all of them for ""."""
    return list(_newest_first(client, stack, last))[::-1]


def _newest_first(client: Any, stack: str, last: str) -> Iterator[StackEvent]:
    for page in client.get_paginator("describe_stack_events").paginate(StackName=stack):
        for each in page["StackEvents"]:
            if each["EventId"] == last:
                return
            yield read_event(each)
