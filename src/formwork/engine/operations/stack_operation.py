"""An operation on a stack from its beginning to its end.

The workflow has few steps of its own: each phase is one, which starts the workflows of the resources and waits for
them. Done again after a crash, a phase finds in the store what its resources have come to.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlalchemy import Connection

from formwork.durable import Work
from formwork.engine.graph import restrict, reverse_graph
from formwork.engine.operations.aftermath import with_aftermath
from formwork.engine.operations.event_writing import stack_event
from formwork.engine.operations.outlook import Ends, timed_out
from formwork.engine.operations.parts import OperationContext, Parts
from formwork.engine.operations.refusing import kept_by_policy
from formwork.engine.operations.scheduler import run_phase
from formwork.engine.operations.settling import WORKFLOW as SETTLING_WORKFLOW
from formwork.engine.operations.settling import await_children, release_children
from formwork.engine.operations.stack_hooks import ask_about_stack
from formwork.engine.operations.stack_outputs import write_outputs
from formwork.engine.operations.step import leftover_key
from formwork.engine.statuses import StackStatus
from formwork.engine.store.events import add_event
from formwork.engine.store.operations import claim_operation, end_operation, get_operation, is_cancelled, list_steps
from formwork.engine.store.records import (
    OperationKind,
    Phase,
    StackRecord,
    StepState,
)
from formwork.engine.store.resources import list_leftovers, list_resources, write_leftover
from formwork.engine.store.stacks import get_stack, write_stack

WORKFLOW = "stack-operation"


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


def register(parts: Parts) -> None:
    """Have operations run; before the work is launched."""
    parts.work.register(WORKFLOW, lambda operation_id: run_operation(parts, operation_id))
    parts.work.register(SETTLING_WORKFLOW, lambda *what: settle_operation(parts, *what))


def run_operation(parts: Parts, operation_id: str) -> None:
    """The workflow of an operation."""
    operation = _Operation(parts, operation_id)
    if operation.claim():
        with operation.told():
            _run(parts.work, operation, operation.problem or ask_about_stack(parts, operation_id))
    parts.contexts.forget(operation_id)


def _run(work: Work, operation: "_Operation", refusal: str | None) -> None:
    if operation.kind is OperationKind.DELETE:
        work.step("delete", lambda: operation.delete(refusal))
        return
    undoing = operation.kind in {OperationKind.ROLLBACK, OperationKind.CONTINUE_ROLLBACK}
    failed = undoing or work.step("deploy", lambda: operation.deploy(refusal))
    if not failed and operation.held:
        work.step("hold", operation.hold)
    elif not failed and work.step("complete", operation.complete):
        work.step("cleanup", lambda: operation.clean_up(rolled_back=False))
    elif undoing or operation.rolls_back():
        work.step("rollback", operation.roll_back)
        work.step("cleanup", lambda: operation.clean_up(rolled_back=True))


def settle_operation(parts: Parts, operation_id: str, rolled_back: bool) -> None:  # noqa: FBT001 - a workflow's argument
    """The workflow of the rest of an operation that was held."""
    operation = _Operation(parts, operation_id)
    if operation.claim():
        with operation.told():
            _settle(parts.work, operation, rolled_back=rolled_back)
    parts.contexts.forget(operation_id)


def _settle(work: Work, operation: "_Operation", *, rolled_back: bool) -> None:
    if rolled_back:
        work.step("undo", operation.undo)
        work.step("rollback", operation.roll_back)
        work.step("outputs", operation.restore_outputs)
    else:
        work.step("complete", operation.complete)
    work.step("cleanup", lambda: operation.clean_up(rolled_back=rolled_back))


class _Operation:
    def __init__(self, parts: Parts, operation_id: str) -> None:
        self._parts = parts
        self._id = operation_id

    @property
    def _context(self) -> OperationContext:
        return self._parts.contexts.get(self._parts, self._id)

    @property
    def kind(self) -> OperationKind:
        return self._context.operation.kind

    @property
    def problem(self) -> str | None:
        """What the operation fails over before it does anything."""
        return self._context.operation.options.problem

    @property
    def _stack_id(self) -> str:
        return self._context.stack.id

    @property
    def _ends(self) -> Ends:
        return Ends.of(self._context.operation, self._context.stack, cancelled=self._is_cancelled())

    def claim(self) -> bool:
        """Take the operation, also from a worker that is taken for dead; False where it has ended already."""
        with self._parts.database.begin() as connection:
            claim_operation(connection, self._id, self._parts.work.executor)
            ended = get_operation(connection, self._id).ended is not None
        self._parts.checkpoint("claimed")
        return not ended

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Whatever goes wrong in the block that nothing foresees ends the operation, and the stack tells it."""
        try:
            yield
        except Exception as error:
            with self._parts.database.read() as connection:
                status = self._stack(connection).status
            self._end(_BROKEN_OFF.get(status, status), f"Internal Failure: {type(error).__name__}: {error}")
            raise

    # -- deploying

    def deploy(self, refusal: str | None = None) -> bool:
        """Make and change what the target asks for, unless that is refused already; whether something failed."""
        if refusal is not None:
            self._fail(f"{refusal}. Rollback requested by user." if self.rolls_back() else refusal)
            return True
        graph = {**dict.fromkeys(kept_by_policy(self._parts, self._context), ()), **self._context.target.graph}
        self._parts.checkpoint("deploying")
        ended = run_phase(self._parts, self._id, Phase.DEPLOY, graph, self._stopped)
        self._parts.checkpoint("deployed")
        reason = self._problem(graph, ended)
        if reason is not None:
            self._fail(reason)
        return reason is not None

    def _fail(self, reason: str | None) -> None:
        """The deployment has failed: the rollback is next, where there is one."""
        kept = not self.rolls_back() and self._set(
            self._ends.failed, reason, deployed=True, ended=True, unless_cancelled=self.kind is OperationKind.CREATE
        )
        if not kept:
            self._set(self._ends.rolling_back, reason)
            self._parts.checkpoint("undoing")

    def _problem(self, graph: Mapping[str, tuple[str, ...]], ended: Mapping[str, StepState]) -> str | None:
        """Why the deployment has failed; None where it has not."""
        operation = self._context.operation
        done = all(ended.get(name) is StepState.DONE for name in graph)
        requested = "Rollback requested by user." if self.rolls_back() else ""
        if self._is_cancelled():
            return "User Initiated"
        if not done and timed_out(operation, self._context.stack, self._parts.now()):
            return f"Stack creation time exceeded the specified timeout. {requested}".rstrip()
        if not done:
            return self._failure(Phase.DEPLOY)
        problem = write_outputs(self._parts, self._context, self._context.target)
        return None if problem is None else f"{problem.rstrip('.')}. {requested}".rstrip()

    def rolls_back(self) -> bool:
        """Whether a failure is undone."""
        keeps = self._context.operation.options.keep_on_failure
        return not keeps or (self.kind is OperationKind.CREATE and self._is_cancelled())

    @property
    def held(self) -> bool:
        """Whether the end of the operation waits for that of another stack's."""
        return self.kind is OperationKind.UPDATE and self._context.operation.options.held

    def hold(self) -> None:
        """Everything is as the target says, and nothing is cleaned up yet."""
        self._set(StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS, None)

    def complete(self) -> bool:
        """The target is what the stack is; what it no longer wants waits for the clean-up.

        False where the stack was deleted while it was being made.
        """
        if self.kind is not OperationKind.UPDATE:
            if self._set(self._ends.complete, None, deployed=True, ended=True, unless_cancelled=True):
                return True
            self._set(self._ends.rolling_back, "User Initiated")
            return False
        wanted = self._context.target.graph
        before = self._context.before
        order = list(before.graph) if before is not None else []
        self._parts.checkpoint("completing")
        with self._parts.writing(self._stack_id) as connection:
            for name, each in list_resources(connection, self._stack_id).items():
                if name not in wanted:
                    number = order.index(name) if name in order else 0
                    write_leftover(connection, self._stack_id, leftover_key(self._id, name), number, each)
        self._parts.checkpoint("leftovers-noted")
        self._set(StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS, None, deployed=True)
        return True

    # -- undoing

    def undo(self) -> None:
        """Begin to undo an operation that was held."""
        self._set(StackStatus.UPDATE_ROLLBACK_IN_PROGRESS, None)

    def restore_outputs(self) -> None:
        """The outputs as they were before an operation that was held."""
        if self._context.before is not None:
            write_outputs(self._parts, self._context, self._context.before)

    def roll_back(self) -> None:
        """Undo what was done: remove what a creation made, or put back what an update changed."""
        if self._ends.from_nothing:
            self._remove_all(Phase.DELETE)
            return
        options = self._context.operation.options
        undone = options.undo or [self._id]
        with self._parts.database.read() as connection:
            touched = {name for each in undone for name in list_steps(connection, each, Phase.DEPLOY)}
            for each in options.rollbacks:
                steps = list_steps(connection, each, Phase.ROLLBACK)
                touched -= {name for name, step in steps.items() if step.state is StepState.DONE}
        graph = restrict(self._context.target.graph, touched)
        graph |= {name: () for name in sorted(touched) if name not in graph}
        ended = run_phase(self._parts, self._id, Phase.ROLLBACK, graph)
        self._parts.checkpoint("rolled-back")
        ends = self._ends
        if any(state is not StepState.DONE for state in ended.values()):
            self._end(ends.rollback_failed, self._failure(Phase.ROLLBACK))
        elif ends.cleaning_up is None:
            self._end(ends.rolled_back, None)
        else:
            self._set(ends.cleaning_up, None)

    def clean_up(self, *, rolled_back: bool) -> None:
        """Remove the physical resources that are no longer wanted; what can't be is told, and left."""
        with self._parts.database.read() as connection:
            stack = self._stack(connection)
        if not stack.status.busy:
            return
        children = release_children(self._parts, self._stack_id)
        view = self._context.target if rolled_back else (self._context.before or self._context.target)
        self._parts.checkpoint("cleaning-up")
        self._remove_leftovers(view.graph)
        self._parts.checkpoint("cleaned-up")
        await_children(self._parts, self._context.operation, children)
        self._end(self._ends.rolled_back if rolled_back else self._ends.complete, None)

    def _remove_leftovers(self, order: Mapping[str, tuple[str, ...]]) -> None:
        """Remove what this operation has left behind, and those before it whose work was kept half done."""
        with self._parts.database.read() as connection:
            keys = [key.partition("/") for key in list_leftovers(connection, self._stack_id)]
        for operation_id in dict.fromkeys((self._id, *(each for each, _, _ in keys))):
            doomed = [name for each, _, name in keys if each == operation_id]
            graph = restrict(reverse_graph(order), doomed)
            graph |= {name: () for name in doomed if name not in graph}
            run_phase(self._parts, operation_id, Phase.CLEANUP, graph)

    # -- deleting

    def delete(self, refusal: str | None = None) -> None:
        """Remove everything, unless hooks have refused that."""
        if refusal is not None:
            self._end(StackStatus.DELETE_FAILED, refusal)
            return
        self._remove_all(Phase.DELETE)

    def _remove_all(self, phase: Phase) -> None:
        with self._parts.database.read() as connection:
            present = set(list_resources(connection, self._stack_id))
        view = self._context.before if self.kind is OperationKind.DELETE else self._context.target
        graph: dict[str, tuple[str, ...]] = {}
        if view is not None and present:  # a template whose macros failed has no graph, nor any resources
            graph = restrict(reverse_graph(view.graph), present)
        graph |= {name: () for name in present if name not in graph}
        self._parts.checkpoint("removing")
        ended = run_phase(self._parts, self._id, phase, graph)
        self._parts.checkpoint("removed")
        self._remove_leftovers({} if view is None else view.graph)
        if all(state is StepState.DONE for state in ended.values()):
            self._end(self._ends.rolled_back, None)
        else:
            self._end(self._ends.rollback_failed, self._failure(phase))

    # -- the stack itself

    def _stopped(self) -> bool:
        return self._is_cancelled() or timed_out(self._context.operation, self._context.stack, self._parts.now())

    def _is_cancelled(self) -> bool:
        with self._parts.database.read() as connection:
            return is_cancelled(connection, self._id)

    def _failure(self, phase: Phase) -> str:
        with self._parts.database.read() as connection:
            steps = list_steps(connection, self._id, phase)
        failed = sorted(name for name, each in steps.items() if each.state is not StepState.DONE)
        if not failed:
            return "Rollback requested by user."
        creating = self.kind is OperationKind.CREATE
        verb = "delete" if phase in {Phase.DELETE, Phase.CLEANUP} else self._ends.verb
        told = f"The following resource(s) failed to {verb}: [{', '.join(failed)}]. "
        if phase is Phase.DEPLOY and creating and self.rolls_back():
            return f"{told}Rollback requested by user."
        return told

    def _stack(self, connection: Connection) -> StackRecord:
        stack = get_stack(connection, self._stack_id)
        assert stack is not None
        return stack

    def _set(
        self,
        status: StackStatus,
        reason: str | None,
        *,
        deployed: bool = False,
        ended: bool = False,
        unless_cancelled: bool = False,
    ) -> bool:
        """Have the stack show it; False where the operation was cancelled, and that matters."""
        now = self._parts.now()
        with self._parts.writing(self._stack_id) as connection:
            stack = self._stack(connection)
            if stack.operation_id != self._id or get_operation(connection, self._id).ended is not None:
                return True  # done before a crash, which lost no more than the word of it
            changed = replace(stack, status=status, reason=reason)
            if deployed:
                policy = self._context.operation.options.next_policy
                changed = replace(
                    changed,
                    deployed=self._context.operation.target,
                    policy=stack.policy if policy is None else policy,
                )
            if ended:
                if not end_operation(connection, self._id, now, unless_cancelled=unless_cancelled):
                    return False
                changed = with_aftermath(changed, self._context, self._ends)
                self._parts.checkpoint("ending")
            if status is StackStatus.DELETE_COMPLETE:
                changed = replace(changed, deleted=now)
            if status is StackStatus.ROLLBACK_IN_PROGRESS:
                changed = replace(changed, settings=replace(changed.settings, removing=now))
            write_stack(connection, changed)
            add_event(connection, stack_event(changed, self._context.operation, now))
        self._parts.checkpoint("ended" if ended else "status-set")
        self._parts.changed()
        return True

    def _end(self, status: StackStatus, reason: str | None, *, deployed: bool = False) -> None:
        self._set(status, reason, deployed=deployed, ended=True)
