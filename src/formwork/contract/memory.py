"""The limits of a run, and facts about the type that its tests share.

A violation that costs time is waited for three times (late answers, operations that never end, endless lists), or for a
hundred seconds in all. After that the action is not called again, and the tests that need it give that as their reason.
Shorter limits per call would hide what a handler answers late.
"""

import math
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from formwork.contract.existing import Existing
from formwork.contract.pace import Pace
from formwork.contract.recording import DEADLY
from formwork.invoke import Exchange, Operation
from formwork.invoke.retrying import MAX_TRIES
from formwork.schema import PropertyPath

READ_SECONDS = 30.0
WRITE_SECONDS = 60.0


class Effort(StrEnum):
    """The limits of a run."""

    QUICK = "quick"
    THOROUGH = "thorough"


class Limits(Struct, frozen=True):
    """Bounds of every loop.

    `read_seconds` and `write_seconds` are what one invocation may take; `patience_calls` is how often an operation may
    be called again without any real waiting; `pages` how many pages a list may have.
    `calling_seconds` is how long an operation is called again once it has waited its share. `retry_delays` are
    the seconds before each retry of a request that is FAILED with a retriable code: CloudFormation's, a tenth as long.
    `repeats` is how often a violation that costs time is established before the run stops repeating it;
    late answers of one action that have cost `late_seconds` are established, too: two of a minute each.
    """

    read_seconds: float = READ_SECONDS
    write_seconds: float = WRITE_SECONDS
    patience_calls: int = 1000
    pages: int = 300
    calling_seconds: float = 60.0
    repeats: int = 3
    late_seconds: float = 100.0
    retry_delays: tuple[float, ...] = tuple(0.1 * 2**attempt for attempt in range(MAX_TRIES - 1))

    @classmethod
    def enforced(cls, seconds: float) -> "Limits":
        """As `--enforce-timeout` has it: read and list take `seconds` at most, create, update and delete twice that."""
        return cls(read_seconds=seconds, write_seconds=2 * seconds)

    @property
    def unlimited(self) -> bool:
        """Whether handlers may take as long as they like, because the user debugs them."""
        return math.isinf(self.write_seconds)

    def seconds_for(self, action: str) -> float:
        """Return the time limit in seconds for one invocation of `action`."""
        return self.read_seconds if action in {"READ", "LIST"} else self.write_seconds


class ListInput(StrEnum):
    """The request members that a list handler needs, found out once per run."""

    NOTHING = "nothing"
    MODEL = "model"


class Memory(Struct):
    """Facts about the type that a run has found out, shared by its tests."""

    late: dict[str, int] = field(default_factory=dict)  # answers after the limit, or never, by action
    late_seconds: dict[str, float] = field(default_factory=dict)  # what those took
    endless: dict[str, int] = field(default_factory=dict)  # operations without an end, by action
    given_up: dict[str, str] = field(default_factory=dict)  # of those that may yet end: how the first was given up
    persisting: dict[str, int] = field(default_factory=dict)  # operations that no retry helped, by action
    list_input: ListInput | None = None
    refuses_conditional: bool = False  # an update that changed a conditionalCreateOnly property was refused
    failed_list: Operation | None = None  # asked for nothing, before it was known what the list handler wants
    leftovers: dict[str, dict[str, Any]] = field(default_factory=dict)
    fastest_create: float | None = None  # seconds for a new resource: the slowest may have started a process
    has_created: bool = False
    violated: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)  # identities that were created and, the handler says, deleted
    made: set[str] = field(default_factory=set)  # identities of everything that tests of this run made
    pace: Pace = field(default_factory=Pace)
    existing: Existing = field(default_factory=Existing)
    earlier: frozenset[str] | None = None  # identities listed before the first test; None where that was not asked
    seen_read_only: set[PropertyPath] = field(default_factory=set)  # readOnly properties that some answer had
    lacked_read_only: dict[PropertyPath, set[str]] = field(default_factory=dict)  # requests whose answers lacked them

    def has_given_up(self, limits: Limits) -> bool:
        """Return whether a handler was late, or did not end, so often that it is not called again."""
        endless = any(each >= limits.repeats for each in self.endless.values())
        return endless or any(self._is_late(action, limits) for action in self.late)

    def _is_late(self, action: str, limits: Limits) -> bool:
        """Return whether the action was late often enough not to be called again."""
        times, seconds = self.late.get(action, 0), self.late_seconds.get(action, 0.0)
        return times >= limits.repeats or (times > 1 and seconds >= limits.late_seconds)

    def why_not_called(self, action: str, limits: Limits) -> str | None:
        """Return why an action is not called again after slow, hanging or endless calls; None if it is called."""
        if self._is_late(action, limits):
            return f"{action} was late, hung or ended its process more than once and is not called again"
        return self.why_endless(action, limits)

    def why_endless(self, action: str, limits: Limits) -> str | None:
        """Return why an action is not called again after operations without an end; None if it is called."""
        if (times := self.endless.get(action, 0)) < limits.repeats:
            return None
        if (why := self.given_up.get(action)) is not None:
            return f"{why}; after {times} times it is not called again"
        return f"{action} never ended {times} times and is not called again"

    def count_late(self, action: str, exchange: Exchange, seconds: float) -> None:
        """Count an answer after more than `seconds`, or one that a process which hung or ended never gave."""
        problem = exchange.problem
        lost = problem is not None and (problem.timed_out or problem.error_type in DEADLY)
        if lost or exchange.answer.seconds > seconds:
            self.late[action] = self.late.get(action, 0) + 1
            self.late_seconds[action] = self.late_seconds.get(action, 0.0) + exchange.answer.seconds
