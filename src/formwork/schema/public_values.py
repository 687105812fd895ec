"""The values that a schema itself names: all its readers know them, so that none is a secret."""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics.secret_forms import leaf_texts


def public_values(schema: Any) -> frozenset[str]:
    """Return the texts and numbers of every `enum`, `const` and `default` of a schema document."""
    return frozenset(text for named in _named(schema) for text in leaf_texts(named))


def _named(schema: Any) -> Iterator[Any]:
    remaining = [schema]
    while remaining:
        match remaining.pop():
            case dict() as node:
                yield from (node[each] for each in ("enum", "const", "default") if each in node)
                remaining += node.values()
            case list() as items:
                remaining += items
            case _:
                pass
