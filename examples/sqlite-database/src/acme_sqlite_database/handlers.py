"""The handlers of Acme::SQLite::Database.

Creating and updating are chains of steps: apply the settings, then settle what SQLite may have to wait or work for, in
an invocation of its own. A file that another process has locked is tried again for a minute.
"""

import os
import tempfile
from collections.abc import MutableMapping
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
from cloudformation_cli_python_lib.chain import Chain, Constant, Progress

from .failures import RefusedError, answering_failures, failed, is_locked
from .folder import DEFAULTS, DataFolder, Properties
from .models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel

TYPE_NAME = "Acme::SQLite::Database"
READ_ONLY = ("Arn", "CreatedAt")
CREATE_ONLY = ("DatabaseName", "PageSize")
# Small on purpose: three databases make two pages, so that the contract tests turn them.
PAGE = 2
PATIENCE = Constant(1, timeout=60)

resource = Resource(TYPE_NAME, ResourceModel, TypeConfigurationModel)
test_entrypoint = resource.test_entrypoint


@resource.handler(Action.CREATE)
@answering_failures
def create_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Make the file, then settle its journal."""
    folder, model = _folder(request), request.desiredResourceState
    wanted = _properties(request)
    if given := [name for name in READ_ONLY if name in wanted]:
        raise RefusedError(HandlerErrorCode.InvalidRequest, f"{' and '.join(given)} cannot be set")
    # The token is the same in every invocation, and so is the name that is made of it.
    name = model.DatabaseName = model.DatabaseName or _made_up_name(request)

    def make(arn: str, folder: DataFolder) -> None:
        token, system_tags = request.clientRequestToken, dict(request.systemTags or {})
        folder.create(name, wanted, arn=arn, token=token, system_tags=system_tags)

    # A checkpoint after each call: a process that dies knows what it made when it is asked again.
    chain = Chain(model, callback_context, checkpoint=True)
    return (
        chain.initiate("make", folder)
        .request(lambda _model: _arn(request, name))
        .call(make)
        .handle_error(lambda error, _step: failed(request, error))
        .progress()
        .then(lambda _progress: _settle(chain, folder, name, request))
        .then(lambda _progress: _success(folder.get(name)))
    )


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
    """Apply the settings; rewrite the file in an invocation of its own where SQLite has to."""
    folder, wanted = _folder(request), _properties(request)
    name = request.desiredResourceState.DatabaseName = _name(folder, request)
    current = folder.get(name)
    for each in (*CREATE_ONLY, *READ_ONLY):
        if each in wanted and wanted[each] != current[each]:
            raise RefusedError(
                HandlerErrorCode.NotUpdatable, f"{each} is {current[each]} for good; it cannot become {wanted[each]}"
            )
    chain = Chain(request.desiredResourceState, callback_context, checkpoint=True)
    return (
        chain.initiate("apply", folder)
        .request(lambda _model: wanted)
        .call(lambda settings, folder: folder.update(name, settings))
        .retry_if(lambda error, _step: is_locked(error))
        .backoff(PATIENCE)
        .handle_error(lambda error, _step: failed(request, error))
        .progress()
        .then(lambda _progress: _settle(chain, folder, name, request))
        .then(lambda _progress: _success(folder.get(name)))
    )


def _settle(chain: Chain[ResourceModel], folder: DataFolder, name: str, request: ResourceHandlerRequest) -> Progress:
    """Switch the journal mode, and rewrite the file where that is due."""
    return (
        chain.initiate("settle", folder)
        .request(lambda model: model.JournalMode or DEFAULTS["JournalMode"])
        .call(lambda mode, folder: folder.settle(name, mode))
        .keep(lambda _settled: None)
        .retry_if(lambda error, _step: is_locked(error))
        .backoff(PATIENCE)
        .handle_error(lambda error, _step: failed(request, error))
        .progress()
    )


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


def _arn(request: ResourceHandlerRequest, name: str) -> str:
    return f"arn:{request.awsPartition}:acme-sqlite:{request.region}:{request.awsAccountId}:database/{name}"


def _made_up_name(request: ResourceHandlerRequest) -> str:
    made_up = identifier_utils.generate_resource_identifier(
        request.stackId or "local", request.logicalResourceIdentifier or "database", request.clientRequestToken, 60
    )
    return f"db-{made_up.lower().strip('-')}"


def _success(database: Properties) -> ProgressEvent:
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=ResourceModel._deserialize(database))
