"""Forms that create and update stack sets, and add and remove their instances."""

from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.console.pages.scopes import read_scope
from formwork.console.pages.stack_sets import expect_stack_set
from formwork.console.pages.template_parameters import (
    acknowledged_capabilities,
    given_parameters,
    keeps_template,
    masked_parameters,
    parameter_values,
    template_body,
    template_values,
)
from formwork.console.parts import CallRefusedError
from formwork.console.views.commands import EquivalentCall
from formwork.console.visits import NotShownError, PageVisit, Redirection, ShownPage
from formwork.stack_sets.records import StackSetRecord

_CHANGES = {"add": "CreateStackInstances", "remove": "DeleteStackInstances"}


def ask_new(visit: PageVisit) -> ShownPage:
    """Show the form for the template of a new stack set."""
    return _template_form(visit, None, problem=None)


def ask_update(visit: PageVisit) -> ShownPage:
    """Show the form for the template of a stack set that is updated."""
    return _template_form(visit, expect_stack_set(visit), problem=None)


def ask_parameters(visit: PageVisit) -> ShownPage:
    """Show the parameters of the template, and the capabilities that it needs."""
    stack_set = _updated(visit)
    try:
        summary = _summary(visit, stack_set)
    except CallRefusedError as error:
        return _template_form(visit, stack_set, problem=error.message)
    return _parameter_form(visit, stack_set, summary, problem=None)


def save(visit: PageVisit) -> ShownPage | Redirection:
    """Create the stack set, or update it with all of its instances."""
    stack_set = _updated(visit)
    summary = _summary(visit, stack_set)
    operation, members = _request(visit, stack_set, summary)
    try:
        made = visit.call(_scope(visit, stack_set), operation, **members)
    except CallRefusedError as error:
        return _parameter_form(visit, stack_set, summary, problem=error.message)
    return Redirection(f"/stack-sets/{stack_set.id if stack_set else str(made['StackSetId']).rpartition(':')[2]}")


def ask_instances(visit: PageVisit) -> ShownPage:
    """Show the form for the accounts and Regions of instances to add or to remove."""
    return _instances_form(visit, problem=None)


def change_instances(visit: PageVisit) -> ShownPage | Redirection:
    """Add or remove instances."""
    stack_set = expect_stack_set(visit)
    try:
        visit.call(stack_set.scope, _change(visit), **_instances_request(visit, stack_set.full_id))
    except CallRefusedError as error:
        return _instances_form(visit, problem=error.message)
    return Redirection(f"/stack-sets/{stack_set.id}")


def _updated(visit: PageVisit) -> StackSetRecord | None:
    """Return the stack set that the form is about, None for a new one."""
    return expect_stack_set(visit, visit.field("stack_set")) if visit.field("stack_set") else None


def _scope(visit: PageVisit, stack_set: StackSetRecord | None) -> Scope:
    if stack_set is not None:
        return stack_set.scope
    return read_scope(visit, visit.field("account"), visit.field("region"))


def _keeps(visit: PageVisit, stack_set: StackSetRecord | None) -> bool:
    return stack_set is not None and keeps_template(visit)


def _described(visit: PageVisit, stack_set: StackSetRecord) -> Mapping[str, Any]:
    found: Mapping[str, Any] = visit.call(stack_set.scope, "DescribeStackSet", StackSetName=stack_set.full_id)
    described: Mapping[str, Any] = found["StackSet"]
    return described


def _summary(visit: PageVisit, stack_set: StackSetRecord | None) -> Mapping[str, Any]:
    kept = stack_set is not None and _keeps(visit, stack_set)
    body = _described(visit, stack_set)["TemplateBody"] if kept and stack_set is not None else template_body(visit)
    return visit.call(_scope(visit, stack_set), "GetTemplateSummary", TemplateBody=body)


def _known(visit: PageVisit, stack_set: StackSetRecord | None) -> dict[str, str]:
    described = {} if stack_set is None else _described(visit, stack_set)
    return {each["ParameterKey"]: each.get("ParameterValue", "") for each in described.get("Parameters") or ()}


def _request(
    visit: PageVisit, stack_set: StackSetRecord | None, summary: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return the operation, and its input."""
    parameters = given_parameters(visit, summary, _known(visit, stack_set))
    capabilities = acknowledged_capabilities(visit)
    description = visit.field("description")
    members = {
        "StackSetName": visit.field("name") if stack_set is None else stack_set.full_id,
        **({"UsePreviousTemplate": True} if _keeps(visit, stack_set) else {"TemplateBody": template_body(visit)}),
        **({"Description": description} if description else {}),
        **({"Parameters": parameters} if parameters else {}),
        **({"Capabilities": capabilities} if capabilities else {}),
    }
    return "CreateStackSet" if stack_set is None else "UpdateStackSet", members


def _template_form(visit: PageVisit, stack_set: StackSetRecord | None, *, problem: str | None) -> ShownPage:
    values = {
        "stack_set": stack_set,
        "description": visit.field("description"),
        "kept_description": "" if stack_set is None else stack_set.definition.description,
        **template_values(visit, problem),
    }
    return ShownPage("stack_set_form.html", values, 200 if problem is None else 400)


def _parameter_form(
    visit: PageVisit, stack_set: StackSetRecord | None, summary: Mapping[str, Any], *, problem: str | None
) -> ShownPage:
    scope = _scope(visit, stack_set)
    operation, members = _request(visit, stack_set, summary)
    shown = dict(members)
    if "Parameters" in shown:
        shown["Parameters"] = masked_parameters(shown["Parameters"], summary)
    values = {
        "stack_set": stack_set,
        "name": visit.field("name") if stack_set is None else stack_set.name,
        "description": visit.field("description"),
        "scope": scope,
        "lines": EquivalentCall(scope, visit.parts.api, operation, shown).lines(None),
        **parameter_values(visit, summary, _known(visit, stack_set), keeps=_keeps(visit, stack_set), problem=problem),
    }
    return ShownPage("stack_set_parameters.html", values, 200 if problem is None else 400)


def _change(visit: PageVisit) -> str:
    operation = _CHANGES.get(visit.path["change"])
    if operation is None:
        raise NotShownError("this action does not exist")
    return operation


def _instances_request(visit: PageVisit, name: str) -> dict[str, Any]:
    listed = {each: visit.field(each).replace(",", " ").split() for each in ("accounts", "regions")}
    members: dict[str, Any] = {"StackSetName": name, "Accounts": listed["accounts"], "Regions": listed["regions"]}
    if visit.path["change"] == "remove":
        members["RetainStacks"] = visit.field("retain") == "1"
    return members


def _instances_form(visit: PageVisit, *, problem: str | None) -> ShownPage:
    stack_set = expect_stack_set(visit)
    operation = _change(visit)
    call = EquivalentCall(stack_set.scope, visit.parts.api, operation, _instances_request(visit, stack_set.name))
    values = {
        "stack_set": stack_set,
        "change": visit.path["change"],
        "accounts": visit.field("accounts", stack_set.scope.account),
        "regions": visit.field("regions", stack_set.scope.region),
        "retains": visit.field("retain") == "1",
        "problem": problem,
        "lines": call.lines(None),
    }
    return ShownPage("stack_set_instances.html", values, 200 if problem is None else 400)
