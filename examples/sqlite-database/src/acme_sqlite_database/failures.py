"""What goes wrong, as FAILED events that name the database: the contract wants the identifier in every event."""

import functools
import sqlite3
from collections.abc import Callable, MutableMapping
from typing import Any

from cloudformation_cli_python_lib import HandlerErrorCode, ProgressEvent, SessionProxy

from .folder import DatabaseExistsError, DatabaseInUseError, NoSuchDatabaseError
from .models import ResourceHandlerRequest, ResourceModel

WRITE_ONLY = ("AccessKey",)

Handler = Callable[[SessionProxy | None, ResourceHandlerRequest, MutableMapping[str, Any]], ProgressEvent]


class RefusedError(Exception):
    """A request that cannot be granted."""

    def __init__(self, code: HandlerErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def answering_failures(handler: Handler) -> Handler:
    """A handler that answers with what it raises."""

    @functools.wraps(handler)
    def run(
        session: SessionProxy | None, request: ResourceHandlerRequest, context: MutableMapping[str, Any]
    ) -> ProgressEvent:
        try:
            return handler(session, request, context)
        except Exception as error:  # noqa: BLE001 - what is not foreseen is raised again
            return failed(request, error)

    return run


def failed(request: ResourceHandlerRequest, error: Exception) -> ProgressEvent:
    """Return the event for an exception; an unexpected one is raised again, and the library reports it."""
    code, message = _judge(error)
    event = ProgressEvent.failed(code, message)
    shown = {name: value for name, value in request.desiredResourceState._serialize().items() if name not in WRITE_ONLY}
    if "DatabaseName" in shown:
        event.resourceModel = ResourceModel._deserialize(shown)
    return event


def is_locked(error: Exception) -> bool:
    """Return whether another process is writing to the file, which is worth another try."""
    busy = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return isinstance(error, sqlite3.DatabaseError) and error.sqlite_errorcode & 0xFF in busy


def _judge(error: Exception) -> tuple[HandlerErrorCode, str]:
    match error:
        case RefusedError():
            return error.code, str(error)
        case NoSuchDatabaseError():
            return HandlerErrorCode.NotFound, f"there is no database {error}"
        case DatabaseExistsError():
            return HandlerErrorCode.AlreadyExists, f"a database {error} exists already"
        case DatabaseInUseError():
            return HandlerErrorCode.InvalidRequest, f"the database still holds tables: {error}"
        case sqlite3.DatabaseError():
            return _code_of(error), f"SQLite refused: {error}"
        case _:
            raise error


def _code_of(error: sqlite3.DatabaseError) -> HandlerErrorCode:
    """What SQLite's own error code means to CloudFormation; only a conflict is worth another try."""
    if is_locked(error):
        return HandlerErrorCode.ResourceConflict
    match error.sqlite_errorcode & 0xFF:  # the low byte; the rest tells variants apart
        case sqlite3.SQLITE_FULL:
            return HandlerErrorCode.ServiceLimitExceeded
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return HandlerErrorCode.AccessDenied
        case _:
            return HandlerErrorCode.GeneralServiceException
