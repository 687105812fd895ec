"""Forms from schemas: what a form shows of a model is the model again when it is posted; no form is an error."""

import json

from hypothesis import given
from hypothesis import strategies as st

from formwork.console.views.form_model import EnteredModel, patch_of
from formwork.console.views.schema_form import SchemaForm
from formwork.documents import Document
from formwork.instances import InstanceGenerator
from formwork.schema import load_resource_schema

VALUE = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "definitions": {
        "Tag": {
            "type": "object",
            "properties": {"Key": {"type": "string", "minLength": 1}, "Size": {"type": "integer"}},
            "required": ["Key"],
            "additionalProperties": False,
        }
    },
    "properties": {
        "Name": {"type": "string", "minLength": 1},
        "Kind": {"type": "string", "enum": ["1", "true", "x"]},
        "Level": {"type": "integer", "enum": [1, 2]},
        "Open": {"type": "boolean"},
        "Share": {"type": "number"},
        "Tag": {"$ref": "#/definitions/Tag"},
        "Tags": {"type": "array", "items": {"$ref": "#/definitions/Tag"}, "minItems": 1},
        "Rows": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "array", "minItems": 1, "items": {"type": "integer"}},
        },
        "Map": {"type": "object", "patternProperties": {"^[a-z]+$": {"type": "string"}}, "additionalProperties": False},
        "Any": {"type": ["string", "integer"]},
    },
    "required": ["Name"],
    "primaryIdentifier": ["/properties/Name"],
    "additionalProperties": False,
    "handlers": {"create": {"permissions": []}},
}
SCHEMA = load_resource_schema(Document.of_value(VALUE, "schema")).schema
assert SCHEMA is not None
POINTERS = st.sampled_from([each.pointer for each in SchemaForm(SCHEMA, {}, updating=False).walk()])
NAMES = (
    POINTERS
    | st.text(alphabet="/~01Tags*x", max_size=8).map(lambda each: each)
    | POINTERS.map(lambda each: f"{each}/0")
)


def posted(model):
    """What a browser posts of a form."""
    fields = list(SchemaForm(SCHEMA, model, updating=False).walk())
    form = {f"f:{each.pointer}": [each.value] for each in fields if each.kind not in {"object", "list"}}
    items = [each.pointer for each in fields if each.kind == "object" and each.path and isinstance(each.path[-1], int)]
    return {**form, "present": items}


def without_empty(value):
    """A model as a form can show it: what is empty is not there."""
    if isinstance(value, dict):
        return {name: inner for name, each in value.items() if (inner := without_empty(each)) not in ({}, "", [])}
    return [without_empty(each) for each in value] if isinstance(value, list) else value


@given(st.integers(0, 10_000))
def test_a_form_that_is_posted_as_it_is_shown_is_the_model(seed):
    model = InstanceGenerator(SCHEMA, seed=seed).random()
    entered = EnteredModel(SCHEMA, posted(model))
    entered.check()
    assert entered.faults == {}
    assert without_empty(entered.model) == without_empty(model)
    assert patch_of(SCHEMA, model, model) == []


@given(
    st.dictionaries(NAMES, st.text(max_size=5), max_size=6),
    st.lists(NAMES, max_size=3),
    st.none() | st.text(max_size=8),
)
def test_no_form_is_an_error(fields, present, text):
    form = {f"f:{name}": [value] for name, value in fields.items()} | {"present": present}
    entered = EnteredModel(SCHEMA, form if text is None else {**form, "json": [text]})
    entered.check()
    json.dumps(entered.model)
    shown = SchemaForm(SCHEMA, entered.model, updating=False)
    placed, others = entered.by_field(shown)
    assert bool(placed or others) is bool(entered.faults)
    patch_of(SCHEMA, {"Name": "n", "Tag": {"Key": "k"}}, entered.model)
