"""Fetching a document over HTTP: from where it was asked, bounded, and told apart when it fails."""

import socket

import pytest

from formwork.documents.bounds import MAX_BYTES
from formwork.schema.fetching import fetch_document
from support.documents_server import serve_documents


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")


def test_a_document():
    with serve_documents({"/a.json": b"{}"}) as (origin, asked):
        assert fetch_document(f"{origin}/a.json") == b"{}"
    assert asked == ["/a.json"]


def test_a_redirect_is_not_followed():
    with serve_documents({}) as (elsewhere, reached):
        pages = {"/a.json": (302, {"Location": f"{elsewhere}/b.json"}, b"")}
        with serve_documents(pages) as (origin, _), pytest.raises(OSError, match="answers 302 and leads to http"):
            fetch_document(f"{origin}/a.json")
    assert reached == []


def test_an_absent_document():
    with serve_documents({}) as (origin, _), pytest.raises(OSError, match="answers 404"):
        fetch_document(f"{origin}/a.json")


def test_a_large_document():
    with (
        serve_documents({"/a.json": b" " * (MAX_BYTES + 1)}) as (origin, _),
        pytest.raises(OSError, match="larger than"),
    ):
        fetch_document(f"{origin}/a.json")


def test_nobody_there():
    with serve_documents({}) as (origin, _):
        pass
    with pytest.raises(OSError, match="refused"):
        fetch_document(f"{origin}/a.json")


def test_a_server_that_says_nothing():
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(OSError, match="timed out"):
        fetch_document(f"http://127.0.0.1:{server.getsockname()[1]}/a.json", seconds=0.2)
