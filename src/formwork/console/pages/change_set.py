"""The page of a change set: a diff to read, and the buttons that execute or delete it."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.console.pages.stack import frame
from formwork.console.parts import CallRefusedError
from formwork.console.views.changes import count_plans, show_changes
from formwork.console.views.commands import EquivalentCall, cfn_line
from formwork.console.views.masking import StackMask
from formwork.console.visits import PageVisit, Redirection, ShownPage


def show_change_set(visit: PageVisit) -> ShownPage:
    """Show the changes, and why each happens."""
    stack = visit.expect_stack()
    described = _describe(visit)
    changes = visit.call_all(
        stack.scope,
        "DescribeChangeSet",
        "Changes",
        ChangeSetName=visit.path["change_set"],
        StackName=stack.arn,
        IncludePropertyValues=True,
    )
    members = {"StackName": stack.name, "ChangeSetName": described["ChangeSetName"]}
    call = EquivalentCall(stack.scope, visit.parts.api, "ExecuteChangeSet", members)
    lines = call.lines(cfn_line("stack", "execute", stack.name, described["ChangeSetName"], scope=stack.scope))
    keeping = replace(call, members={**members, "DisableRollback": True})
    lines += [(f"{name}, keeping what was done", text) for name, text in keeping.lines(None)]
    engine = visit.services.engine
    mask = StackMask(engine, stack, engine.lookups.with_shown_deployment(stack).deployed)
    mask.learn_written()
    shown = show_changes([mask.change(each) for each in changes])
    removal = EquivalentCall(stack.scope, visit.parts.api, "DeleteChangeSet", members)
    values = {
        "described": described,
        "changes": shown,
        "plans": count_plans(shown),
        "hooks": _hooks(visit),
        "execution": lines,
        "removal": removal.lines(None),
    }
    return ShownPage("change_set.html", {**frame(visit, stack, "change_sets"), **values})


def execute(visit: PageVisit) -> Redirection:
    """Execute the change set, without a rollback where the form says so, and show the stack."""
    stack = visit.expect_stack()
    members = {"StackName": stack.arn, "ChangeSetName": _describe(visit)["ChangeSetName"]}
    if visit.field("keep") == "1":
        members["DisableRollback"] = True
    visit.call(stack.scope, "ExecuteChangeSet", **members)
    return Redirection(f"/stacks/{stack.id}")


def delete(visit: PageVisit) -> Redirection:
    """Delete the change set."""
    stack = visit.expect_stack()
    visit.call(stack.scope, "DeleteChangeSet", StackName=stack.arn, ChangeSetName=_describe(visit)["ChangeSetName"])
    return Redirection(f"/stacks/{stack.id}/change-sets")


def _hooks(visit: PageVisit) -> Sequence[Mapping[str, Any]]:
    """Return the hooks that the execution asks, by resource; none where the change set can't be executed."""
    stack = visit.expect_stack()
    try:
        members = {"StackName": stack.arn, "ChangeSetName": visit.path["change_set"]}
        return visit.call_all(stack.scope, "DescribeChangeSetHooks", "Hooks", **members)
    except CallRefusedError:
        return ()


def _describe(visit: PageVisit) -> Mapping[str, Any]:
    stack = visit.expect_stack()
    return visit.call(stack.scope, "DescribeChangeSet", StackName=stack.arn, ChangeSetName=visit.path["change_set"])
