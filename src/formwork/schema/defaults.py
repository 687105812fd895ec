"""The defaults that a returned model must contain for properties that the request omits, nested ones too.

Excluded are defaults that an alternative (oneOf, anyOf) or a dependency may rule out, those of a readOnly
property, whose value the service decides, and those that are not valid values of their properties.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from formwork.schema.paths import ANY, PropertyPath
from formwork.schema.resource import ResourceSchema
from formwork.schema.view import UNKNOWN, Subschema

Place: TypeAlias = tuple[str | int, ...]


class SchemaDefaults:
    """The defaults of one schema, found where a model first has need of them."""

    def __init__(self, schema: ResourceSchema) -> None:
        self._schema = schema
        self._known: dict[PropertyPath, dict[str, Any]] = {}

    @property
    def of_root(self) -> Mapping[str, Any]:
        """The defaults of top-level properties, by name, including those that an alternative may exclude."""
        return self._valid((), self._schema.view.root)

    def absent(self, model: Mapping[str, Any]) -> Iterator[tuple[PropertyPath, Place, Any]]:
        """Each property that `model` leaves out and that has a default: its path, its place in `model`, the default."""
        root = self._schema.view.root
        yield from self._below(model, root, (), ()) if self._has_nested else self._absent(model, root, (), ())

    def left_to_them(self, model: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of `model` without properties of inner objects that have defaults; the root keeps its own."""
        return self._bare(model, self._schema.view.root, ()) if self._has_nested else dict(model)

    def _bare(self, value: Any, node: Subschema, path: PropertyPath) -> Any:
        match value:
            case dict():
                dropped = self._valid(path, node) if path else {}
                kept = {name: each for name, each in value.items() if name not in dropped}
                members = {name: self._member(node, name) for name in kept}
                return {
                    name: each if (found := members[name]) is None else self._bare(each, found[1], (*path, found[0]))
                    for name, each in kept.items()
                }
            case list():
                items = node.items.target if node.items is not None else UNKNOWN
                return [self._bare(each, items, (*path, ANY)) for each in value]
            case _:
                return value

    def _absent(
        self, value: Mapping[str, Any], node: Subschema, path: PropertyPath, place: Place
    ) -> Iterator[tuple[PropertyPath, Place, Any]]:
        conditional: frozenset[str] | None = None
        for name, default in self._valid(path, node).items():
            conditional = self._conditional(node) if conditional is None else conditional
            if name not in value and name not in conditional:
                yield (*path, name), (*place, name), default

    def _below(
        self, value: Any, node: Subschema, path: PropertyPath, place: Place
    ) -> Iterator[tuple[PropertyPath, Place, Any]]:
        match value:
            case dict():
                yield from self._absent(value, node, path, place)
                for name, each in value.items():
                    if isinstance(each, dict | list) and (found := self._member(node, name)) is not None:
                        step, child = found
                        yield from self._below(each, child, (*path, step), (*place, name))
            case list():
                items = node.items.target if node.items is not None else UNKNOWN
                for index, each in enumerate(value):
                    yield from self._below(each, items, (*path, ANY), (*place, index))
            case _:
                return

    def _member(self, node: Subschema, name: str) -> tuple[str, Subschema] | None:
        """Return the step to a member and its schema, where the object itself declares it: alternatives may differ."""
        if name in node.properties:
            return name, node.properties[name].target
        return next(((ANY, each.target) for each in node.pattern_properties.values()), None)

    def _valid(self, path: PropertyPath, node: Subschema) -> dict[str, Any]:
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = {
                name: default
                for name, each in node.properties.items()
                if (*path, name) not in self._schema.read_only
                and (default := _default_of(each)) is not None
                and self._is_valid((*path, name), default)
            }
        return found

    def _is_valid(self, path: PropertyPath, default: Any) -> bool:
        model = default
        for step in reversed(path):
            model = [model] if step == ANY else {step: model}
        return not self._schema.validate_model(model, shape_only=True)

    def _conditional(self, node: Subschema) -> frozenset[str]:
        """Return the properties of an object that one of its alternatives, or a dependency, speaks of."""
        names: set[str] = set()
        for branch in (*node.one_of, *node.any_of):
            names |= {*branch.target.required, *branch.target.properties}
        for name, demand in (node.get("dependencies") or {}).items():
            names |= {name, *(demand if isinstance(demand, list) else ())}
        return frozenset(names)

    @cached_property
    def _has_nested(self) -> bool:
        """Whether an object below the root declares defaults; most schemas have none there."""
        below = self._schema.view.root.walk()
        return any(_default_of(each) is not None for node in below for each in node.properties.values())


def _default_of(node: Subschema) -> Any:
    return node.target.get("default", node.get("default"))
