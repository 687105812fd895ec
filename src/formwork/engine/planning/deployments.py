"""The deployment of an update: in which statuses it can start, and what it must not change."""

from collections.abc import Mapping

from msgspec.structs import replace

from formwork.engine.planning.requests import StackRequest
from formwork.preparation.prepared import Prepared
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import KEPT, UPDATABLE
from formwork.stacks.store.records import Deployment, StackRecord


def failing(request: StackRequest, problem: str | None) -> StackRequest:
    """Return the request; with a `problem`, its operation fails with that and does nothing else."""
    return replace(request, options=replace(request.options, problem=problem))


def expect_updatable(stack: StackRecord, *, keeps: bool) -> None:
    """Check that an update can start in the stack's status; `keeps` says that a failure is not rolled back.

    Raises:
        StackError: it can't.
    """
    if stack.status in UPDATABLE and stack.deployed is not None:
        return
    if stack.status not in KEPT or stack.deployed is None:
        raise StackError(f"Stack:{stack.arn} is in {stack.status} state and can not be updated.")
    if stack.settings.on_failure == "DO_NOTHING":
        raise StackError(
            f"This stack cannot be updated from [{stack.status}] state because it contains [on-failure: DO_NOTHING]. "
            "Please use disable-rollback option instead during stack creation."
        )
    if not keeps:
        raise StackError(
            f"This stack is currently in a non-terminal [{stack.status}] state. To update the stack from this state, "
            "please use the disable-rollback parameter with update-stack API. To rollback to the last known good "
            "state, use the rollback-stack API"
        )


def refuse_other_types(deployed: Deployment, target: Deployment) -> None:
    """Check that the resources that stay keep their types.

    Raises:
        StackError: they don't.
    """
    before, after = deployed.template.get("Resources", {}), target.template.get("Resources", {})
    other = [name for name, each in after.items() if name in before and before[name].get("Type") != each.get("Type")]
    if other:
        raise StackError(
            "Update of resource type is not permitted. The new template modifies resource type of the following "
            f"resources: [{', '.join(other)}]"
        )


def new_deployment(prepared: Prepared, request: StackRequest, tags: Mapping[str, str]) -> Deployment:
    """Return the deployment of a prepared template; `tags` are the stack's, kept if the request has none."""
    return Deployment(
        original=prepared.original,
        template=dict(prepared.value),
        given=dict(prepared.parameters.given),
        stored=dict(prepared.parameters.stored),
        tags=dict(tags if request.tags is None else request.tags),
        modules={name: [each.type_hierarchy, each.logical_id_hierarchy] for name, each in prepared.modules.items()},
        capabilities=list(request.capabilities),
    )
