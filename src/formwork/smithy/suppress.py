"""Suppressions and severity overrides: what a model says about events on itself."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from formwork.smithy.events import Event, EventSeverity, model_error
from formwork.smithy.model import Model
from formwork.smithy.nodes import Node, type_name
from formwork.smithy.places import NOWHERE
from formwork.smithy.shape_ids import namespace_of

_OVERRIDES = ("DANGER", "WARNING")


def apply_suppressions(model: Model, events: Iterable[Event]) -> list[Event]:
    """Return the events after the model's suppressions and severity overrides, and events about these; errors stay."""
    problems: list[Event] = []
    suppressions = list(_entries(model, "suppressions", ("id", "namespace"), problems))
    overrides = list(_entries(model, "severityOverrides", ("id", "namespace", "severity"), problems))
    changed = (_override(_suppress(model, event, suppressions), overrides) for event in events)
    return [*changed, *problems]


def _entries(model: Model, key: str, required: tuple[str, ...], problems: list[Event]) -> Iterator[dict[str, Node]]:
    value = model.metadata.get(key, [])
    place = model.metadata_places.get(key, NOWHERE)
    if not isinstance(value, list):
        problems.append(model_error(f"Expected array, but found {type_name(value)}.", place=place))
        return
    for index, entry in enumerate(value):
        problem = _problem(index, entry, required)
        if problem is None:
            yield entry
        else:
            problems.append(model_error(problem, place=place))


def _problem(index: int, entry: Node, required: tuple[str, ...]) -> str | None:
    if not isinstance(entry, dict):
        return f"Expected array element {index} to be a object but found {type_name(entry)}."
    for name in required:
        if name not in entry:
            return f"Missing expected member `{name}`."
        if not isinstance(entry[name], str):
            return f"Expected `{name}` to be a string; found {type_name(entry[name])}"
    if "severity" in required and entry["severity"] not in _OVERRIDES:
        return f"Expected one of `DANGER`, `WARNING`; got `{entry['severity']}`."
    return None


def _suppress(model: Model, event: Event, suppressions: list[dict[str, Node]]) -> Event:
    if event.severity in (EventSeverity.ERROR, EventSeverity.SUPPRESSED):
        return event
    if event.shape is not None and _has_suppress_trait(model, event):
        return event.suppressed(None)
    for entry in suppressions:
        if event.is_or_under(entry["id"]) and _is_inside(event, entry["namespace"]):
            return event.suppressed(entry.get("reason"))
    return event


def _has_suppress_trait(model: Model, event: Event) -> bool:
    shape = model.get(event.shape or "")
    ids = shape.trait("suppress") if shape is not None else None
    return isinstance(ids, list) and any(event.is_or_under(each) for each in ids)


def _is_inside(event: Event, namespace: str) -> bool:
    return namespace == "*" or (event.shape is not None and namespace_of(event.shape) == namespace)


def _override(event: Event, overrides: list[dict[str, Node]]) -> Event:
    if event.severity in (EventSeverity.ERROR, EventSeverity.SUPPRESSED):
        return event
    for entry in overrides:
        wanted = EventSeverity(entry["severity"])
        if (
            event.is_or_under(entry["id"])
            and _is_inside(event, entry["namespace"])
            and wanted.rank > event.severity.rank
        ):
            event = replace(event, severity=wanted)
    return event
