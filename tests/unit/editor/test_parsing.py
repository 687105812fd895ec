"""A text is parsed once, however often it is asked for."""

import pytest

from formwork.diagnostics import BadInputError
from formwork.editor.parsing import parse_once


def test_a_text_is_parsed_once():
    first = parse_once('{"a": 1}', "a.json")
    assert parse_once("\ufeff" + '{"a": 1}', "a.json") is first
    assert parse_once('{"a": 1}', "a.json", short_tags=True) is not first
    second = parse_once('{"a": 2}', "a.json")
    assert (second.value, parse_once('{"a": 2}', "a.json") is second) == ({"a": 2}, True)
    assert parse_once('{"a": 1}', "a.json") is not first  # only the last text is remembered


def test_few_documents_are_remembered():
    first = parse_once('{"a": 1}', "first.json")
    for number in range(8):
        parse_once("{}", f"{number}.json")
    assert parse_once('{"a": 1}', "first.json") is not first


def test_a_broken_text_is_refused_each_time():
    for _ in range(2):
        with pytest.raises(BadInputError):
            parse_once('{"a": ', "broken.json")
