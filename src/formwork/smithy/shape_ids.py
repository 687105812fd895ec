"""Shape ids as text: `namespace#Name` for a shape, `namespace#Name$member` for a member."""

import re

PRELUDE = "smithy.api"
UNIT = "smithy.api#Unit"

_IDENTIFIER = r"(?:[A-Za-z]|_+[A-Za-z0-9])[A-Za-z0-9_]*"
_ABSOLUTE = re.compile(rf"{_IDENTIFIER}(?:\.{_IDENTIFIER})*#{_IDENTIFIER}(?:\${_IDENTIFIER})?", re.ASCII)
_NAME = re.compile(_IDENTIFIER, re.ASCII)


def is_absolute(text: str) -> bool:
    """Return whether `text` is an absolute shape id, of a shape or of a member."""
    return _ABSOLUTE.fullmatch(text) is not None


def is_identifier(text: str) -> bool:
    """Return whether `text` can name a shape or a member."""
    return _NAME.fullmatch(text) is not None


def namespace_of(shape_id: str) -> str:
    """Return the namespace of an absolute id."""
    return shape_id.partition("#")[0]


def name_of(shape_id: str) -> str:
    """Return the shape's name, without namespace and member."""
    return shape_id.partition("#")[2].partition("$")[0]


def member_of(shape_id: str) -> str | None:
    """Return the member's name, None for the id of a shape."""
    return shape_id.partition("$")[2] or None


def display_trait(trait_id: str) -> str:
    """Return a trait's id as messages print it: prelude traits without their namespace."""
    return trait_id.removeprefix("smithy.api#")


def sort_key(shape_id: str) -> tuple[str, str]:
    """Return the order of shape ids that other Smithy tools use: whatever the case first, then by case."""
    return (shape_id.lower(), shape_id)
