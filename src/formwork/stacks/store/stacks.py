"""Rows of stacks."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row, func, select

from formwork.aws.scope import Scope
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.records import Deployment, StackRecord, StackSettings
from formwork.stacks.store.tables import aliases, stacks


def insert_stack(connection: Connection, stack: StackRecord) -> None:
    """Add a stack.

    Raises:
        IntegrityError: a stack with its name exists and is not deleted.
    """
    connection.execute(
        stacks.insert().values(
            id=stack.id,
            account=stack.scope.account,
            region=stack.scope.region,
            name=stack.name,
            live=True,
            created=stack.created,
            **_columns(stack),
        )
    )


def write_stack(connection: Connection, stack: StackRecord) -> None:
    """Update the columns of a stack that can change; with a time of deletion its name becomes free."""
    values = {**_columns(stack), "live": None if stack.deleted is not None else True}
    connection.execute(stacks.update().where(stacks.c.id == stack.id).values(**values))


def get_stack(connection: Connection, identifier: str) -> StackRecord | None:
    """Return the stack with this id (the last part of its ARN), deleted or not."""
    row = connection.execute(select(stacks).where(stacks.c.id == identifier)).one_or_none()
    return None if row is None else _record(row)


def find_stack(connection: Connection, scope: Scope, name_or_arn: str) -> StackRecord | None:
    """Return a stack by its name or alias unless it is deleted, or by its ARN even if it is."""
    here = (stacks.c.account == scope.account) & (stacks.c.region == scope.region)
    if name_or_arn.startswith("arn:"):
        found = stacks.c.id == name_or_arn.rpartition("/")[2]
    else:
        aliased = select(aliases.c.stack_id).where(
            aliases.c.account == scope.account, aliases.c.region == scope.region, aliases.c.alias == name_or_arn
        )
        found = ((stacks.c.name == name_or_arn) | stacks.c.id.in_(aliased)) & stacks.c.live.is_(True)
    row = connection.execute(select(stacks).where(here & found)).one_or_none()
    return None if row is None else _record(row)


def list_stacks(connection: Connection, scope: Scope, *, deleted: bool) -> list[StackRecord]:
    """Return the stacks of an account and Region, the newest first."""
    query = select(stacks).where(stacks.c.account == scope.account, stacks.c.region == scope.region)
    if not deleted:
        query = query.where(stacks.c.live.is_(True))
    return [_record(row) for row in connection.execute(query.order_by(stacks.c.created.desc(), stacks.c.id))]


class StackSummary(Struct, frozen=True, kw_only=True):
    """A stack in a list of all accounts and Regions: what can be read without its deployment."""

    id: str
    scope: Scope
    name: str
    status: StackStatus
    reason: str | None
    created: float
    updated: float | None
    deleted: float | None
    drift_status: str


def list_summaries(
    connection: Connection, *, account: str | None, containing: str, deleted: bool, limit: int
) -> list[StackSummary]:
    """Return stacks of an account, or of all, whose names contain a text in any case; the latest changed first."""
    changed = func.coalesce(stacks.c.deleted, stacks.c.updated, stacks.c.created)
    names = ("id", "account", "region", "name", "status", "reason", "created", "updated", "deleted", "drift_status")
    query = select(*(stacks.c[each] for each in names)).order_by(changed.desc(), stacks.c.id).limit(limit)
    if account is not None:
        query = query.where(stacks.c.account == account)
    if containing:
        query = query.where(func.lower(stacks.c.name).contains(containing.lower(), autoescape=True))
    if not deleted:
        query = query.where(stacks.c.live.is_(True))
    return [
        StackSummary(
            id=row.id,
            scope=Scope(row.account, row.region),
            name=row.name,
            status=StackStatus(row.status),
            reason=row.reason,
            created=row.created,
            updated=row.updated,
            deleted=row.deleted,
            drift_status=row.drift_status,
        )
        for row in connection.execute(query)
    ]


def count_stacks(connection: Connection, scope: Scope) -> int:
    """Return how many stacks an account has in a Region, deleted ones excepted."""
    here = (stacks.c.account == scope.account) & (stacks.c.region == scope.region) & stacks.c.live.is_(True)
    return int(connection.execute(select(func.count()).select_from(stacks).where(here)).scalar_one())


def _columns(stack: StackRecord) -> dict[str, Any]:
    return {
        "status": str(stack.status),
        "reason": stack.reason,
        "updated": stack.updated,
        "deleted": stack.deleted,
        "settings_json": stack.settings.to_json(),
        "deployed_json": None if stack.deployed is None else stack.deployed.to_json(),
        "outputs_json": json.dumps(stack.outputs),
        "policy": stack.policy,
        "drift_status": stack.drift_status,
        "drift_checked": stack.drift_checked,
        "operation_id": stack.operation_id,
    }


def _record(row: Row[Any]) -> StackRecord:
    outputs: Mapping[str, list[str | None]] = json.loads(row.outputs_json)
    return StackRecord(
        id=row.id,
        scope=Scope(row.account, row.region),
        name=row.name,
        status=StackStatus(row.status),
        reason=row.reason,
        created=row.created,
        updated=row.updated,
        deleted=row.deleted,
        settings=StackSettings.from_json(row.settings_json),
        deployed=None if row.deployed_json is None else Deployment.from_json(row.deployed_json),
        outputs=outputs,
        policy=row.policy,
        drift_status=row.drift_status,
        drift_checked=row.drift_checked,
        operation_id=row.operation_id,
    )
