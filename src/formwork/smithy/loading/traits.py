"""Trait applications of all files, merged by target; annotations get the value that their trait's type asks for."""

from collections.abc import Callable, Iterable

from msgspec import Struct, field

from formwork.smithy.definitions import ModelFile, TraitApplication, Version
from formwork.smithy.events import Event, EventSeverity, model_error
from formwork.smithy.nodes import Node, nodes_equal
from formwork.smithy.places import SourcePlace
from formwork.smithy.shape_ids import PRELUDE, display_trait
from formwork.smithy.shapes import ShapeType

TypeOf = Callable[[str], ShapeType | None]


class MergedTraits(Struct):
    """Trait values and places by target id, then by trait id."""

    values: dict[str, dict[str, Node]] = field(default_factory=dict)
    places: dict[str, dict[str, SourcePlace]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)


def merge_traits(files: Iterable[ModelFile], type_of_trait: TypeOf) -> MergedTraits:
    """Return all applications of all files; `type_of_trait` gives the type of the shape that defines a trait."""
    merged = MergedTraits()
    for file in files:
        in_prelude = file.namespace == PRELUDE
        for application in file.applications:
            if application.annotation:
                _coerce(application, type_of_trait(application.trait))
            if not in_prelude and application.target.startswith("smithy.api#"):
                merged.events.append(_refuse_prelude(application))
                continue
            problem = _version_problem(application, file.version)
            if problem:
                merged.events.append(model_error(problem, shape=application.target, place=application.place))
            if application.trait == "smithy.api#enum" and file.version is Version.V2:
                message = "The enum trait is deprecated. Smithy 2.0 models should use the enum shape."
                merged.events.append(
                    Event("ModelDeprecation", EventSeverity.WARNING, message, application.target, application.place)
                )
            _merge(merged, application)
    return merged


def _coerce(application: TraitApplication, shape_type: ShapeType | None) -> None:
    if shape_type in (ShapeType.STRUCTURE, ShapeType.MAP, ShapeType.UNION, None):
        application.value = {}
    elif shape_type in (ShapeType.LIST, ShapeType.SET):
        application.value = []


def _refuse_prelude(application: TraitApplication) -> Event:
    target = application.target
    message = f"Cannot apply `{application.trait}` to an immutable prelude shape defined in `smithy.api`."
    return model_error(message, shape=target, place=application.place)


def _version_problem(application: TraitApplication, version: Version) -> str | None:
    trait, target = application.trait, application.target
    if version is Version.V1 and trait == "smithy.api#mixin":
        return (
            "Mixins can only be used in Smithy 2.0 or later. Attempted to apply a @mixin trait to "
            f"`{target}` in a model file using version `1.0`."
        )
    if version is Version.V1 and trait == "smithy.api#default":
        return "The @default trait can only be used in Smithy 2.0 or later"
    if version is Version.V2 and trait == "smithy.api#box" and not target.startswith("smithy.api#"):
        return "@box is not supported in Smithy IDL 2.0"
    return None


def _merge(merged: MergedTraits, application: TraitApplication) -> None:
    trait, target = application.trait, application.target
    values = merged.values.setdefault(target, {})
    places = merged.places.setdefault(target, {})
    if trait not in values:
        values[trait], places[trait] = application.value, application.place
        return
    if places[trait] == application.place:
        return  # the same file, loaded twice
    previous = values[trait]
    if isinstance(previous, list) and isinstance(application.value, list):
        values[trait] = [*previous, *application.value]
    elif not nodes_equal(previous, application.value):
        message = (
            f"Conflicting `{trait}` trait found on shape `{target}`. The previous trait was defined at "
            f"`{places[trait]}`, and a conflicting trait was defined at `{application.place}`."
        )
        merged.events.append(Event("Model", EventSeverity.ERROR, message, target, application.place))


def report_unknown_targets(merged: MergedTraits, exists: Callable[[str], bool]) -> Iterable[Event]:
    """Yield an error for every trait that is applied to a shape that isn't there."""
    for target, values in merged.values.items():
        if exists(target):
            continue
        for trait in values:
            message = f"Trait `{display_trait(trait)}` applied to unknown shape `{target}`"
            yield model_error(message, place=merged.places[target][trait])


def report_shapes_used_as_traits(
    merged: MergedTraits, type_of: TypeOf, is_trait: Callable[[str], bool]
) -> Iterable[Event]:
    """Yield an error for every shape that is applied as a trait and isn't marked as one."""
    applied = {trait: target for target, values in merged.values.items() for trait in values}
    for trait, target in applied.items():
        if type_of(trait) is not None and not is_trait(trait):
            message = (
                f"Shape `{trait}` cannot be applied as a trait. If this is a custom trait, please add `@trait` to this "
                "shape."
            )
            yield model_error(message, shape=trait, place=merged.places[target][trait])


def report_unknown_traits(
    merged: MergedTraits, is_defined: Callable[[str], bool], *, severity: EventSeverity
) -> Iterable[Event]:
    """Yield an event for every application of a trait that isn't defined."""
    for target, values in merged.values.items():
        for trait in values:
            if is_defined(trait):
                continue
            message = (
                f"Unable to resolve trait `{trait}`. If this is a custom trait, then it must be defined before it can "
                "be used in a model."
            )
            yield Event("Model.UnresolvedTrait", severity, message, target, merged.places[target][trait])
