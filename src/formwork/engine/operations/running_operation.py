"""An operation that runs: what it is, and how its stack shows what becomes of it."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

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

# What a status becomes where an operation can't go on.
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
    """An operation on a stack, as this process runs it."""

    def __init__(self, services: OperationServices, operation_id: str) -> None:
        self.services = services
        self.id = operation_id

    @property
    def context(self) -> OperationContext:
        """What does not change while it runs."""
        return self.services.contexts.get(self.services, self.id)

    @property
    def kind(self) -> OperationKind:
        """What kind of operation it is."""
        return self.context.operation.kind

    @property
    def problem(self) -> str | None:
        """What the operation fails over before it does anything."""
        return self.context.operation.options.problem

    @property
    def stack_id(self) -> str:
        """The stack."""
        return self.context.stack.id

    @property
    def ends(self) -> Ends:
        """How it can end."""
        return Ends.of(self.context.operation, self.context.stack, cancelled=self.is_cancelled())

    @property
    def held(self) -> bool:
        """Whether the end of the operation waits for that of another stack's."""
        return self.kind is OperationKind.UPDATE and self.context.operation.options.held

    def rolls_back(self) -> bool:
        """Whether a failure is undone."""
        keeps = self.context.operation.options.keep_on_failure
        return not keeps or (self.kind is OperationKind.CREATE and self.is_cancelled())

    def claim(self) -> bool:
        """Take the operation, also from a worker that is taken for dead; False where it has ended already."""
        with self.services.database.begin() as connection:
            claim_operation(connection, self.id, self.services.work.executor)
            ended = get_operation(connection, self.id).ended is not None
        self.services.observer.checkpoint("claimed")
        return not ended

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Whatever goes wrong in the block that nothing foresees ends the operation, and the stack tells it."""
        try:
            yield
        except Exception as error:
            with self.services.database.read() as connection:
                status = self.stack(connection).status
            self.end(_BROKEN_OFF.get(status, status), internal_failure(error))
            raise

    def stopped(self) -> bool:
        """Whether nothing new is to be begun: it was cancelled, or its time is over."""
        return self.is_cancelled() or timed_out(self.context.operation, self.context.stack, self.services.now())

    def is_cancelled(self) -> bool:
        """Whether it was cancelled."""
        with self.services.database.read() as connection:
            return is_cancelled(connection, self.id)

    def failure(self, phase: Phase) -> str:
        """The stack's reason for a phase that has failed."""
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
        """The stack as it is now."""
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
        """Have the stack show it; False where the operation was cancelled, and that matters."""
        now = self.services.now()
        with self.services.writing(self.stack_id) as connection:
            stack = self.stack(connection)
            if stack.operation_id != self.id or get_operation(connection, self.id).ended is not None:
                return True  # done before a crash, which lost no more than the word of it
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
        """Have the stack show that everything is applied, where resources were left that may not be ready yet."""
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
        """Have the stack show the operation's end."""
        self.show(status, reason, ended=True)

    def _with_target(self, stack: StackRecord) -> StackRecord:
        operation = self.context.operation
        policy = stack.policy if operation.options.next_policy is None else operation.options.next_policy
        return replace(stack, deployed=operation.target, policy=policy)


def _list_failed(verb: str, names: list[str]) -> str:
    return f"The following resource(s) failed to {verb}: [{', '.join(names)}]. " if names else ""
