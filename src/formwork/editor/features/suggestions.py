"""What completion offers, before it is a message."""

from typing import Any, NamedTuple


class Suggestion(NamedTuple):
    """Something to write: a key or a value, with what it is and what it means; `kind` is the protocol's number."""

    value: Any
    detail: str | None = None
    text: str | None = None
    kind: int = 12


PROPERTY, VALUE, ENUM, REFERENCE, TYPE, KEYWORD = 10, 12, 20, 18, 7, 14
