"""Deploying a template: the template, its parameters, and a change set that is confirmed."""

import time
from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.console.pages.scopes import read_scope
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
from formwork.console.views.commands import EquivalentCall, cfn_line
from formwork.console.visits import NotShownError, PageVisit, Redirection, ShownPage
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.records import StackRecord
from formwork.stacks.store.stacks import find_stack, get_stack


def ask_template(visit: PageVisit) -> ShownPage:
    """Show the form for a template, of a new stack or of one that is updated."""
    stack = _updated(visit, visit.query.get("stack", ""))
    return _template_form(visit, stack, problem=None)


def ask_parameters(visit: PageVisit) -> ShownPage:
    """Show the template's parameters and the capabilities that it needs."""
    stack = _updated(visit, visit.field("stack"))
    scope = _scope(visit, stack)
    try:
        summary = visit.call(scope, "GetTemplateSummary", **_source(visit, stack))
    except CallRefusedError as error:
        return _template_form(visit, stack, problem=error.message)
    return _parameter_form(visit, stack, summary, problem=None)


def create_change_set(visit: PageVisit) -> ShownPage | Redirection:
    """Create the change set, and show it."""
    stack = _updated(visit, visit.field("stack"))
    scope = _scope(visit, stack)
    summary = visit.call(scope, "GetTemplateSummary", **_source(visit, stack))
    try:
        made = visit.call(scope, "CreateChangeSet", **_request(visit, stack, summary))
    except CallRefusedError as error:
        return _parameter_form(visit, stack, summary, problem=error.message)
    identifier = str(made["StackId"]).rpartition("/")[2]
    name = str(made["Id"]).split("/")[-2]
    return Redirection(f"/stacks/{identifier}/change-sets/{name}")


def _updated(visit: PageVisit, identifier: str) -> StackRecord | None:
    """Return the stack that is updated, None for a new one."""
    if not identifier:
        return None
    with visit.services.engine.database.read() as connection:
        stack = get_stack(connection, identifier)
    if stack is None:
        raise NotShownError("this stack does not exist")
    visit.expect_account(stack.scope.account)
    return stack


def _scope(visit: PageVisit, stack: StackRecord | None) -> Scope:
    return stack.scope if stack is not None else read_scope(visit, visit.field("account"), visit.field("region"))


def _keeps(visit: PageVisit, stack: StackRecord | None) -> bool:
    return stack is not None and keeps_template(visit)


def _source(visit: PageVisit, stack: StackRecord | None) -> dict[str, Any]:
    """Return the members that name the template, for GetTemplateSummary."""
    if stack is not None and _keeps(visit, stack):
        return {"StackName": stack.arn}
    return {"TemplateBody": template_body(visit)}


def _request(visit: PageVisit, stack: StackRecord | None, summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the input of CreateChangeSet."""
    source = {"UsePreviousTemplate": True} if _keeps(visit, stack) else _source(visit, stack)
    parameters = given_parameters(visit, summary, _known(stack))
    capabilities = acknowledged_capabilities(visit)
    name = visit.field("name") if stack is None else stack.name
    existing = stack or _find(visit, name)
    creates = existing is None or existing.status is StackStatus.REVIEW_IN_PROGRESS
    return {
        "StackName": name,
        "ChangeSetName": f"console-{time.strftime('%Y%m%d-%H%M%S')}",
        "ChangeSetType": "CREATE" if creates else "UPDATE",
        **source,
        **({"Parameters": parameters} if parameters else {}),
        **({"Capabilities": capabilities} if capabilities else {}),
    }


def _known(stack: StackRecord | None) -> Mapping[str, str]:
    return {} if stack is None or stack.deployed is None else stack.deployed.given


def _find(visit: PageVisit, name: str) -> StackRecord | None:
    with visit.services.engine.database.read() as connection:
        return find_stack(connection, _scope(visit, None), name)


def _template_form(visit: PageVisit, stack: StackRecord | None, *, problem: str | None) -> ShownPage:
    values = {"stack": stack, **template_values(visit, problem)}
    return ShownPage("deploy.html", values, 200 if problem is None else 400)


def _parameter_form(
    visit: PageVisit, stack: StackRecord | None, summary: Mapping[str, Any], *, problem: str | None
) -> ShownPage:
    scope = _scope(visit, stack)
    name = visit.field("name") if stack is None else stack.name
    values = {
        "stack": stack,
        "name": name,
        "scope": scope,
        "types": summary.get("ResourceTypes") or [],
        "lines": _lines(visit, stack, scope, summary, name),
        **parameter_values(visit, summary, _known(stack), keeps=_keeps(visit, stack), problem=problem),
    }
    return ShownPage("deploy_parameters.html", values, 200 if problem is None else 400)


def _lines(
    visit: PageVisit, stack: StackRecord | None, scope: Scope, summary: Mapping[str, Any], name: str
) -> list[tuple[str, str]]:
    request = _request(visit, stack, summary)
    given = masked_parameters(request.get("Parameters", ()), summary)
    words = ["stack", "deploy", name, "template.yaml", "--no-execute"]
    words += [
        word
        for each in given
        if "ParameterValue" in each
        for word in ("--parameter", f"{each['ParameterKey']}={each['ParameterValue']}")
    ]
    shown = {**request, **({"Parameters": given} if given else {})}
    return EquivalentCall(scope, visit.parts.api, "CreateChangeSet", shown).lines(cfn_line(*words, scope=scope))
