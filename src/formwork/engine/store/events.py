"""Rows of events."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, select

from formwork.engine.store.records import EventDetails, EventRecord
from formwork.engine.store.statements import add_once
from formwork.engine.store.tables import events

_ADD = add_once(
    events,
    *("id", "stack_id", "operation_id", "time", "logical_id", "physical_id", "type", "status", "reason", "more_json"),
)


def add_event(connection: Connection, event: EventRecord) -> bool:
    """Add an event; False where one with its id is there already."""
    added = connection.execute(
        _ADD,
        {
            "id": event.id,
            "stack_id": event.stack_id,
            "operation_id": event.operation_id,
            "time": event.time,
            "logical_id": event.logical_id,
            "physical_id": event.physical_id,
            "type": event.type,
            "status": event.status,
            "reason": event.reason,
            "more_json": event.details.to_json(),
        },
    )
    return added.rowcount > 0


def find_event(connection: Connection, identifier: str) -> EventRecord | None:
    """The event with this id, None where there is none."""
    row = connection.execute(select(events).where(events.c.id == identifier)).one_or_none()
    return None if row is None else _record(row)


def list_events(
    connection: Connection, stack_id: str, *, before: int | None = None, limit: int = 100
) -> list[tuple[int, EventRecord]]:
    """The events of a stack with their numbers, the newest first; `before` a number goes on after a page."""
    return _page(connection, events.c.stack_id == stack_id, before, limit)


def list_operation_events(
    connection: Connection, stack_id: str, operation_id: str, *, before: int | None = None, limit: int = 100
) -> list[tuple[int, EventRecord]]:
    """The events of a stack that are one operation's; see `list_events`."""
    where = (events.c.stack_id == stack_id) & (events.c.operation_id == operation_id)
    return _page(connection, where, before, limit)


def _page(
    connection: Connection, where: ColumnElement[bool], before: int | None, limit: int
) -> list[tuple[int, EventRecord]]:
    query = select(events).where(where).order_by(events.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(events.c.number < before)
    return [(row.number, _record(row)) for row in connection.execute(query)]


def _record(row: Row[Any]) -> EventRecord:
    return EventRecord(
        id=row.id,
        stack_id=row.stack_id,
        logical_id=row.logical_id,
        type=row.type,
        status=row.status,
        time=row.time,
        physical_id=row.physical_id,
        reason=row.reason,
        operation_id=row.operation_id,
        details=EventDetails.from_json(row.more_json),
    )
