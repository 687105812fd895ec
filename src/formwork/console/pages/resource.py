"""The page of one resource: its state beside the template, its drift, and the exchanges with its handlers."""

from collections.abc import Mapping
from typing import Any

from formwork.console.pages.stack import frame
from formwork.console.views.comparison import compare_values
from formwork.console.views.masking import StackMask
from formwork.console.visits import NotShownError, PageVisit, ShownPage
from formwork.stacks.store.drifts import FoundDrift
from formwork.stacks.store.events import list_resource_events
from formwork.stacks.store.records import ResourceRecord
from formwork.stacks.store.resources import get_resource

_EVENTS = 100


def show_resource(visit: PageVisit) -> ShownPage:
    """Show a resource of a stack, or what is left of one that was deleted: events and exchanges."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    logical_id = visit.path["resource"]
    with engine.database.read() as connection:
        resource = get_resource(connection, stack.id, logical_id)
        events = list_resource_events(connection, stack.id, logical_id, limit=_EVENTS)
    exchanges = visit.parts.exchanges.of_resource(stack.arn, logical_id)
    if resource is None and not events:
        raise NotShownError(f'resource "{logical_id}" not found in {stack.name}')
    shown = drift = schema = model = None
    if resource is not None:
        mask = StackMask(engine, stack, engine.lookups.with_shown_deployment(stack).deployed)
        shown, schema = mask.resource(resource), mask.schema(resource.type)
        drift = engine.lookups.list_drifts(stack.scope, stack.arn).get(logical_id)
        model = {**shown.model, **found_later(resource, drift)}
    return ShownPage(
        "resource.html",
        {
            **frame(visit, stack, "resources"),
            "logical_id": logical_id,
            "resource": resource,
            "shown": shown,
            "compared": [] if shown is None else compare_values(shown.properties, model),
            "drift": drift,
            "events": events,
            "exchanges": exchanges,
            "schema": schema,
        },
    )


def found_later(resource: ResourceRecord, drift: FoundDrift | None) -> Mapping[str, Any]:
    """Return the properties that a drift detection has found since the resource changed last; they are masked."""
    if drift is None or drift.checked is None or drift.details is None or drift.checked < resource.updated:
        return {}
    found: Mapping[str, Any] = drift.details.get("actual") or {}
    return found
