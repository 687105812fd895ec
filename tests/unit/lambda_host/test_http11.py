"""Requests from bytes: chunked bodies, bounds, and whatever else arrives."""

import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.lambda_host.http11 import BadRequestError, Response, read_request, render_response


def read(data, *, max_body=1000, stream=None):
    continues = []
    request = read_request(stream or io.BytesIO(data), max_body=max_body, send_continue=lambda: continues.append(1))
    return request, len(continues)


def test_a_request_with_a_length():
    request, _ = read(
        b"POST /a%20b?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nX-Two: a\r\nX-Two: b\r\n\r\nabcrest"
    )
    assert (request.method, request.path, request.query, request.body) == ("POST", "/a%20b", "x=1", b"abc")
    assert request.headers == {"host": "h", "content-length": "3", "x-two": "a, b"}
    assert request.keep_alive
    assert not request.too_large


CHUNKED = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_a_chunked_body_with_extensions_and_trailers_and_what_follows():
    stream = io.BytesIO(CHUNKED + b"3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\nGET / HTTP/1.1\r\n\r\n")
    request, _ = read(b"", stream=stream)
    assert request.body == b"abc0123456789"
    following, _ = read(b"", stream=stream)
    assert following.method == "GET"
    assert read(b"", stream=stream)[0] is None


@pytest.mark.parametrize(
    "data",
    [
        CHUNKED + b"ff\r\n" + b"x" * 255 + b"\r\n" + b"ff\r\n" + b"x" * 255 + b"\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 510\r\n\r\n" + b"x" * 510,
    ],
)
def test_a_body_over_the_limit_is_read_to_its_end_and_dropped(data):
    stream = io.BytesIO(data + b"GET / HTTP/1.1\r\n\r\n")
    request, _ = read(b"", max_body=300, stream=stream)
    assert request.too_large
    assert request.body == b""
    assert read(b"", stream=stream)[0].method == "GET"


def test_a_client_that_waits_is_told_to_continue():
    assert read(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx")[1] == 1


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        (b"GET / HTTP/1.1\r\nConnection: close", False),
        (b"GET / HTTP/1.0", False),
        (b"GET / HTTP/1.0\r\nConnection: Keep-Alive", True),
    ],
)
def test_who_keeps_the_connection(head, kept):
    assert read(head + b"\r\n\r\n")[0].keep_alive is kept


@pytest.mark.parametrize(
    "data",
    [
        b"hello\r\n\r\n",
        b"GET / HTTP/2.0\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\n folded: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: cut",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nxx",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        CHUNKED + b"xyz\r\n",
        CHUNKED + b"fffffffff\r\n",
        CHUNKED + b"3\r\nabcd\r\n",
        CHUNKED + b"3\r\nab",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"a%d: b\r\n" % n for n in range(300)) + b"\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(data):
    with pytest.raises(BadRequestError) as refused:
        read(data)
    assert 400 <= refused.value.status < 500


@given(
    st.binary(),
    st.sampled_from([b"", b"POST / HTTP/1.1\r\n", CHUNKED, b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n"]),
)
def test_any_bytes_are_a_request_the_end_or_refused(data, start):
    with contextlib.suppress(BadRequestError):
        read(start + data)


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=10))
def test_any_chunks_make_their_body(chunks):
    data = b"".join(b"%x\r\n%s\r\n" % (len(each), each) for each in chunks) + b"0\r\n\r\n"
    assert read(CHUNKED + data)[0].body == b"".join(chunks)


def test_a_response():
    rendered = render_response(Response(202, b"{}", {"X-A": "b"}), close=False)
    assert rendered == (
        b"HTTP/1.1 202 Accepted\r\nX-A: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}"
    )
    assert b"Content-" not in render_response(Response(204), close=False)
    assert render_response(Response(200, b"{}"), close=True, head=True).endswith(b"Connection: close\r\n\r\n")
