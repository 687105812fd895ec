"""Rows of change sets."""

from typing import Any

from sqlalchemy import Connection, Row, select

from formwork.stacks.store.records import ChangeSetRecord, ChangeSetRequest, Deployment
from formwork.stacks.store.tables import change_sets


def write_change_set(connection: Connection, change_set: ChangeSetRecord) -> None:
    """Add the change set, or replace it.

    Raises:
        IntegrityError: its stack has another one of its name.
    """
    values = {
        "status": change_set.status,
        "execution_status": change_set.execution_status,
        "reason": change_set.reason,
        "created": change_set.created,
        "kind": change_set.kind,
        "request_json": change_set.request.to_json(),
        "target_json": None if change_set.target is None else change_set.target.to_json(),
        "changes_json": change_set.changes,
    }
    where = change_sets.c.id == change_set.id
    if connection.execute(change_sets.update().where(where).values(**values)).rowcount == 0:
        connection.execute(
            change_sets.insert().values(id=change_set.id, stack_id=change_set.stack_id, name=change_set.name, **values)
        )


def find_change_set(connection: Connection, name_or_arn: str, stack_id: str | None) -> ChangeSetRecord | None:
    """Return a change set by its ARN, or by its name in a stack."""
    if name_or_arn.startswith("arn:"):
        where = change_sets.c.id == name_or_arn.rpartition("/")[2]
    else:
        where = (change_sets.c.name == name_or_arn) & (change_sets.c.stack_id == stack_id)
    row = connection.execute(select(change_sets).where(where)).one_or_none()
    return None if row is None else _record(row)


def get_change_set(connection: Connection, identifier: str) -> ChangeSetRecord | None:
    """Return the change set with this id (the last part of its ARN)."""
    row = connection.execute(select(change_sets).where(change_sets.c.id == identifier)).one_or_none()
    return None if row is None else _record(row)


def list_unanswered(connection: Connection) -> list[str]:
    """Return the ids of the change sets that hooks have not answered about."""
    query = select(change_sets.c.id).where(change_sets.c.status == "CREATE_IN_PROGRESS")
    return list(connection.execute(query).scalars())


def list_change_sets(connection: Connection, stack_id: str) -> list[ChangeSetRecord]:
    """Return the change sets of a stack, the oldest first."""
    query = select(change_sets).where(change_sets.c.stack_id == stack_id).order_by(change_sets.c.created)
    return [_record(row) for row in connection.execute(query)]


def end_change_set(connection: Connection, arn: str, *, succeeded: bool) -> None:
    """Record how the execution of a change set has ended, unless it was deleted meanwhile."""
    status = "EXECUTE_COMPLETE" if succeeded else "EXECUTE_FAILED"
    where = change_sets.c.id == arn.rpartition("/")[2]
    connection.execute(change_sets.update().where(where).values(execution_status=status))


def make_obsolete(connection: Connection, stack_id: str) -> None:
    """Mark the change sets that could be executed as obsolete: the stack has changed without them."""
    where = (change_sets.c.stack_id == stack_id) & (change_sets.c.execution_status == "AVAILABLE")
    connection.execute(change_sets.update().where(where).values(execution_status="OBSOLETE"))


def delete_change_set(connection: Connection, identifier: str) -> None:
    """Delete the change set."""
    connection.execute(change_sets.delete().where(change_sets.c.id == identifier))


def _record(row: Row[Any]) -> ChangeSetRecord:
    return ChangeSetRecord(
        id=row.id,
        stack_id=row.stack_id,
        name=row.name,
        status=row.status,
        execution_status=row.execution_status,
        reason=row.reason,
        created=row.created,
        kind=row.kind,
        request=ChangeSetRequest.from_json(row.request_json),
        target=None if row.target_json is None else Deployment.from_json(row.target_json),
        changes=row.changes_json,
    )
