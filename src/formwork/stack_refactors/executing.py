"""The execution of a refactor, as durable work.

Handlers are called with the new tags first, one resource after the other. Then all that moves does so in one
transaction, so that a resource is never in two stacks, or in none. Where a handler fails, those before it are called
with the old tags.
"""

import uuid
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.diagnostics.internal_errors import internal_failure
from formwork.durable import Work
from formwork.engine.deployed.secrets import property_secrets
from formwork.engine.engine import Engine
from formwork.engine.operations.event_writing import handler_failure, stack_event
from formwork.provisioning import HandlerCall, Provisioner
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded, Waiting, retry_delay
from formwork.provisioning.physical_ids import identifying_model
from formwork.schema.coercion import coerce_properties
from formwork.stack_refactors.moving import move_resources
from formwork.stack_refactors.planning import plan_refactor
from formwork.stack_refactors.records import (
    RUNNING,
    ExecutionStatus,
    Move,
    MoveCall,
    RefactoredStack,
    ResourcePlace,
    StackRefactor,
)
from formwork.stack_refactors.store import get_refactor, write_refactor
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.events import add_event
from formwork.stacks.store.operations import end_operation, get_operation, is_cancelled
from formwork.stacks.store.records import ResourceRecord, StackRecord
from formwork.stacks.store.resources import get_resource
from formwork.stacks.store.stacks import get_stack, write_stack

WORKFLOW = "stack-refactor-execution"
_TOKENS = uuid.UUID("0c1f3f6a-6d0b-4d9e-9a3e-5a0f2a3f7c55")  # the namespace of client request tokens
_MINUTES = 120
_CANCELLED = "User Initiated"


def execution_id(identifier: str) -> str:
    """Return the id of the work that executes a refactor."""
    return f"{identifier}-execution"


class _Place(Struct, frozen=True):
    """A place that a handler gets for a resource: the stack, logical id, and the stack's tags."""

    stack: StackRecord
    logical_id: str
    tags: Mapping[str, str]

    @property
    def system_tags(self) -> dict[str, str]:
        return {
            "aws:cloudformation:stack-name": self.stack.name,
            "aws:cloudformation:stack-id": self.stack.arn,
            "aws:cloudformation:logical-id": self.logical_id,
        }


class RefactorExecutions:
    """Executes refactors of an engine's stacks."""

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine = engine
        self._work = work

    def run(self, identifier: str) -> None:
        """Execute a refactor, or roll back one that has begun."""
        while (wait := self._work.step("advance", self._advance, identifier)) is not None:
            self._work.sleep(min(wait, 5.0))

    def _advance(self, identifier: str) -> float | None:
        """Do what can be done without waiting; return the seconds to wait, None when the execution has ended."""
        while True:
            self._work.check()
            with self._engine.database.read() as connection:
                refactor = get_refactor(connection, identifier)
            if refactor is None or refactor.execution_status not in RUNNING:
                return None
            wait = refactor.call.due - self._engine.settings.now()
            if wait > 0:
                return wait
            try:
                self._go_on(refactor)
            except StackError as error:
                self._fail(refactor, error.message)
            except Exception as error:  # noqa: BLE001 - the boundary of background work: the refactor's status tells it
                self._fail(refactor, internal_failure(error))

    def _go_on(self, refactor: StackRefactor) -> None:
        forward, number = refactor.execution_status is ExecutionStatus.IN_PROGRESS, refactor.call.number
        if forward and number == len(refactor.moves):
            self._complete(refactor)
        elif not forward and number < 0:
            self._end_rollback(refactor)
        elif refactor.moves[number].tagged:
            self._tell(refactor, refactor.moves[number])
        else:
            self._next(refactor)

    def _next(self, refactor: StackRefactor, **changes: Any) -> None:
        forward = refactor.execution_status is ExecutionStatus.IN_PROGRESS
        call, number = refactor.call, refactor.call.number + (1 if forward else -1)
        kept = MoveCall(number=number, models=call.models, failed=call.failed)
        self._write(refactor, replace(kept, **changes))

    # -- tags

    def _tell(self, refactor: StackRefactor, move: Move) -> None:
        """Call the update handler with the tags of the resource's new place, or of its old one."""
        record = self._record(move.source)
        provisioner = self._engine.settings.types.find(refactor.scope, record.type)
        if provisioner is None:
            raise StackError(f"Stack Refactor does not support {record.type}.")
        call = refactor.call
        if call.deadline is None:
            handler = provisioner.schema.handlers.get("update")
            minutes = _MINUTES if handler is None else handler.timeout_in_minutes
            call = replace(call, deadline=self._engine.settings.now() + minutes * 60)
            refactor = replace(refactor, call=call)
        handler_call = self._handler_call(refactor, move, record, provisioner)
        outcome = call_provisioner(provisioner, handler_call)
        self._engine.settings.observer.checkpoint("refactor-told")
        self._take(refactor, provisioner, outcome, handler_call.token)

    def _handler_call(
        self, refactor: StackRefactor, move: Move, record: ResourceRecord, provisioner: Provisioner
    ) -> HandlerCall:
        schema, call = provisioner.schema, refactor.call
        forward = refactor.execution_status is ExecutionStatus.IN_PROGRESS

        def resolve(value: Any) -> Any:
            return self._engine.settings.references.resolve(refactor.scope, value)

        properties = coerce_properties(schema, resolve(record.properties))
        places = [self._place(refactor, each) for each in (move.source, move.destination)]
        before, after = places if forward else reversed(places)
        desired = {**identifying_model(schema, record.physical_id, record.model), **properties}
        return HandlerCall(
            action="UPDATE",
            desired=desired if call.model is None else call.model,
            answered=call.model is not None,
            previous={**record.model, **properties},
            token=str(uuid.uuid5(_TOKENS, f"{refactor.id}/{call.number}/{refactor.execution_status}")),
            context=call.context,
            logical_id=after.logical_id,
            stack_id=after.stack.arn,
            tags=after.tags,
            previous_tags=before.tags,
            system_tags=after.system_tags,
            properties=record.properties,
            previous_properties=record.properties,
            secrets=sorted(property_secrets(schema, record.properties, resolve)),
        )

    def _place(self, refactor: StackRefactor, place: ResourcePlace) -> _Place:
        with self._engine.database.read() as connection:
            stack = _expect_stack(connection, place.stack)
        deployment = refactor.stack(place.stack).deployment
        assert deployment is not None
        return _Place(stack, place.logical_id, deployment.tags)

    def _record(self, place: ResourcePlace) -> ResourceRecord:
        with self._engine.database.read() as connection:
            found = get_resource(connection, place.stack, place.logical_id)
        assert found is not None  # nothing else works on the stack
        return found

    def _take(self, refactor: StackRefactor, provisioner: Provisioner, outcome: Outcome, token: str) -> None:
        now, call = self._engine.settings.now(), refactor.call
        match outcome:
            case Succeeded():
                models = dict(call.models)
                if outcome.model is not None:
                    models[str(call.number)] = provisioner.schema.without_write_only(dict(outcome.model))
                self._next(refactor, models=models)
            case Waiting() if call.deadline is not None and now + outcome.seconds >= call.deadline:
                raise StackError(f"Resource timed out waiting for completion (RequestToken: {token})")
            case Waiting():
                due = now + outcome.seconds
                waiting = replace(call, context=outcome.context, model=outcome.model, due=due, tries=0)
                self._write(refactor, waiting)
            case Failed():
                self._work.check()  # it may be this process that ends, and its handlers with it
                delay = retry_delay(call.tries + 1) if outcome.retriable else None
                if delay is None:
                    raise StackError(handler_failure(outcome, token))
                self._write(refactor, replace(call, tries=call.tries + 1, due=now + delay))

    # -- the end

    def _complete(self, refactor: StackRefactor) -> None:
        """Move the resources, and end."""
        plan = plan_refactor(self._engine, refactor)
        with self._engine.database.begin() as connection:
            if not _still(connection, refactor):
                return
            for each in refactor.stacks:
                if is_cancelled(connection, refactor.operation_id(each)):
                    raise StackError(_CANCELLED)
            move_resources(connection, refactor, plan, self._engine.settings.now())
            for each in refactor.stacks:
                stack = _expect_stack(connection, each.id)
                done = replace(stack, deployed=each.deployment, outputs=plan.outputs[each.id])
                status = StackStatus.CREATE_COMPLETE if each.creates else StackStatus.UPDATE_COMPLETE
                self._show(connection, refactor, each, replace(done, status=status, reason=None), ended=True)
            write_refactor(connection, replace(refactor, execution_status=ExecutionStatus.COMPLETE, call=MoveCall()))
            self._engine.settings.observer.checkpoint("refactor-moving")
        self._engine.settings.observer.changed()

    def _fail(self, refactor: StackRefactor, reason: str) -> None:
        """Begin to undo the execution; where that is under way already, continue with the resource before."""
        self._work.check()
        if refactor.execution_status is not ExecutionStatus.IN_PROGRESS:
            self._next(refactor, failed=True)
            return
        rolling_back = ExecutionStatus.ROLLBACK_IN_PROGRESS
        number = min(refactor.call.number, len(refactor.moves) - 1)
        with self._engine.database.begin() as connection:
            if not _still(connection, refactor):
                return
            for each in refactor.stacks:
                stack = _expect_stack(connection, each.id)
                status = StackStatus.UPDATE_ROLLBACK_IN_PROGRESS
                if each.creates:
                    status = StackStatus.ROLLBACK_IN_PROGRESS
                self._show(connection, refactor, each, replace(stack, status=status, reason=reason))
            undoing = replace(refactor, execution_status=rolling_back, execution_reason=reason)
            write_refactor(connection, replace(undoing, call=MoveCall(number=number)))
        self._engine.settings.observer.changed()

    def _end_rollback(self, refactor: StackRefactor) -> None:
        failed = refactor.call.failed
        ended = ExecutionStatus.ROLLBACK_FAILED if failed else ExecutionStatus.ROLLBACK_COMPLETE
        with self._engine.database.begin() as connection:
            if not _still(connection, refactor):
                return
            for each in refactor.stacks:
                stack = _expect_stack(connection, each.id)
                status = StackStatus.UPDATE_ROLLBACK_COMPLETE
                if each.creates:
                    status = StackStatus.ROLLBACK_COMPLETE
                self._show(connection, refactor, each, replace(stack, status=status, reason=None), ended=True)
            write_refactor(connection, replace(refactor, execution_status=ended, call=MoveCall()))
        self._engine.settings.observer.changed()

    def _show(
        self,
        connection: Connection,
        refactor: StackRefactor,
        refactored: RefactoredStack,
        stack: StackRecord,
        *,
        ended: bool = False,
    ) -> None:
        """Store a stack's status, with the event of it."""
        now, identifier = self._engine.settings.now(), refactor.operation_id(refactored)
        if ended:
            end_operation(connection, identifier, now)
        write_stack(connection, stack)
        add_event(connection, stack_event(stack, get_operation(connection, identifier), now))

    def _write(self, refactor: StackRefactor, call: MoveCall) -> None:
        with self._engine.database.begin() as connection:
            if _still(connection, refactor):
                write_refactor(connection, replace(refactor, call=call))


def _still(connection: Connection, refactor: StackRefactor) -> bool:
    """Return whether the execution is where it was read: no other process has continued it since."""
    current = get_refactor(connection, refactor.id, locked=True)
    return current is not None and (current.execution_status, current.call.number) == (
        refactor.execution_status,
        refactor.call.number,
    )


def _expect_stack(connection: Connection, identifier: str) -> StackRecord:
    stack = get_stack(connection, identifier)
    assert stack is not None  # nothing else works on the stack
    return stack
