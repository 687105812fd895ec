"""A running operation: its data, and the changes of its stack's status."""

import contextlib
from collections.abc import Iterator

from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.diagnostics.internal_errors import internal_failure
from formwork.engine.operations.aftermath import with_aftermath
from formwork.engine.operations.event_writing import stack_event
from formwork.engine.operations.express import CHECKING, CONFIGURED
from formwork.engine.operations.outlook import Ends, timed_out
from formwork.engine.operations.services import OperationContext, OperationServices
from formwork.stacks.statuses import ResourceStatus, StackStatus
from formwork.stacks.store.change_sets import end_change_set
from formwork.stacks.store.events import add_event
from formwork.stacks.store.operations import claim_operation, end_operation, get_operation, is_cancelled, list_steps
from formwork.stacks.store.records import OperationKind, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import get_stack, write_stack
from formwork.stacks.store.steps import Phase, StepState

# Status in progress → status after an unexpected error.
_BROKEN_OFF = {
    StackStatus.CREATE_IN_PROGRESS: StackStatus.CREATE_FAILED,
    StackStatus.UPDATE_IN_PROGRESS: StackStatus.UPDATE_FAILED,
    StackStatus.IMPORT_IN_PROGRESS: StackStatus.IMPORT_ROLLBACK_FAILED,
    StackStatus.DELETE_IN_PROGRESS: StackStatus.DELETE_FAILED,
    StackStatus.ROLLBACK_IN_PROGRESS: StackStatus.ROLLBACK_FAILED,
    StackStatus.IMPORT_ROLLBACK_IN_PROGRESS: StackStatus.IMPORT_ROLLBACK_FAILED,
    StackStatus.UPDATE_ROLLBACK_IN_PROGRESS: StackStatus.UPDATE_ROLLBACK_FAILED,
    StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS: StackStatus.UPDATE_COMPLETE,
    StackStatus.UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS: StackStatus.UPDATE_ROLLBACK_COMPLETE,
}


class RunningOperation:
    """An operation on a stack that this process runs."""

    def __init__(self, services: OperationServices, operation_id: str) -> None:
        self.services = services
        self.id = operation_id

    @property
    def context(self) -> OperationContext:
        """The data that do not change while it runs."""
        return self.services.contexts.get(self.services, self.id)

    @property
    def kind(self) -> OperationKind:
        """The kind of operation."""
        return self.context.operation.kind

    @property
    def problem(self) -> str | None:
        """The error with which the operation fails before it begins."""
        return self.context.operation.options.problem

    @property
    def stack_id(self) -> str:
        """The id of the stack."""
        return self.context.stack.id

    @property
    def ends(self) -> Ends:
        """The statuses with which it can end."""
        return Ends.of(self.context.operation, self.context.stack, cancelled=self.is_cancelled())

    @property
    def held(self) -> bool:
        """Whether the end of the operation waits for the parent stack's operation."""
        return self.kind is OperationKind.UPDATE and self.context.operation.options.held

    def rolls_back(self) -> bool:
        """Whether a failure is rolled back."""
        keeps = self.context.operation.options.keep_on_failure
        return not keeps or (self.kind is OperationKind.CREATE and self.is_cancelled())

    def claim(self) -> bool:
        """Make this process the owner, in place of a dead worker; return False if the operation has ended."""
        with self.services.database.begin() as connection:
            claim_operation(connection, self.id, self.services.work.executor)
            ended = get_operation(connection, self.id).ended is not None
        self.services.observer.checkpoint("claimed")
        return not ended

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """End the operation on an unexpected error in the block, with the error as the stack's status reason."""
        try:
            yield
        except Exception as error:
            with self.services.database.read() as connection:
                status = self.stack(connection).status
            self.end(_BROKEN_OFF.get(status, status), internal_failure(error))
            raise

    def stopped(self) -> bool:
        """Return whether no further step may start: it was cancelled, or its time is over."""
        return self.is_cancelled() or timed_out(self.context.operation, self.context.stack, self.services.now())

    def is_cancelled(self) -> bool:
        """Return whether it was cancelled."""
        with self.services.database.read() as connection:
            return is_cancelled(connection, self.id)

    def failure(self, phase: Phase) -> str:
        """Return the stack's status reason after a failed phase."""
        with self.services.database.read() as connection:
            steps = list_steps(connection, self.id, phase)
            known = list_resources(connection, self.stack_id)
        failed = sorted(name for name, each in steps.items() if each.state is not StepState.DONE)
        if not failed:
            return "Rollback requested by user."
        creating = self.kind is OperationKind.CREATE
        usual = "delete" if phase in {Phase.DELETE, Phase.CLEANUP} else self.ends.verb
        new = {name for name, each in known.items() if each.status is ResourceStatus.CREATE_FAILED}
        made = [each for each in failed if usual == "update" and each in new]
        told = _list_failed("create", made) + _list_failed(usual, [each for each in failed if each not in made])
        if phase is Phase.DEPLOY and creating and self.rolls_back():
            return f"{told}Rollback requested by user."
        return told

    def stack(self, connection: Connection) -> StackRecord:
        """Return the stack's current record."""
        stack = get_stack(connection, self.stack_id)
        assert stack is not None
        return stack

    def show(
        self,
        status: StackStatus,
        reason: str | None,
        *,
        deployed: bool = False,
        ended: bool = False,
        unless_cancelled: bool = False,
    ) -> bool:
        """Set the stack's status; with `unless_cancelled` return False if the operation was cancelled."""
        now = self.services.now()
        with self.services.writing(self.stack_id) as connection:
            stack = self.stack(connection)
            if stack.operation_id != self.id or get_operation(connection, self.id).ended is not None:
                return True  # already done before a crash, which lost only the record of the step
            changed = replace(stack, status=status, reason=reason)
            if deployed:
                changed = self._with_target(changed)
            if ended:
                if not end_operation(connection, self.id, now, unless_cancelled=unless_cancelled):
                    return False
                changed = with_aftermath(changed, self.context, self.ends)
                if (executed := self.context.operation.options.change_set) is not None:
                    end_change_set(connection, executed, succeeded=status is self.ends.complete)
                self.services.observer.checkpoint("ending")
            if status is StackStatus.DELETE_COMPLETE:
                changed = replace(changed, deleted=now)
            if status is StackStatus.ROLLBACK_IN_PROGRESS:
                changed = replace(changed, settings=replace(changed.settings, removing=now))
            write_stack(connection, changed)
            add_event(connection, stack_event(changed, self.context.operation, now))
        self.services.observer.checkpoint("ended" if ended else "status-set")
        self.services.observer.changed()
        return True

    def show_configured(self) -> None:
        """Add the event that the configuration is complete, if resources may not be ready yet."""
        with self.services.writing(self.stack_id) as connection:
            steps = list_steps(connection, self.id, Phase.DEPLOY)
            if not any(each.end.stabilizing for each in steps.values()):
                return
            stack = self.stack(connection)
            shown = replace(stack, settings=replace(stack.settings, configuration_complete=True))
            write_stack(connection, shown)
            event = stack_event(replace(shown, reason=CHECKING), self.context.operation, self.services.now())
            details = replace(event.details, detailed=CONFIGURED)
            add_event(connection, replace(event, id=f"{event.id}/configured", details=details))

    def end(self, status: StackStatus, reason: str | None) -> None:
        """End the operation with a status of the stack."""
        self.show(status, reason, ended=True)

    def _with_target(self, stack: StackRecord) -> StackRecord:
        operation = self.context.operation
        policy = stack.policy if operation.options.next_policy is None else operation.options.next_policy
        return replace(stack, deployed=operation.target, policy=policy)


def _list_failed(verb: str, names: list[str]) -> str:
    return f"The following resource(s) failed to {verb}: [{', '.join(names)}]. " if names else ""
