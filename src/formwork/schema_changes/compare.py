"""Two versions of a schema, walked side by side."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.diagnostics import Diagnostic, sort_diagnostics
from formwork.schema.findings import Path
from formwork.schema.hook import HookSchema
from formwork.schema.paths import ANY, PropertyPath
from formwork.schema.resource import ResourceSchema
from formwork.schema.view import SchemaView, Subschema
from formwork.schema_changes.change import BREAKING, HARMLESS, Change, name_of
from formwork.schema_changes.hook import compare_invocations
from formwork.schema_changes.resource import compare_resources
from formwork.schema_changes.values import compare_values


def compare_schemas(old: ResourceSchema, new: ResourceSchema) -> list[Diagnostic]:
    """Return the changes from `old` to `new`, by place; an error is a breaking one, a warning a risky one."""
    walk = _Walk(frozenset(new.read_only))
    changes = [*compare_resources(old, new), *walk.compare_objects((), _Pair(old.view.root, new.view.root, (), ()))]
    changes += _configurations(old.type_configuration, new.type_configuration, old.definitions, new.definitions)
    found = [each.as_diagnostic(old.document, new.document) for each in dict.fromkeys(changes)]
    return sort_diagnostics(found)


def compare_hooks(old: HookSchema, new: HookSchema) -> list[Diagnostic]:
    """Return the changes from one version of a hook to another, by place; see `compare_schemas`."""
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
            yield Change("configuration-removed", BREAKING, "the type no longer takes a configuration", at, old=True)
        return
    if before is None:
        required = after.get("required")
        weight = BREAKING if required else HARMLESS
        words = "the type now requires a configuration" if required else "the type now takes a configuration"
        yield Change("configuration-added", weight, words, at)
        return
    before_view, after_view = (
        SchemaView({**each, "definitions": definitions}, at=at)
        for each, definitions in ((before, old_definitions), (after, new_definitions))
    )
    yield from _Walk(frozenset()).compare_objects((), _Pair(before_view.root, after_view.root, at, at))


class _Pair(Struct, frozen=True):
    """The schema of a property in both versions, and the paths at which its changes are reported."""

    old: Subschema
    new: Subschema
    old_at: Path
    new_at: Path

    def property(self, name: str) -> "_Pair":
        """Return the pair of a property that both declare."""
        step = ("properties", name)
        return self._followed(self.old.properties[name], self.new.properties[name], step, step)

    def values(self) -> "_Pair | None":
        """Return the pair of the items of an array or the values of a map; None where one has none."""
        old, new = self.old.child(ANY), self.new.child(ANY)
        if old is None or new is None:
            return None
        return self._followed(old, new, _step(self.old), _step(self.new))

    def _followed(self, old: Subschema, new: Subschema, old_step: Path, new_step: Path) -> "_Pair":
        return _Pair(
            old.target,
            new.target,
            old.target.path if "$ref" in old else (*self.old_at, *old_step),
            new.target.path if "$ref" in new else (*self.new_at, *new_step),
        )


def _step(schema: Subschema) -> Path:
    return ("items",) if schema.items is not None else ("patternProperties",)


class _Walk:
    """Compares the properties of two schemas, each pair of schemas once."""

    def __init__(self, read_only: frozenset[PropertyPath]) -> None:
        self._read_only = read_only
        self._seen: set[tuple[Subschema, Subschema]] = set()

    def compare_objects(self, path: PropertyPath, pair: _Pair) -> Iterator[Change]:
        """Yield the changes of the members of the object at `path`, and of what is inside them."""
        before, after = pair.old.properties, pair.new.properties
        for name in before:
            if name not in after:
                words = f'the property "{name_of((*path, name))}" was removed'
                at = (*pair.old_at, "properties", name)
                yield Change("property-removed", BREAKING, words, at, "keep it and deprecate it", old=True)
        for name in after:
            here = (*path, name)
            if name not in before:
                at = (*pair.new_at, "properties", name)
                yield Change("property-added", HARMLESS, f'the property "{name_of(here)}" is new', at)
                continue
            yield from self._compare(here, pair.property(name))
        yield from self._required(path, pair)

    def _required(self, path: PropertyPath, pair: _Pair) -> Iterator[Change]:
        before, after, at = pair.old.required, pair.new.required, pair.new_at
        for name in after:
            if name not in before and (*path, name) not in self._read_only:
                words = f'"{name_of((*path, name))}" is now required'
                place = (*at, "required", after.index(name))
                yield Change("newly-required", BREAKING, words, place, "make it optional, with a default")
        for name in before:
            if name not in after and name in pair.new.properties:
                place = (*at, "required") if after else at
                yield Change("no-longer-required", HARMLESS, f'"{name_of((*path, name))}" is now optional', place)

    def _compare(self, path: PropertyPath, pair: _Pair) -> Iterator[Change]:
        """Yield the changes of one property, whose references are followed."""
        if (pair.old, pair.new) in self._seen:
            return
        self._seen.add((pair.old, pair.new))
        yield from compare_values(name_of(path), pair.new_at, pair.old.value, pair.new.value)
        yield from self.compare_objects(path, pair)
        inner = pair.values()
        if inner is not None:
            yield from self._compare((*path, ANY), inner)
