"""Checks what a request wants a stack set to deploy, as far as possible without the target accounts."""

from collections.abc import Mapping

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.preparation.capabilities import check_expansion, check_iam
from formwork.preparation.parameters import GivenParameter, resolve_parameters
from formwork.preparation.prepared import parse_template, read_checked
from formwork.stack_sets.records import Definition
from formwork.stacks.errors import StackError


class DefinitionRequest(Struct, frozen=True, kw_only=True):
    """The definition in a request for CreateStackSet or UpdateStackSet; None keeps the current value."""

    template: str | None
    description: str | None = None
    parameters: tuple[GivenParameter, ...] = ()
    tags: Mapping[str, str] | None = None
    capabilities: tuple[str, ...] = ()
    administration_role_arn: str | None = None
    execution_role_name: str | None = None
    managed_execution: bool | None = None


def define(engine: Engine, scope: Scope, request: DefinitionRequest, before: Definition | None) -> Definition:
    """Return the definition that is asked for; `before` is the one it takes the place of.

    Raises:
        StackError: the template, its parameters or the capabilities are wrong.
    """
    text = request.template if request.template is not None or before is None else before.template
    if text is None:
        raise StackError("Either Template URL or Template Body must be specified.")
    template = read_checked(parse_template(text))
    given = resolve_parameters(
        template,
        request.parameters,
        previous=None if before is None else before.parameters,
        scope=scope,
        references=engine.settings.references,
    ).given
    check_expansion(template, request.capabilities)
    check_iam(template, request.capabilities)
    kept = before or Definition(text)
    managed = kept.managed_execution if request.managed_execution is None else request.managed_execution
    return Definition(
        text,
        description=request.description if request.description is not None else kept.description,
        parameters=dict(given),
        tags=dict(kept.tags if request.tags is None else request.tags),
        capabilities=list(request.capabilities),
        administration_role_arn=request.administration_role_arn or kept.administration_role_arn,
        execution_role_name=request.execution_role_name or kept.execution_role_name,
        managed_execution=managed,
    )


def override(definition: Definition, given: tuple[GivenParameter, ...], before: Mapping[str, str]) -> dict[str, str]:
    """Return an instance's own values of parameters; a parameter that is not named has the stack set's.

    Raises:
        StackError: the template has no such parameter, or there is no earlier value.
    """
    strangers = [each.key for each in given if each.key not in definition.parameters]
    if strangers:
        raise StackError(f"Parameters: [{', '.join(strangers)}] do not exist in the template")
    values = {}
    for each in given:
        if not each.use_previous:
            values[each.key] = each.value or ""
        elif each.key in before:
            values[each.key] = before[each.key]
    return values
