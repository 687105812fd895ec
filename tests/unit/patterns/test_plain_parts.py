"""Literals and plain classes are read at once; what is found is what reading them character by character finds."""

import re

from hypothesis import given
from hypothesis import strategies as st

from formwork.patterns import classes, parser
from formwork.patterns.parser import parse_pattern
from formwork.patterns.syntax import PatternError

WORDS = r"""a Z 9 _ - # & && ^ $ . | ( ) [ ] [^ * + ? {2} \ \] \- \w \d \p{L} \x41 é
    a-z z-a A-Z 0-9 +-. [a-z] [\w.-] (?x) (?i)"""
PARTS = (" ", *WORDS.split())


def read(text):
    try:
        return parse_pattern(text)
    except PatternError as error:
        return str(error), error.position


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_it_is_what_reading_character_by_character_finds(text):
    found = read(text)
    nothing = re.compile("(?!)")
    kept = parser._LITERALS, classes._PLAIN
    parser._LITERALS = classes._PLAIN = nothing
    try:
        assert found == read(text)
    finally:
        parser._LITERALS, classes._PLAIN = kept
