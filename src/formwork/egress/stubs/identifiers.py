"""Ids of new items: numbers count up, texts follow from the collection and the number, as the schema wants them."""

import hashlib
import uuid
from typing import Any

from formwork.egress.stubs.schemas import ClosedSchema
from formwork.instances.errors import DeadEndError
from formwork.instances.shapes import types_of
from formwork.instances.values import Extent

_CONSTRAINTS = frozenset({"patterns", "format", "minLength", "maxLength", "enum", "const", "choices"})


def new_identifier(schema: ClosedSchema, node: Any, collection: str, number: int) -> Any:
    """Return the id of item `number` of a collection, as `node` wants it.

    Raises:
        DeadEndError: no value was found.
    """
    merged = schema.merged(node)
    if types_of(merged)[0] in ("integer", "number"):
        least = int(merged.get("minimum", merged.get("exclusiveMinimum", 0)) or 0)
        return max(least, 0) + number
    if merged.get("format") == "uuid" and "patterns" not in merged:
        return str(uuid.UUID(bytes=_digest(collection, number)[:16], version=4))
    if _CONSTRAINTS & merged.keys():
        made = schema.make(node, f"{collection}#{number}", Extent.RANDOM)
        if isinstance(made, str | int):
            return made
        raise DeadEndError("an id is a text or a number")
    return _digest(collection, number).hex()[:16]


def _digest(collection: str, number: int) -> bytes:
    return hashlib.sha256(f"{collection}#{number}".encode()).digest()
