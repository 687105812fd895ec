"""Files to one model: the whole way from what each file says to shapes, with everything found on the way."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from formwork.smithy.definitions import ModelFile, ShapeDefinition, Version
from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.loading.build import ShapeBuilder
from formwork.smithy.loading.creation import drop_malformed, form_finder
from formwork.smithy.loading.duplicates import unique_definitions
from formwork.smithy.loading.metadata import merge_metadata
from formwork.smithy.loading.resolve import resolve_file, resolve_references
from formwork.smithy.loading.traits import (
    MergedTraits,
    merge_traits,
    report_shapes_used_as_traits,
    report_unknown_targets,
    report_unknown_traits,
)
from formwork.smithy.loading.upgrade import Target, upgrade
from formwork.smithy.model import Model
from formwork.smithy.places import SourcePlace
from formwork.smithy.shapes import Shape, ShapeType


class LoadedModel(Struct, frozen=True):
    """A model, as complete as its files allow, and what loading has to say about them."""

    model: Model
    events: list[Event]


def assemble(
    files: Sequence[ModelFile], *, base: Model | None = None, allow_unknown_traits: bool = False
) -> LoadedModel:
    """Merge `files`, in order, on top of `base` (the prelude and the trait models that are always there)."""
    base_shapes = base.shapes if base is not None else {}
    events = [event for file in files for event in file.events]
    known: set[str] = {*base_shapes, *(each.id for file in files for each in file.definitions)}
    for file in files:
        events += resolve_file(file, known)
    members = _member_finder(files, base_shapes)
    for file in files:
        events += resolve_references(file, known, members)
    definitions = unique_definitions(files, events)
    merged = merge_traits(files, _type_finder(definitions, base_shapes))
    events += merged.events
    events += report_unknown_targets(merged, _target_finder(definitions, base_shapes))
    severity = EventSeverity.WARNING if allow_unknown_traits else EventSeverity.ERROR
    events += report_unknown_traits(merged, _trait_finder(definitions, base_shapes), severity=severity)
    _attach_traits(definitions, merged)
    type_of = _type_finder(definitions, base_shapes)
    events += report_shapes_used_as_traits(merged, type_of, _is_trait_finder(definitions, base_shapes))
    events += drop_malformed(merged, form_finder(definitions, base_shapes), base_shapes)
    find_target = _upgrade_target_finder(definitions, base_shapes)
    for definition in definitions.values():
        upgrade(definition, find_target)
    builder = ShapeBuilder(definitions, base_shapes)
    shapes = builder.build()
    events += builder.events
    metadata, places, metadata_events = merge_metadata(files)
    return LoadedModel(Model(shapes, metadata, places), events + metadata_events)


def _member_finder(files: Sequence[ModelFile], base: Mapping[str, Shape]) -> Callable[[str], bool]:
    """Return whether a member exists: one of the shape itself, or of a mixin of it."""
    definitions: dict[str, list[ShapeDefinition]] = {}
    for each in (each for file in files for each in file.definitions):
        definitions.setdefault(each.id, []).append(each)

    def exists(member_id: str) -> bool:
        root, _, name = member_id.partition("$")
        seen: set[str] = set()
        pending = [root]
        while pending:
            shape_id = pending.pop()
            if shape_id in base and name in base[shape_id].members:
                return True
            if shape_id not in seen:
                seen.add(shape_id)
                for each in definitions.get(shape_id, ()):
                    if name in each.members:
                        return True
                    pending += each.mixins
        return False

    return exists


def _type_finder(
    definitions: Mapping[str, ShapeDefinition], base: Mapping[str, Shape]
) -> Callable[[str], ShapeType | None]:
    def type_of(shape_id: str) -> ShapeType | None:
        found = definitions.get(shape_id) or base.get(shape_id)
        return None if found is None else found.type

    return type_of


def _target_finder(definitions: Mapping[str, ShapeDefinition], base: Mapping[str, Shape]) -> Callable[[str], bool]:
    def exists(target: str) -> bool:
        root, dollar, name = target.partition("$")
        if root in base:
            return True
        definition = definitions.get(root)
        # A shape with mixins may have more members than it says; those are checked when it is built.
        return definition is not None and (not dollar or name in definition.members or bool(definition.mixins))

    return exists


def _trait_finder(definitions: Mapping[str, ShapeDefinition], base: Mapping[str, Shape]) -> Callable[[str], bool]:
    cache: dict[str, bool] = {}

    def is_defined(trait: str) -> bool:
        found = cache.get(trait)
        if found is None:
            found = cache[trait] = trait in base or trait in definitions
        return found

    return is_defined


def _is_trait_finder(definitions: Mapping[str, ShapeDefinition], base: Mapping[str, Shape]) -> Callable[[str], bool]:
    def is_trait(shape_id: str) -> bool:
        definition = definitions.get(shape_id)
        if definition is not None:
            # A mixin may bring it.
            return "smithy.api#trait" in definition.traits or bool(definition.mixins)
        return shape_id in base and base[shape_id].has_trait("trait")

    return is_trait


def _attach_traits(definitions: Mapping[str, ShapeDefinition], merged: MergedTraits) -> None:
    for target, values in merged.values.items():
        root, dollar, name = target.partition("$")
        definition = definitions.get(root)
        if definition is None:
            continue
        places: dict[str, SourcePlace] = merged.places[target]
        if dollar:
            definition.member_traits[name] = values
            definition.member_trait_places[name] = places
        else:
            definition.traits = values
            definition.trait_places = places


def _upgrade_target_finder(
    definitions: Mapping[str, ShapeDefinition], base: Mapping[str, Shape]
) -> Callable[[str], Target | None]:
    def find(shape_id: str) -> Target | None:
        definition = definitions.get(shape_id)
        if definition is not None:
            return definition.type, definition.traits, definition.version
        shape = base.get(shape_id)
        return None if shape is None else (shape.type, dict(shape.traits), Version.V2)

    return find
