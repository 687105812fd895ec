"""The first page of a stack: the timeline of an operation, nested stacks, and the events."""

from collections.abc import Mapping

from formwork.console.exchanges import RecordedExchange
from formwork.console.pages.stack import frame
from formwork.console.views.dependencies import dependency_graph, reversed_graph
from formwork.console.views.timeline import OperationTimeline, operation_timeline
from formwork.console.visits import PageVisit, ShownPage
from formwork.stacks.store.events import list_operation_events
from formwork.stacks.store.operations import OperationSummary, list_operations
from formwork.stacks.store.records import STACK_TYPE, EventRecord, OperationKind, StackRecord
from formwork.stacks.store.resources import list_physical_ids
from formwork.stacks.store.stacks import get_stack

_EVENTS = 100  # of a page
_MOST_EVENTS = 20_000  # of a timeline


def show_overview(visit: PageVisit) -> ShownPage:
    """Show the timeline of an operation, by default of the latest one, and its events."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    with engine.database.read() as connection:
        operations = list_operations(connection, stack.id)
        wanted = visit.query.get("operation") or stack.operation_id
        chosen = next((each for each in operations if each.id == wanted), None)
        page = list_operation_events(connection, stack.id, chosen.id, limit=_MOST_EVENTS) if chosen is not None else []
    events = [each for _, each in reversed(page)]
    return ShownPage(
        "stack.html",
        {
            **frame(visit, stack, "overview"),
            "operations": operations,
            "chosen": chosen,
            "timeline": None if chosen is None else _timeline(visit, stack, chosen, events),
            "nested": nested_stacks(visit, stack),
            "events": list(reversed(events[-_EVENTS:])),
            "more": len(events) > _EVENTS,
            "failure": first_failure(events),
        },
    )


def first_failure(events: list[EventRecord]) -> EventRecord | None:
    """Return the event that says why an operation failed: the first failure that is not a consequence of another."""
    for each in events:
        failed = each.status.endswith("_FAILED") or each.details.hook_status in {"HOOK_COMPLETE_FAILED", "HOOK_FAILED"}
        if failed and "cancelled" not in (each.reason or "") and each.details.hook_mode != "WARN":
            return each
    return None


def nested_stacks(visit: PageVisit, stack: StackRecord) -> Mapping[str, StackRecord]:
    """Return the nested stacks of a stack by their logical ids."""
    with visit.services.engine.database.read() as connection:
        ids = list_physical_ids(connection, stack.id, STACK_TYPE)
        found = {name: get_stack(connection, each.rpartition("/")[2]) for name, each in sorted(ids.items())}
    return {name: each for name, each in found.items() if each is not None}


def _timeline(
    visit: PageVisit, stack: StackRecord, chosen: OperationSummary, events: list[EventRecord]
) -> OperationTimeline | None:
    engine = visit.services.engine
    exchanges: dict[str, list[RecordedExchange]] = {}
    for each in visit.parts.exchanges.of_stack(stack.arn):
        exchanges.setdefault(each.logical_id or "", []).append(each)
    graph = dependency_graph(engine, stack)
    return operation_timeline(
        events,
        stack.name,
        exchanges=exchanges,
        running=() if chosen.ended is not None else visit.parts.running.of_stack(stack.arn),
        graph=reversed_graph(graph) if chosen.kind is OperationKind.DELETE else graph,
        now=None if chosen.ended is not None else engine.settings.now(),
    )
