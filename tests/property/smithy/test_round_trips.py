"""Whatever the model: printed, it reads back the same; whatever the text: reading it ends and tells."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.idl.formatter import format_idl
from formwork.smithy.idl.printing import print_idl
from formwork.smithy.load import load_texts
from formwork.smithy.selectors import SelectorSyntaxError, parse_selector
from support.smithy import assert_same_ast

NAMES = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,6}", fullmatch=True)
MEMBERS = st.from_regex(r"[a-z][A-Za-z0-9]{0,6}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NODES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
TRAITS = st.fixed_dictionaries(
    {},
    optional={
        "smithy.api#documentation": TEXTS,
        "smithy.api#title": TEXTS,
        "smithy.api#tags": st.lists(TEXTS, max_size=3),
        "smithy.api#deprecated": st.fixed_dictionaries({}, optional={"since": TEXTS, "message": TEXTS}),
        "ex.a#Free": NODES,
    },
)
SIMPLE = st.sampled_from(["String", "Integer", "Boolean", "Timestamp", "Document", "Blob"])


def member(traits):
    return st.builds(
        lambda target, applied: {"target": f"smithy.api#{target}", **({"traits": applied} if applied else {})},
        SIMPLE,
        traits,
    )


def shape():
    members = st.dictionaries(MEMBERS, member(TRAITS), max_size=4)
    values = st.dictionaries(NAMES, TEXTS.filter(bool), min_size=1, max_size=3)
    return st.one_of(
        st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "blob", "document", "bigDecimal"])}),
        st.fixed_dictionaries({"type": st.sampled_from(["structure", "union"]), "members": members}),
        st.fixed_dictionaries({"type": st.just("list"), "member": member(TRAITS)}),
        st.builds(
            lambda entries: {
                "type": "enum",
                "members": {
                    name: {"target": "smithy.api#Unit", "traits": {"smithy.api#enumValue": value}}
                    for name, value in entries.items()
                },
            },
            values,
        ),
    )


@st.composite
def models(draw):
    shapes = draw(st.dictionaries(NAMES, st.tuples(shape(), TRAITS), max_size=5))
    built = {"ex.a#Free": {"type": "document", "traits": {"smithy.api#trait": {}}}}
    for name, (definition, traits) in shapes.items():
        if name.lower() != "free":
            built[f"{draw(st.sampled_from(['ex.a', 'ex.b']))}#{name}"] = {**definition, "traits": traits}
    metadata = draw(st.dictionaries(TEXTS, NODES, max_size=3))
    return {"smithy": "2.0", "metadata": metadata, "shapes": built}


@given(models())
@settings(max_examples=60, deadline=None)
def test_ast_to_idl_and_back(ast):
    first = load_texts([("model.json", json.dumps(ast))])
    printed = print_idl(first.model)
    again = load_texts(printed.items())
    assert [str(event) for event in again.events if event.severity == "ERROR"] == []
    assert_same_ast(ast_of(again.model), ast_of(first.model))
    for text in printed.values():
        assert format_idl(format_idl(text)) == format_idl(text)
    formatted = load_texts((name, format_idl(text)) for name, text in printed.items())
    assert_same_ast(ast_of(formatted.model), ast_of(first.model))


FRAGMENTS = st.sampled_from(
    [
        '$version: "2.0"',
        "namespace a.b",
        "structure A {",
        "}",
        "a: String",
        "b: Integer = 1",
        "@trait",
        "@length(min: 1)",
        "/// doc",
        "// c",
        "list L {\n    member: A }",
        "with [M]",
        "for R",
        ":= {",
        "operation O {",
        "input",
        "errors: [E]",
        "apply A$a",
        "metadata x = [",
        "]",
        '"text',
        '\\"',
        '"""',
        "use a.b#C",
        '\n    enum E { X = "x" }',
        "{",
        "(",
        ")",
        "[",
        ",",
        "=",
        ":",
        "#",
        "$",
        "-",
        "1.",
        "_",
        "\\u12",
        "resource R { identifiers: { id: String } }",
        "é",
        "😀",
        "\r",
        "\t",
        "\x00",
    ]
)


@given(st.lists(FRAGMENTS | TEXTS, max_size=25), st.sampled_from(["\n", " ", "\r\n", ""]))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_to_its_end(parts, separator):
    text = separator.join(parts)
    loaded = load_texts([("model.smithy", text)])
    assert loaded.model.shapes
    for event in loaded.events:
        assert str(event)
        assert event.place.position is not None
    format_idl(text)


@given(
    NODES | st.fixed_dictionaries({"smithy": st.sampled_from(["1", "2", 3, "x"]), "shapes": NODES, "metadata": NODES})
)
@settings(max_examples=80, deadline=None)
def test_any_json_is_read_to_its_end(value):
    load_texts([("model.json", json.dumps(value))])


@given(TEXTS)
@settings(max_examples=60, deadline=None)
def test_broken_json_is_told(text):
    load_texts([("model.json", '{"smithy": "2.0", ' + text)])


@given(st.lists(st.sampled_from([*"*>~<[]():,|=@{}$-", " ", "string", "[trait|a]", ":not(", ":test(", "id", "'x"])))
@settings(max_examples=100, deadline=None)
def test_any_selector_is_parsed_or_refused(parts):
    text = "".join(parts)
    with contextlib.suppress(SelectorSyntaxError):
        parse_selector(text)


@pytest.mark.parametrize("nested", ["[" * 100_000, "{a:" * 50_000, "@a(" * 50_000], ids=["arrays", "objects", "traits"])
def test_depth_is_bounded(nested):
    (event, *_) = load_texts([("model.smithy", f"metadata a = {nested}")]).events
    assert "Syntax error" in event.message
    load_texts([("model.json", '{"smithy": "2.0", "metadata": ' + "[" * 100_000)])
