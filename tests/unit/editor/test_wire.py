"""Messages on a stream: read within bounds, and what is not one answered as the protocol has it."""

import io
import json

import pytest

from formwork.editor.protocol.wire import (
    BrokenStreamError,
    ClientNotification,
    ClientReply,
    ClientRequest,
    ErrorCode,
    MalformedMessage,
    parse_message,
    read_message,
    render_message,
)


def framed(value):
    body = json.dumps(value).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def test_messages_are_read_one_after_the_other():
    stream = io.BytesIO(
        framed({"jsonrpc": "2.0", "id": 1, "method": "a", "params": {"b": "ä"}})
        + b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:  14\r\n\r\n"
        + b'{"method":"c"}'
        + framed({"id": "x", "result": None})
    )
    assert read_message(stream) == ClientRequest(1, "a", {"b": "ä"})
    assert read_message(stream) == ClientNotification("c", None)
    assert read_message(stream) == ClientReply("x", None, None)
    assert read_message(stream) is None


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"Content-Length: 5\r\n\r\n{}", "within a message"),
        (b"Content-Length: -1\r\n\r\n", "not a number"),
        (b"Content-Length: 99999999999\r\n\r\n", "not a number"),
        (b"Content-Type: a\r\n\r\n", "no Content-Length"),
        (b"Content-Length: 2", "too long, or"),
        (b"A: " + b"b" * 5000 + b"\r\n\r\n", "too long"),
        (b"A: b\r\n" * 50 + b"\r\n", "too many lines"),
    ],
)
def test_broken_streams(data, why):
    with pytest.raises(BrokenStreamError, match=why):
        read_message(io.BytesIO(data))


@pytest.mark.parametrize(
    ("body", "identity", "code"),
    [
        (b"{", None, ErrorCode.PARSE),
        (b"\xff", None, ErrorCode.PARSE),
        (b"[" * 100_000, None, ErrorCode.PARSE),
        (b'{"id":1,"method":"a","params":' + b"[" * 600 + b"]" * 600 + b"}", None, ErrorCode.INVALID_REQUEST),
        (b"[]", None, ErrorCode.INVALID_REQUEST),
        (b'{"id": 4, "method": 5}', 4, ErrorCode.INVALID_REQUEST),
        (b'{"id": null, "method": "a"}', None, ErrorCode.INVALID_REQUEST),
        (b'{"id": true, "method": "a"}', None, ErrorCode.INVALID_REQUEST),
        (b"{}", None, ErrorCode.INVALID_REQUEST),
    ],
)
def test_what_is_not_a_message(body, identity, code):
    found = parse_message(body)
    assert isinstance(found, MalformedMessage)
    assert (found.id, found.error.code) == (identity, code)


def test_half_a_surrogate_pair_is_sent_escaped():
    data = render_message({"id": 1, "result": "\ud800é"})
    header, _, body = data.partition(b"\r\n\r\n")
    assert header == b"Content-Length: %d" % len(body)
    assert json.loads(body)["result"] == "\ud800é"
