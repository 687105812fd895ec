"""What goes wrong, as FAILED events that name the bundle: the contract wants the identifier in every event."""

import functools
from collections.abc import Callable, MutableMapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from cloudformation_cli_python_lib import HandlerErrorCode, ProgressEvent, SessionProxy

from .models import ResourceHandlerRequest, ResourceModel
from .store import BundleExistsError, NoSuchBundleError

WRITE_ONLY = ("Secret",)
# What the services' error codes mean to CloudFormation; only some are worth another try.
CODES = {
    "AccessDenied": HandlerErrorCode.AccessDenied,
    "AccessDeniedException": HandlerErrorCode.AccessDenied,
    "ExpiredToken": HandlerErrorCode.InvalidCredentials,
    "ExpiredTokenException": HandlerErrorCode.InvalidCredentials,
    "InvalidAccessKeyId": HandlerErrorCode.InvalidCredentials,
    "InvalidNextToken": HandlerErrorCode.InvalidRequest,
    "ParameterLimitExceeded": HandlerErrorCode.ServiceLimitExceeded,
    "ParameterMaxVersionLimitExceeded": HandlerErrorCode.ServiceLimitExceeded,
    "SlowDown": HandlerErrorCode.Throttling,
    "ThrottlingException": HandlerErrorCode.Throttling,
    "TooManyTagsError": HandlerErrorCode.InvalidRequest,
    "TooManyUpdates": HandlerErrorCode.ResourceConflict,
    "UnrecognizedClientException": HandlerErrorCode.InvalidCredentials,
    "ValidationException": HandlerErrorCode.InvalidRequest,
}

Handler = Callable[[SessionProxy | None, ResourceHandlerRequest, MutableMapping[str, Any]], ProgressEvent]


class RefusedError(Exception):
    """A request that cannot be granted."""

    def __init__(self, code: HandlerErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def answering_failures(handler: Handler) -> Handler:
    """Return a handler that answers with what it raises; unexpected errors are left to the library."""

    @functools.wraps(handler)
    def run(
        session: SessionProxy | None, request: ResourceHandlerRequest, context: MutableMapping[str, Any]
    ) -> ProgressEvent:
        try:
            return handler(session, request, context)
        except (RefusedError, NoSuchBundleError, BundleExistsError, ClientError, BotoCoreError) as error:
            return _failed(request, error)

    return run


def _failed(request: ResourceHandlerRequest, error: Exception) -> ProgressEvent:
    code, message = _judge(error)
    event = ProgressEvent.failed(code, message)
    shown = {name: value for name, value in request.desiredResourceState._serialize().items() if name not in WRITE_ONLY}
    if "BundleName" in shown:
        event.resourceModel = ResourceModel._deserialize(shown)
    return event


def _judge(error: Exception) -> tuple[HandlerErrorCode, str]:
    match error:
        case RefusedError():
            return error.code, str(error)
        case NoSuchBundleError():
            return HandlerErrorCode.NotFound, f"there is no bundle {error}"
        case BundleExistsError():
            return HandlerErrorCode.AlreadyExists, f"a bundle {error} exists already"
        case ClientError():
            return _code_of(error), str(error)
        case BotoCoreError():
            return HandlerErrorCode.NetworkFailure, str(error)
        case _:
            raise error


def _code_of(error: ClientError) -> HandlerErrorCode:
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    otherwise = HandlerErrorCode.ServiceInternalError if status >= 500 else HandlerErrorCode.GeneralServiceException
    return CODES.get(error.response["Error"]["Code"], otherwise)
