"""Rows of resources, and of physical resources that wait for their removal."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, select, text

from formwork.aws.scope import Scope
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.records import CUSTOM_TYPE, ResourceRecord, stack_arn
from formwork.stacks.store.statements import select_by, write_whole
from formwork.stacks.store.tables import leftovers, resources, stacks

_KEY = ("stack_id", "logical_id")
_COLUMNS = (
    *("type", "physical_id", "status", "reason", "updated", "declaration_json", "properties_json", "model_json"),
    *("module_json", "version"),
)
_GET = select_by(resources, *_KEY)
_IS_CUSTOM = f"(type LIKE 'Custom::%' OR type = '{CUSTOM_TYPE}')"
_LIST_CUSTOM = text(
    f"SELECT * FROM engine_resource WHERE stack_id = :stack_id AND {_IS_CUSTOM}"  # noqa: S608 - our own names
).columns(*resources.columns)
_WRITE = write_whole(resources, *_KEY, *_COLUMNS, first=("drift_status",))


def write_resource(connection: Connection, stack_id: str, resource: ResourceRecord) -> None:
    """Add the resource, or replace it."""
    connection.execute(
        _WRITE,
        {
            "stack_id": stack_id,
            "logical_id": resource.logical_id,
            "type": resource.type,
            "physical_id": resource.physical_id,
            "status": str(resource.status),
            "reason": resource.reason,
            "updated": resource.updated,
            "declaration_json": json.dumps(resource.declaration),
            "properties_json": json.dumps(resource.properties),
            "model_json": json.dumps(resource.model),
            "module_json": None if resource.module is None else json.dumps(resource.module),
            "version": resource.version,
            "drift_status": "NOT_CHECKED",
        },
    )


def get_resource(connection: Connection, stack_id: str, logical_id: str) -> ResourceRecord | None:
    """Return the resource, None if it is not found."""
    row = connection.execute(_GET, {"stack_id": stack_id, "logical_id": logical_id}).one_or_none()
    return None if row is None else _record(row)


def list_resources(connection: Connection, stack_id: str) -> dict[str, ResourceRecord]:
    """Return the resources of a stack by logical id."""
    query = select(resources).where(resources.c.stack_id == stack_id).order_by(resources.c.logical_id)
    return {row.logical_id: _record(row) for row in connection.execute(query)}


def list_physical_ids(connection: Connection, stack_id: str, type_name: str) -> dict[str, str]:
    """Return the physical ids of a stack's resources of a type, by logical id; without those that have none."""
    columns = (resources.c.logical_id, resources.c.physical_id)
    where = (resources.c.stack_id == stack_id) & (resources.c.type == type_name) & resources.c.physical_id.is_not(None)
    return {row.logical_id: row.physical_id for row in connection.execute(select(*columns).where(where))}


def list_custom_resources(connection: Connection, stack_id: str) -> list[ResourceRecord]:
    """Return the custom resources of a stack."""
    return [_record(row) for row in connection.execute(_LIST_CUSTOM, {"stack_id": stack_id})]


def is_custom(type_name: str) -> bool:
    """Return whether resources of a type are custom resources."""
    return type_name == CUSTOM_TYPE or type_name.startswith("Custom::")


def find_owner(connection: Connection, scope: Scope, type_name: str, physical_id: str) -> str | None:
    """Return the ARN of the stack that a physical resource belongs to, None where it belongs to none."""
    where = (resources.c.type == type_name) & (resources.c.physical_id == physical_id) & stacks.c.live.is_(True)
    here = (stacks.c.account == scope.account) & (stacks.c.region == scope.region)
    query = select(stacks.c.name, stacks.c.id).join(resources, resources.c.stack_id == stacks.c.id).where(where & here)
    row = connection.execute(query.limit(1)).one_or_none()
    return None if row is None else stack_arn(scope, row.name, row.id)


def find_declared(
    connection: Connection, account: str, type_name: str, physical_id: str
) -> tuple[str, Mapping[str, Any]] | None:
    """Return the Region of the account's stack that has a physical resource, and its model; None if no stack has it."""
    where = (resources.c.type == type_name) & (resources.c.physical_id == physical_id)
    query = select(stacks.c.region, resources.c.model_json).join(resources, resources.c.stack_id == stacks.c.id)
    query = query.where(where, stacks.c.account == account, stacks.c.live.is_(True)).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.region, json.loads(row.model_json))


def delete_resource(connection: Connection, stack_id: str, logical_id: str) -> None:
    """Delete the row of the resource."""
    connection.execute(resources.delete().where(resources.c.stack_id == stack_id, resources.c.logical_id == logical_id))


def write_leftover(connection: Connection, stack_id: str, key: str, number: int, resource: ResourceRecord) -> None:
    """Record a physical resource to remove, in place of an earlier one under the key."""
    delete_leftover(connection, key)
    connection.execute(
        leftovers.insert().values(
            id=key, stack_id=stack_id, logical_id=resource.logical_id, number=number, resource_json=resource.to_json()
        )
    )


def get_leftover(connection: Connection, key: str) -> ResourceRecord | None:
    """Return the physical resource that is recorded under a key."""
    text = connection.execute(select(leftovers.c.resource_json).where(leftovers.c.id == key)).scalar()
    return None if text is None else ResourceRecord.from_json(text)


def list_leftovers(connection: Connection, stack_id: str) -> dict[str, ResourceRecord]:
    """Return the physical resources to remove, by key, in the order of removal."""
    query = (
        select(leftovers).where(leftovers.c.stack_id == stack_id).order_by(leftovers.c.number.desc(), leftovers.c.id)
    )
    return {row.id: ResourceRecord.from_json(row.resource_json) for row in connection.execute(query)}


def delete_leftover(connection: Connection, key: str) -> None:
    """Delete the record of a physical resource, which was removed or is to be kept."""
    connection.execute(leftovers.delete().where(leftovers.c.id == key))


def _record(row: Row[Any]) -> ResourceRecord:
    return ResourceRecord(
        row.logical_id,
        row.type,
        ResourceStatus(row.status),
        json.loads(row.declaration_json),
        json.loads(row.properties_json),
        physical_id=row.physical_id,
        reason=row.reason,
        updated=row.updated,
        model=json.loads(row.model_json),
        module=None if row.module_json is None else json.loads(row.module_json),
        version=row.version,
    )
