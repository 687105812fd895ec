"""The handlers of Acme::SQLite::Database.

A database is made in two steps: the file, then its journal mode, which SQLite may have to wait for. The first answers
IN_PROGRESS, and so does an update that has to rewrite the file.
"""

import functools
import os
import sqlite3
import tempfile
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

from cloudformation_cli_python_lib import (
    Action,
    HandlerErrorCode,
    OperationStatus,
    ProgressEvent,
    Resource,
    SessionProxy,
    identifier_utils,
)

from .folder import (
    DEFAULTS,
    DatabaseExistsError,
    DatabaseInUseError,
    DataFolder,
    NoSuchDatabaseError,
    Properties,
)
from .models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel

TYPE_NAME = "Acme::SQLite::Database"
READ_ONLY = ("Arn", "CreatedAt")
CREATE_ONLY = ("DatabaseName", "PageSize")
WRITE_ONLY = ("AccessKey",)
# Small on purpose: three databases make two pages, so that the contract tests turn them.
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
    """Turn what goes wrong into a FAILED event that names the database, as the contract wants every event to."""

    @functools.wraps(handler)
    def run(
        session: SessionProxy | None, request: ResourceHandlerRequest, context: MutableMapping[str, Any]
    ) -> ProgressEvent:
        try:
            return handler(session, request, context)
        except RefusedError as error:
            return _failed(request, error.code, str(error))
        except NoSuchDatabaseError as error:
            return _failed(request, HandlerErrorCode.NotFound, f"there is no database {error}")
        except DatabaseExistsError as error:
            return _failed(request, HandlerErrorCode.AlreadyExists, f"a database {error} exists already")
        except DatabaseInUseError as error:
            return _failed(request, HandlerErrorCode.InvalidRequest, f"the database still holds tables: {error}")
        except sqlite3.DatabaseError as error:
            return _failed(request, _code_of(error), f"SQLite refused: {error}")

    return run


@resource.handler(Action.CREATE)
@answering_failures
def create_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Make the file, then switch its journal mode."""
    folder, wanted = _folder(request), _properties(request)
    if callback_context:
        return _success(folder.settle(wanted["DatabaseName"], callback_context["journal_mode"]))
    if given := [name for name in READ_ONLY if name in wanted]:
        raise RefusedError(HandlerErrorCode.InvalidRequest, f"{' and '.join(given)} cannot be set")
    name = wanted.get("DatabaseName") or _made_up_name(request)
    arn = f"arn:{request.awsPartition}:acme-sqlite:{request.region}:{request.awsAccountId}:database/{name}"
    token, system_tags = request.clientRequestToken, dict(request.systemTags or {})
    made = folder.create(name, wanted, arn=arn, token=token, system_tags=system_tags)
    return _in_progress(made, journal_mode=wanted.get("JournalMode", DEFAULTS["JournalMode"]))


@resource.handler(Action.READ)
@answering_failures
def read_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Ask SQLite for the database's settings."""
    folder = _folder(request)
    return _success(folder.get(_name(folder, request)))


@resource.handler(Action.UPDATE)
@answering_failures
def update_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Apply the settings; rewrite the file in a call of its own where SQLite has to."""
    folder, wanted = _folder(request), _properties(request)
    name = _name(folder, request)
    if callback_context:
        return _success(folder.settle(name, callback_context["journal_mode"]))
    current = folder.get(name)
    for each in (*CREATE_ONLY, *READ_ONLY):
        if each in wanted and wanted[each] != current[each]:
            raise RefusedError(
                HandlerErrorCode.NotUpdatable, f"{each} is {current[each]} for good; it cannot become {wanted[each]}"
            )
    if folder.update(name, wanted):
        return _in_progress(folder.get(name), journal_mode=wanted.get("JournalMode", DEFAULTS["JournalMode"]))
    return _success(folder.get(name))


@resource.handler(Action.DELETE)
@answering_failures
def delete_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Remove the file, unless it still holds tables."""
    folder = _folder(request)
    folder.delete(_name(folder, request))
    return ProgressEvent(status=OperationStatus.SUCCESS)


@resource.handler(Action.LIST)
@answering_failures
def list_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """A page of names; the token is the last name of the page before."""
    rest = [name for name in _folder(request).names() if name > (request.nextToken or "")]
    page = rest[:PAGE]
    return ProgressEvent(
        status=OperationStatus.SUCCESS,
        resourceModels=[ResourceModel._deserialize({"DatabaseName": name}) for name in page],
        nextToken=page[-1] if len(rest) > PAGE else None,
    )


def _folder(request: ResourceHandlerRequest) -> DataFolder:
    configured = request.typeConfiguration.DataFolder if request.typeConfiguration else None
    path = configured or os.environ.get("SQLITE_DATA_FOLDER")
    return DataFolder(Path(path) if path else Path(tempfile.gettempdir()) / "acme-sqlite")


def _properties(request: ResourceHandlerRequest) -> Properties:
    return dict(request.desiredResourceState._serialize())


def _name(folder: DataFolder, request: ResourceHandlerRequest) -> str:
    """The name that the request identifies its database by: the name itself or the Arn."""
    wanted = _properties(request)
    if name := wanted.get("DatabaseName"):
        return str(name)
    if arn := wanted.get("Arn"):
        return folder.name_of(arn)
    raise RefusedError(HandlerErrorCode.NotFound, "neither a DatabaseName nor an Arn says which database is meant")


def _made_up_name(request: ResourceHandlerRequest) -> str:
    made_up = identifier_utils.generate_resource_identifier(
        request.stackId or "local", request.logicalResourceIdentifier or "database", request.clientRequestToken, 60
    )
    return f"db-{made_up.lower().strip('-')}"


def _success(database: Properties) -> ProgressEvent:
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=ResourceModel._deserialize(database))


def _in_progress(database: Properties, **context: Any) -> ProgressEvent:
    model = ResourceModel._deserialize(database)
    return ProgressEvent(status=OperationStatus.IN_PROGRESS, resourceModel=model, callbackContext=context)


def _failed(request: ResourceHandlerRequest, code: HandlerErrorCode, message: str) -> ProgressEvent:
    event = ProgressEvent.failed(code, message)
    shown = {name: value for name, value in _properties(request).items() if name not in WRITE_ONLY}
    if "DatabaseName" in shown:
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
        case _:
            return HandlerErrorCode.GeneralServiceException
