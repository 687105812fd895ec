"""Rows of events (docs/decisions/1272)."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select, text

from formwork.stacks.store.event_notices import announce_event
from formwork.stacks.store.records import EventDetails, EventRecord
from formwork.stacks.store.statements import add_once
from formwork.stacks.store.tables import events, stacks

# A stack's events are at least a millisecond, the precision of the API, apart: clients sort them by time.
_ADD = add_once(
    events,
    *("id", "stack_id", "operation_id", "time", "logical_id", "physical_id", "type", "status", "reason", "more_json"),
    time="(SELECT CASE WHEN last >= :time THEN round((last + 0.001) * 1000) / 1000.0 ELSE :time END FROM"
    " (SELECT max(time) AS last FROM engine_event WHERE stack_id = :of_stack) AS before)",
)
_SEARCHED = 1_000  # events that are read at a time
_HOOK_FAILURES = frozenset({"HOOK_COMPLETE_FAILED", "HOOK_FAILED"})
_HAS = text("SELECT 1 FROM engine_event WHERE id = :id")


def add_event(connection: Connection, event: EventRecord) -> bool:
    """Add an event; return False where one with its id exists already.

    Its time is moved behind the stack's latest event where it is not later.
    """
    row = {
        "id": event.id,
        "stack_id": event.stack_id,
        "of_stack": event.stack_id,  # a second name: PostgreSQL gives a parameter one type
        "operation_id": event.operation_id,
        "time": round(event.time, 3),
        "logical_id": event.logical_id,
        "physical_id": event.physical_id,
        "type": event.type,
        "status": event.status,
        "reason": event.reason,
        "more_json": event.details.to_json(),
    }
    while connection.execute(_ADD, row).rowcount == 0:
        if connection.execute(_HAS, row).scalar() is not None:
            return False  # else another transaction has used that time meanwhile
    announce_event(connection, event)
    return True


def find_event(connection: Connection, identifier: str) -> EventRecord | None:
    """Return the event with this id, None where there is none."""
    row = connection.execute(select(events).where(events.c.id == identifier)).one_or_none()
    return None if row is None else _record(row)


def latest_event_time(connection: Connection) -> float:
    """Return the time of the latest event of all stacks in seconds since the epoch; 0 where there is none."""
    latest = select(events.c.time).order_by(events.c.number.desc()).limit(1)
    return float(connection.execute(latest).scalar() or 0.0)


def new_events(connection: Connection, after: int | None, account: str | None) -> tuple[tuple[str, ...], int]:
    """Return the ids of the stacks with events after a number, and the number of the latest event of all stacks.

    `account` limits the stacks to those of one account. Without a number nothing is new.
    """
    newest = int(connection.execute(select(func.max(events.c.number))).scalar() or 0)
    if after is None or newest <= after:
        return (), newest
    query = select(events.c.stack_id).where(events.c.number > after).distinct()
    if account is not None:
        query = query.join(stacks, stacks.c.id == events.c.stack_id).where(stacks.c.account == account)
    return tuple(connection.execute(query).scalars()), newest


def list_events(
    connection: Connection, stack_id: str, *, before: int | None = None, limit: int = 100, validation: bool = False
) -> list[tuple[int, EventRecord]]:
    """Return the events of a stack with their positions, the newest first; a next page begins `before` a position.

    With `validation` include the findings of pre-deployment validation, which have no status.
    """
    where = events.c.stack_id == stack_id
    return _page(connection, where if validation else where & (events.c.status != ""), before, limit)


def search_events(  # noqa: PLR0913 - the filters of a page
    connection: Connection, stack_id: str, containing: str, *, failed: bool, before: int | None = None, limit: int = 100
) -> list[tuple[int, EventRecord]]:
    """Return the events that have a text in their logical id, type, status or reason, in any case; see `list_events`.

    With `failed` only failures, also those of hooks. Findings of pre-deployment validation are included.
    """
    if not containing and not failed:
        return _page(connection, events.c.stack_id == stack_id, before, limit)
    wanted = containing.casefold()
    found: list[tuple[int, EventRecord]] = []
    while len(found) < limit:
        # Details are sealed in the database, so what they say is compared here.
        page = _page(connection, events.c.stack_id == stack_id, before, _SEARCHED)
        found += [(position, each) for position, each in page if _matches(each, wanted, failed=failed)]
        if len(page) < _SEARCHED:
            break
        before = page[-1][0]
    return found[:limit]


def _matches(event: EventRecord, wanted: str, *, failed: bool) -> bool:
    details = event.details
    said = (event.logical_id, event.type, event.status, event.reason, *(details.to_value().values() if wanted else ()))
    if failed and not (event.status.endswith("_FAILED") or details.hook_status in _HOOK_FAILURES or details.validation):
        return False
    return any(wanted in str(each).casefold() for each in said if each is not None)


def list_operation_events(
    connection: Connection, stack_id: str, operation_id: str, *, before: int | None = None, limit: int = 100
) -> list[tuple[int, EventRecord]]:
    """Return the events of one operation on a stack; see `list_events`."""
    where = (events.c.stack_id == stack_id) & (events.c.operation_id == operation_id)
    return _page(connection, where, before, limit)


def list_resource_events(connection: Connection, stack_id: str, logical_id: str, *, limit: int) -> list[EventRecord]:
    """Return the events of one resource of a stack, the newest first."""
    where = (events.c.stack_id == stack_id) & (events.c.logical_id == logical_id)
    return [each for _, each in _page(connection, where, None, limit)]


def _page(
    connection: Connection, where: ColumnElement[bool], before: int | None, limit: int
) -> list[tuple[int, EventRecord]]:
    query = select(events).where(where).order_by(events.c.time.desc()).limit(limit)
    if before is not None:
        query = query.where(events.c.time < before / 1000)
    return [(round(row.time * 1000), _record(row)) for row in connection.execute(query)]


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
