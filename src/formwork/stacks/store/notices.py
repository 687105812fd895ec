"""Rows of notices: what is still to be delivered to whoever listens, in the order in which it happened."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from formwork.durable import Database
from formwork.stacks.store.statements import add_once
from formwork.stacks.store.tables import notices

_ANNOUNCES = "formwork_announces"  # where a dialect has whether its database's events become notices
NOTICE_SECONDS = 24 * 3600.0  # for how long a notice is of use: as long as EventBridge tries to deliver one
_ADD = add_once(notices, "id", "created", "busy_until", "content")


@dataclass(frozen=True, slots=True)
class NoticeRecord:
    """A notice that waits; nobody else delivers it before `busy_until`."""

    number: int
    created: float
    busy_until: float
    content: str


def add_notice(connection: Connection, notice: Mapping[str, Any], now: float) -> None:
    """Add a notice, once: its id says what it tells of."""
    content = json.dumps(notice, separators=(",", ":"), ensure_ascii=False)
    connection.execute(_ADD, {"id": notice["id"], "created": now, "busy_until": 0.0, "content": content})


def announce_events(database: Database) -> None:
    """Have what is written of stacks become notices, in the same transaction."""
    setattr(database.engine.dialect, _ANNOUNCES, True)


def announces(connection: Connection) -> bool:
    """Whether what is written of stacks becomes notices."""
    return bool(getattr(connection.dialect, _ANNOUNCES, False))


def first_notice(connection: Connection) -> NoticeRecord | None:
    """The notice that is to be delivered before all others."""
    row = connection.execute(select(notices).order_by(notices.c.number).limit(1)).one_or_none()
    return None if row is None else NoticeRecord(row.number, row.created, row.busy_until, row.content)


def take_notice(connection: Connection, notice: NoticeRecord, until: float) -> bool:
    """Have it for oneself until a time; False where another process was faster."""
    where = (notices.c.number == notice.number) & (notices.c.busy_until == notice.busy_until)
    return connection.execute(notices.update().where(where).values(busy_until=until)).rowcount > 0


def release_notices(connection: Connection) -> None:
    """Nobody delivers any: whoever did is no more."""
    connection.execute(notices.update().values(busy_until=0.0))


def forget_notices(connection: Connection, before: float) -> None:
    """Forget those of which nobody wants to know any more."""
    connection.execute(notices.delete().where(notices.c.created < before))


def delete_notice(connection: Connection, number: int) -> None:
    """It was delivered, or never will be."""
    connection.execute(notices.delete().where(notices.c.number == number))
