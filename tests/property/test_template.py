"""Templates: printing gives the value back, and no document crashes the reader."""

import json

from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.template import build_expression, read_template, render_json, render_yaml, to_value
from formwork.template.expressions import FUNCTIONS

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"),
    max_size=12,
)
NAMES = st.one_of(st.sampled_from(sorted(FUNCTIONS)), st.sampled_from(["Type", "Value", "Condition", "A"]), TEXT)
SCALARS = st.one_of(
    TEXT,
    st.sampled_from(["a\nb\n", " x", "yes", "0123", "1e3", "~", "!x", "2010-09-09"]),
    st.integers(-(10**9), 10**9),
    st.booleans(),
    st.none(),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(NAMES, inner, max_size=4),
        st.tuples(st.sampled_from(sorted(FUNCTIONS)), inner).map(lambda pair: {pair[0]: pair[1]}),
    ),
    max_leaves=20,
)
SECTIONS = st.sampled_from(
    ["Resources", "Outputs", "Parameters", "Conditions", "Mappings", "Rules", "Transform", "Metadata", "X"]
)


@given(VALUES)
def test_tree_keeps_the_value(value):
    assert to_value(build_expression(value)) == value


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=4))
def test_yaml_and_json_read_back_equal(value):
    assert parse_document(render_json(value), name="t.json").value == value
    assert parse_document(render_yaml(value), name="t.yaml", short_tags=True).value == value


@given(
    st.dictionaries(
        SECTIONS, st.one_of(VALUES, st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=3), max_size=3))
    )
)
def test_reader_never_crashes(value):
    for each in read_template(parse_document(json.dumps(value), name="t.json")).diagnostics:
        assert each.location.start is not None


@given(st.text(max_size=200))
def test_no_text_crashes_the_reader(text):
    try:
        document = parse_document(text, name="t.yaml", short_tags=True)
    except BadInputError:
        return
    read_template(document)
