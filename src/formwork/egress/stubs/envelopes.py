"""Where an item is in a body that wraps it (`{"thing": {…}}`), and items in that of a list (`{"items": […]}`)."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from formwork.egress.stubs.names import NAMES, plain
from formwork.egress.stubs.schemas import ClosedSchema
from formwork.instances.shapes import Node

# Names of the properties that lead from a body to the item or the list in it.
Envelope: TypeAlias = tuple[str, ...]
_ID_NAMES, _WRAPPERS, _LISTS = (NAMES["items"][each] for each in ("ids", "wrappers", "lists"))


def singular(name: str) -> str:
    """Return the singular of a collection's name, as far as English is regular."""
    for ending, single in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("s", "")):
        if name.endswith(ending) and len(name) > len(ending) + 1:
            return name[: -len(ending)] + single
    return name


def item_envelope(schema: ClosedSchema, parameter: str, collection: str) -> tuple[Envelope, str | None]:
    """Return where the item is in bodies with a schema, and the name of its id, which the path calls `parameter`."""
    noun = plain(singular(collection.rstrip("/").rpartition("/")[2]))
    declared = schema.properties(schema.root)
    name = _id_among(declared, parameter, noun)
    wrapped = [
        ((each,), inner)
        for each, node in declared.items()
        if is_object(schema, node) and (inner := _id_among(schema.properties(node), parameter, noun)) is not None
    ]
    is_wrapper = len(declared) == 1 or not any(plain(each) == plain(parameter) for each in declared)
    for envelope, inner in wrapped:
        if (plain(envelope[0]) in (noun, *_WRAPPERS) and is_wrapper) and (name is None or len(declared) <= 3):
            return envelope, inner
    if name is not None:
        return (), name
    return wrapped[0] if len(wrapped) == 1 and len(declared) <= 2 else ((), None)


def _id_among(declared: Mapping[str, Any], parameter: str, noun: str) -> str | None:
    by_plain = {plain(each): each for each in reversed([*declared])}
    wanted = plain(parameter)
    candidates = [wanted, f"{noun}id", wanted.removeprefix(noun), *_ID_NAMES, f"{noun}name"]
    for suffix in _ID_NAMES:
        if wanted.endswith(suffix):
            candidates.insert(3, suffix)
    return next((by_plain[each] for each in candidates if each and each in by_plain), None)


def request_envelope(schema: ClosedSchema, item: Envelope, collection: str) -> Envelope:
    """Return where the item is in requests, given where it is in responses."""
    declared = schema.properties(schema.root)
    noun = plain(singular(collection.rstrip("/").rpartition("/")[2]))
    if len(item) == 1 and item[0] in declared:
        return item
    if len(declared) == 1:
        ((name, node),) = declared.items()
        if plain(name) in (noun, *_WRAPPERS) and is_object(schema, node):
            return (name,)
    return ()


def list_envelope(schema: ClosedSchema, noun: str) -> Envelope | None:
    """Return where the list is in bodies with a schema; None where there is none, or there are several."""
    if is_array(schema, schema.root):
        return ()
    found = [*_arrays(schema)]
    wanted = plain(noun)
    for names in ((wanted,), _LISTS):
        for envelope in found:
            if plain(envelope[-1]) in names and _is_item_list(schema, envelope):
                return envelope
    objects = [envelope for envelope in found if len(envelope) == 1 and _is_item_list(schema, envelope)]
    others = [each for each in schema.properties(schema.root) if each not in {envelope[0] for envelope in objects}]
    paging = all(is_about_pages(each) for each in others)
    return objects[0] if len(objects) == 1 and paging else None


def _is_item_list(schema: ClosedSchema, envelope: Envelope) -> bool:
    node = node_at(schema, envelope)
    return is_object(schema, schema.merged(node).get("items")) or len(schema.properties(schema.root)) <= 2


def is_about_pages(name: str) -> bool:
    """Whether a property of a list's body is about its pages."""
    return any(each in plain(name) for each in NAMES["items"]["beside_lists"])


def _arrays(schema: ClosedSchema) -> Iterator[Envelope]:
    declared = schema.properties(schema.root)
    for name, node in declared.items():
        if is_array(schema, node):
            yield (name,)
    for name, node in declared.items():
        if plain(name) in ("embedded", *_WRAPPERS) and is_object(schema, node):
            yield from ((name, inner) for inner, each in schema.properties(node).items() if is_array(schema, each))


def node_at(schema: ClosedSchema, envelope: Envelope) -> Any:
    """Return the node that an envelope leads to, True where it leads nowhere."""
    node = schema.root
    for name in envelope:
        node = schema.properties(node).get(name, True)
    return node


def value_at(value: Any, envelope: Envelope) -> Any:
    """Return the value that an envelope leads to, None where it leads nowhere."""
    for name in envelope:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def wrapped(value: Any, envelope: Envelope) -> Any:
    """Return `value` as the body that an envelope leads through."""
    for name in reversed(envelope):
        value = {name: value}
    return value


def is_object(schema: ClosedSchema, node: Any) -> bool:
    """Whether a node is that of objects."""
    merged: Node = schema.merged(node)
    return "object" in merged.get("type", ()) or ("type" not in merged and bool(schema.properties(node)))


def is_array(schema: ClosedSchema, node: Any) -> bool:
    """Whether a node is that of arrays."""
    return "array" in schema.merged(node).get("type", ())
