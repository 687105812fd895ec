"""The page of one resource: its state beside the template, its drift, and the exchanges with its handlers."""

from collections.abc import Mapping, Sequence
from typing import Any

from formwork.console.pages.stack import frame
from formwork.console.views.commands import EquivalentCall
from formwork.console.views.comparison import compare_values
from formwork.console.views.dependencies import dependency_graph, reversed_graph
from formwork.console.views.handler_calls import combined_log, handler_operations
from formwork.console.views.hook_annotations import hook_annotations
from formwork.console.views.masking import StackMask
from formwork.console.visits import NotShownError, PageVisit, Redirection, ShownPage
from formwork.stacks.store.drifts import FoundDrift
from formwork.stacks.store.events import list_resource_events
from formwork.stacks.store.records import EventRecord, ResourceRecord
from formwork.stacks.store.resources import get_resource

_EVENTS = 100
_POLICIES = ("DeletionPolicy", "UpdateReplacePolicy", "CreationPolicy", "UpdatePolicy", "Condition")


def show_resource(visit: PageVisit) -> ShownPage:
    """Show a resource of a stack, or what is left of one that was deleted: events and exchanges."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    logical_id = visit.path["resource"]
    with engine.database.read() as connection:
        resource = get_resource(connection, stack.id, logical_id)
        events = list_resource_events(connection, stack.id, logical_id, limit=_EVENTS)
        annotations = hook_annotations(connection, stack.scope, events)
    exchanges = visit.parts.exchanges.of_resource(stack.arn, logical_id)
    if resource is None and not events:
        raise NotShownError(f'resource "{logical_id}" not found in {stack.name}')
    shown = drift = schema = model = None
    if resource is not None:
        mask = StackMask(engine, stack, engine.lookups.with_shown_deployment(stack).deployed)
        shown, schema = mask.resource(resource), mask.schema(resource.type)
        drift = engine.lookups.list_drifts(stack.scope, stack.arn).get(logical_id)
        model = {**shown.model, **found_later(resource, drift)}
    graph = dependency_graph(engine, stack)
    members = {"StackName": stack.name, "LogicalResourceId": logical_id}
    comparison = EquivalentCall(stack.scope, visit.parts.api, "DetectStackResourceDrift", members)
    return ShownPage(
        "resource.html",
        {
            **frame(visit, stack, "resources"),
            "logical_id": logical_id,
            "resource": resource,
            "compared": [] if shown is None else compare_values(shown.properties, model),
            "drift": drift,
            "drifted": drifted_properties(drift),
            "policies": policies_of(resource),
            "needs": graph.get(logical_id, ()),
            "needed_by": reversed_graph(graph).get(logical_id, []),
            "hooks": hook_results(events),
            "annotations": annotations,
            "events": events,
            "handler_operations": handler_operations(exchanges),
            "logs": combined_log(exchanges),
            "running": visit.parts.running.of_resource(stack.arn, logical_id),
            "now": engine.settings.now(),
            "schema": schema,
            "comparison": comparison.lines(None),
        },
    )


def detect_drift(visit: PageVisit) -> Redirection:
    """Read the resource now, and compare it with the template."""
    stack, logical_id = visit.expect_stack(), visit.path["resource"]
    visit.call(stack.scope, "DetectStackResourceDrift", StackName=stack.arn, LogicalResourceId=logical_id)
    return Redirection(f"/stacks/{stack.id}/resources/{logical_id}")


def found_later(resource: ResourceRecord, drift: FoundDrift | None) -> Mapping[str, Any]:
    """Return the properties that a drift detection has found since the resource changed last; they are masked."""
    if drift is None or drift.checked is None or drift.details is None or drift.checked < resource.updated:
        return {}
    found: Mapping[str, Any] = drift.details.get("actual") or {}
    return found


def drifted_properties(drift: FoundDrift | None) -> dict[str, str]:
    """Return the kind of each difference by the JSON pointer of its property."""
    details = None if drift is None else drift.details
    return {str(each["path"]): str(each["kind"]) for each in (details or {}).get("differences") or ()}


def policies_of(resource: ResourceRecord | None) -> list[tuple[str, Any]]:
    """Return the attributes of a resource's declaration that say when it is kept, replaced or waited for."""
    declared = {} if resource is None else resource.declaration
    return [(name, declared[name]) for name in _POLICIES if declared.get(name)]


def hook_results(events: Sequence[EventRecord]) -> list[EventRecord]:
    """Return the latest event of each invocation of a hook; `events` are the latest first."""
    found: dict[tuple[str, str, str], EventRecord] = {}
    for each in events:
        details = each.details
        if details.hook_type is not None:
            key = (details.hook_type, str(details.hook_point), details.hook_id or str(each.operation_id))
            found.setdefault(key, each)
    return list(found.values())
