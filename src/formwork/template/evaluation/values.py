"""The results of evaluation: plain values and two special ones."""

from collections.abc import Iterator
from enum import Enum
from typing import Any, TypeAlias


class Mark(Enum):
    """Two results that are not values of a document.

    UNKNOWN is what only provisioning can tell, such as the attribute of a resource that does not exist yet; whatever
    text is made from it is UNKNOWN too. ABSENT is `AWS::NoValue`: the member that has it is left out.
    """

    UNKNOWN = "unknown"
    ABSENT = "absent"


UNKNOWN = Mark.UNKNOWN
ABSENT = Mark.ABSENT

# A value of JSON in which UNKNOWN may stand anywhere.
Value: TypeAlias = Any


def has_unknown(value: Value) -> bool:
    """Return whether UNKNOWN stands anywhere in the value."""
    return any(each is UNKNOWN for each in _leaves(value))


def replace_unknown(value: Value, stand_in: str) -> Value:
    """Return the value with a text in the place of each UNKNOWN."""
    match value:
        case Mark():
            return stand_in
        case dict():
            return {key: replace_unknown(each, stand_in) for key, each in value.items()}
        case list():
            return [replace_unknown(each, stand_in) for each in value]
        case _:
            return value


def _leaves(value: Value) -> Iterator[Value]:
    match value:
        case dict():
            for each in value.values():
                yield from _leaves(each)
        case list():
            for each in value:
                yield from _leaves(each)
        case _:
            yield value
