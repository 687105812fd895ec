"""The structure of a file of Guard rules: rules, blocks, conditions and checks, with their places in the text."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct


class CheckKind(StrEnum):
    """What a part of a rule is."""

    CHECK = "check"  # a comparison, or `exists`, `empty`, `is_string` …
    CALL = "call"  # of a rule with parameters
    REFERENCE = "reference"  # to a rule by its name
    BLOCK = "block"  # `query { … }`
    TYPE = "type"  # `AWS::S3::Bucket { … }`
    WHEN = "when"  # `when … { … }`


class GuardBlock(Struct, frozen=True):
    """What is between braces from `start` on: checks that must all hold, each a list of alternatives."""

    start: int
    checks: "Sequence[Sequence[GuardCheck]]"
    variables: Sequence[tuple[str, str]]


class GuardCheck(Struct, frozen=True):
    """A part of a rule; `start` and `end` are offsets in the text.

    `subject` is the query, the name or the type, `operator` in lower case. `message` and its offsets include what is
    between `<<` and `>>`. A type without braces has a `body` whose `start` is -1.
    """

    kind: CheckKind
    start: int
    end: int
    subject: str
    operator: str = ""
    operand: str = ""
    negated: bool = False
    message: str | None = None
    message_span: tuple[int, int] | None = None
    arguments: Sequence[str] = ()
    conditions: "Sequence[Sequence[GuardCheck]]" = ()
    body: GuardBlock | None = None


class GuardRule(Struct, frozen=True):
    """A named rule; `parameters` is None where it takes none."""

    name: str
    start: int
    end: int
    name_start: int
    parameters: Sequence[str] | None
    conditions: Sequence[Sequence[GuardCheck]]
    body: GuardBlock


class GuardStructure(Struct, frozen=True):
    """The parts of a file; `clauses` are those that are in no rule."""

    text: str
    rules: Sequence[GuardRule]
    clauses: Sequence[Sequence[GuardCheck]]
    variables: Sequence[tuple[str, str]]
    _lines: Sequence[int]

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        return bisect_right(self._lines, offset)

    def source(self, check: GuardCheck) -> str:
        """Return a check as it is written, on one line, without its message and what is in its braces."""
        end = check.message_span[0] if check.message_span else check.end
        if check.body is not None:
            end = check.body.start - 1 if check.body.start >= 0 else end
        return _on_one_line(self.text[check.start : end])

    def head(self, rule: GuardRule) -> str:
        """Return what stands before the braces of a rule, on one line."""
        return _on_one_line(self.text[rule.start : rule.body.start - 1])


def walk(checks: Sequence[Sequence[GuardCheck]]) -> Iterator[GuardCheck]:
    """Yield checks and what is in their blocks, in the order of the text."""
    for alternatives in checks:
        for check in alternatives:
            yield check
            if check.body is not None:
                yield from walk(check.body.checks)


def _on_one_line(text: str) -> str:
    return " ".join(re.sub(r"#[^\n]*", "", text).split())
