"""Writes events of resources and stacks, each once even if a step is repeated."""

import json
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.documents.copied import as_json_value
from formwork.engine.operations.services import OperationContext
from formwork.provisioning.outcomes import Failed
from formwork.stacks.store.events import add_event
from formwork.stacks.store.records import STACK_TYPE, EventDetails, EventRecord, OperationRecord, StackRecord
from formwork.stacks.store.steps import Phase

RENAMED = "Requested update required the provider to create a new physical resource"
REPLACING = "Requested update requires the creation of a new physical resource; hence creating one."


class HookEventDraft(Struct, frozen=True):
    """The part of an event about a hook; `mode` is its failure mode, `id` that of the invocation."""

    type_name: str
    status: str
    reason: str | None
    mode: str
    id: str


class EventDraft(Struct, frozen=True):
    """An event of a resource before it is written; `properties` is a JSON text without secrets."""

    status: str
    reason: str | None
    physical_id: str | None
    properties: str | None
    hook: HookEventDraft | None = None
    detailed: str | None = None


class EventWriter:
    """Writes the events of one step; an event that it wrote before is not written again."""

    def __init__(self, context: OperationContext, phase: Phase, logical_id: str, now: Callable[[], float]) -> None:
        self._context = context
        self._phase = phase
        self._logical_id = logical_id
        self._now = now

    def add(self, connection: Connection, draft: EventDraft, *, token: str) -> None:
        """Add an event; `token` is the client request token of the handler's operation."""
        operation = self._context.operation
        hook = draft.hook
        mark = json.dumps([draft.status, draft.reason, draft.physical_id, token, hook and as_json_value(hook)])
        add_event(
            connection,
            EventRecord(
                id=f"{operation.id}/{self._phase}/{self._logical_id}/{hash_text(mark)}",
                stack_id=self._context.stack.id,
                logical_id=self._logical_id,
                type=self._type(),
                status=draft.status,
                time=self._now(),
                physical_id=draft.physical_id,
                reason=draft.reason,
                operation_id=operation.id,
                details=self._details(draft),
            ),
        )

    def _details(self, draft: EventDraft) -> EventDetails:
        details = EventDetails(
            properties=draft.properties,
            token=self._context.operation.token,
            made_by=self._made_by(),
            detailed=draft.detailed,
        )
        hook = draft.hook
        if hook is None:
            return details
        return replace(
            details,
            hook_type=hook.type_name,
            hook_status=hook.status,
            hook_reason=hook.reason,
            hook_point="PRE_PROVISION",
            hook_mode=hook.mode,
            hook_id=hook.id,
        )

    def _made_by(self) -> str | None:
        provisioner = self._context.provisioner(self._type())
        return None if provisioner is None else provisioner.note

    def _type(self) -> str:
        for deployment in (self._context.operation.target, self._context.stack.deployed):
            if deployment is not None and self._logical_id in deployment.template.get("Resources", {}):
                return str(deployment.template["Resources"][self._logical_id]["Type"])
        return ""


def hash_text(text: str) -> str:
    """Return a short digest, equal in all processes."""
    import hashlib  # noqa: PLC0415 - beside its only use

    return hashlib.sha256(text.encode()).hexdigest()[:24]


def handler_failure(outcome: Failed, token: str) -> str:
    """Return the reason of a handler's failure for events, in the service's form."""
    if outcome.plain:
        return outcome.message
    details = f"RequestToken: {token}, HandlerErrorCode: {outcome.code}"
    return f'Resource handler returned message: "{outcome.message}" ({details})'


def stack_event(stack: StackRecord, operation: OperationRecord, now: float) -> EventRecord:
    """Return an event for a change of the stack's own status, with its current status and reason."""
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
