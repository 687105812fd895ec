import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import PointerError, expect_at, get_at, parse_pointer, render_pointer

# RFC 6901, section 5: the document and what each pointer evaluates to.
DOCUMENT = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6, " ": 7, "m~n": 8}
TABLE = [
    ("", DOCUMENT),
    ("/foo", ["bar", "baz"]),
    ("/foo/0", "bar"),
    ("/", 0),
    ("/a~1b", 1),
    ("/c%d", 2),
    ("/e^f", 3),
    ("/g|h", 4),
    ("/i\\j", 5),
    ('/k"l', 6),
    ("/ ", 7),
    ("/m~0n", 8),
]


@pytest.mark.parametrize(("pointer", "value"), TABLE)
def test_rfc_table(pointer, value):
    assert expect_at(DOCUMENT, parse_pointer(pointer)) == value


@pytest.mark.parametrize("pointer", ["/foo/-", "/foo/01", "/foo/2", "/foo/x", "/nope", "/foo/0/0", "/c%d/0"])
def test_nowhere(pointer):
    with pytest.raises(PointerError, match="leads nowhere"):
        expect_at(DOCUMENT, parse_pointer(pointer))
    assert get_at(DOCUMENT, parse_pointer(pointer), "default") == "default"


@pytest.mark.parametrize("text", ["foo", "#/foo", "/a~", "/a~2"])
def test_no_pointer(text):
    with pytest.raises(PointerError):
        parse_pointer(text)


@given(st.lists(st.text()))
def test_round_trip(tokens):
    assert parse_pointer(render_pointer(tokens)) == tuple(tokens)
