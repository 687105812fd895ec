"""Values that satisfy a schema and say what is known: known members are kept, missing ones are made."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.documents.copied import copied
from formwork.egress.stubs.names import NAMES, plain
from formwork.egress.stubs.schemas import ClosedSchema
from formwork.instances.errors import DeadEndError
from formwork.instances.shapes import Node

_DEEPEST = 12
_MOST_REPAIRS = 25
_TYPE_NAMES: Mapping[type, set[str]] = {
    type(None): {"null"},
    bool: {"boolean"},
    int: {"integer", "number"},
    str: {"string"},
    dict: {"object"},
    list: {"array"},
}


class Wanted(Struct, frozen=True):
    """How to fill: `seed` decides made values, `examples` whether those of the document are used for them.

    `made` are the names of properties of the value at `at` that are made although they are not required.
    """

    seed: str
    examples: bool = True
    example: Mapping[str, Any] = field(default_factory=dict)
    made: frozenset[str] = frozenset()
    at: tuple[str, ...] = ()


def filled(schema: ClosedSchema, node: Any, given: Any, wanted: Wanted) -> Any:
    """Return a value for a node that contains the members of `given`.

    Raises:
        DeadEndError: no value was found.
    """
    return _fill(schema, node, given, wanted, (), wanted.example)


def _fill(  # noqa: PLR0913, PLR0917 - the state of the walk
    schema: ClosedSchema, node: Any, given: Any, wanted: Wanted, path: tuple[str, ...], example: Any
) -> Any:
    if len(path) > _DEEPEST:
        raise DeadEndError("the values nest without end", path)
    merged = _decided(schema, schema.merged(node), given)
    match given:
        case dict() if _allows(merged, "object"):
            return _object(schema, merged, given, wanted, path, example)
        case list() if _allows(merged, "array"):
            items = merged.get("items", True)
            return [_fill(schema, items, each, wanted, (*path, str(at)), None) for at, each in enumerate(given)]
        case _ if given is not None and _fits(merged, given):
            return given
        case None if "null" in merged.get("type", ()):
            return None
        case _:
            return _made(schema, node, merged, wanted, path, example)


def _object(  # noqa: PLR0913, PLR0917 - the state of the walk
    schema: ClosedSchema, merged: Node, given: Mapping[str, Any], wanted: Wanted, path: tuple[str, ...], example: Any
) -> dict[str, Any]:
    declared: Mapping[str, Any] = merged.get("properties") or {}
    required = merged.get("required") or ()
    shown = example if isinstance(example, Mapping) else {}
    result: dict[str, Any] = {}
    for name, node in declared.items():
        here = (*path, name)
        if given.get(name) is not None or (name in given and (name in required or _is_nullable(schema, node))):
            result[name] = _fill(schema, node, given[name], wanted, here, shown.get(name))
        elif name in required:
            result[name] = _fill_absent(schema, node, wanted, here, shown.get(name))
        elif path == wanted.at and name in wanted.made:
            try:
                result[name] = _fill_absent(schema, node, wanted, here, shown.get(name))
            except DeadEndError:
                continue
    for name in required:
        if name not in declared:
            node = _additional(merged)
            value = given.get(name)
            here = (*path, name)
            result[name] = _fill(schema, node, value, wanted, here, shown.get(name))
    if not declared or isinstance(merged.get("additionalProperties"), Mapping) or "patternProperties" in merged:
        result |= {name: value for name, value in given.items() if name not in declared and name not in result}
    return result


def _fill_absent(schema: ClosedSchema, node: Any, wanted: Wanted, path: tuple[str, ...], example: Any) -> Any:
    return _made(schema, node, _decided(schema, schema.merged(node), None), wanted, path, example)


def _made(  # noqa: PLR0913, PLR0917 - the state of the walk
    schema: ClosedSchema, node: Any, merged: Node, wanted: Wanted, path: tuple[str, ...], example: Any
) -> Any:
    """Return a value where none is known: the default, an example, one that means "ready", or a made one."""
    for value in _candidates(merged, wanted, path, example):
        if _fits(merged, value):
            return copied(value)
    if _allows(merged, "object") and ("properties" in merged or "choices" in merged):
        return _object(schema, merged, {}, wanted, path, example)
    return schema.make(node, f"{wanted.seed}/{'/'.join(path)}")


def _candidates(merged: Node, wanted: Wanted, path: tuple[str, ...], example: Any) -> list[Any]:
    found = [merged["default"]] if "default" in merged else []
    if path and plain(path[-1]) in NAMES["status"]["names"]:
        members = [each for each in merged.get("enum", ()) if isinstance(each, str)]
        found += [each for ready in NAMES["status"]["ready"] for each in members if plain(each) == ready]
    if wanted.examples:
        found += [] if example is None else [example]
        found += [merged["example"]] if "example" in merged else []
        found += merged.get("examples", ())[:1]
    return [each for each in found if each is not None]


def _decided(schema: ClosedSchema, merged: Node, given: Any) -> Node:
    """Return a merged node with each choice resolved to the alternative that fits `given` best."""
    for _ in range(_DEEPEST):
        if "choices" not in merged:
            return merged
        alternatives = schema.alternatives(merged)
        if not alternatives:
            return merged
        merged = max(alternatives, key=lambda each: _score(each, given))
    return merged


def _score(node: Node, given: Any) -> tuple[int, int]:
    """Return how well a value fits a merged node: fewest contradictions first, then most declared members."""
    if given is None:
        return 0, 0
    if not isinstance(given, dict):
        return (1, 0) if _fits(node, given) else (-1, 0)
    if not _allows(node, "object"):
        return -100, 0
    declared = node.get("properties") or {}
    faults = sum(name not in given for name in node.get("required") or ())
    for name, value in given.items():
        sub = declared.get(name)
        if isinstance(sub, dict) and ("const" in sub or "enum" in sub):
            faults += 0 if value == sub.get("const", value) and value in sub.get("enum", (value,)) else 10
    return -faults, sum(name in declared for name in given)


def _is_nullable(schema: ClosedSchema, node: Any) -> bool:
    return "null" in schema.merged(node).get("type", ())


def _additional(merged: Node) -> Any:
    extra = merged.get("additionalProperties")
    return extra if isinstance(extra, Mapping) else {}


def _allows(merged: Node, name: str) -> bool:
    return name in merged.get("type", (name,))


def _fits(merged: Node, value: Any) -> bool:
    """Whether a value has the type of a merged node, and is one of its listed values."""
    if "const" in merged and value != merged["const"]:
        return False
    if "enum" in merged and not any(_same(value, each) for each in merged["enum"]):
        return False
    return "type" not in merged or bool(_type_names(value) & set(merged["type"]))


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _type_names(value: Any) -> set[str]:
    if isinstance(value, float):
        return {"integer", "number"} if value.is_integer() else {"number"}
    return _TYPE_NAMES[type(value)]


def valid_value(schema: ClosedSchema, given: Any, wanted: Wanted) -> tuple[Any, bool]:
    """Return a value for the whole schema that contains the members of `given`, and whether it is valid.

    Members that the schema refuses are left out or generated, then examples are, then everything is generated. Where
    nothing satisfies the schema, the value satisfies its relaxed form.
    """
    value, valid = _valid_value(schema, given, wanted)
    return (value, True) if valid else _valid_value(schema.relaxed, given, wanted)


def usable(schema: ClosedSchema) -> ClosedSchema:
    """Return the schema, or its relaxed form where nothing satisfies it."""
    return schema if _valid_value(schema, None, Wanted("usable"))[1] else schema.relaxed


def _valid_value(schema: ClosedSchema, given: Any, wanted: Wanted) -> tuple[Any, bool]:
    value: Any = None
    for attempt in (wanted, replace(wanted, examples=False, example={}), Wanted(wanted.seed, examples=False)):
        try:
            value = _repaired(schema, filled(schema, schema.root, given, attempt), attempt)
        except (DeadEndError, RecursionError):
            continue
        if schema.is_valid(value):
            return value, True
    try:
        value = schema.make({"$ref": "#/$defs/0"}, wanted.seed)
    except DeadEndError:
        return value, False
    return value, schema.is_valid(value)


def _repaired(schema: ClosedSchema, value: Any, wanted: Wanted) -> Any:
    """Remove members that the schema refuses, innermost first; generate required ones anew."""
    for _ in range(_MOST_REPAIRS):
        found = schema.problem(value)
        if found is None or not found[0]:
            return value
        place = found[0]
        parent = value
        for step in place[:-1]:
            parent = parent[step]
        if isinstance(parent, dict):
            parent.pop(str(place[-1]), None)
        elif isinstance(parent, list) and isinstance(place[-1], int):
            del parent[place[-1]]
        else:
            return value
        value = filled(schema, schema.root, value, Wanted(f"{wanted.seed}+", examples=False))
    return value
