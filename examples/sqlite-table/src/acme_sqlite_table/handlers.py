"""The handlers of Acme::SQLite::Table.

Making and dropping a table is quick. Changing its columns may mean to copy all its rows: the update then answers
IN_PROGRESS after every batch, and its callback context contains the progress.
"""

import functools
import os
import sqlite3
import tempfile
from collections.abc import Callable, MutableMapping
from itertools import islice
from pathlib import Path
from typing import Any

from cloudformation_cli_python_lib import (
    Action,
    HandlerErrorCode,
    OperationStatus,
    ProgressEvent,
    Resource,
    SessionProxy,
)

from .definition import Properties
from .models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel
from .store import NoSuchTableError, TableExistsError, TableId, TableStore, WrongKeyError

TYPE_NAME = "Acme::SQLite::Table"
IDENTIFIER = ("DatabaseName", "TableName")
READ_ONLY = ("Arn", "CreatedAt", "RowCount")
WRITE_ONLY = ("AccessKey",)
REBUILT = ("Columns", "Indexes", "Tags")
# Small on purpose: three tables make two pages, so that the contract tests turn them.
PAGE = 2

Handler = Callable[[SessionProxy | None, ResourceHandlerRequest, MutableMapping[str, Any]], ProgressEvent]

resource = Resource(TYPE_NAME, ResourceModel, TypeConfigurationModel)
test_entrypoint = resource.test_entrypoint


class RefusedError(Exception):
    """A request that cannot be granted."""

    def __init__(self, code: HandlerErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def answering_failures(handler: Handler) -> Handler:
    """Turn what goes wrong into a FAILED event that names the table, as the contract wants every event to."""

    @functools.wraps(handler)
    def run(
        session: SessionProxy | None, request: ResourceHandlerRequest, context: MutableMapping[str, Any]
    ) -> ProgressEvent:
        try:
            return handler(session, request, context)
        except RefusedError as error:
            return _failed(request, error.code, str(error))
        except NoSuchTableError as error:
            return _failed(request, HandlerErrorCode.NotFound, f"there is no table {error}")
        except TableExistsError as error:
            return _failed(request, HandlerErrorCode.AlreadyExists, f"a table {error} exists already")
        except WrongKeyError as error:
            message = f"the AccessKey is not the one of the database {error}"
            return _failed(request, HandlerErrorCode.AccessDenied, message)
        except sqlite3.DatabaseError as error:
            return _failed(request, _code_of(error), f"SQLite refused: {error}")

    return run


@resource.handler(Action.CREATE)
@answering_failures
def create_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Make the table with its indexes in one transaction."""
    store, wanted = _store(request), _properties(request)
    if given := [name for name in READ_ONLY if name in wanted]:
        raise RefusedError(HandlerErrorCode.InvalidRequest, f"{' and '.join(given)} cannot be set")
    which = TableId(wanted["DatabaseName"], wanted["TableName"])
    place = f"{request.awsPartition}:acme-sqlite:{request.region}:{request.awsAccountId}"
    arn = f"arn:{place}:table/{which.database}/{which.table}"
    token, system_tags = request.clientRequestToken, dict(request.systemTags or {})
    store.create(which, wanted, arn=arn, token=token, system_tags=system_tags)
    return _success(store.get(which))


@resource.handler(Action.READ)
@answering_failures
def read_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Ask SQLite what the table looks like."""
    store = _store(request)
    return _success(store.get(_table(store, request)))


@resource.handler(Action.UPDATE)
@answering_failures
def update_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Alter the table, or copy its rows into a new one, a batch a call."""
    store, wanted = _store(request), _properties(request)
    which = _table(store, request)
    if callback_context:
        return _copied(store, which, store.go_on(which, callback_context["copied"]))
    current = store.get(which)
    for each in (*IDENTIFIER, "PrimaryKey", "Arn", "CreatedAt"):
        if each in wanted and wanted[each] != current.get(each):
            raise RefusedError(
                HandlerErrorCode.NotUpdatable, f"{each} is {current.get(each)} for good, not {wanted[each]}"
            )
    if store.update(which, wanted):
        return _in_progress(store.get(which), copied=-1)
    return _success(store.get(which))


@resource.handler(Action.DELETE)
@answering_failures
def delete_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Drop the table."""
    store = _store(request)
    store.delete(_table(store, request))
    return ProgressEvent(status=OperationStatus.SUCCESS)


@resource.handler(Action.LIST)
@answering_failures
def list_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """A page of tables; the token is the last one of the page before."""
    last = TableId(*request.nextToken.split("/", 1)) if request.nextToken else TableId("", "")
    rest = list(islice((which for which in _store(request).ids() if which > last), PAGE + 1))
    page = rest[:PAGE]
    return ProgressEvent(
        status=OperationStatus.SUCCESS,
        resourceModels=[
            ResourceModel._deserialize({"DatabaseName": which.database, "TableName": which.table}) for which in page
        ],
        nextToken=f"{page[-1].database}/{page[-1].table}" if len(rest) > PAGE else None,
    )


def _store(request: ResourceHandlerRequest) -> TableStore:
    configured = request.typeConfiguration.DataFolder if request.typeConfiguration else None
    path = configured or os.environ.get("SQLITE_DATA_FOLDER")
    return TableStore(Path(path) if path else Path(tempfile.gettempdir()) / "acme-sqlite")


def _properties(request: ResourceHandlerRequest) -> Properties:
    return dict(request.desiredResourceState._serialize())


def _table(store: TableStore, request: ResourceHandlerRequest) -> TableId:
    """Which table the request is about: by the two names or by the Arn."""
    wanted = _properties(request)
    if all(name in wanted for name in IDENTIFIER):
        return TableId(wanted["DatabaseName"], wanted["TableName"])
    if arn := wanted.get("Arn"):
        return store.id_of(arn)
    raise RefusedError(HandlerErrorCode.NotFound, "neither the two names nor an Arn say which table is meant")


def _copied(store: TableStore, which: TableId, last: int | None) -> ProgressEvent:
    return _success(store.get(which)) if last is None else _in_progress(store.get(which), copied=last)


def _success(table: Properties) -> ProgressEvent:
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=ResourceModel._deserialize(table))


def _in_progress(table: Properties, **context: Any) -> ProgressEvent:
    # Columns, indexes and tags change together at the end; an IN_PROGRESS model holds what is settled so far.
    settled = {name: value for name, value in table.items() if name not in REBUILT}
    model = ResourceModel._deserialize(settled)
    return ProgressEvent(status=OperationStatus.IN_PROGRESS, resourceModel=model, callbackContext=context)


def _failed(request: ResourceHandlerRequest, code: HandlerErrorCode, message: str) -> ProgressEvent:
    event = ProgressEvent.failed(code, message)
    shown = {name: value for name, value in _properties(request).items() if name not in WRITE_ONLY}
    if all(name in shown for name in IDENTIFIER):
        event.resourceModel = ResourceModel._deserialize(shown)
    return event


def _code_of(error: sqlite3.DatabaseError) -> HandlerErrorCode:
    """What SQLite's own error code means to CloudFormation; only a conflict is worth another try."""
    match error.sqlite_errorcode & 0xFF:  # the low byte; the rest tells variants apart
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return HandlerErrorCode.ResourceConflict
        case sqlite3.SQLITE_FULL:
            return HandlerErrorCode.ServiceLimitExceeded
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return HandlerErrorCode.AccessDenied
        case sqlite3.SQLITE_ERROR | sqlite3.SQLITE_CONSTRAINT:
            return HandlerErrorCode.InvalidRequest
        case _:
            return HandlerErrorCode.GeneralServiceException
