"""Diagnostics as text."""

from formwork.diagnostics import Diagnostic, Location, Position, Severity
from formwork.diagnostics.render import render_text


def diagnostic(message="bad", *, line=1, column=1, end=None):
    location = Location("f.json", Position(line, column), end, "/a")
    return Diagnostic("a.b", Severity.ERROR, message, location, "good", "mend it", ("a note",))


def test_a_block_with_its_line():
    text = render_text([diagnostic(line=2, column=3, end=Position(2, 6))], source=lambda _: '{\r\n  "x"\r\n}')
    assert text == (
        "error[a.b]: bad\n"
        " --> f.json:2:3  /a\n"
        '2 |   "x"\n'
        "  |   ^^^\n"
        "  = a note\n"
        "  = expected: good\n"
        "  = help: mend it\n"
    )


def test_control_characters_are_shown_not_obeyed():
    text = render_text([diagnostic("title \x1b]0;x\x07 é")], source=lambda _: "\x1b[31m\tred")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert r"title \x1b]0;x\x07 é" in text


def test_a_file_is_read_once():
    reads = []
    render_text([diagnostic(), diagnostic()], source=lambda file: reads.append(file) or "{}")
    assert reads == ["f.json"]


def test_no_line_where_the_file_is_gone_or_shorter():
    assert " | " not in render_text([diagnostic()], source=lambda _: None).split("\n", 2)[2]
    assert "9 |" not in render_text([diagnostic(line=9)], source=lambda _: "{}")
