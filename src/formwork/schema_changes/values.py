"""Compares the values that a property's schema allows, before and after."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from formwork.schema.findings import Path, show_value
from formwork.schema.node_types import types_of
from formwork.schema_changes.change import BREAKING, HARMLESS, RISKY, Change

# A bound that grew (1) or shrank (-1) leaves fewer values.
_TIGHTER_WHEN_HIGHER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_TIGHTER_WHEN_LOWER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_COMBINERS = ("allOf", "anyOf", "oneOf", "dependencies", "contains")
_HINT = "keep what was allowed, or make a new property"

Node = Mapping[str, Any]


def compare_values(name: str, at: Path, old: Node, new: Node) -> Iterator[Change]:
    """Yield the changes of the values that the schemas `old` and `new` allow for the property `name`."""
    for compare in _COMPARISONS:
        yield from compare(name, at, old, new)


def _types(name: str, at: Path, old: Node, new: Node) -> Iterator[Change]:
    before, after = types_of(dict(old)), types_of(dict(new))
    if before == after:
        return
    wider = not after or (before and before <= (after | ({"integer"} if "number" in after else frozenset())))
    words = f'the type of "{name}" was {_listed(before)} and is {_listed(after)}'
    yield Change("type-widened" if wider else "type-changed", RISKY if wider else BREAKING, words, at, _HINT)


def _listed(types: frozenset[str]) -> str:
    return " or ".join(sorted(types)) or "any"


def _enums(name: str, at: Path, old: Node, new: Node) -> Iterator[Change]:
    before, after = _choices(old), _choices(new)
    if after is None:
        if before is not None:
            yield Change("enum-removed", HARMLESS, f'"{name}" takes any value now', at)
        return
    if before is None:
        yield Change("enum-added", BREAKING, f'"{name}" takes only listed values now', at, _HINT)
        return
    for value in before:
        if value not in after:
            yield Change(
                "enum-value-removed", BREAKING, f'"{name}" does not take {show_value(value)} any more', at, _HINT
            )
    for value in after:
        if value not in before:
            yield Change("enum-value-added", HARMLESS, f'"{name}" takes {show_value(value)} too', at)


def _choices(node: Node) -> list[Any] | None:
    if "const" in node:
        return [node["const"]]
    found = node.get("enum")
    return found if isinstance(found, list) else None


def _bounds(name: str, at: Path, old: Node, new: Node) -> Iterator[Change]:
    for keyword in (*_TIGHTER_WHEN_HIGHER, *_TIGHTER_WHEN_LOWER):
        before, after = old.get(keyword), new.get(keyword)
        if before == after:
            continue
        higher = keyword in _TIGHTER_WHEN_HIGHER
        tighter = after is not None and (before is None or (after > before if higher else after < before))
        was = "was not bounded" if before is None else f"was {before}"
        words = f'{keyword} of "{name}" {was} and is {"gone" if after is None else after}'
        if tighter:
            yield Change("range-tightened", BREAKING, words, at, _HINT)
        else:
            yield Change("range-widened", HARMLESS, words, at)


def _patterns(name: str, at: Path, old: Node, new: Node) -> Iterator[Change]:
    before, after = old.get("pattern"), new.get("pattern")
    if before == after:
        return
    if after is None:
        yield Change("pattern-removed", HARMLESS, f'"{name}" has no pattern any more', at)
        return
    slug = "pattern-added" if before is None else "pattern-changed"
    words = f'"{name}" has a pattern now' if before is None else f'the pattern of "{name}" changed'
    yield Change(slug, BREAKING, f"{words}: {show_value(after)}", at, "a value that was fine may not match it")


def _arrays(name: str, at: Path, old: Node, new: Node) -> Iterator[Change]:
    if new.get("uniqueItems", False) and not old.get("uniqueItems", False):
        yield Change("items-unique", BREAKING, f'"{name}" takes no item twice any more', at, _HINT)
    for keyword, default in (("insertionOrder", True), ("arrayType", "Standard")):
        before, after = old.get(keyword, default), new.get(keyword, default)
        if before != after:
            words = f'{keyword} of "{name}" was {show_value(before)} and is {show_value(after)}'
            yield Change("equality-changed", RISKY, words, at, "drift and updates compare it otherwise now")


def _objects(name: str, at: Path, old: Node, new: Node) -> Iterator[Change]:
    if new.get("additionalProperties") is False and old.get("additionalProperties") is not False:
        described = "properties" in old or "patternProperties" in old
        words = f'"{name}" takes no undeclared members any more'
        yield Change("object-closed", RISKY if described else BREAKING, words, at, _HINT)
    before, after = (set(node.get("patternProperties") or ()) for node in (old, new))
    for key in sorted(before - after):
        yield Change("map-keys-changed", BREAKING, f'"{name}" takes no keys like {show_value(key)} any more', at, _HINT)


def _others(name: str, at: Path, old: Node, new: Node) -> Iterator[Change]:
    if "multipleOf" in new and old.get("multipleOf") != new["multipleOf"]:
        words = f'"{name}" takes only multiples of {new["multipleOf"]} now'
        yield Change("range-tightened", BREAKING, words, at, _HINT)
    if "default" in old and old["default"] != new.get("default"):
        now = show_value(new["default"]) if "default" in new else "nothing"
        words = f'the default of "{name}" was {show_value(old["default"])} and is {now}'
        yield Change("default-changed", RISKY, words, at, "resources that leave it out change")
    if "format" in new and old.get("format") != new["format"]:
        yield Change("format-changed", RISKY, f'the format of "{name}" is {show_value(new["format"])} now', at)
    for keyword in _COMBINERS:
        if keyword in new and old.get(keyword) != new[keyword]:
            words = f'{keyword} of "{name}" changed'
            yield Change("combiner-changed", RISKY, words, at, "see that what was allowed still is")


_COMPARISONS: tuple[Callable[[str, Path, Node, Node], Iterator[Change]], ...] = (
    _types,
    _enums,
    _bounds,
    _patterns,
    _arrays,
    _objects,
    _others,
)
