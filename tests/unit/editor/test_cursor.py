"""Where a cursor is: `|` marks it in each text."""

import pytest

from formwork.editor.reading.cursor import find_cursor


def at(text):
    return find_cursor(text.replace("|", "", 1), text.index("|"))


@pytest.mark.parametrize(
    ("text", "path", "in_key", "typed"),
    [
        ('{"a": {"b": [1, {"c": "x|y"}]}}', ("a", "b", 1, "c"), False, "x"),
        ('{"a": {"b|c": 1}}', ("a", "bc"), True, "b"),
        ('{"a": {|', ("a", ""), True, ""),
        ('{"a": 1, "|', ("",), True, ""),
        ('{"a": [1, |', ("a", 1), False, ""),
        ('{"a": tr|', ("a",), False, "tr"),
        ('{"a": "x"| }', ("a",), False, ""),
        ('{"a\\"b": {"c": "|', ('a"b', "c"), False, ""),
        ('{"a": "}]{[", "b": "|"', ("b",), False, ""),
        ("|", ("",), True, ""),
    ],
)
def test_json(text, path, in_key, typed):
    found = at(text)
    assert (found.path, found.in_key, found.typed) == (path, in_key, typed)


@pytest.mark.parametrize(
    ("text", "path", "in_key", "typed"),
    [
        ("a:\n  b: x|y\n", ("a", "b"), False, "x"),
        ("a:\n  b|c: 1\n", ("a", "bc"), True, "b"),
        ("a:\n  b: 1\n  |\n", ("a", ""), True, ""),
        ("a:\n  b: 1\n|", ("",), True, ""),
        (" |  a: 1\n", ("",), True, ""),
        ("|- a: 1\n", ("",), True, ""),
        ("b:\n  -|  a: 1\n", ("b", 0, ""), True, ""),
        ("a:\n  - x\n  - y|\n", ("a", 1), False, "y"),
        ("a:\n- x\n- y|\n", ("a", 1), False, "y"),
        ("a:\n  - b: 1\n    c: |\n", ("a", 0, "c"), False, ""),
        ("a:\n  - b: 1\n  - b: 2\n    d|\n", ("a", 1, "d"), True, "d"),
        ("a:\n- b: 1\n- c: x|\nz: 1\n", ("a", 1, "c"), False, "x"),
        ("a: {b: [1, x|", ("a", "b", 1), False, "x"),
        ("Resources:\n  A:\n    Type: AWS::S3|\n", ("Resources", "A", "Type"), False, "AWS::S3"),
        (
            "Resources:\n  A:\n    Type: X\n    Properties:\n      Na|\n",
            ("Resources", "A", "Properties", "Na"),
            True,
            "Na",
        ),
        ("a:\n  'b c': \"x|\"\n", ("a", "b c"), False, "x"),
        ("# c\na: # d\n\n  b:\n    c: !Ref N|\n", ("a", "b", "c"), False, "N"),
    ],
)
def test_yaml(text, path, in_key, typed):
    found = at(text)
    assert (found.path, found.in_key, found.typed) == (path, in_key, typed)
