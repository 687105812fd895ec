"""Updates of nested stacks wait before their clean-up for the outcome of the parent stack.

A child's workflow ends there. Once the outcome is known, another workflow continues the operation: it cleans up, or
rolls the child back.

The reasons are in docs/decisions/1231.
"""

from collections.abc import Mapping

from sqlalchemy import Connection

from formwork.engine.operations.services import OperationServices
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.events import add_event
from formwork.stacks.store.operations import get_operation
from formwork.stacks.store.records import STACK_TYPE, EventDetails, EventRecord, OperationRecord, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import get_stack

WORKFLOW = "stack-settling"
_SOON, _LATER = 0.02, 0.5  # the shortest and the longest interval between two checks
_PATIENCE = 1.0  # within which time the end of the process is noticed


def held_stack(connection: Connection, arn: str | None) -> StackRecord | None:
    """Return the stack with this ARN, if its update waits for the parent's outcome."""
    stack = None if arn is None else get_stack(connection, arn.rpartition("/")[2])
    if stack is None or stack.status is not StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS:
        return None
    assert stack.operation_id is not None
    return stack if get_operation(connection, stack.operation_id).options.held else None


def start_settling(services: OperationServices, operation_id: str, *, rolled_back: bool) -> None:
    """Continue a held operation, once: clean up, or roll back."""
    services.work.start(WORKFLOW, f"{operation_id}/settle", operation_id, rolled_back)


def release_children(services: OperationServices, stack_id: str) -> dict[str, StackRecord]:
    """Continue the held updates of a stack's nested stacks; return these stacks by logical id."""
    with services.database.read() as connection:
        found = {
            name: child
            for name, each in list_resources(connection, stack_id).items()
            if each.type == STACK_TYPE and (child := held_stack(connection, each.physical_id)) is not None
        }
    for child in found.values():
        assert child.operation_id is not None
        start_settling(services, child.operation_id, rolled_back=False)
    return found


def await_children(
    services: OperationServices, operation: OperationRecord, children: Mapping[str, StackRecord]
) -> None:
    """Wait until nested stacks have ended, and add the further event that the service shows for each."""
    for name, child in children.items():
        _await(services, child)
        event = EventRecord(
            id=f"{operation.id}/settled/{name}",
            stack_id=operation.stack_id,
            logical_id=name,
            type=STACK_TYPE,
            status="UPDATE_COMPLETE",
            time=services.now(),
            physical_id=child.arn,
            operation_id=operation.id,
            details=EventDetails(token=operation.token),
        )
        with services.database.begin() as connection:
            add_event(connection, event)


def _await(services: OperationServices, child: StackRecord) -> None:
    wait = _SOON
    while not _is_at_rest(services, child):
        services.work.sleep(wait)
        wait = min(_LATER, 2 * wait)


def _is_at_rest(services: OperationServices, child: StackRecord) -> bool:
    with services.database.read() as connection:
        found = get_stack(connection, child.id)
    return found is None or not found.status.busy
