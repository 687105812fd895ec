"""Relative names to absolute shape ids, file by file, once every definition of every file is known."""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any

from formwork.smithy.definitions import ModelFile, ShapeDefinition
from formwork.smithy.events import Event, EventSeverity, model_error, model_warning
from formwork.smithy.nodes import Node, type_name
from formwork.smithy.shape_ids import PRELUDE, is_absolute
from formwork.smithy.shapes import LIFECYCLES

Resolver = Callable[[str], str]

_ID_PROPERTIES = frozenset(("input", "output", *LIFECYCLES))
_ID_LISTS = frozenset(("operations", "collectionOperations", "resources", "errors"))
_ID_MAPS = frozenset(("identifiers", "properties"))


class _PropertyError(Exception):
    """A property of a service or resource statement has the wrong type."""


def resolver_of(file: ModelFile, known: AbstractSet[str]) -> Resolver:
    """Return how names in `file` become ids: what it uses, its namespace, the prelude, in this order."""
    uses, namespace = file.uses, file.namespace or PRELUDE
    cache: dict[str, str] = {}

    def resolve(name: str) -> str:
        found = cache.get(name)
        if found is None:
            found = cache[name] = _resolve(name)
        return found

    def _resolve(name: str) -> str:
        if "#" in name:
            return name
        root, dollar, member = name.partition("$")
        if root in uses:
            shape_id = uses[root][0]
        elif f"{namespace}#{root}" in known or f"{PRELUDE}#{root}" not in known:
            shape_id = f"{namespace}#{root}"
        else:
            shape_id = f"{PRELUDE}#{root}"
        return shape_id + dollar + member

    return resolve


def resolve_file(file: ModelFile, known: AbstractSet[str]) -> list[Event]:
    """Make every name of a definition or trait in `file` absolute, in place; `resolve_references` does the rest."""
    events = [
        model_warning(f"Use statement refers to undefined shape: {shape_id}", place=place)
        for shape_id, place in file.uses.values()
        if shape_id not in known
    ]
    if file.namespace is not None or file.references:
        resolve = resolver_of(file, known)
        file.definitions[:] = list(_resolve_definitions(file.definitions, resolve, events))
        for application in file.applications:
            application.trait = resolve(application.trait)
            application.target = resolve(application.target)
    return events


def resolve_references(file: ModelFile, known: AbstractSet[str], members: Callable[[str], bool]) -> Iterable[Event]:
    """Make the ids in values absolute, in place, once all definitions are; `members` says whether a member exists."""
    if not file.references:
        return
    resolve = resolver_of(file, known)
    for reference in file.references:
        shape_id = resolve(reference.name)
        reference.settle(shape_id)
        if shape_id in known or ("$" in shape_id and members(shape_id)):
            continue
        message = (
            f"Syntactic shape ID `{reference.name}` does not resolve to a valid shape ID: `{shape_id}`. "
            "Did you mean to quote this string? Are you missing a model file?"
        )
        yield Event("SyntacticShapeIdTarget", EventSeverity.DANGER, message, None, reference.place)


def _resolve_definitions(
    definitions: list[ShapeDefinition], resolve: Resolver, events: list[Event]
) -> Iterable[ShapeDefinition]:
    for definition in definitions:
        for member in definition.members.values():
            if member.target is not None:
                member.target = resolve(member.target)
        definition.mixins = [resolve(each) for each in definition.mixins]
        if definition.bound_resource is not None:
            definition.bound_resource = resolve(definition.bound_resource)
        try:
            definition.properties = _resolve_properties(definition, resolve)
        except _PropertyError as error:
            events.append(model_error(str(error), shape=definition.id, place=definition.place))
            continue
        yield definition


def _resolve_properties(definition: ShapeDefinition, resolve: Resolver) -> dict[str, Node]:
    return {
        key: _resolve_property(key, value, resolve)
        for key, value in definition.properties.items()
        if key in _ID_PROPERTIES or key in _ID_LISTS or key in _ID_MAPS or key in ("rename", "version")
    }


def _resolve_property(key: str, value: Node, resolve: Resolver) -> Node:
    if key in _ID_PROPERTIES:
        return _resolve_id(key, value, resolve)
    if key in _ID_LISTS:
        return [_resolve_id(key, each, resolve) for each in _expect(key, value, list, "an array")]
    if key in _ID_MAPS:
        members = _expect(key, value, dict, "an object")
        return {name: _resolve_id(name, each, resolve) for name, each in members.items()}
    if key == "rename":
        return {resolve(name): each for name, each in _expect(key, value, dict, "an object").items()}
    return _expect(key, value, str, "a string")


def _expect(key: str, value: Node, kind: type, description: str) -> Any:
    if not isinstance(value, kind):
        raise _PropertyError(f"Expected `{key}` to be {description}; found {type_name(value)}")
    return value


def _resolve_id(key: str, value: Any, resolve: Resolver) -> str:
    if not isinstance(value, str):
        raise _PropertyError(f"Expected `{key}` to be a string; found {type_name(value)}")
    shape_id = resolve(value)
    if not is_absolute(shape_id):
        raise _PropertyError(f"Invalid shape ID: {value}")
    return shape_id
