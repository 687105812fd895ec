"""Rows of notices: messages that wait for delivery to subscribers, in the order of what they report."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, select

from formwork.durable import Database
from formwork.stacks.store.statements import add_once
from formwork.stacks.store.tables import notices

_ANNOUNCES = "formwork_announces"  # attribute of a dialect that says whether its database records notices
NOTICE_SECONDS = 24 * 3600.0  # how long a notice is kept: as long as EventBridge tries to deliver one
_ADD = add_once(notices, "id", "created", "busy_until", "content")


class NoticeRecord(Struct, frozen=True):
    """A notice that waits for delivery; the process that took it has it alone until `busy_until`."""

    number: int
    created: float
    busy_until: float
    content: str


def add_notice(connection: Connection, notice: Mapping[str, Any], now: float) -> None:
    """Add a notice unless one with its id exists: the id is derived from what the notice reports."""
    content = json.dumps(notice, separators=(",", ":"), ensure_ascii=False)
    connection.execute(_ADD, {"id": notice["id"], "created": now, "busy_until": 0.0, "content": content})


def announce_events(database: Database) -> None:
    """Enable notices: from now on, events of stacks are also recorded as notices, in the same transaction."""
    setattr(database.engine.dialect, _ANNOUNCES, True)


def announces(connection: Connection) -> bool:
    """Return whether notices are enabled."""
    return bool(getattr(connection.dialect, _ANNOUNCES, False))


def first_notice(connection: Connection) -> NoticeRecord | None:
    """Return the notice to deliver next."""
    row = connection.execute(select(notices).order_by(notices.c.number).limit(1)).one_or_none()
    return None if row is None else NoticeRecord(row.number, row.created, row.busy_until, row.content)


def take_notice(connection: Connection, notice: NoticeRecord, until: float) -> bool:
    """Reserve a notice for this process until a time; return False where another process was faster."""
    where = (notices.c.number == notice.number) & (notices.c.busy_until == notice.busy_until)
    return connection.execute(notices.update().where(where).values(busy_until=until)).rowcount > 0


def release_notices(connection: Connection) -> None:
    """End all reservations: the processes that had them have ended."""
    connection.execute(notices.update().values(busy_until=0.0))


def forget_notices(connection: Connection, before: float) -> None:
    """Delete notices that are too old to deliver."""
    connection.execute(notices.delete().where(notices.c.created < before))


def delete_notice(connection: Connection, number: int) -> None:
    """Delete a notice: it was delivered, or never will be."""
    connection.execute(notices.delete().where(notices.c.number == number))
