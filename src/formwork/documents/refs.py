"""Following `$ref` inside one document.

A `$ref` that leads to another `$ref` is followed to the end; a loop of them is found, never walked twice.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from formwork.diagnostics import PointerError, expect_at, parse_pointer

# CloudFormation gives a list handler's schema this name for the resource schema that it stands in.
SELF_REFERENCE = "resource-schema.json"


class ReferenceError_(ValueError):  # noqa: N801, N818 - ReferenceError is Python's own
    """A `$ref` that can't be followed; the message says why."""


@lru_cache(maxsize=1024)
def split_local_ref(ref: str) -> tuple[str, ...] | None:
    """Return the tokens that a reference into the same document names, or None where it names another document.

    `#/definitions/A`, `#`, and `resource-schema.json#/properties/A` are local.

    Raises:
        ReferenceError_: the part after `#` is not a JSON pointer.
    """
    document, mark, fragment = ref.partition("#")
    if document not in ("", SELF_REFERENCE) or (not mark and document == ""):
        return None
    try:
        return parse_pointer(unquote(fragment))
    except PointerError as error:
        raise ReferenceError_(f"{error}") from None


def follow_ref(node: Any, root: Any) -> tuple[Any, tuple[str, ...] | None]:
    """Follow the `$ref`s of `node` in `root`; return the final node and its path (None if it is `node` itself).

    Raises:
        ReferenceError_: a reference into another document, one that leads nowhere, or a loop of references.
    """
    seen: set[tuple[str, ...]] = set()
    path: tuple[str, ...] | None = None
    while isinstance(node, Mapping) and isinstance(node.get("$ref"), str):
        ref = node["$ref"]
        tokens = split_local_ref(ref)
        if tokens is None:
            raise ReferenceError_(f'"{ref}" refers to another document')
        if tokens in seen:
            raise ReferenceError_(f'"{ref}" refers to itself')
        seen.add(tokens)
        try:
            node = expect_at(root, tokens)
        except PointerError as error:
            raise ReferenceError_(f'"{ref}" leads nowhere') from error
        path = tokens
    return node, path
