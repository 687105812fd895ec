"""Values of a JSON text are found by their pointers, repeated keys and long numbers among them."""

import json

import pytest

from formwork.smithy.json_offsets import REPEATED, locate_pointer

TEXT = """ {"a": {"b": [1, {"c": 2}], "\\u0064": "x"},
  "a": {"b": "later"}, "long": %s, "deep": {"1": {"2": {"3": {"4": {"5": {"6": {"7": 8}}}}}}}}""" % ("9" * 5000)


@pytest.mark.parametrize(
    ("pointer", "there"),
    [
        ((), '{"a": {"b": [1'),
        (("a",), '{"b": [1'),
        (("a", "b", 1, "c"), "2}]"),
        (("a", "d"), '"x"'),
        (("a", REPEATED), '{"b": "later"}'),
        (("a", REPEATED, "b"), '"later"'),
        (("long",), "9999"),
        (("deep", "1", "2", "3", "4", "5", "6", "7"), '{"6": {"7"'),
        (("a", "b", 2), None),
        (("a", "b", REPEATED), None),
        (("long", "b"), None),
        (("nowhere",), None),
    ],
)
def test_a_value_is_found(pointer, there):
    offset = locate_pointer(TEXT, pointer)
    assert (None if offset is None else TEXT[offset:][: len(there)]) == there


@pytest.mark.parametrize("text", ['{"a": ' + "[" * 5000 + "]" * 5000 + ', "b": 1}', '{"a": }'])
def test_what_cannot_be_read_has_no_places(text):
    assert locate_pointer(text, ("b",)) is None


def test_another_text_is_read_anew():
    for value in (1, 22, 1):
        text = json.dumps({"a": "x" * value, "b": value})
        assert text[locate_pointer(text, ("b",)) :] == f"{value}}}"
