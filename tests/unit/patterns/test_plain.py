"""Plain patterns: `re` and `regex` find the same in every text, and `re` is done in a moment."""

import re
import time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from formwork.patterns import PatternError, compile_pattern
from formwork.patterns.emit import PatternEngine, emit
from formwork.patterns.parser import parse_pattern
from formwork.patterns.plain import MAX_VALUE, longest_plain
from unit.patterns.test_java_table import INPUTS, ROWS


def plain(pattern):
    return longest_plain(parse_pattern(pattern).root) == MAX_VALUE


@pytest.mark.parametrize(
    "pattern",
    ["^[A-Za-z][A-Za-z0-9-]{0,63}$", "^arn:aws[a-z-]*:s3$", "^(a|b|cd)$", "x", r"^\d{4}-\d{2}$", "^.*$", "a{2,3}b?"],
)
def test_plain(pattern):
    assert plain(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "a*b",  # tried anew from every place
        "^a*a*$",  # two ends to share out a text between
        "^(a*)*$",
        "^(a|b)*$",
        "^a{0,99}a{0,99}$",
        "^a++$",
        r"^\p{L}$",
        "(?i)^a$",
        "(?m)^a$",
        r"\bword",
        "(?=a)b",
        r"(a)\1",
    ],
)
def test_not_plain(pattern):
    assert not plain(pattern)


def test_both_engines_find_the_same():
    seen = 0
    for pattern, found in ROWS.items():
        if found == "error" or not (root := _root(pattern)) or not longest_plain(root):
            continue
        seen += 1
        written = emit(root, PatternEngine.REGEX)
        one, other = re.compile(written), regex.compile(written, regex.V1)
        for text in INPUTS:
            assert bool(one.search(text)) == bool(other.search(text)), (pattern, text)
            assert bool(one.fullmatch(text)) == bool(other.fullmatch(text)), (pattern, text)
    assert seen > 200


@given(
    st.from_regex(r"\A\^?(\[[^\]\\^&\[-]{1,3}\]|[a-c.]|\(a\|b\))([*+?]|\{0,3\})?[a-c]\$?\Z"),
    st.text("abc\n\r", max_size=8),
)
def test_both_engines_find_the_same_in_any_text(pattern, text):
    root = _root(pattern)
    if root is None or not longest_plain(root):
        return
    assert bool(re.search(emit(root, PatternEngine.REGEX), text)) == bool(
        regex.search(emit(root, PatternEngine.REGEX), text, regex.V1)
    )


@pytest.mark.parametrize("pattern", ["^[a-z]{0,30}[a-z]*$", "^(?:a{1,9}|[ab]{1,9}|[a-c]{1,9})x*y$", "a{1,900}b"])
def test_a_plain_pattern_is_done_in_a_moment(pattern):
    assert plain(pattern)
    start = time.process_time()
    compile_pattern(pattern).is_found_in("a" * MAX_VALUE + "!")
    assert time.process_time() - start < 1


def test_a_longer_value_has_a_time_limit_again():
    assert compile_pattern("^[a-z]+$").is_found_in("a" * (MAX_VALUE + 1))
    assert not compile_pattern("^[a-z]+$").matches("a" * (MAX_VALUE + 1) + "!")


def _root(pattern):
    try:
        return parse_pattern(pattern).root
    except PatternError:
        return None


@pytest.mark.parametrize(
    "pattern",
    [r"^(https|s3)://([^/]+)/?(.*)$", "[-0-9a-zA-Z]+!", r"^arn:aws[a-z\-]*:iam::\d{12}:role/?[\w+=,.@\-_/]+$"],
)
def test_re_runs_what_is_nearly_plain_on_short_values_only(pattern):
    longest = longest_plain(parse_pattern(pattern).root)
    assert 30 < longest < MAX_VALUE
    compiled = compile_pattern(pattern)
    written = emit(parse_pattern(pattern).root, PatternEngine.REGEX)
    for text in ("https://a/b/c", "arn:aws-cn:iam::123456789012:role/x", "a" * longest, "-" * (longest + 1)):
        assert compiled.is_found_in(text) == bool(regex.search(written, text, regex.V1))


def test_what_may_take_for_ever_is_never_plain():
    for pattern in ("^(a*)*$", "^([a-z]+)*$", "^(a|a?)+$", "^(?:a?){40}a{40}$", "^(a+)+$"):
        assert longest_plain(parse_pattern(pattern).root) == 0, pattern
