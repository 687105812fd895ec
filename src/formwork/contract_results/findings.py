"""Findings of the tests, and the state of each clause."""

import re
from enum import StrEnum
from typing import Any

from msgspec import Struct

from formwork.contract_results.clauses import Level
from formwork.invoke import Exchange

# What differs from one time to the next in the same message: request ids, numbers, generated names in quotes.
_PASSING = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+(?:\.\d+)?|\[\"[^\]]*\]")


class ClauseState(StrEnum):
    """The state of a clause after a run."""

    VIOLATED = "violated"
    WARNED = "warned"  # a SHOULD is not kept
    PROVED = "proved"  # judged on a live resource, and kept
    NOT_PROVABLE = "not provable"  # the inputs cannot show it, whatever the handlers do
    NOT_APPLICABLE = "not applicable"  # the clause demands nothing of the type or of its handlers
    NOT_TESTED = "not tested"  # a handler did not do what has to come before, or no test was run


class Undecided(Struct, frozen=True):
    """Why a clause is neither proved nor violated: `state` is one of the last three."""

    state: ClauseState
    reason: str


class ClauseResult(Struct, frozen=True):
    """The state of one clause after a run; `reason` says why where it is neither proved nor violated."""

    clause: str
    state: ClauseState
    reason: str = ""
    tests: tuple[str, ...] = ()


class _Absent:
    """Stands for "no such property" where a JSON null would be something else."""

    def __repr__(self) -> str:
        return "(absent)"


ABSENT: Any = _Absent()


class ModelDifference(Struct, frozen=True):
    """A place at which two values differ: `expected` and `actual` are JSON values or ABSENT."""

    pointer: str
    expected: Any
    actual: Any


class Finding(Struct, frozen=True):
    """A violation of a clause, or a warning about it.

    `level` is the clause's, or SHOULD where this way of breaking it is only worth a warning. `exchanges` are the
    requests and answers that show it, in order. `targets` are the targets of a hook that it was found with; the message
    names the first of them.
    """

    clause: str
    level: Level
    message: str
    exchanges: tuple[Exchange, ...] = ()
    differences: tuple[ModelDifference, ...] = ()
    targets: tuple[str, ...] = ()

    @property
    def is_violation(self) -> bool:
        """Whether the run fails because of it."""
        return self.level is Level.MUST

    @property
    def key(self) -> tuple[str, str, str, tuple[str, ...]]:
        """A key that is equal for the same finding in other tests."""
        message = normalized(self.message.replace(self.targets[0], "#") if self.targets else self.message)
        return self.clause, self.level, message, tuple(each.pointer for each in self.differences)

    @property
    def text(self) -> str:
        """The message, its targets counted where there are several."""
        if len(self.targets) < 2:
            return self.message
        return self.message.replace(self.targets[0], f"{len(self.targets):,} targets", 1)


def normalized(message: str) -> str:
    """`message` without what differs from one time to the next."""
    return _PASSING.sub("#", message)
