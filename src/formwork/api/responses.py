"""Responses of the API, and its errors in the form that the client's protocol has."""

import json
from typing import Any

from msgspec import Struct, field

from formwork.api.signature import AuthError, AuthProblem
from formwork.api.wire import ApiError, Protocol, Service, render_json_error, render_query_error
from formwork.durable.failing import storage_problem

# Codes of refused signatures, as CloudFormation (query) and Cloud Control (JSON) have them.
_QUERY_CODES = {
    AuthProblem.MISSING: ("MissingAuthenticationToken", 403),
    AuthProblem.INCOMPLETE: ("IncompleteSignature", 400),
    AuthProblem.UNKNOWN_KEY: ("InvalidClientTokenId", 403),
    AuthProblem.MISMATCH: ("SignatureDoesNotMatch", 403),
    AuthProblem.EXPIRED: ("SignatureDoesNotMatch", 403),
}
_JSON_CODES = {
    AuthProblem.MISSING: ("MissingAuthenticationTokenException", 400),
    AuthProblem.INCOMPLETE: ("IncompleteSignatureException", 400),
    AuthProblem.UNKNOWN_KEY: ("UnrecognizedClientException", 400),
    AuthProblem.MISMATCH: ("InvalidSignatureException", 400),
    AuthProblem.EXPIRED: ("InvalidSignatureException", 400),
}
_S3_CODES = {
    AuthProblem.MISSING: ("AccessDenied", 403),
    AuthProblem.INCOMPLETE: ("AuthorizationHeaderMalformed", 400),
    AuthProblem.UNKNOWN_KEY: ("InvalidAccessKeyId", 403),
    AuthProblem.MISMATCH: ("SignatureDoesNotMatch", 403),
    AuthProblem.EXPIRED: ("RequestTimeTooSkewed", 403),
}


class ApiResponse(Struct, frozen=True):
    """A response of the API: status, body and headers."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def query_auth_error(error: AuthError) -> ApiError:
    """Return the error of a query service for a refused signature."""
    code, status = _QUERY_CODES[error.problem]
    return ApiError(code, error.message, status=status)


def json_auth_error(error: AuthError) -> ApiError:
    """Return the error of a JSON service for a refused signature."""
    code, status = _JSON_CODES[error.problem]
    return ApiError(code, error.message, status=status)


def s3_auth_error(error: AuthError) -> ApiError:
    """Return S3's error for a refused signature."""
    code, status = _S3_CODES[error.problem]
    return ApiError(code, "Access Denied" if code == "AccessDenied" else error.message, status=status)


def too_large(limit: int) -> ApiError:
    """Return the error for a body over `limit` bytes."""
    return ApiError("RequestEntityTooLarge", f"The request has more than {limit:,} bytes", status=413)


def internal_failure(error: Exception) -> ApiError:
    """Return the error that clients get for a bug of this program, or for a disk or database that can't be used."""
    if (problem := storage_problem(error)) is not None:
        return ApiError("ServiceUnavailable", problem, status=503, fault="Receiver")
    return ApiError(
        "InternalFailure",
        f"A bug in Formwork: {type(error).__name__}; the server's output says more",
        status=500,
        fault="Receiver",
    )


def protocol_headers(service: Service, request_id: str) -> dict[str, str]:
    """Return the headers of a response."""
    if service.protocol is Protocol.QUERY:
        return {"Content-Type": "text/xml", "x-amzn-RequestId": request_id}
    kind = service.protocol.replace("json", "application/x-amz-json")
    return {"Content-Type": kind, "x-amzn-RequestId": request_id}


def error_response(service: Service, error: ApiError, request_id: str) -> ApiResponse:
    """Return an error as a response in the service's protocol."""
    if service.protocol is Protocol.QUERY:
        body = render_query_error(service, error, request_id)
    else:
        body = render_json_error(service, error)
    return ApiResponse(error.status, body, protocol_headers(service, request_id))


def json_body(value: Any) -> bytes:
    """Return `value` as JSON."""
    return json.dumps(value, ensure_ascii=False).encode()
