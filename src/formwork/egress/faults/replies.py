"""The replies of injected failures, in the words of AWS's services and of REST services."""

import json
from collections.abc import Mapping

from formwork.egress.aws_errors import XML_SERVICES, aws_error
from formwork.egress.faults.fault import FaultKind
from formwork.egress.messages import Outgoing, Reply
from formwork.lambda_host.outgoing_calls import AwsCall

_JSON = "application/json"
# Status, code and message of AWS's common errors, of services with others, and the codes of those that speak JSON.
_AWS: Mapping[FaultKind, tuple[int, str, str]] = {
    FaultKind.THROTTLE: (400, "Throttling", "Rate exceeded"),
    FaultKind.SERVER_ERROR: (500, "InternalFailure", "The request processing has failed because of an internal error"),
    FaultKind.DENIED: (403, "AccessDenied", "User is not authorized to perform this operation"),
    FaultKind.EXPIRED: (403, "ExpiredToken", "The security token included in the request is expired"),
}
_OWN: Mapping[tuple[str, FaultKind], tuple[int, str, str]] = {
    ("s3", FaultKind.THROTTLE): (503, "SlowDown", "Please reduce your request rate."),
    ("ec2", FaultKind.THROTTLE): (503, "RequestLimitExceeded", "Request limit exceeded."),
    ("ec2", FaultKind.DENIED): (403, "UnauthorizedOperation", "You are not authorized to perform this operation."),
    ("lambda", FaultKind.THROTTLE): (429, "TooManyRequestsException", "Rate Exceeded."),
    ("apigateway", FaultKind.THROTTLE): (429, "TooManyRequestsException", "Too Many Requests"),
}
_JSON_CODES: Mapping[FaultKind, str] = {
    FaultKind.THROTTLE: "ThrottlingException",
    FaultKind.SERVER_ERROR: "InternalServerError",
    FaultKind.DENIED: "AccessDeniedException",
    FaultKind.EXPIRED: "ExpiredTokenException",
}
_REST: Mapping[FaultKind, tuple[int, str]] = {
    FaultKind.THROTTLE: (429, "too many requests"),
    FaultKind.SERVER_ERROR: (503, "the service is unavailable"),
    FaultKind.DENIED: (403, "forbidden"),
    FaultKind.EXPIRED: (401, "the credentials have expired"),
}


def fault_reply(kind: FaultKind, outgoing: Outgoing, aws: AwsCall | None, told: str | None = None) -> Reply:
    """Return the reply to a call that is throttled, denied, made with expired credentials, or that the service fails.

    In the protocol of the request, with the codes of AWS's "Common Errors"; of other hosts the status of HTTP
    (RFC 9110, RFC 6585). `told` is the message of AWS; None for a general one.
    """
    if aws is None:
        status, message = _REST[kind]
        headers = [("Content-Type", _JSON)]
        if kind is FaultKind.THROTTLE:
            headers.append(("Retry-After", "0"))
        return Reply(status, json.dumps({"message": message}).encode(), tuple(headers))
    own = _OWN.get((aws.service, kind))
    status, code, message = own or _AWS[kind]
    if own is None and _speaks_json(outgoing, aws):
        code = _JSON_CODES[kind]
    return aws_error(outgoing.request, aws, status, code, told or message)


def _speaks_json(outgoing: Outgoing, aws: AwsCall) -> bool:
    headers = outgoing.request.headers
    if aws.service in XML_SERVICES:
        return False
    plain = headers.get("content-type", "").startswith(_JSON)
    return plain or "x-amz-target" in headers or "smithy-protocol" in headers
