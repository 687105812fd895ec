"""What an AWS service's error means as a handler error code.

botocore raises ClientError with the service's own code and the HTTP status; both are read by shape, so that botocore
need not be imported. Codes are matched by their conventions (`ThrottlingException`, `NoSuchBucket`,
`ResourceNotFoundException`, …) and by name where they follow none; the status decides what is left, as the guide's
framework does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .interface import HandlerErrorCode

_Code = HandlerErrorCode

_BY_NAME: Mapping[HandlerErrorCode, frozenset[str]] = {
    _Code.Throttling: frozenset(
        (
            "BandwidthLimitExceeded",
            "PriorRequestNotComplete",
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "SlowDown",
            "TooManyRequestsException",
            "TransactionInProgressException",
        )
    ),
    _Code.InvalidCredentials: frozenset(
        (
            "AuthFailure",
            "ExpiredToken",
            "ExpiredTokenException",
            "IncompleteSignature",
            "InvalidAccessKeyId",
            "InvalidClientTokenId",
            "InvalidSignatureException",
            "InvalidToken",
            "MissingAuthenticationToken",
            "MissingAuthenticationTokenException",
            "RequestExpired",
            "SignatureDoesNotMatch",
            "UnrecognizedClientException",
        )
    ),
    _Code.AccessDenied: frozenset(
        (
            "AuthorizationError",
            "Forbidden",
            "NotAuthorized",
            "OptInRequired",
            "UnauthorizedException",
            "UnauthorizedOperation",
        )
    ),
    _Code.AlreadyExists: frozenset(("BucketAlreadyOwnedByYou", "ResourceExistsException")),
    _Code.ResourceConflict: frozenset(
        (
            "ConflictException",
            "DeleteConflict",
            "DependencyViolation",
            "IncorrectInstanceState",
            "IncorrectState",
            "InvalidStateException",
            "OperationAborted",
            "OperationInProgressException",
            "ResourceConflictException",
            "ResourceInUse",
            "ResourceInUseException",
        )
    ),
    _Code.ServiceInternalError: frozenset(
        (
            "InternalError",
            "InternalFailure",
            "InternalServerError",
            "InternalServerException",
            "ServiceUnavailable",
        )
    ),
    _Code.InvalidRequest: frozenset(("MalformedPolicyDocument", "ValidationError", "ValidationException")),
}
_BY_PART: tuple[tuple[str, HandlerErrorCode], ...] = (
    ("Throttl", _Code.Throttling),
    ("AccessDenied", _Code.AccessDenied),
    ("AlreadyExist", _Code.AlreadyExists),
    (".Duplicate", _Code.AlreadyExists),
    ("NotFound", _Code.NotFound),
    ("NoSuch", _Code.NotFound),
    ("NonExistent", _Code.NotFound),
    ("DoesNotExist", _Code.NotFound),
    ("ConcurrentModification", _Code.ResourceConflict),
    ("LimitExceeded", _Code.ServiceLimitExceeded),
    ("QuotaExceeded", _Code.ServiceLimitExceeded),
    ("InvalidParameter", _Code.InvalidRequest),
)
_BY_STATUS: Mapping[int, HandlerErrorCode] = {
    400: _Code.InvalidRequest,
    401: _Code.AccessDenied,
    403: _Code.AccessDenied,
    404: _Code.NotFound,
    409: _Code.ResourceConflict,
    410: _Code.NotFound,
    429: _Code.Throttling,
    503: _Code.Throttling,
    511: _Code.AccessDenied,
}
_BOTOCORE_CLASSES: Mapping[str, HandlerErrorCode] = {
    "NoCredentialsError": _Code.InvalidCredentials,
    "PartialCredentialsError": _Code.InvalidCredentials,
    "ParamValidationError": _Code.InvalidRequest,
    "ConnectionError": _Code.NetworkFailure,
    "HTTPClientError": _Code.NetworkFailure,
}


def service_error_code(error: BaseException) -> str | None:
    """The service's own code of a ClientError, such as "ResourceInUseException"; None for any other exception."""
    response = getattr(error, "response", None)
    if not isinstance(response, Mapping) or not isinstance(response.get("Error"), Mapping):
        return None
    return str(response["Error"].get("Code", ""))


def handler_error_code(error: BaseException) -> HandlerErrorCode | None:
    """The handler error code for an error of botocore's, or None if it is not one."""
    code = service_error_code(error)
    if code is not None:
        return _by_code(code) or _by_status(error)
    for cls in type(error).__mro__:
        if cls.__module__ == "botocore.exceptions" and cls.__name__ in _BOTOCORE_CLASSES:
            return _BOTOCORE_CLASSES[cls.__name__]
    return None


def http_status(error: BaseException) -> int | None:
    """The HTTP status of a ClientError, or None."""
    response: Any = getattr(error, "response", None)
    metadata = response.get("ResponseMetadata") if isinstance(response, Mapping) else None
    status = metadata.get("HTTPStatusCode") if isinstance(metadata, Mapping) else None
    return status if isinstance(status, int) else None


def _by_code(code: str) -> HandlerErrorCode | None:
    for meaning, names in _BY_NAME.items():
        if code in names:
            return meaning
    return next((meaning for part, meaning in _BY_PART if part in code), None)


def _by_status(error: BaseException) -> HandlerErrorCode:
    status = http_status(error) or 0
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return _Code.ServiceInternalError if status >= 500 else _Code.GeneralServiceException
