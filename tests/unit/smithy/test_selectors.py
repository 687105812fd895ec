"""Facts of selectors that comparing them with the reference brought up."""

import pytest

from formwork.smithy.load import load_texts
from formwork.smithy.selectors import SelectorSyntaxError, parse_selector, select

MODEL = """$version: "2.0"
namespace a
enum E { ONE, TWO }
string S
structure T { e: E, s: S }
union U { none: Unit }
"""


def found(selector):
    model = load_texts([("a.smithy", MODEL)]).model
    return {each for each in select(model, selector) if each.startswith("a#")}


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("string[trait|enum]", {"a#E"}),
        ("string :not([trait|enum])", {"a#S"}),
        ("[trait|enum|(values)|value = TWO]", {"a#E"}),
        ("[id = 'a#E'] ~> *", {"a#E$ONE", "a#E$TWO"}),
        ("structure > member > string", {"a#E", "a#S"}),
    ],
)
def test_enums_are_strings_with_the_enum_trait(selector, expected):
    assert found(selector) == expected


def test_unknown_attributes_are_told():
    with pytest.raises(SelectorSyntaxError, match="property"):
        parse_selector("resource [property|name]")
