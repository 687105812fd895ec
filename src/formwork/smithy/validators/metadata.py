"""MetadataTrait, TypedMetadata and ShapeClosure: metadata that has a shape."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import expect_object
from formwork.smithy.places import NOWHERE
from formwork.smithy.reachable import reachable_from
from formwork.smithy.selectors import SelectorSyntaxError, select
from formwork.smithy.shape_ids import name_of
from formwork.smithy.shapes import Shape
from formwork.smithy.validators.context import Validation, error
from formwork.smithy.values.check import check_value

_RESERVED = frozenset({"suppressions", "validators", "severityOverrides"})


def typed_metadata(validation: Validation) -> Iterator[Event]:
    """Check values of metadata keys that a shape with @metadata describes; one shape per key."""
    by_key: dict[str, list[Shape]] = defaultdict(list)
    for shape in validation.model.with_trait("metadata"):
        by_key[shape.trait("metadata").get("key", "")].append(shape)
    for key, shapes in by_key.items():
        if key in _RESERVED:
            for shape in shapes:
                message = f"The metadata key `{key}` has been reserved by Smithy and may not be defined elsewhere."
                yield error("MetadataTrait", shape, message)
            continue
        for shape in shapes if len(shapes) > 1 else ():
            others = ", ".join(sorted(each.id for each in shapes if each is not shape))
            message = f"A type has already been defined for the metadata key `{key}`. Conflicts with: [{others}]"
            yield error("MetadataTrait", shape, message)
        if key in validation.model.metadata and len(shapes) == 1:
            place = validation.model.metadata_places.get(key, NOWHERE)
            for finding in check_value(validation.values, validation.model.metadata[key], shapes[0]):
                message = f"metadata.{key}{finding.where}: {finding.message}"
                yield Event(f"TypedMetadata.{key}", finding.severity, message, None, place)


def shape_closures(validation: Validation) -> Iterator[Event]:
    """Check the closures that metadata declares: unique ids, valid selectors, effective renames."""
    entries = validation.model.metadata.get("shapeClosures", [])
    closures = [each for each in entries if isinstance(each, dict) and isinstance(each.get("id"), str)]
    ids = [each["id"] for each in closures]
    for closure_id in {each for each in ids if ids.count(each) > 1}:
        yield _closure_event(validation, f"Shape closure id `{closure_id}` is declared more than once.")
    for closure in closures:
        if ids.count(closure["id"]) == 1:
            yield from _check_closure(validation, closure)


def _closure_event(
    validation: Validation, message: str, severity: EventSeverity = EventSeverity.ERROR, suffix: str = ""
) -> Event:
    place = validation.model.metadata_places.get("shapeClosures", NOWHERE)
    return Event(f"ShapeClosure{suffix}", severity, message, None, place)


def _check_closure(validation: Validation, closure: dict[str, Any]) -> Iterator[Event]:
    closure_id = closure["id"]
    if closure_id in validation.model.shapes:
        message = f"Shape closure ids must not match the ids of shapes in the model, but `{closure_id}` does."
        yield _closure_event(validation, message)
    if not closure.get("includeNamespaces") and "includeBySelector" not in closure:
        message = (
            f"Shape closure `{closure_id}` must define at least one of `includeNamespaces` or `includeBySelector`."
        )
        yield _closure_event(validation, message)
    namespaces = {shape.namespace for shape in validation.model.shapes.values()}
    wanted = [each for each in closure.get("includeNamespaces", []) if isinstance(each, str)]
    for namespace in wanted:
        if namespace not in namespaces:
            message = (
                f"Shape closure `{closure_id}` includes namespace `{namespace}`, which has no shapes in the model."
            )
            yield _closure_event(validation, message, EventSeverity.DANGER, f".EmptyNamespace.{closure_id}")
    selected: set[str] = set()
    selector = closure.get("includeBySelector")
    if isinstance(selector, str) and selector:
        try:
            selected = set(select(validation.model, selector, neighbors=validation.neighbors))
        except SelectorSyntaxError as problem:
            message = f"Shape closure `{closure_id}` has an invalid `includeBySelector`: {problem}"
            yield _closure_event(validation, message)
            return
        yield from _check_selected(validation, closure_id, selected, namespaces.intersection(wanted))
    start = selected | {shape.id for shape in validation.model.shapes.values() if shape.namespace in wanted}
    inside = reachable_from(validation.model, sorted(each.partition("$")[0] for each in start))
    yield from _check_renames(validation, closure_id, expect_object(closure.get("rename", {})), inside)


def _check_selected(
    validation: Validation, closure_id: str, selected: set[str], namespaces: set[str]
) -> Iterator[Event]:
    """Yield a selector adds something to what the namespaces hold."""
    start = f"Shape closure `{closure_id}` has an `includeBySelector` that matches no shapes in the model"
    if not namespaces and not selected:
        message = f"{start}."
    elif namespaces and all(each.partition("#")[0] in namespaces for each in selected):
        message = f"{start} that aren't already in an included namespace."
    else:
        return
    yield _closure_event(validation, message, EventSeverity.DANGER, f".EmptySelector.{closure_id}")


def _check_renames(validation: Validation, closure_id: str, renames: Any, inside: dict[str, None]) -> Iterator[Event]:
    kept = {name_of(each).lower(): each for each in inside if each not in renames}
    taken: dict[str, str] = {}
    for shape_id, name in renames.items():
        if validation.model.get(shape_id) is None or not isinstance(name, str):
            continue
        prefix = f"Shape closure `{closure_id}` rename for `{shape_id}`"
        if shape_id not in inside:
            message = f"Shape closure `{closure_id}` attempts to rename `{shape_id}`, which is not in the closure."
            yield _closure_event(validation, message)
        elif name == name_of(shape_id):
            yield _closure_event(validation, f"{prefix} does not change the name from `{name}`.")
        elif name.lower() in kept:
            other = kept[name.lower()]
            message = f'{prefix} ("{name}") case-insensitively conflicts with non-renamed shape `{other}`.'
            yield _closure_event(validation, message)
        elif name.lower() in taken:
            other = taken[name.lower()]
            message = f'{prefix} ("{name}") case-insensitively conflicts with the rename for `{other}`.'
            yield _closure_event(validation, message)
        taken.setdefault(name.lower(), shape_id)
