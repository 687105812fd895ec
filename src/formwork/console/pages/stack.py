"""The pages of one stack."""

from collections.abc import Mapping
from typing import Any

from formwork.console.exchanges import RecordedExchange
from formwork.console.pages.operating import actions_of
from formwork.console.views.commands import EquivalentCall, cfn_line
from formwork.console.views.graph_layout import HEIGHT, WIDTH, lay_out
from formwork.console.views.masking import StackMask
from formwork.console.views.timeline import OperationTimeline, operation_timeline
from formwork.console.visits import PageVisit, ShownPage
from formwork.engine.deployed.exports import list_importers
from formwork.engine.engine import Engine
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.events import list_events, list_operation_events
from formwork.stacks.store.operations import OperationSummary, list_operations
from formwork.stacks.store.records import STACK_TYPE, EventRecord, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import get_stack
from formwork.template.evaluation import EvaluationError

_EVENTS = 200  # of a page
_MOST_EVENTS = 20_000  # of a timeline


def frame(visit: PageVisit, stack: StackRecord, tab: str) -> dict[str, Any]:
    """Return what every page of a stack shows: its head and its tabs."""
    with visit.services.engine.database.read() as connection:
        parent = stack.settings.parent_id
        above = None if parent is None else get_stack(connection, parent.rpartition("/")[2])
    describe = EquivalentCall(stack.scope, visit.parts.api, "DescribeStacks", {"StackName": stack.name})
    return {
        "stack": stack,
        "tab": tab,
        "above": above,
        "busy": stack.status.busy,
        "actions": actions_of(stack),
        "lines": describe.lines(cfn_line("stack", "describe", stack.name, scope=stack.scope)),
    }


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


def _timeline(
    visit: PageVisit, stack: StackRecord, chosen: OperationSummary, events: list[EventRecord]
) -> OperationTimeline | None:
    engine = visit.services.engine
    exchanges: dict[str, list[RecordedExchange]] = {}
    for each in visit.parts.exchanges.of_stack(stack.arn):
        exchanges.setdefault(each.logical_id or "", []).append(each)
    return operation_timeline(
        events,
        stack.name,
        exchanges=exchanges,
        graph=dependency_graph(engine, stack),
        now=None if chosen.ended is not None else engine.settings.now(),
    )


def dependency_graph(engine: Engine, stack: StackRecord) -> Mapping[str, tuple[str, ...]]:
    """Return the dependencies of a stack's resources; {} where the template can't be evaluated any more."""
    shown = engine.lookups.with_shown_deployment(stack)
    if shown.deployed is None:
        return {}
    try:
        return engine.planner.view(shown, shown.deployed).graph
    except EvaluationError:
        return {}


def show_events(visit: PageVisit) -> ShownPage:
    """Show the events of all operations, page by page."""
    stack = visit.expect_stack()
    before = visit.query.get("before", "")
    with visit.services.engine.database.read() as connection:
        position = int(before) if before.isdecimal() else None
        rows = list_events(connection, stack.id, before=position, limit=_EVENTS, validation=True)
    older = rows[-1][0] if len(rows) == _EVENTS else None
    values = {"events": [each for _, each in rows], "older": older, "latest": position is None}
    return ShownPage("stack_events.html", {**frame(visit, stack, "events"), **values})


def show_resources(visit: PageVisit) -> ShownPage:
    """Show the resources with their drift."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    with engine.database.read() as connection:
        resources = list_resources(connection, stack.id)
    drifts = engine.lookups.list_drifts(stack.scope, stack.arn)
    nested = {
        name: each.physical_id.rpartition("/")[2]
        for name, each in resources.items()
        if each.type == STACK_TYPE and each.physical_id is not None
    }
    values = {"resources": resources.values(), "drifts": drifts, "nested": nested}
    return ShownPage("stack_resources.html", {**frame(visit, stack, "resources"), **values})


def show_values(visit: PageVisit) -> ShownPage:
    """Show parameters, outputs, exports with the stacks that import them, and tags."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    (described,) = visit.call(stack.scope, "DescribeStacks", StackName=stack.arn)["Stacks"]
    exports = [each["ExportName"] for each in described.get("Outputs") or () if each.get("ExportName")]
    with engine.database.read() as connection:
        importers = {name: list_importers(connection, stack.scope, name) for name in exports}
    mask = StackMask(engine, stack, engine.lookups.with_shown_deployment(stack).deployed)
    outputs = [{**each, "OutputValue": mask.value(each.get("OutputValue"))} for each in described.get("Outputs") or ()]
    values = {
        "parameters": described.get("Parameters") or [],
        "outputs": outputs,
        "importers": importers,
        "tags": described.get("Tags") or [],
        "described": described,
        "policy": stack.policy,
    }
    return ShownPage("stack_values.html", {**frame(visit, stack, "values"), **values})


def show_graph(visit: PageVisit) -> ShownPage:
    """Show the dependencies of the resources, each in the colour of its status."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    graph = dependency_graph(engine, stack)
    with engine.database.read() as connection:
        resources = list_resources(connection, stack.id)
    shown = engine.lookups.with_shown_deployment(stack)
    template = {} if shown.deployed is None else shown.deployed.template.get("Resources", {})
    types = {name: template.get(name, {}).get("Type", "") for name in graph}
    statuses = {name: str(resources[name].status) if name in resources else "" for name in graph}
    values = {
        "layout": lay_out(graph),
        "types": types,
        "statuses": statuses,
        "graph": graph,
        "box": (WIDTH, HEIGHT),
        "known": set(resources),
    }
    return ShownPage("stack_graph.html", {**frame(visit, stack, "graph"), **values})


def show_template(visit: PageVisit) -> ShownPage:
    """Show the template as it was given and as it was processed, with secrets masked."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    deployed = engine.lookups.with_shown_deployment(stack).deployed
    mask = StackMask(engine, stack, deployed)
    mask.learn_written()
    processed = visit.query.get("stage") == "processed"
    text = ""
    if deployed is not None:
        text = mask.text(deployed.original) if not processed else mask.value(deployed.template)
    return ShownPage("stack_template.html", {**frame(visit, stack, "template"), "text": text, "processed": processed})


def show_change_sets(visit: PageVisit) -> ShownPage:
    """Show the change sets of a stack, the latest first."""
    stack = visit.expect_stack()
    found = []
    if stack.status is not StackStatus.DELETE_COMPLETE:
        found = visit.call_all(stack.scope, "ListChangeSets", "Summaries", StackName=stack.arn)
    latest = sorted(found, key=lambda each: each["CreationTime"], reverse=True)
    return ShownPage("stack_change_sets.html", {**frame(visit, stack, "change_sets"), "change_sets": latest})
