"""Our reading of Java's regular expressions against what a JVM said (java_table.json, made by make_java_table.py)."""

import json
import re
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.patterns import (
    MAX_LENGTH,
    PatternError,
    PatternTimeoutError,
    compile_pattern,
    to_python_re,
)
from formwork.patterns.compiled import to_ecma

TABLE = json.loads(Path(__file__).with_name("java_table.json").read_text(encoding="ascii"))
INPUTS, ROWS = TABLE["inputs"], TABLE["rows"]
# Where we differ on purpose or can't be had.
KNOWN = {
    r"\N{DIGIT ONE}": "characters by name are refused: no schema uses them, and they would need Java's own table",
}


def ours(pattern):
    try:
        compiled = compile_pattern(pattern)
    except PatternError:
        return "error"
    return "".join("01"[compiled.is_found_in(text)] for text in INPUTS)


def test_matching_is_javas():
    different = {pattern: (found, ours(pattern)) for pattern, found in ROWS.items() if ours(pattern) != found}
    assert different.keys() == KNOWN.keys() & ROWS.keys(), {
        pattern: pair for pattern, pair in different.items() if pattern not in KNOWN
    }


def test_python_re_matches_no_more():
    """What a generator makes from `to_python_re` is a text that Java accepts."""
    translated = 0
    for pattern, found in ROWS.items():
        try:
            compiled = re.compile(to_python_re(pattern))
        except PatternError:
            continue
        translated += 1
        for text, digit in zip(INPUTS, found, strict=False):
            assert digit == "1" or not compiled.search(text), (pattern, text)
    assert translated > len([found for found in ROWS.values() if found != "error"]) * 0.9


def test_ecma_differs_only_before_a_final_line_break():
    """jsonschema-rs, which runs the keys of patternProperties, finds what Java finds in each name."""
    refused = []
    for pattern, found in ROWS.items():
        try:
            written = to_ecma(pattern)
        except PatternError:
            assert found == "error" or pattern in KNOWN
            continue
        if written is None:
            continue
        try:
            validator = jsonschema_rs.Draft7Validator({"patternProperties": {written: False}})
        except jsonschema_rs.ValidationError:
            refused.append(pattern)
            continue
        for text, digit in zip(INPUTS, found, strict=False):
            if not text.endswith(("\n", "\r", "\x85", "\u2028")):
                assert validator.is_valid({text: 1}) == (digit == "0"), (pattern, written, text)
    assert len(refused) <= 2  # a repeated look-ahead; the model check then judges such keys itself


@pytest.mark.parametrize(
    ("pattern", "message", "position"),
    [
        ("a(b", "never closed", 1),
        ("ab)", "closing parenthesis", 2),
        ("a{2,1}", "at least 2", 1),
        (r"ab\y", "not an escape", 2),
        ("[z-a]", "backwards", 1),
        ("x" * (MAX_LENGTH + 1), "characters", 0),
        ("(" * 500 + ")" * 500, "deeper", 60),
        (r"\p{Nope}", "unknown character property", 0),
    ],
)
def test_refused_at_its_place(pattern, message, position):
    with pytest.raises(PatternError, match=message) as caught:
        compile_pattern(pattern)
    assert caught.value.position == position


def test_time_limit():
    pattern = compile_pattern("^(x+x+)+y")
    with pytest.raises(PatternTimeoutError):
        pattern.is_found_in("x" * 5000, seconds=0.05)


@given(st.text(max_size=40) | st.text(alphabet=r"ab\[](){}*+?|^$-&.1pPQEdw<>=!:,ix", max_size=30))
def test_any_text_compiles_or_is_refused(text):
    for function in (compile_pattern, to_python_re, to_ecma):
        try:
            function(text)
        except PatternError as error:
            assert 0 <= error.position <= len(text) * 2 + 2  # noqa: PT017 - most texts raise nothing
