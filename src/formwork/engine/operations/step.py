"""The step of a resource in one phase of an operation: its stored data, and all writes to them."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.diagnostics.secrets import NO_ECHO_MASK, mask_at, mask_copies
from formwork.engine.changes.differences import texts
from formwork.engine.deployed.drift_comparison import ResourceDriftStatus
from formwork.engine.deployed.secrets import hidden_values, property_secrets, with_references
from formwork.engine.operations.event_writing import EventDraft, EventWriter
from formwork.engine.operations.outlook import bounded_timeout
from formwork.engine.operations.services import OperationContext, OperationServices
from formwork.hooks.result_store import HookNews
from formwork.provisioning import Provisioner
from formwork.schema.resource import DEFAULT_TIMEOUT_MINUTES
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.drifts import FoundDrift, write_drift
from formwork.stacks.store.operations import get_step, write_step
from formwork.stacks.store.records import OperationKind, ResourceRecord
from formwork.stacks.store.resources import (
    delete_leftover,
    delete_resource,
    get_leftover,
    get_resource,
    list_custom_resources,
    list_leftovers,
    write_leftover,
    write_resource,
)
from formwork.stacks.store.steps import (
    AskingHooks,
    Calling,
    Ended,
    HandlerAction,
    HandlerOperation,
    NotStarted,
    Phase,
    Plan,
    Progress,
    StepRecord,
    StepState,
    is_gone,
)

TOKENS = uuid.UUID("6f1c5a0e-9d0b-4f0c-8a53-1b1f8f6f2f10")  # the namespace of client request tokens
_CANCELLED = {
    HandlerAction.CREATE: "Resource creation cancelled",
    HandlerAction.UPDATE: "Resource update cancelled",
    HandlerAction.DELETE: "Resource deletion cancelled",
    HandlerAction.IMPORT: "Resource import cancelled",
}


def leftover_key(operation_id: str, logical_id: str) -> str:
    """Return the key of the physical resource that an operation leaves behind."""
    return f"{operation_id}/{logical_id}"


class Step:
    """A stored step. Each method that writes uses one transaction, events included."""

    def __init__(self, services: OperationServices, operation_id: str, phase: Phase, logical_id: str) -> None:
        self.services = services
        self.context: OperationContext = services.contexts.get(services, operation_id)
        self.phase = phase
        self.logical_id = logical_id
        with services.database.read() as connection:
            found = get_step(connection, operation_id, phase, logical_id)
            self.current = get_resource(connection, self.stack_id, logical_id)
        self.record = found or StepRecord(
            operation_id=operation_id,
            phase=phase,
            logical_id=logical_id,
            state=StepState.RUNNING,
            reason=None,
            progress=NotStarted(),
        )
        self._events = EventWriter(self.context, phase, logical_id, services.now)

    @property
    def stack_id(self) -> str:
        """The id of the stack."""
        return self.context.stack.id

    @property
    def undoes(self) -> bool:
        """Whether the phase undoes the operation itself: the deletions after a failed creation."""
        return self.phase is Phase.DELETE and self.context.operation.kind is not OperationKind.DELETE

    def resolve(self, properties: Any) -> Any:
        """Return a copy of evaluated properties with their dynamic references filled in.

        Raises:
            StackError: a reference can't be resolved.
        """
        return self.services.references.resolve(self.context.stack.scope, properties)

    def shown(self, resource: ResourceRecord, properties: Mapping[str, Any] | None = None) -> str:
        """Return the resource's properties (or `properties`) as events show them, a JSON text."""
        provisioner = self.find(resource.type)
        write_only = () if provisioner is None else provisioner.schema.write_only
        found = dict(resource.properties if properties is None else properties)
        masked = with_references(mask_at(found, write_only, NO_ECHO_MASK), found)
        return json.dumps(texts(mask_copies(masked, self._hidden(), NO_ECHO_MASK)))

    def _hidden(self) -> list[str]:
        views = [self.context.before, self.context.target if self.context.operation.target is not None else None]
        if not self.context.has_custom:
            return hidden_values(views, [])
        with self.services.database.read() as connection:
            custom = list_custom_resources(connection, self.stack_id)
        return hidden_values(views, custom)

    def secrets(self, resource: ResourceRecord) -> Sequence[str]:
        """Return the secret values of the resource, which events and messages must not contain."""
        hidden = self._hidden()
        provisioner = self.find(resource.type)
        if provisioner is None:
            return hidden
        return [*hidden, *property_secrets(provisioner.schema, resource.properties, self.resolve)]

    def find(self, type_name: str) -> Provisioner | None:
        """Return the provisioner of a type, None if it has none."""
        return self.context.provisioner(type_name)

    def provisioner(self, type_name: str) -> Provisioner:
        """Return the provisioner of a type."""
        found = self.find(type_name)
        if found is None:
            raise LookupError(f"nothing here makes {type_name}")
        return found

    def open(
        self,
        action: HandlerAction,
        resource: ResourceRecord,
        events: Sequence[EventDraft],
        plan: Plan,
        *,
        model: Mapping[str, Any] | None = None,
    ) -> None:
        """Store what the first call needs, and the events of its beginning.

        `model`, from a read, is passed to the handler in place of the template's properties; hooks were called for it
        already.
        """
        minutes = self.timeout(action, resource)
        token = uuid.uuid5(TOKENS, f"{self.record.operation_id}/{self.phase}/{self.logical_id}/{action}")
        doing = HandlerOperation(
            action=action,
            resource=resource,
            plan=plan,
            token=str(token),
            deadline=self.services.now() + minutes * 60,
        )
        in_stack = self.phase in {Phase.DEPLOY, Phase.ROLLBACK, Phase.DELETE} and action != "CREATE"
        self.save(
            AskingHooks(doing=doing) if model is None else Calling(doing=doing, model=model, model_was_read=True),
            resource=resource if in_stack else None,
            events=events,
        )
        self.services.observer.checkpoint(f"opened-{action.lower()}")

    def timeout(self, action: HandlerAction, resource: ResourceRecord) -> int:
        """Return the timeout of a handler in minutes, limited by how long its credentials last."""
        minutes = DEFAULT_TIMEOUT_MINUTES
        provisioner = self.find(resource.type)
        if provisioner is not None and (handler := provisioner.schema.handlers.get(action.lower())) is not None:
            minutes = handler.timeout_in_minutes
        return bounded_timeout(minutes, self.context.stack)

    def save(
        self,
        progress: Progress,
        *,
        resource: ResourceRecord | None = None,
        events: Sequence[EventDraft] = (),
        hook_news: HookNews | None = None,
    ) -> None:
        """Store the next stage, the resource as the stack shows it meanwhile, events, and results of hooks."""
        step = replace(self.record, progress=progress)
        with self.services.writing(self.stack_id) as connection:
            if resource is not None:
                write_resource(connection, self.stack_id, resource)
            for each in events:
                self._events.add(connection, each, token=_token(step))
            if hook_news is not None:
                self.services.hook_results.write(connection, self.context.stack.scope, hook_news)
            write_step(connection, step)
            self.services.observer.checkpoint("saving")
        self.record = step
        if hook_news is not None:
            self.services.hook_results.announce()

    def go_on(self, progress: Progress) -> None:
        """Move to the next stage without storing it yet."""
        self.record = replace(self.record, progress=progress)

    def finish(
        self,
        resource: ResourceRecord | None,
        *,
        events: Sequence[EventDraft],
        end: Ended,
    ) -> None:
        """End the step with success; without a `resource` it is removed from the stack."""
        step = replace(self.record, state=StepState.DONE, progress=end)
        with self.services.writing(self.stack_id) as connection:
            if self.phase is Phase.CLEANUP:
                self._forget_leftover(connection)
            elif resource is None:
                delete_resource(connection, self.stack_id, self.logical_id)
            else:
                write_resource(connection, self.stack_id, resource)
                if end.live is not None:
                    self._write_drift(connection, end.live)
            for each in events:
                self._events.add(connection, each, token=_token(self.record))
            write_step(connection, step)
            self.services.observer.checkpoint("finishing")
        self.record = step
        self.services.observer.checkpoint(f"finished-{self.phase}")

    def _write_drift(self, connection: Connection, live: Mapping[str, Any]) -> None:
        """Update the stored drift: a deployment has removed it, a rollback has restored it."""
        drift = FoundDrift(live["status"], live["checked"], live["details"])
        if self.phase is not Phase.ROLLBACK:
            drift = FoundDrift(ResourceDriftStatus.IN_SYNC, self.services.now(), None)
        write_drift(connection, self.stack_id, self.logical_id, drift)

    def fail(  # noqa: PLR0913 - what an end is made of
        self,
        action: HandlerAction,
        reason: str,
        *,
        resource: ResourceRecord | None = None,
        before: Sequence[EventDraft] = (),
        state: StepState = StepState.FAILED,
        end: Ended | None = None,
    ) -> None:
        """End the step with a failure; `before` are events to add first, `resource` is the resource's actual record.

        `end` is what a rollback needs, if it differs from the plan.
        """
        self.services.work.check()  # a handler that ended with the process has not failed
        end = self.record.end if end is None else end
        shown = None if self.record.doing is None else self.record.doing.plan.shown
        if action is HandlerAction.DELETE and self.phase is Phase.DELETE and self.context.operation.options.force:
            physical_id = None if resource is None else resource.physical_id
            self.finish(None, events=[*before, EventDraft("DELETE_SKIPPED", reason, physical_id, shown)], end=Ended())
            return
        replaced = self.phase is not Phase.CLEANUP and end.before is not None and not is_gone(end.live)
        verb = HandlerAction.UPDATE if replaced and action is HandlerAction.CREATE else action
        status = f"{verb}_FAILED"
        physical_id = resource.physical_id if resource is not None else None
        events = [*before, EventDraft(status, reason, physical_id, shown)]
        step = replace(self.record, state=state, reason=reason, progress=end)
        with self.services.writing(self.stack_id) as connection:
            if resource is not None and self.phase is Phase.DEPLOY:
                resource = self._old_instead(connection, resource)
            if resource is not None and self.phase is not Phase.CLEANUP:
                failed = replace(resource, status=ResourceStatus(status), reason=reason, updated=self.services.now())
                write_resource(connection, self.stack_id, failed)
            for each in events:
                self._events.add(connection, each, token=_token(self.record))
            write_step(connection, step)
            self.services.observer.checkpoint("failing")
        self.record = step
        self.services.observer.checkpoint("failed")

    def _old_instead(self, connection: Connection, resource: ResourceRecord) -> ResourceRecord:
        """Keep the old resource after a failed replacement; the clean-up deletes the new one."""
        doing = self.record.doing
        if doing is None or doing.action is not HandlerAction.CREATE or doing.plan.old_deleted:
            return resource
        old = doing.plan.before
        if old is None or old.physical_id is None:
            return resource
        if resource.physical_id is not None and resource.physical_id != old.physical_id:
            key = leftover_key(self.record.operation_id, self.logical_id)
            write_leftover(connection, self.stack_id, key, 0, resource)
        return old

    def cancel(self) -> None:
        """End the step unfinished, since another resource has failed."""
        doing = self.record.doing
        assert doing is not None  # no other stage waits
        self.fail(doing.action, _CANCELLED[doing.action], resource=doing.resource, state=StepState.CANCELLED)

    def note_leftover(self, resource: ResourceRecord) -> None:
        """Record the physical resource for deletion in the clean-up."""
        key = leftover_key(self.record.operation_id, self.logical_id)
        with self.services.writing(self.stack_id) as connection:
            write_leftover(connection, self.stack_id, key, 0, resource)
        self.services.observer.checkpoint("leftover-noted")

    def keep_leftover(self, resource: ResourceRecord) -> None:
        """Remove the physical resource from those that a clean-up deletes, whichever operation recorded it."""
        with self.services.writing(self.stack_id) as connection:
            for key, each in list_leftovers(connection, self.stack_id).items():
                if each.logical_id == self.logical_id and each.physical_id == resource.physical_id:
                    delete_leftover(connection, key)

    def still_in_stack(self, resource: ResourceRecord) -> bool:
        """Return whether the stack still has this physical resource: it was removed from the template, not replaced."""
        return self.current is not None and self.current.physical_id == resource.physical_id

    def _forget_leftover(self, connection: Connection) -> None:
        key = leftover_key(self.record.operation_id, self.logical_id)
        gone = get_leftover(connection, key)
        delete_leftover(connection, key)
        if gone is not None and self.still_in_stack(gone):
            delete_resource(connection, self.stack_id, self.logical_id)


def _token(step: StepRecord) -> str:
    """Return the client request token that events of the step belong to."""
    return "" if step.doing is None else step.doing.token
