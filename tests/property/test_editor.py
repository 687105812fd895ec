"""Whatever a client sends: texts stay the same on both sides, positions convert, cursors are within the text."""

from hypothesis import given
from hypothesis import strategies as st

from formwork.editor.protocol.positions import PositionEncoding, PositionIndex
from formwork.editor.protocol.text_edits import changes
from formwork.editor.protocol.wire import parse_message, render_message
from formwork.editor.reading.cursor import find_cursor
from formwork.editor.reading.json_cursor import find_json_cursor

TEXTS = st.text(st.one_of(st.sampled_from(list("{}[]\":,-# \n\r\t'!&*|ab1\\ü🧱")), st.characters()), max_size=80)


@given(TEXTS, st.sampled_from([*PositionEncoding]), st.integers(0, 90))
def test_positions_and_back(text, encoding, offset):
    index = PositionIndex(text, encoding)
    position = index.position(offset)
    back = index.offset(position["line"], position["character"])
    at = min(offset, len(text))
    assert back == at or (text[at - 1 : at + 1] == "\r\n" and back == at - 1)


@given(TEXTS, TEXTS)
def test_edits_give_the_text(before, after):
    text = before
    for start, end, new in reversed(changes(before, after)):
        text = text[:start] + new + text[end:]
    assert text == after


@given(TEXTS, st.integers(0, 80))
def test_a_cursor_is_in_the_text(text, offset):
    at = min(offset, len(text))
    for find in (find_cursor, find_json_cursor):
        found = find(text, at)
        assert 0 <= found.start <= at <= found.end <= len(text) or found.start <= found.end <= len(text)
        assert found.typed in text or found.quote


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_answered(body):
    assert parse_message(body) is not None


PARAMS = st.dictionaries(
    st.text(max_size=5), st.none() | st.booleans() | st.integers() | st.text(max_size=20), max_size=5
)


@given(PARAMS)
def test_messages_survive(params):
    header, _, body = render_message({"method": "a", "params": params}).partition(b"\r\n\r\n")
    assert int(header.split(b": ")[1]) == len(body)
    assert parse_message(body).params == params
