"""Two versions of a schema, walked side by side."""

from collections.abc import Iterator, Mapping
from typing import Any

from formwork.diagnostics import Diagnostic, sort_diagnostics
from formwork.documents.refs import ReferenceError_, follow_ref
from formwork.schema.findings import Path
from formwork.schema.hook import HookSchema
from formwork.schema.paths import ANY, PropertyPath, SchemaTree
from formwork.schema.resource import ResourceSchema
from formwork.schema_changes.change import BREAKING, HARMLESS, Change, name_of
from formwork.schema_changes.hook import compare_invocations
from formwork.schema_changes.resource import compare_resources
from formwork.schema_changes.values import compare_values


def compare_schemas(old: ResourceSchema, new: ResourceSchema) -> list[Diagnostic]:
    """The changes from `old` to `new`, by place; an error is a breaking one, a warning a risky one."""
    walk = _Walk(old.value, new.value, read_only=frozenset(new.read_only))
    changes = [*compare_resources(old, new), *walk.compare_objects((), (), (), old.value, new.value)]
    changes += _configurations(old.type_configuration, new.type_configuration, old.definitions, new.definitions)
    found = [each.as_diagnostic(old.document, new.document) for each in dict.fromkeys(changes)]
    return sort_diagnostics(found)


def compare_hooks(old: HookSchema, new: HookSchema) -> list[Diagnostic]:
    """The changes from one version of a hook to another, by place; see `compare_schemas`."""
    configurations = _configurations(old.type_configuration, new.type_configuration, old.definitions, new.definitions)
    changes = [*compare_invocations(old, new), *configurations]
    found = [each.as_diagnostic(old.document, new.document) for each in dict.fromkeys(changes)]
    return sort_diagnostics(found)


def _configurations(
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    old_definitions: Mapping[str, Any],
    new_definitions: Mapping[str, Any],
) -> Iterator[Change]:
    """Changes of what users set once an account."""
    at: Path = ("typeConfiguration",)
    if after is None:
        if before is not None:
            yield Change("configuration-removed", BREAKING, "the type takes no configuration any more", at, old=True)
        return
    if before is None:
        required = after.get("required")
        weight = BREAKING if required else HARMLESS
        words = "the type needs a configuration now" if required else "the type takes a configuration now"
        yield Change("configuration-added", weight, words, at)
        return
    walk = _Walk(
        {**before, "definitions": old_definitions}, {**after, "definitions": new_definitions}, read_only=frozenset()
    )
    yield from walk.compare_objects((), at, at, before, after)


class _Walk:
    """Compares the properties of two schemas, each pair of schemas once."""

    def __init__(self, old: Mapping[str, Any], new: Mapping[str, Any], *, read_only: frozenset[PropertyPath]) -> None:
        self._old, self._new = SchemaTree(old), SchemaTree(new)
        self._read_only = read_only
        self._seen: set[tuple[int, int]] = set()

    def compare_objects(
        self, path: PropertyPath, old_at: Path, new_at: Path, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> Iterator[Change]:
        """The changes of the members of the object at `path`, and of what is inside them."""
        before, after = _part(old, "properties"), _part(new, "properties")
        for name in before:
            if name not in after:
                words = f'the property "{name_of((*path, name))}" is gone'
                at = (*old_at, "properties", name)
                yield Change("property-removed", BREAKING, words, at, "keep it and deprecate it", old=True)
        for name, node in after.items():
            here, at = (*path, name), (*new_at, "properties", name)
            if name not in before:
                yield Change("property-added", HARMLESS, f'the property "{name_of(here)}" is new', at)
                continue
            yield from self._compare(here, (*old_at, "properties", name), at, before[name], node)
        yield from self._required(path, new_at, old, new)

    def _required(
        self, path: PropertyPath, at: Path, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> Iterator[Change]:
        before, after = _names(old), _names(new)
        for name in after:
            if name not in before and (*path, name) not in self._read_only:
                words = f'"{name_of((*path, name))}" is required now'
                place = (*at, "required", after.index(name))
                yield Change("newly-required", BREAKING, words, place, "make it optional, with a default")
        for name in before:
            if name not in after and name in _part(new, "properties"):
                place = (*at, "required") if after else at
                yield Change("no-longer-required", HARMLESS, f'"{name_of((*path, name))}" is optional now', place)

    def _compare(self, path: PropertyPath, old_at: Path, new_at: Path, old: Any, new: Any) -> Iterator[Change]:
        """The changes of one property; `$ref`s are followed, and the places with them."""
        (before, old_place), (after, new_place) = _follow(self._old, old, old_at), _follow(self._new, new, new_at)
        pair = (id(before), id(after))
        if pair in self._seen:
            return
        self._seen.add(pair)
        yield from compare_values(name_of(path), new_place, before, after)
        yield from self.compare_objects(path, old_place, new_place, before, after)
        inner, outer = self._old.child(before, ANY), self._new.child(after, ANY)
        if inner is not None and outer is not None:
            step = ("items",) if "items" in after else ("patternProperties",)
            old_step = ("items",) if "items" in before else ("patternProperties",)
            yield from self._compare((*path, ANY), (*old_place, *old_step), (*new_place, *step), inner, outer)


def _follow(tree: SchemaTree, node: Any, at: Path) -> tuple[dict[str, Any], Path]:
    try:
        found, path = follow_ref(node, tree.root)
    except ReferenceError_:
        return {}, at
    return (found if isinstance(found, dict) else {}), (at if path is None else path)


def _part(node: Mapping[str, Any], keyword: str) -> Mapping[str, Any]:
    found = node.get(keyword)
    return found if isinstance(found, dict) else {}


def _names(node: Mapping[str, Any]) -> list[str]:
    found = node.get("required")
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
