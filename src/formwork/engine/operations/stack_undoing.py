"""Rollback, clean-up and deletion of stacks."""

from collections.abc import Mapping

from formwork.engine.changes.graph import restrict, reverse_graph
from formwork.engine.operations.removal_order import removal_order
from formwork.engine.operations.running_operation import RunningOperation
from formwork.engine.operations.scheduler import run_phase
from formwork.engine.operations.settling import await_children, release_children
from formwork.engine.operations.stack_outputs import clear_outputs, write_outputs
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.operations import list_steps
from formwork.stacks.store.resources import list_leftovers, list_resources
from formwork.stacks.store.steps import Phase, StepState


def undo(operation: RunningOperation) -> None:
    """Start to roll back an operation that was held."""
    operation.show(StackStatus.UPDATE_ROLLBACK_IN_PROGRESS, None)


def restore_outputs(operation: RunningOperation) -> str | None:
    """Restore the outputs from before an operation that is rolled back; return what is wrong with them, or None."""
    before = operation.context.before
    return None if before is None else write_outputs(operation.services, operation.context, before)


def roll_back(operation: RunningOperation) -> None:
    """Roll back: delete what a creation created, or restore what an update changed."""
    if operation.ends.from_nothing:
        clear_outputs(operation.services, operation.stack_id)
        _remove_all(operation, Phase.DELETE)
        return
    options = operation.context.operation.options
    undone = options.undo or [operation.id]
    with operation.services.database.read() as connection:
        touched = {name for each in undone for name in list_steps(connection, each, Phase.DEPLOY)}
        for each in options.rollbacks:
            steps = list_steps(connection, each, Phase.ROLLBACK)
            touched -= {name for name, step in steps.items() if step.state is StepState.DONE}
    graph = restrict(operation.context.target.graph, touched)
    graph |= {name: () for name in sorted(touched) if name not in graph}
    ended = run_phase(operation.services, operation.id, Phase.ROLLBACK, graph)
    operation.services.observer.checkpoint("rolled-back")
    ends = operation.ends
    if any(state is not StepState.DONE for state in ended.values()):
        operation.end(ends.rollback_failed, operation.failure(Phase.ROLLBACK))
    elif ends.cleaning_up is None:
        operation.end(ends.rolled_back, None)
    else:
        operation.show(ends.cleaning_up, None)


def clean_up(operation: RunningOperation, *, rolled_back: bool) -> None:
    """Delete obsolete physical resources; report those that can't be deleted, and leave them.

    The outputs of a stack that was rolled back are restored: an update may be cancelled after it wrote its own.
    """
    with operation.services.database.read() as connection:
        stack = operation.stack(connection)
    if not stack.status.busy:
        return
    problem = restore_outputs(operation) if rolled_back else None
    children = release_children(operation.services, operation.stack_id)
    view = operation.context.target if rolled_back else (operation.context.before or operation.context.target)
    operation.services.observer.checkpoint("cleaning-up")
    _remove_leftovers(operation, view.graph)
    operation.services.observer.checkpoint("cleaned-up")
    await_children(operation.services, operation.context.operation, children)
    operation.end(operation.ends.rolled_back if rolled_back else operation.ends.complete, problem)


def _remove_leftovers(operation: RunningOperation, order: Mapping[str, tuple[str, ...]]) -> None:
    """Delete what this operation has left behind, and earlier ones that failed without a rollback."""
    with operation.services.database.read() as connection:
        keys = [key.partition("/") for key in list_leftovers(connection, operation.stack_id)]
    for operation_id in dict.fromkeys((operation.id, *(each for each, _, _ in keys))):
        doomed = [name for each, _, name in keys if each == operation_id]
        graph = restrict(reverse_graph(order), doomed)
        graph |= {name: () for name in doomed if name not in graph}
        run_phase(operation.services, operation_id, Phase.CLEANUP, graph)


def delete(operation: RunningOperation, refusal: str | None = None) -> None:
    """Delete all resources, unless hooks have refused that."""
    if refusal is not None:
        operation.end(StackStatus.DELETE_FAILED, refusal)
        return
    _remove_all(operation, Phase.DELETE)


def _remove_all(operation: RunningOperation, phase: Phase) -> None:
    with operation.services.database.read() as connection:
        present = set(list_resources(connection, operation.stack_id))
    order = removal_order(operation)
    graph = restrict(reverse_graph(order), present)
    graph |= {name: () for name in present if name not in graph}
    operation.services.observer.checkpoint("removing")
    ended = run_phase(operation.services, operation.id, phase, graph)
    operation.services.observer.checkpoint("removed")
    _remove_leftovers(operation, order)
    if all(state is StepState.DONE for state in ended.values()):
        operation.end(operation.ends.rolled_back, None)
    else:
        operation.end(operation.ends.rollback_failed, operation.failure(phase))
