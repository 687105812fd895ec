"""Small facts of the IDL that the corpora only touch."""

import pytest

from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.idl.parser import parse_idl
from formwork.smithy.idl.strings import string_value, text_block_value
from formwork.smithy.idl.tokens import Token, tokenize
from formwork.smithy.load import load_texts
from formwork.smithy.nodes import parse_number, render_node


def kinds(text):
    return [Token(kind).name for kind in tokenize(text)[0][:-2]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a _b __9", ["IDENTIFIER", "SPACE", "IDENTIFIER", "SPACE", "IDENTIFIER"]),
        ("_", ["ERROR"]),
        ('"a\\"b"', ["STRING"]),
        ('"""\n a"""', ["TEXT_BLOCK"]),
        ('""', ["STRING"]),
        ("1 -2.5e+3", ["NUMBER", "SPACE", "NUMBER"]),
        ("1.", ["ERROR"]),
        ("-", ["ERROR"]),
        ("1e", ["ERROR"]),
        ("a:=b", ["IDENTIFIER", "WALRUS", "IDENTIFIER"]),
        ("//x\r\n///y\n////z", ["COMMENT", "DOC_COMMENT", "DOC_COMMENT"]),
        ('"\\q"', ["ERROR"]),
        ("é", ["ERROR"]),
    ],
)
def test_tokens(text, expected):
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("lexeme", "value"),
    [('"a\\nb"', "a\nb"), ('"\\u00e9"', "é"), ('"a\\\nb"', "ab"), ('"a\r\nb"', "a\nb"), ('"\\ud83d\\ude00"', "😀")],
)
def test_strings(lexeme, value):
    assert string_value(lexeme) == value


@pytest.mark.parametrize(
    ("lexeme", "value"),
    [
        ('"""\n  a\n   b\n  """', "a\n b\n"),
        ('"""\n  a\n   b"""', "a\n b"),
        ('"""\n    a\n  """', "  a\n"),
        ('"""\n\ta  \n"""', "\ta\n"),
    ],
)
def test_text_blocks(lexeme, value):
    assert text_block_value(lexeme) == value


@pytest.mark.parametrize(
    ("literal", "rendered"), [("1", "1"), ("1.0", "1.0"), ("-0", "0"), ("1E+400", "1E+400"), ("0.1", "0.1")]
)
def test_numbers_keep_what_was_written(literal, rendered):
    assert render_node(parse_number(literal)) == rendered


def test_columns_count_utf16_units():
    file = parse_idl('$version: "2"\nnamespace a\n@documentation("😀") strin A\n', name="a.smithy")
    (event,) = file.events
    assert str(event.message) == "Syntax error at line 3, column 22: Unknown shape type: strin"


def test_one_error_does_not_hide_the_next():
    text = '$version: "2"\nnamespace a\nstructure A { a String }\nstring B\nlist C { member }\nstring D\n'
    loaded = load_texts([("a.smithy", text)])
    assert [event.place.position.line for event in loaded.events] == [3, 5]
    assert {"a#B", "a#D"} <= loaded.model.shapes.keys()
    assert "a#A" not in loaded.model.shapes


def test_a_documentation_comment_behind_a_statement_documents_nothing():
    text = '$version: "2"\nnamespace ns /// stray\n\nstring A /// lost\n\nmap B\n/// gone\n{ key: A, value: A }\n'
    loaded = load_texts([("model.smithy", text)])
    assert not any(shape.has_trait("documentation") for shape in loaded.model.shapes.values())
    told = [each.message.rpartition(": ")[2] for each in loaded.events if "BadDocumentation" in each.id]
    assert told == ["stray", "lost", "gone"]


MIXED = """$version: "2"
namespace ns
@mixin structure A { a: String }
@mixin structure B with [A] { @required b: String }
@mixin structure C { @documentation("c") b: String }
structure D with [B, C] {}
@trait structure refs { @idRef id: String }
@refs(id: D$b) string X
@refs(id: ns#D$a) string Y
"""


def test_an_id_may_name_a_member_that_a_mixin_brings():
    assert [str(each) for each in load_texts([("model.smithy", MIXED)]).events] == []
    loaded = load_texts([("model.smithy", MIXED.replace("D$a", "D$z"))])
    assert [each.id for each in loaded.events] == ["SyntacticShapeIdTarget"]


def test_a_member_merged_from_two_mixins_is_applied_the_traits_of_the_later_one():
    shapes = ast_of(load_texts([("model.smithy", MIXED)]).model)["shapes"]
    assert shapes["ns#D$b"] == {"type": "apply", "traits": {"smithy.api#documentation": "c"}}
    assert "ns#D$a" not in shapes
