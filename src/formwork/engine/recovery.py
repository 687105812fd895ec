"""Recovery from failed operations, and cancellation of updates.

Source: the service's model (CancelUpdateStack, RollbackStack, ContinueUpdateRollback); CloudFormation user guide,
"Stack failure options" and "Continue rolling back an update".
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.documents.copied import as_json_value
from formwork.engine.deployment_config import is_express, refuse_rollback
from formwork.engine.engine import Engine
from formwork.engine.planning.requests import StackRequest, digest
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import KEPT, ResourceStatus, StackStatus
from formwork.stacks.store.operations import cancel_operation, find_operation, get_operation, list_steps
from formwork.stacks.store.records import STACK_TYPE, OperationKind, OperationOptions, OperationRecord, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import get_stack
from formwork.stacks.store.steps import Phase, StepState


class RollbackRequest(Struct, frozen=True, kw_only=True):
    """A request for RollbackStack or ContinueUpdateRollback.

    `skip` are logical ids of resources that count as rolled back; with `force` all whose rollback has failed do.
    """

    name: str
    token: str | None = None
    role_arn: str | None = None
    retain_except_on_create: bool = False
    skip: tuple[str, ...] = ()
    force: bool = False
    deployment_config: Mapping[str, Any] | None = None


class Recovery:
    """Rolls back and cancels operations. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def cancel_update(self, scope: Scope, name: str, *, token: str | None = None) -> None:
        """Roll back a running update; callbacks of its handlers are no longer waited for.

        A repeated request with the same `token` succeeds, even if the update has ended.
        """
        with self._engine.database.begin() as connection:
            stack = self._engine.lookups.expect(connection, scope, name)
            if token is not None and stack.operation_id is not None:
                current = find_operation(connection, stack.operation_id)
                if current is not None and current.options.cancel_token == token:
                    return
            if stack.status is not StackStatus.UPDATE_IN_PROGRESS or stack.operation_id is None:
                raise StackError("CancelUpdateStack cannot be called from current stack status")
            cancel_operation(connection, stack.operation_id, token=token)

    def roll_back(self, scope: Scope, request: RollbackRequest) -> tuple[str, str]:
        """Start to roll the stack back to its last stable state; return its ARN and the operation's id."""
        stack, again = self._find(scope, request)
        if again is not None:
            return stack.arn, again
        refuse_rollback(stack)
        if stack.status not in KEPT or not stack.settings.unsettled:
            raise StackError(f"Stack:{stack.arn} is in {stack.status} state and can not be rolled back.")
        never_stood = stack.settings.stable is None
        status = StackStatus.ROLLBACK_IN_PROGRESS if never_stood else StackStatus.UPDATE_ROLLBACK_IN_PROGRESS
        express = is_express(request.deployment_config)
        options = OperationOptions(retain_except_on_create=request.retain_except_on_create, express=express)
        return stack.arn, self._begin(stack, OperationKind.ROLLBACK, status, request, options)

    def continue_update_rollback(self, scope: Scope, request: RollbackRequest) -> None:
        """Start to continue a rollback that failed."""
        stack, again = self._find(scope, request)
        if again is not None:
            return
        if stack.status is not StackStatus.UPDATE_ROLLBACK_FAILED:
            raise StackError(f"Stack:{stack.arn} is in {stack.status} state and can not continue rollback.")
        if request.force and request.skip:
            raise StackError("You cannot specify both ForceRollback and ResourcesToSkip")
        failed = failed_rollbacks(self._engine, stack)
        if wrong := [each for each in request.skip if each not in failed and not self._fails_below(stack, each)]:
            raise StackError(
                f"Invalid ResourcesToSkip: [{', '.join(wrong)}]. You can specify only resources that are in the "
                "UPDATE_FAILED state because a rollback failed."
            )
        options = OperationOptions(skip=list(self._forced(stack) if request.force else request.skip))
        status = StackStatus.UPDATE_ROLLBACK_IN_PROGRESS
        self._begin(stack, OperationKind.CONTINUE_ROLLBACK, status, request, options)

    def _find(self, scope: Scope, request: RollbackRequest) -> tuple[StackRecord, str | None]:
        with self._engine.database.read() as connection:
            stack = self._engine.lookups.expect(connection, scope, request.name)
            asked = digest(as_json_value(request))
            return stack, self._engine.begun_before(connection, stack, request.token, asked)

    def _fails_below(self, stack: StackRecord, name: str) -> bool:
        """Return whether `NestedStackName.LogicalId` names a resource of a nested stack whose rollback has failed."""
        child_name, _, logical_id = name.rpartition(".")
        return any(
            child.name == child_name and logical_id in failed_rollbacks(self._engine, child)
            for child in failed_children(self._engine, stack)
        )

    def _forced(self, stack: StackRecord) -> list[str]:
        """Return the resources whose rollback failed, nested stacks replaced by their resources."""
        found = []
        for each in (stack, *failed_children(self._engine, stack)):
            prefix = "" if each is stack else f"{each.name}."
            with self._engine.database.read() as connection:
                resources = list_resources(connection, each.id)
            failed = failed_rollbacks(self._engine, each)
            found += [f"{prefix}{name}" for name in failed if resources[name].type != STACK_TYPE]
        return found

    def _begin(
        self,
        stack: StackRecord,
        kind: OperationKind,
        status: StackStatus,
        request: RollbackRequest,
        options: OperationOptions,
    ) -> str:
        settings = replace(
            stack.settings,
            role_arn=request.role_arn or stack.settings.role_arn,
            deployment_config=request.deployment_config,
        )
        begun = StackRequest(name=stack.name, template=None, token=request.token, options=options)
        asked = digest(as_json_value(request))
        return _begin_undoing(self._engine, replace(stack, settings=settings), kind, status, begun, asked)


def begin_way_back(engine: Engine, stack: StackRecord, above: OperationRecord, *, identifier: str) -> bool:
    """Start to roll back a nested stack whose operation has failed; return False if there is nothing to do.

    A rollback that failed is continued only if the parent stack's rollback is continued.
    """
    if stack.status in KEPT and stack.settings.stable is not None:
        kind = OperationKind.ROLLBACK
        options = OperationOptions(retain_except_on_create=above.options.retain_except_on_create)
    elif stack.status is StackStatus.UPDATE_ROLLBACK_FAILED and above.kind is OperationKind.CONTINUE_ROLLBACK:
        kind = OperationKind.CONTINUE_ROLLBACK
        # `Nested.LogicalId` names a resource to skip in a nested stack, which gets `LogicalId`.
        named = [each for each in above.options.skip if "." in each]
        options = OperationOptions(skip=[each.removeprefix(f"{stack.name}.") for each in named])
    else:
        return False
    request = StackRequest(name=stack.name, template=None, options=options)
    status = StackStatus.UPDATE_ROLLBACK_IN_PROGRESS
    _begin_undoing(engine, stack, kind, status, request, "", identifier=identifier)
    return True


def _begin_undoing(  # noqa: PLR0913, PLR0917 - what an operation is made of
    engine: Engine,
    stack: StackRecord,
    kind: OperationKind,
    status: StackStatus,
    request: StackRequest,
    asked: str,
    *,
    identifier: str | None = None,
) -> str:
    settings = stack.settings
    with engine.database.read() as connection:
        target = get_operation(connection, settings.unsettled[-1]).target
    undoing = replace(request.options, undo=list(settings.unsettled), rollbacks=list(settings.rollbacks))
    operation = engine.new_operation(stack, kind, replace(request, options=undoing), target, identifier=identifier)
    engine.begin(stack, status, operation, asked)
    return operation.id


def failed_rollbacks(engine: Engine, stack: StackRecord) -> tuple[str, ...]:
    """Return the resources of a stack whose rollback has failed."""
    with engine.database.read() as connection:
        failed: dict[str, None] = {}
        for each in stack.settings.rollbacks:
            for name, step in list_steps(connection, each, Phase.ROLLBACK).items():
                if step.state is StepState.FAILED:
                    failed[name] = None
        resources = list_resources(connection, stack.id)
    undone = {ResourceStatus.UPDATE_FAILED, ResourceStatus.DELETE_FAILED, ResourceStatus.CREATE_FAILED}
    return tuple(name for name in failed if name in resources and resources[name].status in undone)


def failed_children(engine: Engine, stack: StackRecord) -> list[StackRecord]:
    """Return the nested stacks, at any depth, whose own rollback has failed."""
    found: list[StackRecord] = []
    with engine.database.read() as connection:
        pending = [stack.id]
        while pending:
            for each in list_resources(connection, pending.pop()).values():
                if each.type != STACK_TYPE or each.physical_id is None:
                    continue
                child = get_stack(connection, each.physical_id.rpartition("/")[2])
                if child is not None and child.status is StackStatus.UPDATE_ROLLBACK_FAILED:
                    found.append(child)
                    pending.append(child.id)
    return found
