"""Requests to the API: signed, read, answered. An answer of 500 is a defect.

An input is {"method", "path", "headers", "service", and "form", "json" or "body"}, which is signed as AWS's clients do
it; or the bytes of a request, which are sent as they are.
"""

import asyncio
import contextlib
import json
from pathlib import Path
from urllib.parse import unquote, urlencode

import h11
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.serialize import create_serializer
from msgspec.structs import replace

from formwork.api.app import ApiApp
from formwork.api.wire import Protocol, load_service
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.stand_ins.iam import iam_operations
from formwork.stand_ins.logs import logs_operations
from formwork.stand_ins.sts import sts_operations
from fuzz.envelopes import read_envelope
from fuzz.local_service import KEY, SECRET, TEMPLATE, fresh_service
from support.registry import THING

HOST = "127.0.0.1:4566"


@contextlib.contextmanager
def opened():
    loop = asyncio.new_event_loop()
    try:
        with fresh_service(_application) as services:
            yield lambda data: check(loop, services.current(), data)
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


@contextlib.contextmanager
def _application(service):
    yield lambda on_error: ApiApp(replace(service.parts, hold_seconds=0.0, on_error=on_error))


def check(loop, make, data):
    raw = data
    if (envelope := read_envelope(data, "method")) is not None:
        try:
            raw = _signed(envelope)
        except (ValueError, TypeError, AttributeError, RecursionError):
            return  # no client could send it
    request = _parsed(raw)
    if request is None:
        return
    bugs = []
    status, headers, body = loop.run_until_complete(_answer(make(bugs.append), *request))
    if bugs:
        raise bugs[0]
    assert status not in (500, 503), (status, body[:400])
    assert b"<Code>InternalFailure</Code>" not in body
    assert all(b"\n" not in each and b"\r" not in each for pair in headers for each in pair)


def _signed(envelope):
    """The bytes of a request as botocore signs it."""
    service, body = str(envelope.get("service", "cloudformation")), envelope.get("body", "")
    headers = {str(name): str(value) for name, value in dict(envelope.get("headers", {})).items()}
    if "form" in envelope:
        body = urlencode({name: _text(value) for name, value in envelope["form"].items()})
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
    elif "json" in envelope:
        body = json.dumps(envelope["json"])
    content = _text(body).encode("utf-8", "surrogateescape")
    url = f"http://{HOST}{envelope.get('path', '/')}"
    request = AWSRequest(str(envelope["method"]), url, headers, content)
    signer = S3SigV4Auth if service == "s3" else SigV4Auth
    signer(Credentials(KEY, SECRET), service, "us-east-1").add_auth(request)
    prepared = request.prepare()
    lines = [f"{prepared.method} {prepared.url.partition(HOST)[2]} HTTP/1.1", f"Host: {HOST}"]
    lines += [
        f"{name}: {value.decode('latin-1') if isinstance(value, bytes) else value}"
        for name, value in prepared.headers.items()
        if name.lower() not in ("host", "content-length", "transfer-encoding")
    ]
    return "\r\n".join([*lines, f"Content-Length: {len(content)}", "", ""]).encode("latin-1") + content


def _text(value):
    return value if isinstance(value, str) else json.dumps(value)


def _parsed(raw):
    """Scope and body of a request as the server's HTTP parser lets it through, else None."""
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(raw)
    connection.receive_data(b"")
    try:
        head = connection.next_event()
        if not isinstance(head, h11.Request):
            return None
        body = b""
        while isinstance(event := connection.next_event(), h11.Data):
            body += bytes(event.data)
    except h11.RemoteProtocolError:
        return None
    if not isinstance(event, h11.EndOfMessage):
        return None
    path, _, query = bytes(head.target).partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "server": ("127.0.0.1", 4566),
        "client": ("127.0.0.1", 50_000),
        "scheme": "http",
        "root_path": "",
        "method": head.method.decode("ascii"),
        "path": unquote(path.decode("ascii")),
        "raw_path": path,
        "query_string": query,
        "headers": [(bytes(name), bytes(value)) for name, value in head.headers],
        "state": {},
    }
    return scope, body


async def _answer(app, scope, body):
    sent, pending = [], [{"type": "http.request", "body": body, "more_body": False}]

    async def receive():
        return pending.pop() if pending else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    content = b"".join(each.get("body", b"") for each in sent[1:])
    return sent[0]["status"], sent[0]["headers"], content


VALUES = {
    "StackName": "shop",
    "ChangeSetName": "first",
    "StackSetName": "shops",
    "TypeName": THING,
    "TemplateBody": json.dumps(TEMPLATE),
    "TemplateURL": "https://things.s3.amazonaws.com/thing.zip",
    "LogicalResourceId": "Queue",
    "Type": "RESOURCE",
    "DesiredState": '{"QueueName": "q"}',
    "Regions": ["us-east-1"],
    "Accounts": ["111111111111"],
}


def _value(shape, name, *, whole, depth=0):  # noqa: PLR0911 - a return for each kind of shape
    """A value that a member may have: what it must have, or all of it."""
    if name in VALUES and shape.type_name in ("string", "list"):
        return VALUES[name]
    if depth > 4:
        return None
    match shape.type_name:
        case "structure":
            wanted = shape.members if whole else {each: shape.members[each] for each in shape.required_members}
            found = {each: _value(inner, each, whole=whole, depth=depth + 1) for each, inner in wanted.items()}
            return {each: value for each, value in found.items() if value is not None}
        case "list":
            inner = _value(shape.member, name, whole=whole, depth=depth + 1)
            return [] if inner is None else [inner]
        case "map":
            return {"k": "v"}
        case "integer" | "long":
            return max(1, int(shape.metadata.get("min", 1)))
        case "boolean":
            return True
        case "timestamp":
            return "2026-01-01T00:00:00Z"
        case "blob":
            return b"x"
        case _:
            return shape.enum[0] if shape.enum else "a" * max(1, int(shape.metadata.get("min", 1)))


def seeds():
    small = [*sts_operations(TemporaryKeys()), *logs_operations(Path("logs")), *iam_operations(Path("iam"))]
    large = [
        (name, each) for name in ("cloudformation", "cloudcontrol") for each in load_service(name).model.operation_names
    ]
    for service_name, name in large + small:
        service = load_service(service_name)
        operation = service.operation(name)
        query = service.protocol is Protocol.QUERY
        for whole in (False, True):
            shape = operation.input_shape
            value = {} if shape is None else _value(shape, "", whole=whole)
            made = create_serializer("query" if query else "json", include_validation=False).serialize_to_request(
                value, operation
            )
            envelope = {"method": "POST", "path": "/", "service": service.signing_name}
            if query:
                envelope["form"] = made["body"]
            else:
                envelope |= {"headers": {**made["headers"]}, "json": json.loads(made["body"])}
            yield json.dumps(envelope).encode()
    for method, path, headers, body in OBJECTS:
        yield json.dumps({"method": method, "path": path, "headers": headers, "body": body, "service": "s3"}).encode()
    yield RAW


OBJECTS = (
    ("GET", "/", {}, ""),
    ("PUT", "/bucket", {"x-amz-acl": "private"}, "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>"),
    ("HEAD", "/things", {}, ""),
    ("GET", "/things?list-type=2&prefix=t&delimiter=/&max-keys=2&start-after=a&encoding-type=url", {}, ""),
    ("GET", "/things?versions&key-marker=a", {}, ""),
    ("GET", "/things?location", {}, ""),
    ("GET", "/things?uploads", {}, ""),
    ("PUT", "/things/a%20b", {"Content-Type": "a/b", "x-amz-meta-a": "b", "Content-MD5": "1B2M2Y8AsgTpgAmY7PhCfg=="}, ""),
    ("PUT", "/things/c", {"x-amz-copy-source": "/things/thing.zip"}, ""),
    ("GET", "/things/thing.zip", {"Range": "bytes=1-2", "If-None-Match": '"x"', "If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"}, ""),
    ("DELETE", "/things/thing.zip?versionId=null", {}, ""),
    ("POST", "/things/big?uploads", {}, ""),
    ("PUT", "/things/big?partNumber=1&uploadId=u", {}, "part"),
    ("POST", "/things/big?uploadId=u", {}, "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>e</ETag></Part></CompleteMultipartUpload>"),
    ("POST", "/things?delete", {}, "<Delete><Object><Key>a</Key></Object><Quiet>true</Quiet></Delete>"),
    ("PUT", "/things?versioning", {}, "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"),
    ("PUT", "/things/chunked", {"x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "Content-Encoding": "aws-chunked", "x-amz-decoded-content-length": "4", "x-amz-trailer": "x-amz-checksum-crc32"}, "4\r\nabcd\r\n0\r\nx-amz-checksum-crc32:7YLNEQ==\r\n\r\n"),
    ("PUT", "/cloudformation-waitcondition-us-east-1/arn?token=x", {}, '{"Status": "SUCCESS", "UniqueId": "a", "Data": "b", "Reason": "c"}'),
    ("PUT", "/cloudformation-custom-resource-response-useast1/x?Signature=a", {}, '{"Status": "FAILED", "PhysicalResourceId": "a"}'),
    ("POST", "/2015-03-31/functions/f/invocations?Qualifier=1", {"X-Amz-Invocation-Type": "Event"}, "{}"),
)  # fmt: skip
RAW = b"POST /?Action=ListStacks HTTP/1.1\r\nHost: localhost\r\nAuthorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/cloudformation/aws4_request, SignedHeaders=host, Signature=00\r\nX-Amz-Date: 20260101T000000Z\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n"
