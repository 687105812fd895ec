"""Rows of stack refactors."""

import json
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, or_, select

from formwork.aws.scope import Scope
from formwork.stack_refactors.records import (
    RUNNING,
    CreationStatus,
    ExecutionStatus,
    StackRefactor,
    refactor_from_value,
)
from formwork.stack_refactors.tables import refactors
from formwork.stacks.store.stacks import get_stack


def insert_refactor(connection: Connection, refactor: StackRefactor) -> None:
    """Add a refactor."""
    fixed = {"id": refactor.id, "created": refactor.created}
    place = {"account": refactor.scope.account, "region": refactor.scope.region}
    connection.execute(refactors.insert().values(**fixed, **place, **_changing(refactor)))


def write_refactor(connection: Connection, refactor: StackRefactor) -> None:
    """Replace a refactor."""
    connection.execute(refactors.update().where(refactors.c.id == refactor.id).values(**_changing(refactor)))


def get_refactor(connection: Connection, identifier: str, *, locked: bool = False) -> StackRefactor | None:
    """Return a refactor, None if it is not found; `locked` until the transaction ends."""
    query = select(refactors.c.refactor_json).where(refactors.c.id == identifier)
    text = connection.execute(query.with_for_update() if locked else query).scalar()
    return None if text is None else refactor_from_value(json.loads(text))


def list_refactors(connection: Connection, scope: Scope) -> list[StackRefactor]:
    """Return the refactors of an account and Region, the newest first."""
    query = select(refactors.c.refactor_json).where(
        refactors.c.account == scope.account, refactors.c.region == scope.region
    )
    query = query.order_by(refactors.c.created.desc(), refactors.c.id)
    return [refactor_from_value(json.loads(text)) for text in connection.execute(query).scalars()]


def list_unended_refactors(connection: Connection) -> tuple[list[str], list[str]]:
    """Return the ids of the refactors that are not validated yet, and of those that are being executed."""
    under_way = or_(refactors.c.status == CreationStatus.IN_PROGRESS, refactors.c.execution_status.in_(RUNNING))
    query = select(refactors.c.id, refactors.c.status).where(under_way).order_by(refactors.c.created)
    rows = connection.execute(query).all()
    creating = [row.id for row in rows if row.status == CreationStatus.IN_PROGRESS]
    return creating, [row.id for row in rows if row.status != CreationStatus.IN_PROGRESS]


def as_seen(connection: Connection, refactor: StackRefactor) -> StackRefactor:
    """Return the refactor; it is obsolete once an operation has changed one of its stacks."""
    waits = {ExecutionStatus.AVAILABLE, ExecutionStatus.UNAVAILABLE}
    if refactor.status is CreationStatus.IN_PROGRESS or refactor.execution_status not in waits:
        return refactor
    for each in refactor.stacks:
        stack = get_stack(connection, each.id)
        unknown = stack is None and refactor.execution_status is ExecutionStatus.UNAVAILABLE  # it was never created
        if not unknown and (stack is None or stack.operation_id != each.operation):
            reason = f"{each.arn(refactor.scope)}: Stack was updated."
            return replace(refactor, execution_status=ExecutionStatus.OBSOLETE, execution_reason=reason)
    return refactor


def _changing(refactor: StackRefactor) -> dict[str, Any]:
    return {
        "status": str(refactor.status),
        "execution_status": str(refactor.execution_status),
        "refactor_json": json.dumps(refactor.to_value()),
    }
