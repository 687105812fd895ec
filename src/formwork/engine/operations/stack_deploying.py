"""The deployment of an operation and its end."""

from collections.abc import Mapping

from formwork.engine.operations.outlook import timed_out
from formwork.engine.operations.pre_deployment import show_problems, validate
from formwork.engine.operations.refusing import kept_by_policy
from formwork.engine.operations.running_operation import RunningOperation
from formwork.engine.operations.scheduler import run_phase
from formwork.engine.operations.stack_outputs import DELETE_CANCELED, write_outputs
from formwork.engine.operations.step import leftover_key
from formwork.engine.validation import DETECTED
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.records import OperationKind
from formwork.stacks.store.resources import list_resources, write_leftover
from formwork.stacks.store.steps import Phase, StepState


def deploy(operation: RunningOperation, refusal: str | None = None) -> bool:
    """Create and update resources for the target, unless it is refused or invalid; return whether it failed."""
    if refusal is not None:
        _fail(operation, f"{refusal}. Rollback requested by user." if operation.rolls_back() else refusal)
        return True
    if problems := validate(operation):
        told = show_problems(operation, problems, rolls_back=operation.rolls_back())
        _fail(operation, DETECTED if operation.rolls_back() else told)
        return True
    graph = {
        **dict.fromkeys(kept_by_policy(operation.services, operation.context), ()),
        **operation.context.target.graph,
    }
    operation.services.observer.checkpoint("deploying")
    ended = run_phase(operation.services, operation.id, Phase.DEPLOY, graph, operation.stopped)
    operation.services.observer.checkpoint("deployed")
    reason = _problem(operation, graph, ended)
    if reason is not None:
        _fail(operation, reason)
    else:
        operation.show_configured()
    return reason is not None


def cancelled(operation: RunningOperation) -> bool:
    """Return whether the operation was cancelled after everything was deployed; then set the rollback's status."""
    if operation.is_cancelled():
        _fail(operation, "User Initiated")
        return True
    return False


def _fail(operation: RunningOperation, reason: str | None) -> None:
    """Set the status after a failed deployment: of the rollback, or of the failure if there is none."""
    kept = not operation.rolls_back() and operation.show(
        operation.ends.failed,
        reason,
        deployed=True,
        ended=True,
        unless_cancelled=operation.kind is OperationKind.CREATE,
    )
    if not kept:
        operation.show(operation.ends.rolling_back, reason)
        operation.services.observer.checkpoint("undoing")


def _problem(
    operation: RunningOperation, graph: Mapping[str, tuple[str, ...]], ended: Mapping[str, StepState]
) -> str | None:
    """Return why the deployment has failed; None if it has not."""
    record = operation.context.operation
    done = all(ended.get(name) is StepState.DONE for name in graph)
    requested = "Rollback requested by user." if operation.rolls_back() else ""
    if operation.is_cancelled():
        return "User Initiated"
    if not done and timed_out(record, operation.context.stack, operation.services.now()):
        return f"Stack creation time exceeded the specified timeout. {requested}".rstrip()
    if not done:
        return operation.failure(Phase.DEPLOY)
    problem = write_outputs(operation.services, operation.context, operation.context.target)
    if problem is not None and problem.startswith(DELETE_CANCELED):
        return problem
    return None if problem is None else f"{problem.rstrip('.')}. {requested}".rstrip()


def hold(operation: RunningOperation) -> None:
    """Hold a nested stack's update after its deployment, before the clean-up."""
    operation.show(StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS, None)


def complete(operation: RunningOperation) -> bool:
    """Make the target the stack's deployment; obsolete resources wait for the clean-up.

    Return False if the stack was deleted during its creation.
    """
    if operation.kind is not OperationKind.UPDATE:
        if operation.show(operation.ends.complete, None, deployed=True, ended=True, unless_cancelled=True):
            return True
        operation.show(operation.ends.rolling_back, "User Initiated")
        return False
    wanted = operation.context.target.graph
    before = operation.context.before
    order = list(before.graph) if before is not None else []
    operation.services.observer.checkpoint("completing")
    with operation.services.writing(operation.stack_id) as connection:
        for name, each in list_resources(connection, operation.stack_id).items():
            if name not in wanted:
                number = order.index(name) if name in order else 0
                write_leftover(connection, operation.stack_id, leftover_key(operation.id, name), number, each)
    operation.services.observer.checkpoint("leftovers-noted")
    operation.show(StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS, None, deployed=True)
    return True
