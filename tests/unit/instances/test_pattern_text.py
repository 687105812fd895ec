import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.instances.pattern_text import PatternText, letters_from

PATTERNS = [
    "abc", "[a-z]", "[^a-z]{3}", "a{2,5}b*", "(x|yy|[0-9]{4})+", r"(\w+)-\1", ".{3}", r"\d\D\s\S", "[^\\n]", "(?>ab|c)d",
    "a*+b", "a+?b", "((ab){2}c?){1,3}", "^$", "[☃-♿]{2}", "(?:a(b)?){2}",
]  # fmt: skip


def text_of(pattern, seed, *, extra=3, greedy=False, room=20):
    maker = PatternText(Random(seed))
    maker.extra, maker.greedy, maker.room = extra, greedy, room
    return maker.text(pattern)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("greedy", [False, True])
def test_every_text_is_one_of_its_pattern(pattern, greedy):
    for seed in range(20):
        text = text_of(pattern, seed, greedy=greedy)
        assert re.fullmatch(pattern, text), text


def test_room_ends_what_may_go_on_and_never_what_must():
    assert len(text_of("[a-z]*", 1, greedy=True, room=7)) == 7
    assert len(text_of("[a-z]{9,}", 1, greedy=True, room=7)) == 9
    assert len(text_of("(?:[a-z])*", 1, greedy=True, room=7)) == 7
    assert text_of("[a-z]*", 1, extra=0) == ""


def test_a_set_without_letters_is_said_to_have_none():
    with pytest.raises(IndexError):
        text_of(r"[^\x00-\U0010ffff]", 1)
    with pytest.raises(IndexError):
        letters_from(Random(1), "", 1)


@given(st.text(min_size=1, max_size=70), st.integers(0, 30), st.integers())
def test_letters_are_so_many_of_those_given_the_same_from_the_same_seed(letters, count, seed):
    made = letters_from(Random(seed), letters, count)
    assert len(made) == count
    assert {*made} <= {*letters}
    assert made == letters_from(Random(seed), letters, count)
