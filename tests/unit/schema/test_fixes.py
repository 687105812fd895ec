"""Certain mends: made, and nothing else touched."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.documents import parse_document
from formwork.documents.json_edit import Insert, Remove, Rename, Replace, edit_json
from formwork.schema import Kind, validate_schema
from formwork.schema.fixes import fix_schema
from support.faults import FAULTS, GONE, RESOURCE, seed_fault

N = "/properties/Name"
MENDED = [
    {"/properties/Mode/type": GONE},
    {"/primaryIdentifier": GONE, "/identifiers": [["/properties/Id"]]},
    {"/primaryIdentifier": GONE, "/additionalIdentifiers": GONE, "/identifiers": ["/properties/Id", "/properties/Arn"]},
    {"/additionalIdentifiers": ["/properties/Arn"]},
    {"/additionalProperties": GONE},
    {"/primaryIdentifier": ["Id"]},
    {"/primaryIdentifier": ["#/properties/Id"]},
    {"/required": ["Name", "Name"]},
    {"/handlers/read/timeoutInMinutes": 60},
    {"/taggable": True},
    {"/definitions/Tag/additionalProperties": GONE},
    {"/properties/Labels/additionalProperties": GONE},
    {"/handlers/create/timeoutInMinutes": GONE, "/handlers/create/timeoutinMinutes": 30},
    {"/tagging/taggable": "true"},
    {"/handlers/create/timeoutInMinutes": "30", "/properties/Size/minimum": "1"},
    {"/properties/Tags/insertionOrder": "false", "/properties/Tags/uniqueItems": "true"},
]


@pytest.mark.parametrize("changes", MENDED, ids=str)
@pytest.mark.parametrize("indent", [None, 2, 4, "\t"])
def test_mended(changes, indent):
    text = json.dumps(seed_fault(RESOURCE, changes), indent=indent)
    fixed = fix_schema(parse_document(text, name="x.json"))
    assert fixed.fixed
    assert validate_schema(parse_document(fixed.text, name="x.json"), kind=Kind.RESOURCE) == []
    assert (fixed.text.count("\n") == 0) == (indent is None)


def test_nothing_is_changed_without_need():
    text = json.dumps(RESOURCE, indent=3)
    assert fix_schema(parse_document(text, name="x.json")).text == text
    doubtful = json.dumps(seed_fault(RESOURCE, {f"{N}/type": "strin", "/taggable": False}), indent=1)
    assert fix_schema(parse_document(doubtful, name="x.json")).text == doubtful


def test_yaml_is_left_alone():
    document = parse_document("typeName: A::B::C\n", name="x.yaml")
    assert fix_schema(document).text == document.text


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_fixing_never_adds_faults(fault):
    document = parse_document(json.dumps(fault.schema, indent=1), name="x.json")
    before = validate_schema(document, kind=Kind(fault.base))
    after = validate_schema(parse_document(fix_schema(document).text, name="x.json"), kind=Kind(fault.base))
    assert len(after) <= len(before)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=4), VALUES, min_size=1), st.sampled_from([None, 1, 2, "\t"]), st.data())
def test_edits_do_what_they_say(value, indent, data):
    text = json.dumps(value, indent=indent)
    name = data.draw(st.sampled_from(sorted(value)))
    new = data.draw(VALUES)
    assert json.loads(edit_json(text, [Replace((name,), new)])) == {**value, name: new}
    assert json.loads(edit_json(text, [Remove((name,))])) == {key: each for key, each in value.items() if key != name}
    assert json.loads(edit_json(text, [Insert((), "a new one", new)])) == {**value, "a new one": new}
    renamed = json.loads(edit_json(text, [Rename((name,), "a new one")]))
    assert renamed == {"a new one" if key == name else key: each for key, each in value.items()}
    assert edit_json(text, [Remove(("nowhere", "at", "all"))]) == text
