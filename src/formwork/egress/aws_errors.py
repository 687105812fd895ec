"""Errors as AWS's services answer them, in the protocol of the client that asked."""

import json

from formwork.egress.messages import Reply
from formwork.lambda_host.http_messages import Request
from formwork.lambda_host.outgoing_calls import AwsCall

NO_AWS_CODE = "FormworkNoAws"
_NO_AWS = (
    "there is no AWS here, so this call of the handler was refused. Three choices: --aws real (real credentials), "
    "--aws moto (a simulation on this machine), or handlers that do without"
)
# 403 is not retried by any SDK; a refused connection would be, for many seconds.
_FORBIDDEN = 403
XML_SERVICES = frozenset({"s3", "s3-outposts", "route53", "cloudfront"})


def no_aws_error(request: Request, aws: AwsCall) -> Reply:
    """Return the answer to a call of a handler that has no AWS."""
    asked = aws.operation or f"{request.method} {request.path}"
    return aws_error(request, aws, _FORBIDDEN, NO_AWS_CODE, f"{aws.service} {asked}: {_NO_AWS}")


def aws_error(request: Request, aws: AwsCall, status: int, code: str, message: str) -> Reply:
    """Return an error of a service: query, EC2, REST-XML, JSON or CBOR, as the request's protocol has it."""
    body, content_type, more = _document(request, aws.service, code, message)
    headers = {"x-amzn-ErrorType": code, "x-amzn-RequestId": "formwork", **more, "Content-Type": content_type}
    return Reply(status, body, tuple(headers.items()))


def _document(request: Request, service: str, code: str, message: str) -> tuple[bytes, str, dict[str, str]]:
    if "smithy-protocol" in request.headers:
        return _cbor(code, message), "application/cbor", {"smithy-protocol": "rpc-v2-cbor"}
    if service in XML_SERVICES:  # a content type is that of an object there
        return _error_xml(code, message), "application/xml", {}
    content_type = request.headers.get("content-type", "")
    if "x-amz-target" in request.headers or "json" in content_type:
        return json.dumps({"__type": code, "message": message}).encode(), "application/x-amz-json-1.1", {}
    if "form-urlencoded" in content_type:
        return _query_xml(service, code, message), "text/xml", {}
    return json.dumps({"__type": code, "message": message}).encode(), "application/json", {}


def _error_xml(code: str, message: str) -> bytes:
    return f"<Error><Code>{code}</Code><Message>{_escape(message)}</Message></Error>".encode()


def _query_xml(service: str, code: str, message: str) -> bytes:
    error = f"<Code>{code}</Code><Message>{_escape(message)}</Message>"
    if service == "ec2":
        return f"<Response><Errors><Error>{error}</Error></Errors><RequestID>formwork</RequestID></Response>".encode()
    error = f"<Error><Type>Sender</Type>{error}</Error>"
    return f"<ErrorResponse>{error}<RequestId>formwork</RequestId></ErrorResponse>".encode()


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cbor(code: str, message: str) -> bytes:
    """{"__type": code, "message": message} in CBOR: a map of two text strings."""

    def text(value: str) -> bytes:
        data = value.encode()
        return b"\x79" + len(data).to_bytes(2, "big") + data

    return b"\xa2" + text("__type") + text(code) + text("message") + text(message)
