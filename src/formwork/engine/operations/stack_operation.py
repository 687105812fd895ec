"""An operation on a stack from its beginning to its end.

The workflow has few steps of its own: each phase is one, which starts the workflows of the resources and waits for
them. Done again after a crash, a phase finds in the store what its resources have come to.
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection

from formwork.engine.exports import find_exporter, list_importers
from formwork.engine.graph import restrict, reverse_graph
from formwork.engine.operations.parts import DeploymentView, OperationContext, Parts
from formwork.engine.operations.resource_values import StoredResources
from formwork.engine.operations.scheduler import run_phase
from formwork.engine.operations.settling import WORKFLOW as SETTLING_WORKFLOW
from formwork.engine.operations.settling import await_children, release_children
from formwork.engine.operations.stack_hooks import ask_about_stack
from formwork.engine.operations.step import leftover_key
from formwork.engine.statuses import StackStatus
from formwork.engine.store.events import add_event
from formwork.engine.store.operations import end_operation, is_cancelled, list_steps
from formwork.engine.store.records import (
    STACK_TYPE,
    EventDetails,
    EventRecord,
    OperationKind,
    OperationRecord,
    Phase,
    StackRecord,
    StepState,
)
from formwork.engine.store.resources import list_leftovers, list_resources, write_leftover
from formwork.engine.store.stacks import get_stack, write_stack
from formwork.template.evaluation import UNKNOWN, EvaluationError, as_text

WORKFLOW = "stack-operation"


def register(parts: Parts) -> None:
    """Have operations run; before the work is launched."""
    parts.work.register(WORKFLOW, lambda operation_id: run_operation(parts, operation_id))
    parts.work.register(SETTLING_WORKFLOW, lambda *what: settle_operation(parts, *what))


def run_operation(parts: Parts, operation_id: str) -> None:
    """The workflow of an operation."""
    operation = _Operation(parts, operation_id)
    work = parts.work
    refusal = ask_about_stack(parts, operation_id)
    if operation.kind is OperationKind.DELETE:
        work.step("delete", lambda: operation.delete(refusal))
        return
    failed = work.step("deploy", lambda: operation.deploy(refusal))
    if not failed and operation.held:
        work.step("hold", operation.hold)
    elif not failed:
        work.step("complete", operation.complete)
        work.step("cleanup", lambda: operation.clean_up(rolled_back=False))
    elif operation.rolls_back():
        work.step("rollback", operation.roll_back)
        work.step("cleanup", lambda: operation.clean_up(rolled_back=True))


def settle_operation(parts: Parts, operation_id: str, rolled_back: bool) -> None:  # noqa: FBT001 - a workflow's argument
    """The workflow of the rest of an operation that was held."""
    operation = _Operation(parts, operation_id)
    if rolled_back:
        parts.work.step("undo", operation.undo)
        parts.work.step("rollback", operation.roll_back)
        parts.work.step("outputs", operation.restore_outputs)
    else:
        parts.work.step("complete", operation.complete)
    parts.work.step("cleanup", lambda: operation.clean_up(rolled_back=rolled_back))


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
    def _stack_id(self) -> str:
        return self._context.stack.id

    # -- deploying

    def deploy(self, refusal: str | None = None) -> bool:
        """Make and change what the target asks for, unless hooks have refused that; whether something failed."""
        if refusal is not None:
            self._fail(f"{refusal}. Rollback requested by user." if self.rolls_back() else refusal)
            return True
        ended = run_phase(self._parts, self._id, Phase.DEPLOY, self._context.target.graph, self._cancelled)
        failed = any(state is not StepState.DONE for state in ended.values()) or self._cancelled()
        problem = None if failed else self._write_outputs(self._context.target)
        failed = failed or problem is not None
        reason = (
            self._failure(Phase.DEPLOY) if problem is None else f"{problem.rstrip('.')}. Rollback requested by user."
        )
        if failed:
            self._fail(reason)
        return failed

    def _fail(self, reason: str) -> None:
        """The deployment has failed: the rollback is next, where there is one."""
        creating = self.kind is OperationKind.CREATE
        if not self.rolls_back():
            status = StackStatus.CREATE_FAILED if creating else StackStatus.UPDATE_FAILED
            self._end(status, reason, deployed=True)
            return
        status = StackStatus.ROLLBACK_IN_PROGRESS if creating else StackStatus.UPDATE_ROLLBACK_IN_PROGRESS
        if creating and self._context.stack.settings.on_failure == "DELETE":
            status = StackStatus.DELETE_IN_PROGRESS
        self._set(status, reason)

    def rolls_back(self) -> bool:
        """Whether a failure is undone."""
        return not self._context.operation.options.keep_on_failure

    @property
    def held(self) -> bool:
        """Whether the end of the operation waits for that of another stack's."""
        return self.kind is OperationKind.UPDATE and self._context.operation.options.held

    def hold(self) -> None:
        """Everything is as the target says, and nothing is cleaned up yet."""
        self._set(StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS, None)

    def complete(self) -> None:
        """The target is what the stack is; what it no longer wants waits for the clean-up."""
        if self.kind is OperationKind.CREATE:
            self._end(StackStatus.CREATE_COMPLETE, None, deployed=True)
            return
        wanted = self._context.target.graph
        before = self._context.before
        order = list(before.graph) if before is not None else []
        with self._parts.database.begin() as connection:
            for name, each in list_resources(connection, self._stack_id).items():
                if name not in wanted:
                    number = order.index(name) if name in order else 0
                    write_leftover(connection, self._stack_id, leftover_key(self._id, name), number, each)
        self._set(StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS, None, deployed=True)

    def _write_outputs(self, target: DeploymentView) -> str | None:
        """Keep the outputs; what is wrong with them, or None."""
        evaluator = target.evaluator(StoredResources(self._parts.database, self._stack_id))
        outputs: dict[str, list[str | None]] = {}
        try:
            for name, each in target.template.outputs.items():
                if not evaluator.exists(each):
                    continue
                value = evaluator.value(each.value)
                export = None if each.export is None else as_text(evaluator.value(each.export))
                outputs[name] = [_output_text(value), export, each.description]
        except EvaluationError as error:
            return error.message
        with self._parts.database.begin() as connection:
            stack = self._stack(connection)
            if (problem := self._export_problem(connection, stack, outputs)) is not None:
                return problem
            write_stack(connection, replace(stack, outputs=outputs))
        return None

    def _export_problem(
        self, connection: Connection, stack: StackRecord, outputs: Mapping[str, list[str | None]]
    ) -> str | None:
        """An export that is somebody else's, or one that somebody imports and that would go or change."""
        exports = {export: value for value, export, _ in outputs.values() if export is not None}
        for name in exports:
            known = find_exporter(connection, stack.scope, name)
            if known is not None and known[0].id != stack.id:
                return f"Export with name {name} is already exported by stack {known[0].name}"
        for value, export, _ in stack.outputs.values():
            if export is not None and exports.get(export) != value:
                users = list_importers(connection, stack.scope, export)
                if users:
                    verb = "updated" if export in exports else "deleted"
                    return f"Export {export} cannot be {verb} as it is in use by {' and '.join(users)}"
        return None

    # -- undoing

    def undo(self) -> None:
        """Begin to undo an operation that was held."""
        self._set(StackStatus.UPDATE_ROLLBACK_IN_PROGRESS, None)

    def restore_outputs(self) -> None:
        """The outputs as they were before an operation that was held."""
        if self._context.before is not None:
            self._write_outputs(self._context.before)

    def roll_back(self) -> None:
        """Undo what was done: remove what a creation made, or put back what an update changed."""
        if self.kind is OperationKind.CREATE:
            self._remove_all(Phase.DELETE)
            return
        with self._parts.database.read() as connection:
            touched = set(list_steps(connection, self._id, Phase.DEPLOY))
        skipped = set(self._context.operation.options.skip)
        graph = restrict(self._context.target.graph, touched - skipped)
        ended = run_phase(self._parts, self._id, Phase.ROLLBACK, graph)
        if any(state is not StepState.DONE for state in ended.values()):
            self._end(StackStatus.UPDATE_ROLLBACK_FAILED, self._failure(Phase.ROLLBACK))
        else:
            self._set(StackStatus.UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS, None)

    def clean_up(self, *, rolled_back: bool) -> None:
        """Remove the physical resources that are no longer wanted; what can't be is told, and left."""
        with self._parts.database.read() as connection:
            stack = self._stack(connection)
            prefix = leftover_key(self._id, "")
            doomed = [
                key.removeprefix(prefix) for key in list_leftovers(connection, self._stack_id) if key.startswith(prefix)
            ]
        if not stack.status.busy:
            return
        children = release_children(self._parts, self._stack_id)
        view = self._context.target if rolled_back else (self._context.before or self._context.target)
        graph = restrict(reverse_graph(view.graph), doomed)
        graph |= {name: () for name in doomed if name not in graph}
        run_phase(self._parts, self._id, Phase.CLEANUP, graph)
        await_children(self._parts, self._context.operation, children)
        self._end(StackStatus.UPDATE_ROLLBACK_COMPLETE if rolled_back else StackStatus.UPDATE_COMPLETE, None)

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
        graph: dict[str, tuple[str, ...]] = {} if view is None else restrict(reverse_graph(view.graph), present)
        graph |= {name: () for name in present if name not in graph}
        ended = run_phase(self._parts, self._id, phase, graph)
        failed = any(state is not StepState.DONE for state in ended.values())
        creating = self.kind is OperationKind.CREATE and self._context.stack.settings.on_failure != "DELETE"
        match failed, creating:
            case True, True:
                self._end(StackStatus.ROLLBACK_FAILED, self._failure(phase))
            case True, False:
                self._end(StackStatus.DELETE_FAILED, self._failure(phase))
            case False, True:
                self._end(StackStatus.ROLLBACK_COMPLETE, None)
            case _:
                self._end(StackStatus.DELETE_COMPLETE, None)

    # -- the stack itself

    def _cancelled(self) -> bool:
        with self._parts.database.read() as connection:
            return is_cancelled(connection, self._id)

    def _failure(self, phase: Phase) -> str:
        with self._parts.database.read() as connection:
            steps = list_steps(connection, self._id, phase)
        failed = sorted(name for name, each in steps.items() if each.state is not StepState.DONE)
        if not failed:
            return "Rollback requested by user."
        creating = self.kind is OperationKind.CREATE
        verb = "delete" if phase in {Phase.DELETE, Phase.CLEANUP} else "create" if creating else "update"
        told = f"The following resource(s) failed to {verb}: [{', '.join(failed)}]. "
        if phase is Phase.DEPLOY and creating and self.rolls_back():
            return f"{told}Rollback requested by user."
        return told

    def _stack(self, connection: Connection) -> StackRecord:
        stack = get_stack(connection, self._stack_id)
        assert stack is not None
        return stack

    def _set(self, status: StackStatus, reason: str | None, *, deployed: bool = False, ended: bool = False) -> None:
        now = self._parts.now()
        with self._parts.database.begin() as connection:
            stack = self._stack(connection)
            changed = replace(stack, status=status, reason=reason)
            if deployed:
                changed = replace(changed, deployed=self._context.operation.target)
            if status is StackStatus.DELETE_COMPLETE:
                changed = replace(changed, deleted=now, outputs={})
            write_stack(connection, changed)
            add_event(connection, stack_event(changed, self._context.operation, now))
            if ended:
                end_operation(connection, self._id, now)
        self._parts.changed()

    def _end(self, status: StackStatus, reason: str | None, *, deployed: bool = False) -> None:
        self._set(status, reason, deployed=deployed, ended=True)


def stack_event(stack: StackRecord, operation: OperationRecord, now: float) -> EventRecord:
    """The event of a stack's own change: its status and the reason are what the stack has."""
    return EventRecord(
        id=f"{operation.id}/{stack.status}",
        stack_id=stack.id,
        logical_id=stack.name,
        type=STACK_TYPE,
        status=str(stack.status),
        time=now,
        physical_id=stack.arn,
        reason=stack.reason,
        operation_id=operation.id,
        details=EventDetails(token=operation.token),
    )


def _output_text(value: object) -> str | None:
    if value is UNKNOWN:
        return None
    return text if (text := as_text(value)) is not None else json.dumps(value)
