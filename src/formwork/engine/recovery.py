"""Ways out of operations that failed or shall not go on.

Source: the service's model (CancelUpdateStack, RollbackStack, ContinueUpdateRollback); CloudFormation user guide,
"Stack failure options" and "Continue rolling back an update".
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from formwork.engine.engine import Engine
from formwork.engine.errors import StackError
from formwork.engine.stack_request import StackRequest, digest
from formwork.engine.statuses import KEPT, ResourceStatus, StackStatus
from formwork.engine.store.operations import cancel_operation, get_operation, list_steps
from formwork.engine.store.records import OperationKind, OperationOptions, Phase, StackRecord, StepState
from formwork.engine.store.resources import list_resources
from formwork.registry.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackRequest:
    """What RollbackStack and ContinueUpdateRollback ask for.

    `skip` are logical ids of resources that are taken for rolled back, with `force` all whose rollback has failed.
    """

    name: str
    token: str | None = None
    role_arn: str | None = None
    retain_except_on_create: bool = False
    skip: tuple[str, ...] = ()
    force: bool = False


class Recovery:
    """Gets an engine's stacks out of failures. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def cancel_update(self, scope: Scope, name: str) -> None:
        """Have a running update rolled back; what handlers are busy with is waited for no longer."""
        with self._engine.database.begin() as connection:
            stack = self._engine.expect(connection, scope, name)
            if stack.status is not StackStatus.UPDATE_IN_PROGRESS or stack.operation_id is None:
                raise StackError("CancelUpdateStack cannot be called from current stack status")
            cancel_operation(connection, stack.operation_id)

    def roll_back(self, scope: Scope, request: RollbackRequest) -> tuple[str, str]:
        """Begin to put the stack back to where it last stood; its ARN and the operation's id."""
        stack, again = self._find(scope, request)
        if again is not None:
            return stack.arn, again
        if stack.status not in KEPT or not stack.settings.unsettled:
            raise StackError(f"Stack:{stack.arn} is in {stack.status} state and can not be rolled back.")
        never_stood = stack.settings.stable is None
        status = StackStatus.ROLLBACK_IN_PROGRESS if never_stood else StackStatus.UPDATE_ROLLBACK_IN_PROGRESS
        return stack.arn, self._begin(stack, OperationKind.ROLLBACK, status, request, ())

    def continue_update_rollback(self, scope: Scope, request: RollbackRequest) -> None:
        """Begin to finish a rollback that failed."""
        stack, again = self._find(scope, request)
        if again is not None:
            return
        if stack.status is not StackStatus.UPDATE_ROLLBACK_FAILED:
            raise StackError(f"Stack:{stack.arn} is in {stack.status} state and can not continue rollback.")
        if request.force and request.skip:
            raise StackError("You cannot specify both ForceRollback and ResourcesToSkip")
        failed = self._failed_rollbacks(stack)
        if wrong := [each for each in request.skip if each not in failed]:
            raise StackError(
                f"Invalid ResourcesToSkip: [{', '.join(wrong)}]. You can specify only resources that are in the "
                "UPDATE_FAILED state because a rollback failed."
            )
        skip = failed if request.force else request.skip
        status = StackStatus.UPDATE_ROLLBACK_IN_PROGRESS
        self._begin(stack, OperationKind.CONTINUE_ROLLBACK, status, request, skip)

    def _find(self, scope: Scope, request: RollbackRequest) -> tuple[StackRecord, str | None]:
        with self._engine.database.read() as connection:
            stack = self._engine.expect(connection, scope, request.name)
            asked = digest(asdict(request))
            return stack, self._engine.begun_before(connection, stack, request.token, asked)

    def _failed_rollbacks(self, stack: StackRecord) -> tuple[str, ...]:
        """The resources that could not be put back, and still are not."""
        with self._engine.database.read() as connection:
            failed: dict[str, None] = {}
            for each in stack.settings.rollbacks:
                for name, step in list_steps(connection, each, Phase.ROLLBACK).items():
                    if step.state is StepState.FAILED:
                        failed[name] = None
            resources = list_resources(connection, stack.id)
        undone = {ResourceStatus.UPDATE_FAILED, ResourceStatus.DELETE_FAILED, ResourceStatus.CREATE_FAILED}
        return tuple(name for name in failed if name in resources and resources[name].status in undone)

    def _begin(
        self,
        stack: StackRecord,
        kind: OperationKind,
        status: StackStatus,
        request: RollbackRequest,
        skip: Iterable[str],
    ) -> str:
        options = OperationOptions(
            skip=list(skip),
            retain_except_on_create=request.retain_except_on_create,
            undo=list(stack.settings.unsettled),
            rollbacks=list(stack.settings.rollbacks),
        )
        with self._engine.database.read() as connection:
            target = get_operation(connection, stack.settings.unsettled[-1]).target
        begun = StackRequest(name=stack.name, template=None, token=request.token, options=options)
        operation = self._engine.new_operation(stack, kind, begun, target)
        settings = replace(stack.settings, role_arn=request.role_arn or stack.settings.role_arn)
        changed = replace(stack, settings=settings)
        self._engine.begin(changed, status, operation, digest(asdict(request)))
        return operation.id
