"""The pages of stack sets: their instances over accounts and Regions, and their operations."""

from collections.abc import Mapping, Sequence
from typing import Any

from formwork.console.parts import CallRefusedError
from formwork.console.views.commands import EquivalentCall
from formwork.console.visits import NotShownError, PageVisit, Redirection, ShownPage
from formwork.stack_sets.records import StackSetRecord
from formwork.stack_sets.store import find_stack_set_by_id, list_live_stack_sets

_RUNNING = frozenset({"RUNNING", "QUEUED", "STOPPING"})
_ACTIONS = {"detect-drift": "DetectStackSetDrift", "stop": "StopStackSetOperation", "delete": "DeleteStackSet"}


def list_sets(visit: PageVisit) -> ShownPage:
    """Show the stack sets of all accounts and Regions that the session may see."""
    with visit.services.engine.database.read() as connection:
        found = list_live_stack_sets(connection, visit.session.account)
    instances = {each.id: _instances(visit, each) for each in found}
    return ShownPage("stack_sets.html", {"sets": found, "instances": instances})


def show_set(visit: PageVisit) -> ShownPage:
    """Show a stack set: its instances as a table of accounts and Regions, and the results of an operation."""
    stack_set = expect_stack_set(visit)
    described = visit.call(stack_set.scope, "DescribeStackSet", StackSetName=stack_set.full_id)["StackSet"]
    instances = _instances(visit, stack_set)
    operations = visit.call_all(stack_set.scope, "ListStackSetOperations", "Summaries", StackSetName=stack_set.full_id)
    wanted = visit.query.get("operation")
    chosen = next((each for each in operations if each["OperationId"] == wanted), next(iter(operations), None))
    call = EquivalentCall(stack_set.scope, visit.parts.api, "DescribeStackSet", {"StackSetName": stack_set.name})
    return ShownPage(
        "stack_set.html",
        {
            "stack_set": stack_set,
            "described": described,
            "cells": {(each["Account"], each["Region"]): each for each in instances},
            "accounts": sorted({each["Account"] for each in instances}),
            "regions": list(dict.fromkeys(each["Region"] for each in instances)),
            "operations": operations,
            "chosen": chosen,
            "results": [] if chosen is None else _results(visit, stack_set, chosen),
            "running": any(each["Status"] in _RUNNING for each in operations),
            "lines": call.lines(None),
        },
    )


def confirm(visit: PageVisit) -> ShownPage:
    """Show the equivalent lines of an action, and the button that starts it."""
    return _confirmation(visit, problem=None)


def _confirmation(visit: PageVisit, *, problem: str | None) -> ShownPage:
    stack_set = expect_stack_set(visit)
    operation, members = _action(visit, stack_set)
    call = EquivalentCall(stack_set.scope, visit.parts.api, operation, {**members, "StackSetName": stack_set.name})
    values = {
        "stack_set": stack_set,
        "action": visit.path["action"],
        "members": members,
        "problem": problem,
        "lines": call.lines(None),
    }
    return ShownPage("stack_set_confirm.html", values, 200 if problem is None else 400)


def act(visit: PageVisit) -> ShownPage | Redirection:
    """Detect the drift of the instances, stop an operation, or delete the stack set."""
    stack_set = expect_stack_set(visit)
    operation, members = _action(visit, stack_set)
    deletes = operation == "DeleteStackSet"
    if deletes and visit.field("confirmation") != stack_set.name:
        return _confirmation(visit, problem=f'Type "{stack_set.name}" to confirm.')
    try:
        visit.call(stack_set.scope, operation, **members)
    except CallRefusedError as error:
        return _confirmation(visit, problem=error.message)
    return Redirection("/stack-sets" if deletes else f"/stack-sets/{stack_set.id}")


def _action(visit: PageVisit, stack_set: StackSetRecord) -> tuple[str, dict[str, str]]:
    operation = _ACTIONS.get(visit.path["action"])
    if operation is None:
        raise NotShownError("this action does not exist")
    members = {"StackSetName": stack_set.full_id}
    if operation == "StopStackSetOperation":
        members["OperationId"] = visit.field("operation") or visit.query.get("operation", "")
    return operation, members


def expect_stack_set(visit: PageVisit, identifier: str | None = None) -> StackSetRecord:
    """Return the stack set with an id, by default the one that the address names."""
    wanted = visit.path["stack_set"] if identifier is None else identifier
    with visit.services.engine.database.read() as connection:
        found = find_stack_set_by_id(connection, wanted)
    if found is None:
        raise NotShownError(f'stack set "{wanted}" not found')
    visit.expect_account(found.scope.account)
    return found


def _instances(visit: PageVisit, stack_set: StackSetRecord) -> Sequence[Mapping[str, Any]]:
    return visit.call_all(stack_set.scope, "ListStackInstances", "Summaries", StackSetName=stack_set.full_id)


def _results(visit: PageVisit, stack_set: StackSetRecord, operation: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    members = {"StackSetName": stack_set.full_id, "OperationId": operation["OperationId"]}
    return visit.call_all(stack_set.scope, "ListStackSetOperationResults", "Summaries", **members)
