"""Requests from bytes: chunked bodies, bounds, and whatever else arrives; responses to them."""

import contextlib
import io

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.lambda_host.http_connection import BadRequestError, ServerConnection
from formwork.lambda_host.http_messages import Response


class Client:
    """Bytes that arrive in blocks, and what is sent back."""

    def __init__(self, data, *, max_body=1000, block=65536):
        self.data = io.BytesIO(data)
        self.block = block
        self.sent = b""
        self.connection = ServerConnection(self._receive, self._send, max_body=max_body)

    def read(self):
        return self.connection.read_request()

    def answer(self, response=None, **more):
        before = len(self.sent)
        self.connection.send_response(response or Response(200, b"{}"), **more)
        return self.sent[before:]

    def _receive(self):
        return self.data.read(self.block)

    def _send(self, data):
        self.sent += data


CHUNKED = b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"


@pytest.mark.parametrize("block", [1, 7, 65536])
def test_requests_one_after_the_other(block):
    head = b"POST /a%20b?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nX-Two: a\r\nX-Two: b\r\n\r\nabc"
    client = Client(head + GET, block=block)
    request = client.read()
    assert (request.method, request.path, request.query, request.body) == ("POST", "/a%20b", "x=1", b"abc")
    assert request.headers == {"host": "h", "content-length": "3", "x-two": "a, b"}
    assert not request.too_large
    assert not client.connection.reusable
    assert client.answer().endswith(b"\r\n\r\n{}")
    assert client.connection.reusable
    assert client.read().method == "GET"
    client.answer()
    assert client.read() is None


def test_a_chunked_body_with_extensions_and_trailers_and_what_follows():
    client = Client(CHUNKED + b"3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n" + GET)
    assert client.read().body == b"abc0123456789"
    client.answer()
    assert client.read().method == "GET"


@pytest.mark.parametrize(
    "data",
    [
        CHUNKED + b"ff\r\n" + b"x" * 255 + b"\r\n" + b"ff\r\n" + b"x" * 255 + b"\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 510\r\n\r\n" + b"x" * 510,
    ],
)
def test_a_body_over_the_limit_is_read_to_its_end_and_dropped(data):
    client = Client(data + GET, max_body=300)
    request = client.read()
    assert request.too_large
    assert request.body == b""
    client.answer()
    assert client.read().method == "GET"


def test_a_client_that_waits_is_told_to_continue():
    head = b"POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
    client = Client(head + b"x", block=len(head))
    assert client.read().body == b"x"
    assert client.sent == b"HTTP/1.1 100 Continue\r\n\r\n"


@pytest.mark.parametrize(
    "head", [b"GET / HTTP/1.1\r\nHost: h\r\nConnection: close", b"GET / HTTP/1.0", b"GET / HTTP/1.0\r\nX: y"]
)
def test_clients_that_end_the_connection(head):
    client = Client(head + b"\r\n\r\n")
    client.read()
    assert b"connection: close" in client.answer().lower()
    assert not client.connection.reusable


@pytest.mark.parametrize(
    "data",
    [
        b"hello\r\n\r\n",
        b"GET / HTTP/2.0\r\nHost: h\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\n folded: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : h\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: cut",
        b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nxx",
        b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n",
        CHUNKED + b"xyz\r\n",
        CHUNKED + b"fffffffff\r\n" + b"x" * 70_000_000,
        CHUNKED + b"3\r\nabcd\r\n",
        CHUNKED + b"3\r\nab",
        CHUNKED + b"1;" + b"x" * 100_000,
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: h\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: h\r\n" + b"".join(b"a%d: b\r\n" % n for n in range(300)) + b"\r\n",
        b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999\r\n\r\n",
    ],
    ids=lambda data: repr(data[:60]),
)
def test_what_is_not_a_request_is_refused(data):
    client = Client(data)
    with pytest.raises(BadRequestError) as refused:
        client.read()
    assert 400 <= refused.value.status < 600
    assert b"close" in client.answer(Response(refused.value.status), close=True)
    assert not client.connection.reusable


@given(
    st.binary(),
    st.sampled_from([b"", b"POST / HTTP/1.1\r\n", CHUNKED, b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n"]),
)
def test_any_bytes_are_a_request_the_end_or_refused(data, start):
    with contextlib.suppress(BadRequestError):
        Client(start + data).read()


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=10))
def test_any_chunks_make_their_body(chunks):
    data = b"".join(b"%x\r\n%s\r\n" % (len(each), each) for each in chunks) + b"0\r\n\r\n"
    assert Client(CHUNKED + data).read().body == b"".join(chunks)


def served(method=b"GET"):
    client = Client(GET.replace(b"GET", method))
    client.read()
    return client


def test_responses():
    assert served().answer(Response(202, b"{}", {"X-A": "b "})) == (
        b"HTTP/1.1 202 Accepted\r\nX-A: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    )
    assert b"Content-" not in served().answer(Response(204))
    assert served(b"HEAD").answer(close=True).endswith(b"Content-Length: 2\r\nConnection: close\r\n\r\n")
    assert served().answer(Response(499)).startswith(b"HTTP/1.1 499 Unknown\r\n")
    assert served().answer(Response(403, reason="not here")).startswith(b"HTTP/1.1 403 not here\r\n")


def test_responses_of_unknown_length():
    client = served()
    client.connection.send_stream(200, "OK", [("X-A", "b")], [b"ab", b"c"])
    assert client.sent == (
        b"HTTP/1.1 200 OK\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
    )
    assert client.connection.reusable
    with pytest.raises(h11.LocalProtocolError, match="Too little data"):
        served().connection.send_stream(200, "OK", [("Content-Length", "3")], [b"ab"])
