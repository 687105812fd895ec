"""The step of a resource in a deployment."""

from collections.abc import Mapping
from typing import Any, assert_never

from msgspec.structs import replace

from formwork.engine.deployed.resource_values import StoredResources
from formwork.engine.operations.adopting import begin_import
from formwork.engine.operations.creation_policies import CreationPolicy
from formwork.engine.operations.decisions import decide, deletes_first, type_traits
from formwork.engine.operations.event_writing import REPLACING, EventDraft
from formwork.engine.operations.refusing import refuse, refuse_by_policy
from formwork.engine.operations.resource_undoing import is_kept
from formwork.engine.operations.step import Step
from formwork.engine.stack_policies import UpdateAction
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.records import ResourceRecord
from formwork.stacks.store.steps import Decision, Ended, ExpectedSignals, HandlerAction, Plan, is_gone
from formwork.template import Resource
from formwork.template.evaluation import EvaluationError, Evaluator
from formwork.template.read_resource import POLICIES

_ACTIONS = {
    Decision.UPDATE: UpdateAction.MODIFY,
    Decision.UPDATE_OR_REPLACE: UpdateAction.MODIFY,
    Decision.REPLACE: UpdateAction.REPLACE,
}


def begin_deploy(step: Step) -> None:
    """Decide how the resource gets to the target's state, and start it."""
    target = step.context.target
    if step.logical_id not in target.graph:  # only a resource that a policy keeps is here without being in the template
        refuse_by_policy(step, UpdateAction.DELETE)
        return
    declared = target.template.resources[step.logical_id]
    values = StoredResources(step.services.database, step.stack_id)
    declaration = target.deployment.template["Resources"][step.logical_id]
    try:
        properties = target.evaluator(values).properties(declared)
        declaration = {**declaration, **_computed_policies(target.evaluator(values), declared, declaration)}
        masked = target.evaluator(values.masked(), masked=True).properties(declared)
        policy = _creation_policy(step, declared)
    except (EvaluationError, StackError) as error:
        refuse(step, error.message)
        return
    resource = ResourceRecord(
        step.logical_id,
        declared.type,
        ResourceStatus.CREATE_IN_PROGRESS,
        declaration,
        properties,
        updated=step.services.now(),
        module=target.deployment.modules.get(step.logical_id),
    )
    shown = step.shown(resource, masked)
    adopted = step.context.operation.options.imports.get(step.logical_id)
    if adopted is not None and step.current is None:
        begin_import(step, replace(resource, physical_id=adopted), shown)
    else:
        since = step.context.operation.started
        signals = None if policy is None else ExpectedSignals(policy.count, policy.seconds, policy.percent, since)
        replaced = step.current is not None and step.current.status is not ResourceStatus.CREATE_FAILED
        live = step.context.operation.options.live.get(step.logical_id) if replaced else None
        plan = Plan(
            decision=_decide(step, properties, live),
            shown=shown,
            before=step.current if replaced else None,
            signals=signals,
            live=live,
        )
        _start(step, resource, plan)


def _creation_policy(step: Step, declared: Resource) -> CreationPolicy | None:
    if declared.creation_policy is None:
        return None
    evaluator = step.context.target.evaluator(StoredResources(step.services.database, step.stack_id))
    return CreationPolicy.read(evaluator.value(declared.creation_policy))


def _computed_policies(evaluator: Evaluator, declared: Resource, declaration: Mapping[str, Any]) -> dict[str, Any]:
    """Return the evaluated values of policies that are functions.

    Raises:
        StackError: a value is not a policy.
    """
    policies = {"DeletionPolicy": declared.deletion_policy, "UpdateReplacePolicy": declared.update_replace_policy}
    found = {
        name: evaluator.value(expression)
        for name, expression in policies.items()
        if expression is not None and isinstance(declaration.get(name), dict)
    }
    for name, value in found.items():
        if value not in POLICIES[name]:
            raise StackError(f'Template error: "{value}" is not a {name}')
    return found


def _decide(step: Step, properties: Mapping[str, Any], live: Mapping[str, Any] | None) -> Decision:
    current = step.current
    if current is None:
        return Decision.CREATE
    if current.status in {ResourceStatus.CREATE_FAILED, ResourceStatus.DELETE_FAILED} or current.physical_id is None:
        return Decision.CREATE if current.physical_id is None else Decision.RECREATE
    if is_gone(live):
        return Decision.REPLACE
    deployed = current.properties if live is None else live["properties"]
    before = step.context.before
    tags = step.context.target.deployment.tags
    retagged = before is not None and dict(before.deployment.tags) != dict(tags)
    traits = type_traits(step.provisioner(current.type).schema)
    decision = decide(deployed, properties, traits, retagged=retagged)
    if decision is Decision.LEAVE and current.status is ResourceStatus.UPDATE_FAILED:
        return Decision.UPDATE  # a failed resource is retried
    return decision


def _start(step: Step, resource: ResourceRecord, plan: Plan) -> None:
    current, decision, shown = step.current, plan.decision, plan.shown
    if is_gone(plan.live) and decision is Decision.REPLACE:  # no physical resource to replace
        step.open(HandlerAction.CREATE, resource, [EventDraft("CREATE_IN_PROGRESS", None, None, shown)], plan)
        return
    if decision in _ACTIONS and refuse_by_policy(step, _ACTIONS[decision]):
        return
    match decision:
        case Decision.LEAVE:
            assert current is not None
            kept = replace(current, declaration=resource.declaration, module=resource.module)
            if plan.live is not None:  # the template equals the actual state now
                kept = replace(kept, properties=resource.properties)
            step.finish(kept, events=[], end=Ended.after(plan))
        case Decision.CREATE:
            step.open(HandlerAction.CREATE, resource, [EventDraft("CREATE_IN_PROGRESS", None, None, shown)], plan)
        case Decision.RECREATE:
            assert current is not None
            going = [EventDraft("DELETE_IN_PROGRESS", None, current.physical_id, shown)]
            doomed = replace(current, status=ResourceStatus.DELETE_IN_PROGRESS)
            step.open(HandlerAction.DELETE, doomed, going, replace(plan, replacement=resource))
        case Decision.UPDATE | Decision.UPDATE_OR_REPLACE:
            assert current is not None
            updated = replace(
                resource,
                status=ResourceStatus.UPDATE_IN_PROGRESS,
                physical_id=current.physical_id,
                model=current.model,
                version=current.version,
            )
            step.open(
                HandlerAction.UPDATE,
                updated,
                [EventDraft("UPDATE_IN_PROGRESS", None, current.physical_id, shown)],
                plan,
            )
        case Decision.REPLACE:
            start_replacement(step, resource, plan)
        case Decision.IMPORT | None:
            raise AssertionError("imports and removals are decided elsewhere")
        case _:
            assert_never(decision)


def start_replacement(step: Step, resource: ResourceRecord, plan: Plan) -> None:
    """Start to create a new physical resource that replaces the old one."""
    current = step.current
    assert current is not None
    replacing = [EventDraft("UPDATE_IN_PROGRESS", REPLACING, current.physical_id, plan.shown)]
    plan = replace(plan, decision=Decision.REPLACE)
    if deletes_first(step.provisioner(current.type).schema) and not is_kept(current, "UpdateReplacePolicy"):
        doomed = replace(current, status=ResourceStatus.UPDATE_IN_PROGRESS)
        step.open(HandlerAction.DELETE, doomed, replacing, replace(plan, replacement=resource))
    else:
        made = replace(resource, status=ResourceStatus.UPDATE_IN_PROGRESS)
        step.open(HandlerAction.CREATE, made, replacing, plan)
