"""Ends steps of resources that a deployment must not touch, before anything is done.

Source: CloudFormation user guide, "Prevent updates to stack resources".
"""

from formwork.engine.operations.services import OperationContext, OperationServices
from formwork.engine.operations.step import Step
from formwork.engine.stack_policies import UpdateAction, parse_stack_policy
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.records import OperationKind
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.steps import Decision, Ended, HandlerAction


def refuse(step: Step, reason: str) -> None:
    """End the step with a failure before anything is done; the resource stays as it is."""
    current = step.current
    if current is None or current.status is ResourceStatus.CREATE_FAILED:
        step.fail(HandlerAction.CREATE, reason, resource=current)
        return
    step.fail(HandlerAction.UPDATE, reason, resource=current, end=Ended(decision=Decision.LEAVE, before=current))


def refuse_by_policy(step: Step, action: UpdateAction) -> bool:
    """End the step if the stack's policy denies the action; return whether it does."""
    policy, current = step.context.operation.options.policy, step.current
    if policy is None or current is None or step.context.operation.kind is not OperationKind.UPDATE:
        return False
    reason = parse_stack_policy(policy).refusal(action, current.logical_id, current.type)
    if reason is not None:
        refuse(step, reason)
    return reason is not None


def kept_by_policy(services: OperationServices, context: OperationContext) -> list[str]:
    """Return the resources that the update's target lacks, but whose deletion the stack's policy denies."""
    policy = context.operation.options.policy
    if policy is None or context.operation.kind is not OperationKind.UPDATE:
        return []
    read = parse_stack_policy(policy)
    with services.database.read() as connection:
        present = list_resources(connection, context.stack.id)
    removed = [each for name, each in present.items() if name not in context.target.graph]
    return [each.logical_id for each in removed if read.refusal(UpdateAction.DELETE, each.logical_id, each.type)]
