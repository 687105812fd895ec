"""Rows of signals that programs send for resources."""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, Row, select

from formwork.stacks.store.tables import signals

SUCCESS, FAILURE = "SUCCESS", "FAILURE"
EXPECTED = "EXPECTED"  # the status of an answer that was not received yet


class SignalRecord(Struct, frozen=True):
    """A signal of a resource; two with one `unique_id` count once."""

    stack_id: str
    logical_id: str
    unique_id: str
    status: str
    time: float
    reason: str | None = None
    data: str | None = None

    @property
    def succeeded(self) -> bool:
        """Whether it reports success."""
        return self.status == SUCCESS


def write_signal(connection: Connection, signal: SignalRecord) -> None:
    """Add the signal, in place of an earlier one under its id."""
    where = _of(signal.stack_id, signal.logical_id) & (signals.c.unique_id == signal.unique_id)
    connection.execute(signals.delete().where(where))
    connection.execute(signals.insert().values(**asdict(signal)))


def find_signal(connection: Connection, stack_id: str, logical_id: str, unique_id: str) -> SignalRecord | None:
    """Return the signal under an id, None if none was received."""
    where = _of(stack_id, logical_id) & (signals.c.unique_id == unique_id)
    row = connection.execute(select(signals).where(where)).one_or_none()
    return None if row is None else _record(row)


def list_signals(connection: Connection, stack_id: str, logical_id: str, *, since: float = 0.0) -> list[SignalRecord]:
    """Return the signals of a resource, the first one first."""
    where = _of(stack_id, logical_id) & (signals.c.time >= since)
    return [_record(row) for row in connection.execute(select(signals).where(where).order_by(signals.c.number))]


def delete_signals(connection: Connection, stack_id: str, logical_id: str) -> None:
    """Delete the signals of a resource."""
    connection.execute(signals.delete().where(_of(stack_id, logical_id)))


def _of(stack_id: str, logical_id: str) -> Any:
    return (signals.c.stack_id == stack_id) & (signals.c.logical_id == logical_id)


def _record(row: Row[Any]) -> SignalRecord:
    return SignalRecord(row.stack_id, row.logical_id, row.unique_id, row.status, row.time, row.reason, row.data)
