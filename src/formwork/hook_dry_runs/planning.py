"""The targets that hooks would be asked about if a template was deployed, with what is known of their values."""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError, Location, Severity
from formwork.documents import Document
from formwork.engine.changes.differences import KNOWN_AFTER_APPLY, texts
from formwork.hook_dry_runs.context import AnyTypes, LocalTransforms, UnreadValues, is_stored
from formwork.hook_dry_runs.targets import DryRunTarget, Places
from formwork.hooks import HookTarget, TargetKind
from formwork.hooks.payloads import change_set_payload, stack_payload
from formwork.preparation.dependencies import TemplateContext
from formwork.preparation.parameters import GivenParameter, parameter_values
from formwork.preparation.prepared import Prepared, prepare_template
from formwork.preparation.pseudo_parameters import pseudo_parameters
from formwork.schema import ResourceSchema
from formwork.schema.coercion import coerce_properties
from formwork.stacks.errors import StackError
from formwork.template import Resource, Template, read_template, references_in, stand_in_value
from formwork.template.evaluation import (
    Environment,
    EvaluationError,
    Evaluator,
    NoResources,
    OtherStacks,
    ResourceValues,
    UnknownStacks,
    replace_unknown,
)


class DryRunContext(Struct, frozen=True, kw_only=True):
    """The stack that a template is evaluated for.

    `parameters` are values by name, `stored` what Parameter Store holds for some of them. With `open_parameters` those
    without a value are unknown, as they are in the fragment of a module. `resources` and `stacks` tell what is known
    of others; `modules` gives the fragments of modules, `schema_of` the schemas of types.
    """

    scope: Scope
    stack_name: str
    stack_arn: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    stored: Mapping[str, str] = field(default_factory=dict)
    open_parameters: bool = False
    resources: ResourceValues = field(default_factory=NoResources)
    stacks: OtherStacks = field(default_factory=UnknownStacks)
    modules: Callable[[str], Template | None] = lambda _name: None
    schema_of: Callable[[str], ResourceSchema | None] = lambda _name: None
    role: str | None = None


def plan_template(
    document: Document, context: DryRunContext, *, kinds: Iterable[TargetKind], action: str = "CREATE"
) -> list[DryRunTarget]:
    """Return the targets of a template, one kind after another, resources in the order of the template.

    `action` is CREATE, UPDATE or DELETE, the operation whose hooks are asked.

    Raises:
        BadInputError: it is not a template, or the engine would refuse it.
    """
    prepared, evaluator = _prepare(document, context)
    places = Places(document=document, modules=prepared.modules)
    secrets = tuple(
        each for name, each in prepared.parameters.given.items() if prepared.template.parameters[name].no_echo
    )
    try:
        present = [each for each in prepared.template.resources.values() if evaluator.exists(each)]
        properties = {each.logical_id: evaluator.properties(each) for each in present}
    except EvaluationError as error:
        raise _refused(error.message, document) from error
    found: list[DryRunTarget] = []
    for kind in kinds:
        match kind:
            case TargetKind.RESOURCE | TargetKind.CLOUD_CONTROL:
                for resource in present:
                    model = {"resourceProperties": _model(resource, properties[resource.logical_id], context)}
                    if action == "UPDATE":  # of a stack that is as the template says
                        model["previousResourceProperties"] = model["resourceProperties"]
                    target = _resource_target(kind, resource, context, action)
                    found.append(DryRunTarget(target=target, places=places, model=model, secrets=secrets))
            case TargetKind.STACK:
                previous = document.text if action == "UPDATE" else None
                payload = stack_payload(action, document.text, previous)
                target = _stack_target(kind, context, action)
                found.append(DryRunTarget(target=target, places=places, payload=payload, secrets=secrets))
            case TargetKind.CHANGE_SET:
                changes = [_change(each, properties[each.logical_id]) for each in present]
                payload = {**change_set_payload(document.text, changes), "previousTemplate": None}
                target = _stack_target(kind, context, "CREATE")
                found.append(DryRunTarget(target=target, places=places, payload=payload, secrets=secrets))
    return found


def _prepare(document: Document, context: DryRunContext) -> tuple[Prepared, Evaluator]:
    read = read_template(document)
    if read.template is None or any(each.severity is Severity.ERROR for each in read.diagnostics):
        raise BadInputError(read.diagnostics)
    template = read.template
    missing = _missing(template, context)
    given = {**context.parameters, **{name: stand_in_value(template.parameters[name]) for name in missing}}
    stored = [name for name in template.parameters if is_stored(template, name) and name not in context.stored]
    _expect_decided(template, {*missing, *stored})
    pseudo = pseudo_parameters(context.scope, stack_name=context.stack_name, stack_id=context.stack_arn)
    preparation = TemplateContext(
        context.scope,
        Environment(pseudo=pseudo),
        AnyTypes(context.modules),
        UnreadValues(template, given),
        LocalTransforms(),
    )
    try:
        prepared = prepare_template(
            document.text,
            [GivenParameter(*each) for each in given.items()],
            preparation,
            capabilities=None,
            unknown=[*missing, *stored],
        )
    except StackError as error:
        raise _refused(error.message, document) from error
    values = {**prepared.environment.parameters, **parameter_values(template, context.stored)}
    environment = replace(prepared.environment, parameters=values, resources=context.resources, stacks=context.stacks)
    return prepared, Evaluator(prepared.template, environment)


def _expect_decided(template: Template, unknown: AbstractSet[str]) -> None:
    """Refuse conditions that cannot be decided.

    Raises:
        BadInputError: one depends on a parameter of the names `unknown`.
    """
    for name, expression in template.conditions.items():
        found = {each.name for each in references_in(expression)} & unknown
        if found:
            parameter = min(found)
            message = f"the condition {name} depends on the parameter {parameter}, whose value is not known"
            hint = f"--parameter {parameter}=VALUE"
            if is_stored(template, parameter):
                hint = "Parameter Store is not read here: create a change set and try the hooks on that"
            raise BadInputError.of("hook.template", message, location=template.locate(("Conditions", name)), hint=hint)


def _missing(template: Template, context: DryRunContext) -> list[str]:
    """The parameters without a value, where that is allowed."""
    if not context.open_parameters:
        return []
    return [
        name
        for name, declared in template.parameters.items()
        if not declared.has_default and name not in context.parameters
    ]


def _model(resource: Resource, properties: Mapping[str, Any], context: DryRunContext) -> dict[str, Any]:
    """The properties as the engine sends them to hooks: in the types of the schema, where it is known."""
    known = replace_unknown(dict(properties), KNOWN_AFTER_APPLY)
    schema = context.schema_of(resource.type)
    return known if schema is None else coerce_properties(schema, known)


def _resource_target(kind: TargetKind, resource: Resource, context: DryRunContext, action: str) -> HookTarget:
    in_stack = kind is TargetKind.RESOURCE
    return HookTarget(
        kind=kind,
        action=action,
        name=resource.type,
        identifier=resource.logical_id,
        execution=context.stack_arn,
        stack_name=context.stack_name if in_stack else None,
        role=context.role,
    )


def _stack_target(kind: TargetKind, context: DryRunContext, action: str) -> HookTarget:
    return HookTarget(
        kind=kind,
        action=action,
        name=str(kind),
        identifier=context.stack_name,
        execution=context.stack_arn,
        stack_name=context.stack_name,
        role=context.role,
    )


def _change(resource: Resource, properties: Mapping[str, Any]) -> dict[str, Any]:
    """An addition, as a change set has it."""
    return {
        "logical_id": resource.logical_id,
        "action": "Add",
        "type": resource.type,
        "before_context": None,
        "after_context": {"Properties": texts(dict(properties))},
    }


def _refused(message: str, document: Document) -> BadInputError:
    hint = None
    if "must have values" in message:
        hint = "give the parameters' values: --parameter NAME=VALUE, or --parameter-file FILE"
    return BadInputError.of("hook.template", message, location=Location(document.name), hint=hint)
