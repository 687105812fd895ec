"""The handlers of Initech::TPS::Report.

Creating and deleting take two calls each, as with a service that needs its time: a report is filed, then approved; it
is taken out, then shredded. Between the two the handlers answer IN_PROGRESS, and the callback context says what is
next.
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
    exceptions,
)

from .cabinet import SECOND_COPY, Cabinet, NoSuchReportError, Report
from .models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel

TYPE_NAME = "Initech::TPS::Report"
READ_ONLY = ("TPSCode", "ApprovalDate")
# Small on purpose: three reports make two pages, so that the contract tests turn them.
PAGE = 2

resource = Resource(TYPE_NAME, ResourceModel, TypeConfigurationModel)
test_entrypoint = resource.test_entrypoint


@resource.handler(Action.CREATE)
def create_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """File the report, then have it approved."""
    cabinet, wanted = _cabinet(request), _properties(request)
    if callback_context:
        return _success(cabinet.approve(wanted["TPSCode"]))
    if given := [name for name in READ_ONLY if name in wanted]:
        raise exceptions.InvalidRequest(f"{' and '.join(given)} cannot be set; the cabinet gives it")
    return _in_progress(cabinet.file(wanted, token=request.clientRequestToken), {"next": "approve"})


@resource.handler(Action.READ)
def read_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Look the report up."""
    try:
        return _success(_cabinet(request).get(_code(request)))
    except NoSuchReportError:
        return _not_found(request)


@resource.handler(Action.UPDATE)
def update_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Replace the report as a whole: what the request leaves out is gone or back at its default."""
    try:
        return _success(_cabinet(request).replace(_code(request), _properties(request)))
    except NoSuchReportError:
        return _not_found(request)


@resource.handler(Action.DELETE)
def delete_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Take the report out of the cabinet, then shred it."""
    cabinet, code = _cabinet(request), _code(request)
    if callback_context:
        cabinet.shred(code)
        return ProgressEvent(status=OperationStatus.SUCCESS)
    try:
        cabinet.discard(code)
    except NoSuchReportError:
        return _not_found(request)
    return _in_progress({"TPSCode": code}, {"next": "shred"})


@resource.handler(Action.LIST)
def list_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """A page of report numbers; the token is the last number of the page before."""
    rest = [code for code in _cabinet(request).codes() if code > (request.nextToken or "")]
    page = rest[:PAGE]
    return ProgressEvent(
        status=OperationStatus.SUCCESS,
        resourceModels=[ResourceModel._deserialize({"TPSCode": code}) for code in page],
        nextToken=page[-1] if len(rest) > PAGE else None,
    )


def _cabinet(request: ResourceHandlerRequest) -> Cabinet:
    configured = request.typeConfiguration.Folder if request.typeConfiguration else None
    folder = configured or os.environ.get("TPS_CABINET")
    return Cabinet(Path(folder) if folder else Path(tempfile.gettempdir()) / "initech-tps-reports")


def _properties(request: ResourceHandlerRequest) -> Report:
    return dict(request.desiredResourceState._serialize())


def _code(request: ResourceHandlerRequest) -> str:
    code = _properties(request).get("TPSCode")
    if not code:
        raise exceptions.NotFound(TYPE_NAME, "(no TPSCode was given)")
    return str(code)


def _success(report: Report) -> ProgressEvent:
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=ResourceModel._deserialize(report))


def _in_progress(report: Report, context: dict[str, Any]) -> ProgressEvent:
    model = ResourceModel._deserialize(report)
    return ProgressEvent(status=OperationStatus.IN_PROGRESS, resourceModel=model, callbackContext=context)


def _not_found(request: ResourceHandlerRequest) -> ProgressEvent:
    # The contract wants the identifier in every answer of a mutation, failures too; what is write-only stays out of it.
    report = {name: value for name, value in _properties(request).items() if name != SECOND_COPY}
    return ProgressEvent(
        status=OperationStatus.FAILED,
        errorCode=HandlerErrorCode.NotFound,
        message=f"there is no report {report['TPSCode']} in the cabinet",
        resourceModel=ResourceModel._deserialize(report),
    )
