"""Rows of stack sets, their instances and their operations."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, select

from formwork.aws.scope import Scope
from formwork.documents.copied import as_json_value
from formwork.stack_sets.preferences import Preferences
from formwork.stack_sets.records import (
    Definition,
    Instance,
    Result,
    SetOperation,
    SetOperationAction,
    SetOperationStatus,
    StackSetRecord,
)
from formwork.stack_sets.tables import instances, operations, results, stack_sets

# -- stack sets


def insert_stack_set(connection: Connection, record: StackSetRecord) -> None:
    """Add a new stack set.

    Raises:
        IntegrityError: one of its name lives.
    """
    connection.execute(
        stack_sets.insert().values(
            id=record.id,
            account=record.scope.account,
            region=record.scope.region,
            name=record.name,
            live=True,
            created=record.created,
            token=record.token,
            request=record.request,
            **_columns(record),
        )
    )


def write_stack_set(connection: Connection, record: StackSetRecord) -> None:
    """Replace what may change of a stack set; one with a time of deletion no longer has its name."""
    live = None if record.deleted is not None else True
    where = stack_sets.c.id == record.id
    connection.execute(stack_sets.update().where(where).values(**_columns(record), live=live))


def find_stack_set(
    connection: Connection, scope: Scope, name_or_id: str, *, lock: bool = False
) -> StackSetRecord | None:
    """Return a stack set as clients name it: by its ARN or its id also one that is deleted, by its name one that lives.

    With `lock` others of this kind wait for the transaction's end, where the database knows such a thing.
    """
    here = (stack_sets.c.account == scope.account) & (stack_sets.c.region == scope.region)
    name, _, identifier = name_or_id.rpartition("/")[2].partition(":")
    if identifier:
        found = (stack_sets.c.id == identifier) & (stack_sets.c.name == name)
    else:
        found = (stack_sets.c.name == name) & stack_sets.c.live.is_(True)
    query = select(stack_sets).where(here & found)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return None if row is None else _stack_set(row)


def get_stack_set(connection: Connection, identifier: str) -> StackSetRecord:
    """Return the stack set with this id."""
    return _stack_set(connection.execute(select(stack_sets).where(stack_sets.c.id == identifier)).one())


def find_stack_set_by_id(connection: Connection, identifier: str) -> StackSetRecord | None:
    """Return the stack set with this id (without its name), None where there is none or it is deleted."""
    where = (stack_sets.c.id == identifier) & stack_sets.c.live.is_(True)
    row = connection.execute(select(stack_sets).where(where)).one_or_none()
    return None if row is None else _stack_set(row)


def list_live_stack_sets(connection: Connection, account: str | None) -> list[StackSetRecord]:
    """Return the stack sets of an account, or of all, in the order of their names; without deleted ones."""
    query = select(stack_sets).where(stack_sets.c.live.is_(True)).order_by(stack_sets.c.name, stack_sets.c.id)
    if account is not None:
        query = query.where(stack_sets.c.account == account)
    return [_stack_set(row) for row in connection.execute(query)]


def list_stack_sets(connection: Connection, scope: Scope) -> list[StackSetRecord]:
    """Return the stack sets of an account and Region, deleted ones too, the oldest first."""
    query = select(stack_sets).where(stack_sets.c.account == scope.account, stack_sets.c.region == scope.region)
    return [_stack_set(row) for row in connection.execute(query.order_by(stack_sets.c.created, stack_sets.c.id))]


# -- instances


def write_instance(connection: Connection, stack_set_id: str, instance: Instance) -> None:
    """Add an instance, or replace it."""
    where = _instance(stack_set_id, instance.account, instance.region)
    text = instance.to_json()
    if connection.execute(instances.update().where(where).values(instance_json=text)).rowcount == 0:
        connection.execute(
            instances.insert().values(
                stack_set_id=stack_set_id, account=instance.account, region=instance.region, instance_json=text
            )
        )


def delete_instance(connection: Connection, stack_set_id: str, account: str, region: str) -> None:
    """Delete an instance's record."""
    connection.execute(instances.delete().where(_instance(stack_set_id, account, region)))


def get_instance(connection: Connection, stack_set_id: str, account: str, region: str) -> Instance | None:
    """Return an instance, None if there is none in that account and Region."""
    query = select(instances.c.instance_json).where(_instance(stack_set_id, account, region))
    text = connection.execute(query).scalar_one_or_none()
    return None if text is None else Instance.from_json(text)


def list_instances(connection: Connection, stack_set_id: str) -> list[Instance]:
    """Return the instances of a stack set."""
    query = select(instances.c.instance_json).where(instances.c.stack_set_id == stack_set_id)
    found = connection.execute(query.order_by(instances.c.account, instances.c.region)).scalars()
    return [Instance.from_json(text) for text in found]


def is_instance(connection: Connection, scope: Scope, stack_id: str) -> bool:
    """Return whether a stack is an instance of some stack set already."""
    query = select(instances.c.instance_json).where(
        instances.c.account == scope.account, instances.c.region == scope.region
    )
    return any(Instance.from_json(text).stack_id == stack_id for text in connection.execute(query).scalars())


# -- operations


def insert_operation(connection: Connection, operation: SetOperation, targets: Iterable[Result]) -> int:
    """Add an operation with its targets; return its number."""
    number = connection.execute(
        operations.insert().values(
            stack_set_id=operation.stack_set_id,
            id=operation.id,
            started=operation.started,
            request=operation.request,
            **_operation_columns(operation),
        )
    ).inserted_primary_key
    assert number is not None
    rows = [
        {"operation": number[0], "place": place, "result_json": each.to_json()} for place, each in enumerate(targets)
    ]
    if rows:
        connection.execute(results.insert(), rows)
    return int(number[0])


def write_operation(connection: Connection, operation: SetOperation) -> None:
    """Replace what may change of an operation."""
    where = operations.c.number == operation.number
    connection.execute(operations.update().where(where).values(**_operation_columns(operation)))


def get_operation(connection: Connection, number: int) -> SetOperation:
    """Return the operation with this number."""
    return _operation(connection.execute(select(operations).where(operations.c.number == number)).one())


def list_operations(connection: Connection, stack_set_id: str) -> list[SetOperation]:
    """Return the operations of a stack set, the newest first."""
    query = select(operations).where(operations.c.stack_set_id == stack_set_id)
    return [_operation(row) for row in connection.execute(query.order_by(operations.c.number.desc()))]


def list_running(connection: Connection) -> list[int]:
    """Return the operations of all stack sets that have begun and not ended."""
    running = [str(SetOperationStatus.RUNNING), str(SetOperationStatus.STOPPING)]
    query = select(operations.c.number).where(operations.c.status.in_(running))
    return list(connection.execute(query.order_by(operations.c.number)).scalars())


def write_result(connection: Connection, number: int, place: int, result: Result) -> None:
    """Replace how far an operation is with one of its targets."""
    where = (results.c.operation == number) & (results.c.place == place)
    connection.execute(results.update().where(where).values(result_json=result.to_json()))


def list_results(connection: Connection, number: int) -> list[Result]:
    """Return how far an operation is with each target, in the order in which it goes through them."""
    query = select(results.c.result_json).where(results.c.operation == number).order_by(results.c.place)
    return [Result.from_json(text) for text in connection.execute(query).scalars()]


# -- inside


def _instance(stack_set_id: str, account: str, region: str) -> Any:
    return (
        (instances.c.stack_set_id == stack_set_id) & (instances.c.account == account) & (instances.c.region == region)
    )


def _columns(record: StackSetRecord) -> dict[str, Any]:
    return {
        "deleted": record.deleted,
        "definition_json": record.definition.to_json(),
        "drift_json": None if record.drift is None else json.dumps(record.drift),
    }


def _stack_set(row: Row[Any]) -> StackSetRecord:
    return StackSetRecord(
        id=row.id,
        scope=Scope(row.account, row.region),
        name=row.name,
        created=row.created,
        deleted=row.deleted,
        definition=Definition.from_json(row.definition_json),
        drift=None if row.drift_json is None else json.loads(row.drift_json),
        token=row.token,
        request=row.request,
    )


def _operation_columns(operation: SetOperation) -> dict[str, Any]:
    more = {
        "preferences": as_json_value(operation.preferences),
        "retain": operation.retain,
        "imports": operation.imports,
        "reason": operation.reason,
        "drift": operation.drift,
    }
    return {
        "action": str(operation.action),
        "status": str(operation.status),
        "ended": operation.ended,
        "more_json": json.dumps(more),
    }


def _operation(row: Row[Any]) -> SetOperation:
    more = json.loads(row.more_json)
    return SetOperation(
        number=row.number,
        stack_set_id=row.stack_set_id,
        id=row.id,
        action=SetOperationAction(row.action),
        status=SetOperationStatus(row.status),
        started=row.started,
        ended=row.ended,
        request=row.request,
        **{**more, "preferences": Preferences(**more["preferences"])},
    )
