"""An operation on a stack from its beginning to its end.

Each phase is one step of the operation's workflow; inside it the scheduler advances the resources on threads. When it
is repeated after a crash, a phase continues from the stored steps of its resources.
"""

from formwork.durable import Work
from formwork.engine.operations.running_operation import RunningOperation
from formwork.engine.operations.services import OperationServices
from formwork.engine.operations.settling import WORKFLOW as SETTLING_WORKFLOW
from formwork.engine.operations.stack_deploying import cancelled, complete, deploy, hold
from formwork.engine.operations.stack_hooks import ask_about_stack
from formwork.engine.operations.stack_undoing import clean_up, delete, restore_outputs, roll_back, undo
from formwork.engine.rollback_configuration import monitoring_seconds
from formwork.stacks.store.records import OperationKind

WORKFLOW = "stack-operation"


def register(services: OperationServices) -> None:
    """Register the workflows of operations; before the work is launched."""
    services.work.register(WORKFLOW, lambda operation_id: run_operation(services, operation_id))
    services.work.register(SETTLING_WORKFLOW, lambda *what: settle_operation(services, *what))


def run_operation(services: OperationServices, operation_id: str) -> None:
    """Run an operation: the body of its workflow."""
    operation = RunningOperation(services, operation_id)
    if operation.claim():
        with operation.told():
            _run(services.work, operation, operation.problem or ask_about_stack(services, operation_id))
    services.contexts.forget(operation_id)


def _run(work: Work, operation: RunningOperation, refusal: str | None) -> None:
    if operation.kind is OperationKind.DELETE:
        work.step("delete", lambda: delete(operation, refusal))
        return
    undoing = operation.kind in {OperationKind.ROLLBACK, OperationKind.CONTINUE_ROLLBACK}
    failed = undoing or work.step("deploy", lambda: deploy(operation, refusal)) or _monitor(work, operation)
    if not failed and operation.held:
        work.step("hold", hold, operation)
    elif not failed and work.step("complete", complete, operation):
        work.step("cleanup", lambda: clean_up(operation, rolled_back=False))
    elif undoing or operation.rolls_back():
        work.step("rollback", roll_back, operation)
        work.step("cleanup", lambda: clean_up(operation, rolled_back=True))


def _monitor(work: Work, operation: RunningOperation) -> bool:
    """Wait for the monitoring time of the stack; return whether the operation was cancelled meanwhile."""
    seconds = monitoring_seconds(operation.context.stack.settings.rollback_configuration)
    if not seconds or operation.kind not in {OperationKind.CREATE, OperationKind.UPDATE}:
        return False
    now = operation.services.now
    end = work.step("monitor", lambda: now() + seconds)
    while now() < end and not operation.is_cancelled():
        work.sleep(min(1.0, max(0.0, end - now())))
    return bool(work.step("monitored", lambda: cancelled(operation)))


def settle_operation(services: OperationServices, operation_id: str, rolled_back: bool) -> None:  # noqa: FBT001 - a workflow's argument
    """Run the rest of an operation that was held: the body of its second workflow."""
    operation = RunningOperation(services, operation_id)
    if operation.claim():
        with operation.told():
            _settle(services.work, operation, rolled_back=rolled_back)
    services.contexts.forget(operation_id)


def _settle(work: Work, operation: RunningOperation, *, rolled_back: bool) -> None:
    if rolled_back:
        work.step("undo", undo, operation)
        work.step("rollback", roll_back, operation)
        # The clean-up restores them too, but workflows are stored with this step.
        work.step("outputs", restore_outputs, operation)
    else:
        work.step("complete", complete, operation)
    work.step("cleanup", lambda: clean_up(operation, rolled_back=rolled_back))
