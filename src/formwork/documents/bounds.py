"""Limits for documents: their size, depth and number of values."""

import re
from typing import Any

from formwork.diagnostics import BadInputError, Location

MAX_BYTES = 10 * 1024 * 1024
MAX_DEPTH = 200  # containers inside one another; C parsers and validators crash near 10,000
MAX_NODES = 1_000_000  # values, aliases expanded
MAX_ALIASES = 10_000

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def check_size(size: int, location: Location) -> None:
    """Refuse a text of `size` bytes that is over the bound.

    Raises:
        BadInputError: `document.too-large`.
    """
    if size > MAX_BYTES:
        raise BadInputError.of(
            "document.too-large",
            f"the document has {size:,} bytes",
            location=location,
            expected=f"at most {MAX_BYTES:,} bytes",
            hint="split it, or move generated data out of it",
        )


def too_deep(location: Location) -> BadInputError:
    """Return the error for a document whose containers nest deeper than the bound."""
    return BadInputError.of(
        "document.too-deep",
        f"the document nests deeper than {MAX_DEPTH} levels",
        location=location,
        expected=f"at most {MAX_DEPTH} objects and arrays inside one another",
        hint="flatten it, or move repeated parts into definitions and refer to them",
    )


def too_many(what: str, limit: int, location: Location) -> BadInputError:
    """Return the error for a document with more values or aliases than the bound."""
    return BadInputError.of(
        "document.too-many-values",
        f"the document holds more than {limit:,} {what}",
        location=location,
        expected=f"at most {limit:,} {what}",
        hint="an alias counts as often as it is used; write a smaller document",
    )


def check_json_nodes(text: str, location: Location) -> None:
    """Refuse a JSON text that would make more values than the bound, before any of them is made.

    Raises:
        BadInputError: `document.too-many-values`.
    """
    if _separators(text) > MAX_NODES and _separators(_STRING.sub("", text)) > MAX_NODES:
        raise too_many("values", MAX_NODES, location)


def _separators(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def nests_deeper(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Whether containers in `value` (no cycles) nest deeper than `limit`; walks level by level, never recurses."""
    level = [value] if isinstance(value, (dict, list)) else []
    depth = 0
    while level:
        depth += 1
        if depth > limit:
            return True
        below = []
        for container in level:
            for child in container.values() if type(container) is dict else container:
                if type(child) is dict or type(child) is list:
                    below.append(child)  # noqa: PERF401 - a comprehension over both kinds reads worse
        level = below
    return False
