"""Wherever comments stand: formatting loses none, changes no model and is done after one time."""

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.idl.formatter import format_idl
from formwork.smithy.idl.parser import parse_idl
from formwork.smithy.idl.printing import print_idl
from formwork.smithy.idl.tokens import Token, tokenize
from formwork.smithy.load import load_texts
from property.smithy.test_round_trips import models
from support.smithy import assert_same_ast

OPERATIONS = """$version: "2.0"
$operationInputSuffix: "In"
metadata a = { b: [1, { "c d": "x" }], e: {} }
metadata suppressions = []
namespace ex.ops
use ex.a#Free
use smithy.api#Unit
@tags(["a", "b"])
@documentation("one
line")
service S { version: "1", operations: [Do, Other], errors: [Bad], rename: {"ex.a#Free": "Freed"} }
resource R with [Mixed] { identifiers: { id: String }, properties: { kind: Kind }, read: Do }
@mixin resource Mixed {}
/// Documented.
@readonly
operation Do { input := @sensitive for R with [M, N] { @required $id, k: Kind = "a"
}, output: Free errors: [Bad,] }
operation Other { output := {} }
@mixin structure M {}
@mixin structure N { list: Integer }
@error("client") structure Bad { message: String = ""
/// What went wrong.
why: String
}
enum Kind { A = "a"
B = "b"
}
intEnum Level { LOW = 1
HIGH = 2
}
apply Bad @deprecated(since: "1", message: \"\"\"
    Two
      lines\"\"\")
apply Bad$why { @tags(["x"]) @title("t") }
"""
FREE = '$version: "2.0"\nnamespace ex.a\n@trait document Free\n'


def is_read(text):
    return not any("Syntax error" in event.message for event in parse_idl(text, name="m.smithy").events)


def test_the_operations_can_be_read():
    assert is_read(OPERATIONS)


def comments_of(text):
    kinds, starts = tokenize(text)
    found = zip(kinds, starts, starts[1:], strict=False)
    return Counter(
        text[start:end].strip().lstrip("/").strip()
        for kind, start, end in found
        if kind in (Token.COMMENT, Token.DOC_COMMENT)
    )


def with_comments(draw, text):
    """The text with comments and empty lines where blanks are, as long as it can be read."""
    for number in range(draw(st.integers(1, 6))):
        kinds, starts = tokenize(text)
        gaps = [end for kind, end in zip(kinds, starts[1:], strict=False) if kind <= Token.COMMENT]
        place = draw(st.sampled_from(gaps or [0]))
        added = draw(
            st.sampled_from([f"// c{number}\n", f"\n// c{number}\n\n", "\n\n", f"\n//c{number}\n//d{number}\n"])
        )
        changed = text[:place] + added + text[place:]
        text = changed if is_read(changed) else text
    return text


@st.composite
def commented(draw):
    if draw(st.booleans()):
        return {"ops.smithy": with_comments(draw, OPERATIONS), "a.smithy": FREE}
    printed = print_idl(load_texts([("model.json", json.dumps(draw(models())))]).model)
    return {name: with_comments(draw, text) for name, text in printed.items()}


@given(commented())
@settings(max_examples=120, deadline=None)
def test_formatting_loses_nothing(texts):
    formatted = {name: format_idl(text) for name, text in texts.items()}
    for name, text in formatted.items():
        assert format_idl(text) == text
        dropped = comments_of(texts[name]) - comments_of(text)
        assert not dropped or "use " in texts[name]
        assert not comments_of(text) - comments_of(texts[name])
    before, after = load_texts(texts.items()), load_texts(formatted.items())
    assert_same_ast(ast_of(after.model), ast_of(before.model))
