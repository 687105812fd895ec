"""Findings that AWS's handler libraries cause by themselves, so that no handler can avoid them.

Sources: the protocol's vectors over these libraries (tests/conformance/protocol/differences), and projects of the
incumbent run against the contract (docs/decisions/1140-a-finding-names-awss-library-where-that-is-the-cause.md).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from formwork.contract_results.findings import ABSENT, Finding


class _Habit(NamedTuple):
    """Something that a library does, in words, and whether a finding comes of it."""

    text: str
    explains: Callable[[Finding], bool]


def cause_of(finding: Finding, library: str | None) -> str | None:
    """Return what in AWS's handler library explains the finding; None where it is the handler's own.

    `library` is the language whose library of AWS's the handlers use, None where they use ours.
    """
    habits = _HABITS.get(library or "", ())
    return next((each.text for each in habits if each.explains(finding)), None)


def _is_of(*clauses: str) -> Callable[[Finding], bool]:
    return lambda finding: finding.clause in clauses


def _all_differences(explains: Callable[[Any, Any], bool]) -> Callable[[Finding], bool]:
    def check(finding: Finding) -> bool:
        found = finding.differences
        return bool(found) and all(explains(each.expected, each.actual) for each in found)

    return check


def _is_text_of(expected: Any, actual: Any) -> bool:
    """Whether `actual` is the text of a boolean or number: beside the value, or beside what the schema says of it."""
    if not isinstance(actual, str):
        return False
    if isinstance(expected, str):
        return expected.startswith(json.dumps(actual)) and expected.endswith(_NOT_OF_TYPE) and _is_scalar(actual)
    return isinstance(expected, bool | int | float) and _is_scalar(actual) and json.loads(actual) == expected


def _is_scalar(text: str) -> bool:
    try:
        return isinstance(json.loads(text), bool | int | float)
    except ValueError:
        return False


def _is_left_out(expected: Any, actual: Any) -> bool:
    return actual is ABSENT and expected in ([], {})


def _answers(message: str) -> Callable[[Finding], bool]:
    return lambda finding: any(message in str((each.event or {}).get("message")) for each in finding.exchanges)


_NOT_OF_TYPE = ('is not of type "boolean"', 'is not of type "integer"', 'is not of type "number"')
_ONE_PAGE = "AWS's handler library for {} never hands the list's nextToken to the handler"
_NO_PAGES = _is_of("list.token", "list.ends")

_HABITS: Mapping[str, Sequence[_Habit]] = {
    "go": (
        _Habit(
            "AWS's handler library for Go writes every boolean and number of a model as a string",
            _all_differences(_is_text_of),
        ),
        _Habit(
            "AWS's handler library for Go leaves empty lists and objects of a model out", _all_differences(_is_left_out)
        ),
        _Habit(
            "AWS's handler library for Go never hands the client request token to the handler",
            _is_of("create.idempotent", "practice.redelivery"),
        ),
        _Habit(
            "AWS's handler library for Go can't read a property of several types, or of none",
            _answers("Unsupported type interface {}"),
        ),
    ),
    "typescript": (_Habit(_ONE_PAGE.format("TypeScript"), _NO_PAGES),),
    "python": (_Habit(_ONE_PAGE.format("Python"), _NO_PAGES),),
}
