"""Positions in the three encodings, edits of texts, and addresses."""

from pathlib import Path, PurePosixPath

import pytest

from formwork.diagnostics import Position
from formwork.editor.protocol.addresses import address_of, path_of
from formwork.editor.protocol.positions import PositionEncoding, PositionIndex, choose_encoding
from formwork.editor.protocol.text_edits import changes
from formwork.editor.protocol.texts import OpenText
from formwork.editor.protocol.wire import ProtocolError

TEXT = 'a\r\n"ä🧱b"\rc\n\n'


@pytest.mark.parametrize(("encoding", "behind"), [("utf-16", 4), ("utf-8", 7), ("utf-32", 3)])
def test_encodings(encoding, behind):
    index = PositionIndex(TEXT, PositionEncoding(encoding))
    offset = TEXT.index("b")
    assert index.position(offset) == {"line": 1, "character": behind}
    assert index.offset(1, behind) == offset
    assert index.lines == 5


def test_positions_beyond_the_text_are_moved_to_an_end():
    index = PositionIndex(TEXT, PositionEncoding.UTF16)
    assert index.offset(0, 99) == 1
    assert index.offset(99, 0) == len(TEXT)
    assert index.offset(-1, 5) == 0
    assert index.offset(1, -3) == 3
    assert index.offset(1, 3) == TEXT.index("🧱")  # within a character is before it
    assert index.position(2) == {"line": 0, "character": 1}  # between \r and \n
    assert index.position(999) == {"line": 4, "character": 0}


def test_places_of_diagnostics():
    index = PositionIndex(TEXT, PositionEncoding.UTF16)
    assert TEXT[index.offset_of(Position(2, 4))] == "b"
    assert TEXT[index.offset_of(Position(2, 5), utf16=True)] == "b"
    assert index.offset_of(Position(99, 1)) == len(TEXT)


def test_the_first_known_encoding_is_chosen():
    assert choose_encoding(["utf-7", "utf-8", "utf-16"]) == "utf-8"
    assert choose_encoding(None) == choose_encoding(["x", 1]) == choose_encoding({}) == "utf-16"


def opened(text):
    return OpenText("file:///a.json", "json", 1, text, PositionEncoding.UTF16)


def span(*numbers):
    line, start, end_line, end = numbers
    return {"start": {"line": line, "character": start}, "end": {"line": end_line, "character": end}}


def test_edits_are_made_in_their_order():
    text = opened("abc\ndef\n").changed(
        2,
        [
            {"range": span(0, 1, 0, 2), "text": "X\nY"},
            {"range": span(1, 0, 1, 1), "text": "", "rangeLength": 1},
            {"range": span(9, 9, 9, 9), "text": "end"},
        ],
    )
    assert (text.text, text.version) == ("aX\nc\ndef\nend", 2)
    assert text.changed(3, [{"text": "whole"}, {"range": span(0, 3, 0, 1), "text": ""}]).text == "wle"


@pytest.mark.parametrize(
    "changes", [None, [1], [{}], [{"text": 1}], [{"text": "", "range": 1}], [{"text": "", "range": {"start": {}}}]]
)
def test_malformed_edits(changes):
    with pytest.raises(ProtocolError):
        opened("a").changed(2, changes)


def test_addresses():
    path = Path("/a b/ü+%.json")
    assert address_of(path) == "file:///a%20b/%C3%BC%2B%25.json"
    assert path_of(address_of(path)) == path
    assert path_of("file:///c%3A/x.json") == Path("c:/x.json")
    assert path_of("file://localhost/a") == Path("/a")
    for other in ("untitled:1", "http://a/b", "file://host/share", "file:///a%00b", "file:relative", "file://["):
        assert path_of(other) is None
    assert address_of(PurePosixPath("C:/x")) == "file:///C%3A/x"


def test_changes_are_few_and_exact():
    before = "".join(f"line {n}\n" for n in range(50))
    after = before.replace("line 3\n", "three\n").replace("line 40\n", "") + "end"
    found = changes(before, after)
    assert len(found) == 3
    for start, end, text in reversed(found):
        before = before[:start] + text + before[end:]
    assert before == after
