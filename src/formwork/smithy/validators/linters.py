"""Validators that models configure themselves, in the metadata key `validators`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from formwork.smithy.events import Event, EventSeverity, model_error
from formwork.smithy.nodes import type_name
from formwork.smithy.places import NOWHERE, SourcePlace
from formwork.smithy.selectors import SelectorSyntaxError, select
from formwork.smithy.selectors.values import as_text, attribute, each_of
from formwork.smithy.shapes import SERVICE_TYPES, Shape, ShapeType
from formwork.smithy.validators.context import Validation

_PLACEHOLDER = re.compile(r"@@|@\{([^}]*)\}")


class _ConfigurationError(Exception):
    """A configuration that cannot be used."""


def configured_validators(validation: Validation) -> Iterator[Event]:
    """Run what the metadata asks for."""
    entries = validation.model.metadata.get("validators", [])
    place = validation.model.metadata_places.get("validators", NOWHERE)
    if not isinstance(entries, list):
        yield model_error(f"validators must be an array. Found {type_name(entries)}.", place=place)
        return
    for entry in entries:
        if isinstance(entry, dict):
            yield from _run(validation, entry, place)


def _run(validation: Validation, entry: Mapping[str, Any], place: SourcePlace) -> Iterator[Event]:
    name = str(entry.get("name", ""))
    try:
        wanted = _selected(validation, entry)
    except SelectorSyntaxError as problem:
        yield model_error(f"Error creating `{name}` validator: {problem}", place=place)
        return
    make = _VALIDATORS.get(name)
    if make is None:
        message = f"Unable to locate a validator named `{name}`"
        yield Event(f"UnknownValidator_{name}", EventSeverity.WARNING, message, None, place)
        return
    try:
        found = list(make(validation, entry.get("configuration", {})))
    except (SelectorSyntaxError, _ConfigurationError) as problem:
        yield model_error(f"Error creating `{name}` validator: {problem}", place=place)
        return
    severity = EventSeverity(entry.get("severity", _SEVERITIES[name]))
    event_id = str(entry.get("id") or name)
    for message, shape in found:
        if shape is None or wanted is None or shape.id in wanted:
            text = str(entry.get("message", "{super}")).replace("{super}", message)
            yield Event(event_id, severity, text, shape.id if shape else None, shape.place if shape else place)


def _selected(validation: Validation, entry: Mapping[str, Any]) -> set[str] | None:
    wanted: set[str] | None = None
    if "selector" in entry:
        wanted = set(select(validation.model, str(entry["selector"]), neighbors=validation.neighbors))
    namespaces = entry.get("namespaces")
    if namespaces:
        inside = {shape.id for shape in validation.model.everything() if shape.namespace in namespaces}
        wanted = inside if wanted is None else wanted & inside
    return wanted


Found = Iterator[tuple[str, Shape | None]]


def _emit_each(validation: Validation, configuration: Mapping[str, Any]) -> Found:
    selector = _selector(configuration)
    binding = configuration.get("bindToTrait")
    template = configuration.get("messageTemplate")
    text = " ".join(str(configuration["selector"]).split("\n"))
    for shape in select(validation.model, selector, neighbors=validation.neighbors).values():
        if shape.namespace == "smithy.api" or (binding and binding not in shape.traits):
            continue
        message = _fill(template, shape) if template else f"Selector capture matched selector: {text}"
        yield message, shape


def _fill(template: str, shape: Shape) -> str:
    def value(match: re.Match[str]) -> str:
        if match[1] is None:
            return "@"
        found = attribute(shape, {}, [part.strip() for part in match[1].split("|")])
        texts = [text for each in each_of(found) if (text := as_text(each)) is not None]
        return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]" if texts else ""

    return _PLACEHOLDER.sub(value, template)


def _emit_none(validation: Validation, configuration: Mapping[str, Any]) -> Found:
    selector = _selector(configuration)
    found = select(validation.model, selector, neighbors=validation.neighbors).values()
    if not any(shape.namespace != "smithy.api" for shape in found):
        yield f"Expected at least one shape to match selector: {configuration['selector']}", None


def _selector(configuration: Mapping[str, Any]) -> str:
    selector = configuration.get("selector")
    if not isinstance(selector, str):
        raise _ConfigurationError("selector is required")
    return selector


def _unreferenced(validation: Validation, configuration: Mapping[str, Any]) -> Found:
    selector = str(configuration.get("rootShapeSelector", "service"))
    try:
        roots = select(validation.model, selector, neighbors=validation.neighbors)
    except SelectorSyntaxError as problem:
        raise _ConfigurationError(f"Error parsing `rootShapeSelector`: {problem}") from problem
    from_roots = _connected(validation, roots)
    for shape in validation.model.shapes.values():
        if shape.id in from_roots or shape.namespace == "smithy.api" or shape.has_trait("trait"):
            continue
        if shape.type in SERVICE_TYPES and shape.type is ShapeType.SERVICE:
            continue
        message = (
            "This shape is unreferenced. It has no modeled connections to shapes that match the following selector: "
            f"`{selector}`"
        )
        yield message, shape


def _connected(validation: Validation, roots: Mapping[str, Shape]) -> set[str]:
    found = {shape_id.partition("$")[0] for shape_id in roots}
    todo = [shape for shape_id in found if (shape := validation.model.get(shape_id)) is not None]
    todo += list(validation.model.trait_definitions.values())
    found |= set(validation.model.trait_definitions)
    while todo:
        shape = todo.pop()
        related = [relation.target for relation in validation.neighbors.relations(shape)]
        for target_id in (*related, *shape.traits):
            root = target_id.partition("$")[0]
            for each in (root, target_id):
                target = validation.model.get(each)
                if target is not None and each not in found:
                    found.add(each)
                    todo.append(target)
    return found


# What an entry gives where it says no severity.
_SEVERITIES = {
    "EmitEachSelector": EventSeverity.DANGER,
    "EmitNoneSelector": EventSeverity.DANGER,
    "UnreferencedShape": EventSeverity.NOTE,
}
_VALIDATORS = {
    "EmitEachSelector": _emit_each,
    "EmitNoneSelector": _emit_none,
    "UnreferencedShape": _unreferenced,
}
