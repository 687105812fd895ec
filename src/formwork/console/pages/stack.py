"""The pages of one stack."""

from typing import Any

from formwork.console.pages.operating import actions_of, settings_actions
from formwork.console.views.commands import EquivalentCall, cfn_line
from formwork.console.views.masking import StackMask
from formwork.console.visits import PageVisit, ShownPage
from formwork.engine.deployed.exports import find_exporter, imported_names, list_importers
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.events import search_events
from formwork.stacks.store.records import STACK_TYPE, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import find_stack, get_stack

_EVENTS = 100  # that are loaded at a time, when someone scrolls to them
_DIGITS = 16  # of a position, which is a time in milliseconds


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


def show_events(visit: PageVisit) -> ShownPage:
    """Show the events of all operations that match a search, page by page."""
    stack = visit.expect_stack()
    before = visit.query.get("before", "")
    position = int(before) if before.isdecimal() and len(before) < _DIGITS else None
    search, failed = visit.query.get("q", "").strip(), visit.query.get("failed") == "1"
    with visit.services.engine.database.read() as connection:
        rows = search_events(connection, stack.id, search, failed=failed, before=position, limit=_EVENTS)
    values = {
        "events": [each for _, each in rows],
        "older": rows[-1][0] if len(rows) == _EVENTS else None,
        "latest": position is None,
        "search": search,
        "failed": failed,
    }
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
        importers = {
            name: [
                (each, find_stack(connection, stack.scope, each))
                for each in list_importers(connection, stack.scope, name)
            ]
            for name in exports
        }
        imports = [(name, find_exporter(connection, stack.scope, name)) for name in imported_names(stack)]
    mask = StackMask(engine, stack, engine.lookups.with_shown_deployment(stack).deployed)
    outputs = [{**each, "OutputValue": mask.value(each.get("OutputValue"))} for each in described.get("Outputs") or ()]
    values = {
        "parameters": described.get("Parameters") or [],
        "outputs": outputs,
        "importers": importers,
        "imports": [(name, found[0] if found else None) for name, found in imports],
        "settings": settings_actions(stack),
        "tags": described.get("Tags") or [],
        "described": described,
        "policy": stack.policy,
    }
    return ShownPage("stack_values.html", {**frame(visit, stack, "values"), **values})


def show_change_sets(visit: PageVisit) -> ShownPage:
    """Show the change sets of a stack, the latest first."""
    stack = visit.expect_stack()
    found = []
    if stack.status is not StackStatus.DELETE_COMPLETE:
        found = visit.call_all(stack.scope, "ListChangeSets", "Summaries", StackName=stack.arn)
    latest = sorted(found, key=lambda each: each["CreationTime"], reverse=True)
    return ShownPage("stack_change_sets.html", {**frame(visit, stack, "change_sets"), "change_sets": latest})
