"""Queries for events: of a stack, of one operation, or of the creation of a change set.

Source: the service's model (DescribeEvents).
"""

from enum import StrEnum

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.engine.change_sets import ChangeSets, FoundChangeSet
from formwork.engine.engine import Engine
from formwork.engine.validation import REFUSED
from formwork.stacks.errors import StackError
from formwork.stacks.store.events import list_events, list_operation_events
from formwork.stacks.store.operations import find_operation
from formwork.stacks.store.records import STACK_TYPE, EventRecord, OperationKind, OperationRecord, StackRecord
from formwork.stacks.store.stacks import get_stack

_PAGE = 100


class EventType(StrEnum):
    """The kind of an event."""

    STACK = "STACK_EVENT"
    PROGRESS = "PROGRESS_EVENT"
    VALIDATION = "VALIDATION_ERROR"
    PROVISIONING = "PROVISIONING_ERROR"
    HOOK = "HOOK_INVOCATION_ERROR"


_FAILURES = frozenset({EventType.VALIDATION, EventType.PROVISIONING, EventType.HOOK})


class OperationEvent(Struct, frozen=True):
    """An event and its operation."""

    event: EventRecord
    operation: OperationRecord | None
    stack: StackRecord

    @property
    def type(self) -> EventType:
        """The kind of an event."""
        event = self.event
        if event.details.validation is not None:
            return EventType.VALIDATION
        if event.details.hook_status in {"HOOK_COMPLETE_FAILED", "HOOK_FAILED"}:
            return EventType.HOOK
        if event.type == STACK_TYPE and event.physical_id == self.stack.arn and event.details.detailed != REFUSED:
            return EventType.STACK
        return EventType.PROVISIONING if event.status.endswith("_FAILED") else EventType.PROGRESS

    @property
    def kind(self) -> str:
        """The service's name for what the operation does."""
        if self.operation is None:
            return "CREATE_STACK"
        if self.operation.kind in {OperationKind.IMPORT, OperationKind.REFACTOR}:
            return str(OperationKind.UPDATE)
        return str(self.operation.kind)

    @property
    def outcome(self) -> str | None:
        """The state of the operation that a stack's own event reports."""
        if self.type is not EventType.STACK:
            return None
        if self.event.status.endswith("_IN_PROGRESS"):
            return "IN_PROGRESS"
        undone = self.operation is not None and self.operation.kind in {
            OperationKind.ROLLBACK,
            OperationKind.CONTINUE_ROLLBACK,
        }
        failed = self.event.status.endswith("_FAILED") or ("ROLLBACK" in self.event.status and not undone)
        return "FAILED" if failed else "SUCCEEDED"


class OperationEvents:
    """Queries for the events of an engine's stacks. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine, change_sets: ChangeSets) -> None:
        self._engine = engine
        self._change_sets = change_sets

    def change_set(self, scope: Scope, name: str, stack_name: str | None) -> FoundChangeSet:
        """Return the change set whose creation the query is about."""
        return self._change_sets.expect(scope, name, stack_name)

    def find(
        self, scope: Scope, stack_name: str | None, operation_id: str | None, *, failed: bool, before: int | None
    ) -> tuple[list[OperationEvent], int | None]:
        """Return a page of events, the newest first, and the `before` of the next page, None at the end."""
        if stack_name is None and operation_id is None:
            raise StackError("One of StackName, ChangeSetName or OperationId must be specified")
        found: list[OperationEvent] = []
        while len(found) < _PAGE:
            page, before = self._page(scope, stack_name, operation_id, before)
            found += [each for each in page if not failed or each.type in _FAILURES]
            if before is None:
                break
        return found, before

    def _page(
        self, scope: Scope, stack_name: str | None, operation_id: str | None, before: int | None
    ) -> tuple[list[OperationEvent], int | None]:
        with self._engine.database.read() as connection:
            operation = None if operation_id is None else find_operation(connection, operation_id)
            stack = None
            if stack_name is not None:
                stack = self._engine.lookups.expect(connection, scope, stack_name)
            elif operation is not None:
                stack = get_stack(connection, operation.stack_id)
            wrong = operation_id is not None and (operation is None or operation.stack_id != (stack and stack.id))
            if stack is None or wrong or stack.scope != scope:
                raise StackError(f"Operation [{operation_id}] does not exist")
            if operation is not None:
                rows = list_operation_events(connection, stack.id, operation.id, before=before, limit=_PAGE)
            else:
                rows = list_events(connection, stack.id, before=before, limit=_PAGE, validation=True)
            ids = {each.operation_id for _, each in rows}
            operations = {each: None if each is None else find_operation(connection, each) for each in ids}
        more = rows[-1][0] if len(rows) == _PAGE else None
        return [OperationEvent(each, operations[each.operation_id], stack) for _, each in rows], more
