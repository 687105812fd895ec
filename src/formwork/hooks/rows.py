"""Rows of hooks' invocations."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict, replace
from sqlalchemy import Connection, Row, select, text

from formwork.aws.scope import Scope
from formwork.durable.sealed_text import with_seals
from formwork.hooks.asking import HookAnswer
from formwork.hooks.results import HookResult
from formwork.hooks.target import HookTarget, TargetKind
from formwork.stacks.store.statements import add_once, select_by
from formwork.stacks.store.tables import hook_results

_GET = select_by(hook_results, "account", "region", "id")
_ADD = add_once(
    hook_results,
    *("id", "account", "region", "target_kind", "target_id", "type_arn", "status", "reason", "invoked", "more_json"),
)
_END = with_seals(
    text("UPDATE engine_hook_result SET status=:status, reason=:reason, more_json=:more_json WHERE number=:number"),
    hook_results,
)


def add_hook_result(connection: Connection, result: HookResult) -> None:
    """Add an invocation, once."""
    target = result.target
    more = {
        "target": asdict(target),
        "type_name": result.type_name,
        "version": result.version,
        "configuration_version": result.configuration_version,
        "mode": result.mode,
        "annotations": list(result.annotations),
        "about": dict(result.about),
    }
    connection.execute(
        _ADD,
        {
            "id": result.id,
            "account": result.scope.account,
            "region": result.scope.region,
            "target_kind": str(target.kind),
            "target_id": target.listed_as,
            "type_arn": result.type_arn,
            "status": result.status,
            "reason": result.reason,
            "invoked": result.invoked,
            "more_json": json.dumps(more),
        },
    )


def end_hook_result(connection: Connection, scope: Scope, answer: HookAnswer) -> HookResult | None:
    """Store the end of an invocation; return its record, None if it is not found."""
    row = _row(connection, scope, answer.id)
    if row is None:
        return None
    more = {**json.loads(row.more_json), "annotations": list(answer.annotations)}
    values = {"status": answer.status, "reason": answer.reason, "more_json": json.dumps(more), "number": row.number}
    connection.execute(_END, values)
    return replace(_result(row), status=answer.status, reason=answer.reason, annotations=tuple(answer.annotations))


def get_hook_result(connection: Connection, scope: Scope, identifier: str) -> HookResult | None:
    """Return the invocation with an id."""
    row = _row(connection, scope, identifier)
    return None if row is None else _result(row)


def list_hook_results(  # noqa: PLR0913 - the filters of the operation
    connection: Connection,
    scope: Scope,
    *,
    target: tuple[TargetKind, str] | None = None,
    type_arn: str | None = None,
    status: str | None = None,
    since: float = 0.0,
    before: int | None = None,
    limit: int = 100,
) -> list[tuple[int, HookResult]]:
    """Return invocations with their numbers, the newest first; a page starts below the number `before`."""
    query = select(hook_results).where(_here(scope), hook_results.c.invoked >= since)
    if target is not None:
        query = query.where(hook_results.c.target_kind == str(target[0]), hook_results.c.target_id == target[1])
    if type_arn is not None:
        query = query.where(hook_results.c.type_arn == type_arn)
    if status is not None:
        query = query.where(hook_results.c.status == status)
    if before is not None:
        query = query.where(hook_results.c.number < before)
    rows = connection.execute(query.order_by(hook_results.c.number.desc()).limit(limit))
    return [(row.number, _result(row)) for row in rows]


def forget_hook_results(connection: Connection, before: float) -> None:
    """Delete the invocations before a time, which are no longer listed."""
    connection.execute(hook_results.delete().where(hook_results.c.invoked < before))


def _row(connection: Connection, scope: Scope, identifier: str) -> Row[Any] | None:
    key = {"account": scope.account, "region": scope.region, "id": identifier}
    return connection.execute(_GET, key).one_or_none()


def _here(scope: Scope) -> Any:
    return (hook_results.c.account == scope.account) & (hook_results.c.region == scope.region)


def _result(row: Row[Any]) -> HookResult:
    more: Mapping[str, Any] = json.loads(row.more_json)
    target = more["target"]
    return HookResult(
        id=row.id,
        scope=Scope(row.account, row.region),
        target=HookTarget(**{**target, "kind": TargetKind(target["kind"])}),
        type_name=more["type_name"],
        type_arn=row.type_arn,
        version=more["version"],
        configuration_version=more["configuration_version"],
        mode=more["mode"],
        status=row.status,
        reason=row.reason,
        invoked=row.invoked,
        annotations=tuple(more["annotations"]),
        about=more["about"],
    )
