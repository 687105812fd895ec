"""Rows of operations and of their steps."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Row, select, text

from formwork.stacks.store.records import Deployment, OperationKind, OperationOptions, OperationRecord
from formwork.stacks.store.statements import select_by, write_whole
from formwork.stacks.store.steps import Phase, StepRecord, StepState, progress_from_json, progress_to_json
from formwork.stacks.store.tables import operations, steps

_KEY = ("operation_id", "phase", "logical_id")
_WRITE_STEP = write_whole(steps, *_KEY, "state", "reason", "progress_json")
_GET_STEP = select_by(steps, *_KEY)
_OWNER = text(
    "SELECT o.owner FROM engine_operation o JOIN engine_stack s ON s.operation_id = o.id"
    " WHERE s.id = :id FOR SHARE OF o"
)
_IS_CANCELLED = text("SELECT cancelled FROM engine_operation WHERE id = :id")


def insert_operation(connection: Connection, operation: OperationRecord, request: str) -> None:
    """Add an operation; `request` is a digest of the request."""
    connection.execute(
        operations.insert().values(
            id=operation.id,
            stack_id=operation.stack_id,
            kind=str(operation.kind),
            token=operation.token,
            request=request,
            started=operation.started,
            target_json=None if operation.target is None else operation.target.to_json(),
            options_json=operation.options.to_json(),
            cancelled=False,
        )
    )


def get_operation(connection: Connection, identifier: str) -> OperationRecord:
    """Return the operation.

    Raises:
        NoResultFound: there is none.
    """
    return _operation(connection.execute(select(operations).where(operations.c.id == identifier)).one())


def find_operation(connection: Connection, identifier: str) -> OperationRecord | None:
    """Return the operation, None where there is none."""
    row = connection.execute(select(operations).where(operations.c.id == identifier)).one_or_none()
    return None if row is None else _operation(row)


def find_by_token(connection: Connection, stack_id: str, token: str) -> tuple[OperationRecord, str] | None:
    """Return the operation that was started with a client request token, and the digest of its request."""
    where = (operations.c.stack_id == stack_id) & (operations.c.token == token)
    row = connection.execute(select(operations).where(where)).one_or_none()
    return None if row is None else (_operation(row), row.request)


def list_deployments(connection: Connection, stack_id: str) -> list[Deployment]:
    """Return the deployments of a stack's operations, failed ones too, the newest first."""
    where = (operations.c.stack_id == stack_id) & operations.c.target_json.is_not(None)
    query = select(operations.c.target_json).where(where).order_by(operations.c.started.desc())
    return [Deployment.from_json(each) for each in connection.execute(query).scalars()]


class OperationSummary(Struct, frozen=True):
    """An operation in a list: what can be read without its deployment."""

    id: str
    kind: OperationKind
    started: float
    ended: float | None


def list_operations(connection: Connection, stack_id: str, limit: int = 50) -> list[OperationSummary]:
    """Return the operations of a stack, the latest first."""
    columns = (operations.c.id, operations.c.kind, operations.c.started, operations.c.ended)
    query = select(*columns).where(operations.c.stack_id == stack_id).order_by(operations.c.started.desc()).limit(limit)
    return [
        OperationSummary(row.id, OperationKind(row.kind), row.started, row.ended) for row in connection.execute(query)
    ]


def list_unended(connection: Connection) -> list[str]:
    """Return the operations that have not ended and that have workflows of their own."""
    unended = operations.c.ended.is_(None) & (operations.c.kind != OperationKind.REFACTOR)
    query = select(operations.c.id).where(unended).order_by(operations.c.started)
    return list(connection.execute(query).scalars())


def list_kinds(connection: Connection, identifiers: list[str]) -> dict[str, OperationKind]:
    """Return the kind of each of these operations."""
    query = select(operations.c.id, operations.c.kind).where(operations.c.id.in_(identifiers))
    return {row.id: OperationKind(row.kind) for row in connection.execute(query)}


def count_nested(connection: Connection, identifier: str, count: int) -> int:
    """Add `count` resources of nested stacks to those that the operation handles; return the new total.

    The row stays locked until the transaction ends.
    """
    options = _locked_options(connection, identifier)
    options = replace(options, nested=options.nested + count)
    _write_options(connection, identifier, options)
    return options.nested


def _locked_options(connection: Connection, identifier: str) -> OperationOptions:
    query = select(operations.c.options_json).where(operations.c.id == identifier).with_for_update()
    return OperationOptions.from_json(connection.execute(query).scalar_one())


def _write_options(connection: Connection, identifier: str, options: OperationOptions) -> None:
    where = operations.c.id == identifier
    connection.execute(operations.update().where(where).values(options_json=options.to_json()))


def end_operation(connection: Connection, identifier: str, time: float, *, unless_cancelled: bool = False) -> bool:
    """Record the end of an operation; with `unless_cancelled` return False where it was cancelled before."""
    where = operations.c.id == identifier
    if unless_cancelled:
        where &= operations.c.cancelled.is_(False)
    return connection.execute(operations.update().where(where).values(ended=time)).rowcount > 0


def cancel_operation(connection: Connection, identifier: str, *, token: str | None = None) -> bool:
    """Record that an operation is to be rolled back soon, and the client's token; return False where it has ended."""
    if token is not None:
        _write_options(connection, identifier, replace(_locked_options(connection, identifier), cancel_token=token))
    where = (operations.c.id == identifier) & operations.c.ended.is_(None)
    return connection.execute(operations.update().where(where).values(cancelled=True)).rowcount > 0


def is_cancelled(connection: Connection, identifier: str) -> bool:
    """Return whether the operation was cancelled."""
    return bool(connection.execute(_IS_CANCELLED, {"id": identifier}).scalar())


def claim_operation(connection: Connection, identifier: str, owner: str) -> None:
    """Record `owner` as the process running the operation, replacing any previous owner."""
    connection.execute(operations.update().where(operations.c.id == identifier).values(owner=owner))


def has_stack(connection: Connection, stack_id: str, owner: str) -> bool:
    """Return whether `owner` runs the stack's operation; this stays so until the transaction ends."""
    return bool(connection.execute(_OWNER, {"id": stack_id}).scalar() == owner)


def write_step(connection: Connection, step: StepRecord) -> None:
    """Add the step, or replace it."""
    connection.execute(
        _WRITE_STEP,
        {
            "operation_id": step.operation_id,
            "phase": str(step.phase),
            "logical_id": step.logical_id,
            "state": str(step.state),
            "reason": step.reason,
            "progress_json": progress_to_json(step.progress),
        },
    )


def get_step(connection: Connection, operation_id: str, phase: Phase, logical_id: str) -> StepRecord | None:
    """Return the step of a phase for a resource, None where it has not begun."""
    key = {"operation_id": operation_id, "phase": str(phase), "logical_id": logical_id}
    row = connection.execute(_GET_STEP, key).one_or_none()
    return None if row is None else _step(row)


def list_steps(connection: Connection, operation_id: str, phase: Phase) -> dict[str, StepRecord]:
    """Return the steps of a phase, by logical id."""
    where = (steps.c.operation_id == operation_id) & (steps.c.phase == str(phase))
    query = select(steps).where(where).order_by(steps.c.logical_id)
    return {row.logical_id: _step(row) for row in connection.execute(query)}


def list_states(connection: Connection, operation_id: str, phase: Phase) -> dict[str, StepState]:
    """Return the state of each step of a phase that has begun, by logical id."""
    where = (steps.c.operation_id == operation_id) & (steps.c.phase == str(phase))
    rows = connection.execute(select(steps.c.logical_id, steps.c.state).where(where))
    return {row.logical_id: StepState(row.state) for row in rows}


def _operation(row: Row[Any]) -> OperationRecord:
    return OperationRecord(
        id=row.id,
        stack_id=row.stack_id,
        kind=OperationKind(row.kind),
        token=row.token,
        started=row.started,
        ended=row.ended,
        target=None if row.target_json is None else Deployment.from_json(row.target_json),
        options=OperationOptions.from_json(row.options_json),
        cancelled=row.cancelled,
    )


def _step(row: Row[Any]) -> StepRecord:
    return StepRecord(
        operation_id=row.operation_id,
        phase=Phase(row.phase),
        logical_id=row.logical_id,
        state=StepState(row.state),
        reason=row.reason,
        progress=progress_from_json(row.progress_json),
    )
