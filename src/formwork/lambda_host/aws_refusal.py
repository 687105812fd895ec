"""The AWS endpoint for handlers that have no AWS: answers every call at once with an error that says so."""

import json
import re
from collections.abc import Callable

from formwork.lambda_host.http_messages import Request, Response
from formwork.lambda_host.http_server import HttpServer

CODE = "FormworkNoAws"
MESSAGE = (
    "there is no AWS here, so this call of the handler was refused. Three choices: --aws real (real credentials), "
    "--aws moto (a simulation on this machine), or handlers that do without"
)
# 403 is not retried by any SDK; a refused connection would be, for many seconds.
_STATUS = 403
_SCOPE = re.compile(r"Credential=[^/]*/\d{8}/([^/]*)/([^/]*)/aws4_request")
_XML_SERVICES = frozenset({"s3", "s3-outposts", "route53", "cloudfront"})


class AwsRefusal:
    """Listens on loopback until `close`; `url` is what AWS_ENDPOINT_URL is set to."""

    def __init__(self, on_call: Callable[[str], None] = lambda _call: None) -> None:
        """Listen on 127.0.0.1; `on_call` receives each refused call, as `service Operation`."""
        self._on_call = on_call
        self._server = HttpServer(self._respond, max_body=64 * 1024 * 1024)
        self.url = f"http://{self._server.address}"

    def close(self) -> None:
        """Stop answering."""
        self._server.close()

    def _respond(self, request: Request) -> Response:
        scope = _SCOPE.search(request.headers.get("authorization", ""))
        service = scope[2] if scope else "AWS"
        operation = _operation(request)
        self._on_call(f"{service} {operation}")
        message = f"{service} {operation}: {MESSAGE}"
        headers = {"x-amzn-ErrorType": CODE, "x-amzn-RequestId": "formwork"}
        if "smithy-protocol" in request.headers:
            return Response(_STATUS, _cbor(message), {**headers, "smithy-protocol": "rpc-v2-cbor"}, "application/cbor")
        if "x-amz-target" in request.headers or "json" in request.headers.get("content-type", ""):
            body = json.dumps({"__type": CODE, "message": message}).encode()
            return Response(_STATUS, body, headers, "application/x-amz-json-1.1")
        if "form-urlencoded" in request.headers.get("content-type", ""):
            return Response(_STATUS, _query_xml(service, message), headers, "text/xml")
        if service in _XML_SERVICES:
            return Response(_STATUS, _error_xml(message), headers, "application/xml")
        return Response(_STATUS, json.dumps({"__type": CODE, "message": message}).encode(), headers)


def _operation(request: Request) -> str:
    target = request.headers.get("x-amz-target")
    if target:
        return target.rpartition(".")[2]
    action = re.search(rb"(?:^|&)Action=([A-Za-z0-9]+)", request.body[:4096])
    if action and "form-urlencoded" in request.headers.get("content-type", ""):
        return action[1].decode()
    return f"{request.method} {request.path}"


def _error_xml(message: str) -> bytes:
    return f"<Error><Code>{CODE}</Code><Message>{_escape(message)}</Message></Error>".encode()


def _query_xml(service: str, message: str) -> bytes:
    error = f"<Code>{CODE}</Code><Message>{_escape(message)}</Message>"
    if service == "ec2":
        return f"<Response><Errors><Error>{error}</Error></Errors><RequestID>formwork</RequestID></Response>".encode()
    error = f"<Error><Type>Sender</Type>{error}</Error>"
    return f"<ErrorResponse>{error}<RequestId>formwork</RequestId></ErrorResponse>".encode()


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cbor(message: str) -> bytes:
    """{"__type": CODE, "message": message} in CBOR: a map of two text strings."""

    def text(value: str) -> bytes:
        data = value.encode()
        return b"\x79" + len(data).to_bytes(2, "big") + data

    return b"\xa2" + text("__type") + text(CODE) + text("message") + text(message)
