"""Updates of nested stacks wait before their clean-up for what becomes of the stack that they are part of.

A child's workflow ends there, and another one goes on with the operation once that is known: to its end, or back to
what the child was before.
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
_SOON, _LATER = 0.02, 0.5  # how long is waited before it is looked again, at first and at last
_PATIENCE = 1.0  # how long it may take to notice that the process ends


def held_stack(connection: Connection, arn: str | None) -> StackRecord | None:
    """The stack of this ARN, if its update waits for what becomes of another's."""
    stack = None if arn is None else get_stack(connection, arn.rpartition("/")[2])
    if stack is None or stack.status is not StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS:
        return None
    assert stack.operation_id is not None
    return stack if get_operation(connection, stack.operation_id).options.held else None


def start_settling(services: OperationServices, operation_id: str, *, rolled_back: bool) -> None:
    """Have a held operation go on, once: to its end, or back to what the stack was before it."""
    services.work.start(WORKFLOW, f"{operation_id}/settle", operation_id, rolled_back)


def release_children(services: OperationServices, stack_id: str) -> dict[str, StackRecord]:
    """Let the nested stacks that wait for this one's end go on to theirs; those that did, by logical id."""
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
    """Wait for nested stacks to come to rest; each is told of as the service does, once more."""
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
