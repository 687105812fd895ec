"""Rows of Cloud Control's requests."""

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row, select

from formwork.aws.scope import Scope
from formwork.stacks.store.request_stages import RequestEnded, RequestStage, stage_from_value, stage_to_value
from formwork.stacks.store.tables import requests

ENDED = frozenset({"SUCCESS", "FAILED", "CANCEL_COMPLETE"})


class RequestRecord(Struct, frozen=True, kw_only=True):
    """A request: CREATE, UPDATE or DELETE of a resource outside any stack.

    `request` is a digest of the request; `version` is the type's, None for its default. `hooks_token` is what the
    hooks' answers about it are listed under, None where no hook was called.
    """

    token: str
    scope: Scope
    type: str
    operation: str
    status: str
    request: str
    began: float
    updated: float
    stage: RequestStage
    version: str | None = None
    hooks_token: str | None = None
    identifier: str | None = None
    client_token: str | None = None
    error_code: str | None = None
    message: str | None = None

    @property
    def ended(self) -> bool:
        """Whether the request has ended."""
        return self.status in ENDED

    @property
    def due(self) -> float:
        """When the request is to be continued, in seconds since the epoch."""
        return 0.0 if isinstance(self.stage, RequestEnded) else self.stage.due


def insert_request(connection: Connection, request: RequestRecord) -> None:
    """Add the request.

    Raises:
        IntegrityError: another one has its client token.
    """
    connection.execute(
        requests.insert().values(
            token=request.token,
            account=request.scope.account,
            region=request.scope.region,
            type=request.type,
            operation=request.operation,
            client_token=request.client_token,
            request=request.request,
            **_columns(request),
        )
    )


def write_request(connection: Connection, request: RequestRecord) -> None:
    """Update the columns of a request that can change."""
    connection.execute(requests.update().where(requests.c.token == request.token).values(**_columns(request)))


def get_request(connection: Connection, token: str) -> RequestRecord | None:
    """Return the request, None where there is none."""
    row = connection.execute(select(requests).where(requests.c.token == token)).one_or_none()
    return None if row is None else _record(row)


def find_by_client_token(connection: Connection, scope: Scope, client_token: str) -> RequestRecord | None:
    """Return the request that was started with a client token."""
    where = _here(scope) & (requests.c.client_token == client_token)
    row = connection.execute(select(requests).where(where)).one_or_none()
    return None if row is None else _record(row)


def release_client_token(connection: Connection, scope: Scope, client_token: str) -> None:
    """Detach a client token from its request, so that it can be used again."""
    where = _here(scope) & (requests.c.client_token == client_token)
    connection.execute(requests.update().where(where).values(client_token=None))


def list_requests(  # noqa: PLR0913 - the filters of the operation
    connection: Connection,
    scope: Scope,
    *,
    since: float = 0.0,
    operations: Sequence[str] = (),
    statuses: Sequence[str] = (),
    start: int = 0,
    limit: int = 100,
) -> list[RequestRecord]:
    """Return the requests of an account and Region that changed `since` a time, the newest first."""
    query = select(requests).where(_here(scope), requests.c.updated >= since)
    if operations:
        query = query.where(requests.c.operation.in_(operations))
    if statuses:
        query = query.where(requests.c.status.in_(statuses))
    query = query.order_by(requests.c.updated.desc(), requests.c.token).offset(start).limit(limit)
    return [_record(row) for row in connection.execute(query)]


def list_running(connection: Connection) -> list[str]:
    """Return the tokens of the requests that have not ended."""
    query = select(requests.c.token).where(requests.c.status.in_(["PENDING", "IN_PROGRESS", "CANCEL_IN_PROGRESS"]))
    return list(connection.execute(query).scalars())


def forget_requests(connection: Connection, before: float) -> None:
    """Delete requests that ended before a time, which clients can no longer query."""
    ended = requests.c.status.in_(["SUCCESS", "FAILED", "CANCEL_COMPLETE"])
    connection.execute(requests.delete().where(ended, requests.c.updated < before))


def is_busy(connection: Connection, scope: Scope, type_name: str, identifier: str) -> bool:
    """Return whether a request works on the resource."""
    query = select(requests.c.token).where(
        _here(scope),
        requests.c.type == type_name,
        requests.c.identifier == identifier,
        requests.c.status.in_(["PENDING", "IN_PROGRESS", "CANCEL_IN_PROGRESS"]),
    )
    return connection.execute(query.limit(1)).one_or_none() is not None


def _here(scope: Scope) -> Any:
    return (requests.c.account == scope.account) & (requests.c.region == scope.region)


def _columns(request: RequestRecord) -> dict[str, Any]:
    kept = {"began": request.began, "version": request.version, "hooks_token": request.hooks_token}
    return {
        "status": request.status,
        "identifier": request.identifier,
        "error_code": request.error_code,
        "message": request.message,
        "updated": request.updated,
        "progress_json": json.dumps({**stage_to_value(request.stage), **kept}),
    }


def _record(row: Row[Any]) -> RequestRecord:
    stored = json.loads(row.progress_json)
    return RequestRecord(
        token=row.token,
        scope=Scope(row.account, row.region),
        type=row.type,
        operation=row.operation,
        status=row.status,
        request=row.request,
        updated=row.updated,
        identifier=row.identifier,
        client_token=row.client_token,
        error_code=row.error_code,
        message=row.message,
        began=stored.get("began", row.updated),
        version=stored.get("version"),
        hooks_token=stored.get("hooks_token"),
        stage=stage_from_value(stored),
    )
