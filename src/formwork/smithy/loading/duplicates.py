"""One definition a shape id: equal ones are merged with a note, others conflict."""

from collections.abc import Iterable

from formwork.smithy.definitions import ModelFile, ShapeDefinition
from formwork.smithy.events import Event, EventSeverity, model_error
from formwork.smithy.loading.upgrade import ZERO_VALUES
from formwork.smithy.nodes import nodes_equal


def unique_definitions(files: Iterable[ModelFile], events: list[Event]) -> dict[str, ShapeDefinition]:
    """The definitions of all files by shape id, in the order of loading; what clashes is reported in `events`."""
    unique: dict[str, ShapeDefinition] = {}
    for file in files:
        for definition in file.definitions:
            first = unique.setdefault(definition.id, definition)
            if first is not definition and first.place != definition.place:
                events.append(_report(first, definition))
    return unique


def _report(first: ShapeDefinition, second: ShapeDefinition) -> Event:
    differences = _differences(second, first)
    if not differences:
        message = (
            f"Ignoring duplicate but equivalent shape definition: {first.id} defined at {second.place} "
            f"and {first.place}"
        )
        return Event("Model.IgnoredDuplicateDefinition", EventSeverity.NOTE, message, first.id, first.place)
    message = (
        f"Conflicting shape definition for `{first.id}` found at `{second.place}` and `{first.place}`. "
        + "; ".join(differences)
    )
    return model_error(message, shape=first.id, place=first.place)


def _differences(left: ShapeDefinition, right: ShapeDefinition) -> list[str]:
    found: list[str] = []
    if left.type is not right.type:
        found.append(f"Left is {left.type}, right is {right.type}")
        # Only a shape of a nullable number is boxed by nature; the other tools' messages say so.
        if left.type in ZERO_VALUES:
            found.append("Left has trait smithy.api#box")
        if right.type in ZERO_VALUES:
            found.append("Right has trait smithy.api#box")
    if list(left.members) != list(right.members):
        found.append(f"Members differ: [{', '.join(left.members)}] vs [{', '.join(right.members)}]")
    found += [
        f"Member targets differ: {name}"
        for name in left.members.keys() & right.members.keys()
        if left.members[name].target != right.members[name].target
    ]
    if left.mixins != right.mixins or left.bound_resource != right.bound_resource:
        found.append("Mixins differ")
    if not nodes_equal(_unordered(left), _unordered(right)):
        found.append("Properties differ")
    return found


def _unordered(definition: ShapeDefinition) -> dict[str, object]:
    return {
        key: sorted(map(str, value)) if isinstance(value, list) else value
        for key, value in definition.properties.items()
        if value not in ([], {})
    }
