"""What a handler's network shows the gate: look-ups of names, first messages of TLS, packets, requests for AWS.

The first byte of an input says which of them the rest is.
"""

import contextlib
import ipaddress

from formwork.egress.client_hello import server_name
from formwork.egress.iam_actions import read_call
from formwork.egress.messages import Outgoing
from formwork.egress.names import NameMap, answer_query
from formwork.egress.packets import first_packet
from formwork.lambda_host.http_messages import Request

SCOPE = "AWS4-HMAC-SHA256 Credential=K/20260101/us-east-1/{}/aws4_request"
QUERY = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03api\x07example\x03com\x00\x00\x01\x00\x01"
SYN = (
    bytes.fromhex("4500002800010000400600007f000001c6120001") + b"\x30\x39\x15\x38" + bytes(8) + b"\x50\x02" + bytes(6)
)


@contextlib.contextmanager
def opened():
    yield check


def check(data):
    kind, rest = data[:1], data[1:]
    if kind == b"q":
        _check_query(rest)
    elif kind == b"h":
        name = server_name(rest)
        assert name is None or name == name.lower()
    elif kind == b"p":
        found = first_packet(rest)
        if found is not None:
            ipaddress.ip_address(found.address)
            assert 0 <= found.port < 65536
    else:
        _check_request(rest)


def _check_query(query):
    names = NameMap()
    answer = answer_query(query, names)
    if answer is not None:
        assert answer[:2] == query[:2]
        assert answer[2] & 0x80, "a response"
        assert answer_query(answer, names) is None, "which is not answered"


def _check_request(data):
    method, path, query, service, target, body = (*data.split(b"\0", 5), b"", b"", b"", b"", b"")[:6]
    headers = {"authorization": SCOPE.format(service.decode("latin-1")), "content-type": target.decode("latin-1")}
    for more in ({}, {"x-amz-target": target.decode("latin-1")}, {"smithy-protocol": "rpc-v2-cbor"}):
        request = Request(
            method.decode("latin-1"), path.decode("latin-1"), query.decode("latin-1"), {**headers, **more}, body
        )
        read_call(Outgoing("https", "bucket.s3.us-east-1.amazonaws.com", 443, request))


def seeds():
    yield b"q" + QUERY
    yield b"q" + QUERY.replace(b"\x00\x01\x00\x01", b"\x00\x1c\x00\x01")
    yield b"p" + SYN
    yield b"h" + HELLO
    yield b"r" + b"\0".join((b"PUT", b"/key", b"uploadId=1&partNumber=2", b"s3", b"text/plain", b"x"))
    yield b"r" + b"\0".join((b"POST", b"/", b"", b"sts", b"application/x-www-form-urlencoded", b"Action=AssumeRole"))


def _vector(data, size):
    return len(data).to_bytes(size, "big") + data


_NAME = _vector(b"\0\0" + _vector(_vector(b"\0" + _vector(b"api.example.com", 2), 2), 2), 2)
_BODY = b"\x03\x03" + bytes(32) + _vector(b"", 1) + _vector(b"\x13\x01", 2) + _vector(b"\0", 1) + _NAME
HELLO = b"\x16\x03\x01" + _vector(b"\x01" + _vector(_BODY, 3), 2)
