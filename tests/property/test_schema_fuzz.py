"""Whatever stands in a schema: findings, never an exception but the documented ones, and no hang."""

import contextlib
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError, PointerError, Severity, parse_pointer, render_pointer
from formwork.documents import parse_document
from formwork.documents.refs import ReferenceError_, follow_ref, split_local_ref
from formwork.extensions import ExtensionKind
from formwork.schema import load_hook_schema, load_module_schema, load_resource_schema, validate_schema
from formwork.schema.equality import values_equal
from formwork.schema.fixes import fix_schema
from formwork.schema.references import ReferenceLoader, inline_references, resolve_reference
from formwork.schema.resource import build_resource_schema
from formwork.schema.view import UNKNOWN
from formwork.schema_changes import compare_hooks, compare_schemas
from support.faults import HOOK, RESOURCE

MODULE = {
    "typeName": "Acme::Store::Shelf::MODULE",
    "description": "d",
    "properties": {
        "Parameters": {"type": "object", "properties": {"Name": {"type": "object", "description": "d"}}},
        "Resources": {"type": "object", "properties": {"A": {"properties": {"Type": {"const": "AWS::S3::Bucket"}}}}},
    },
    "additionalProperties": True,
}
WORDS = [
    *("type", "properties", "items", "$ref", "enum", "const", "pattern", "oneOf", "allOf", "required", "description"),
    *("patternProperties", "additionalProperties", "default", "minimum", "maximum", "dependencies", "$comment", "Name"),
    *("string", "array", "object", "integer", "#/definitions/Tag", "#/definitions/A", "/properties/Name", "A", "*", ""),
    *("readOnlyProperties", "primaryIdentifier", "tagging", "handlers", "permissions", "typeConfiguration", "remote"),
    *(
        "examples",
        "null",
        "nonPublicDefinitions",
        "tagProperty",
        "Tags",
        "ApiKey",
        "allOf",
        "anyOf",
        "$vpc^",
        "taggable",
    ),
    *("propertyTransform", "resourceLink", "^(a+)+$", "$lowercase(Name)", "formwork: ignore long-enum", "é", "~1"),
]
SCALARS = st.none() | st.booleans() | st.integers(-3, 300) | st.floats(allow_nan=False, allow_infinity=False)
LEAVES = SCALARS | st.sampled_from(WORDS) | st.text(max_size=6)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=10,
)


def paths(value, path=()):
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in members:
        yield from paths(child, (*path, name))


@st.composite
def spoiled(draw, base):
    """The good schema with a few of its parts replaced, removed or added to."""
    value = json.loads(json.dumps(base))
    for _ in range(draw(st.integers(1, 3))):
        places = [path for path in paths(value) if path]
        *parents, last = draw(st.sampled_from(places))
        holder = value
        for step in parents:
            holder = holder[step]
        new = draw(VALUES)
        if isinstance(holder, dict) and draw(st.booleans()):
            holder[draw(st.sampled_from(WORDS))] = new
        else:
            holder[last] = new
    return value


def check(value):
    document = parse_document(json.dumps(value), name="fuzz.json")
    for kind in ExtensionKind:
        for each in validate_schema(document, kind=kind):
            assert each.location.file == "fuzz.json"
            assert each.location.start
            assert "\n" not in each.message
    for load in (load_resource_schema, load_hook_schema):
        loaded = load(document)
        assert (loaded.schema is None) == any(each.severity is Severity.ERROR for each in loaded.diagnostics)
        if loaded.schema is not None:
            assert isinstance(loaded.schema.validate_model({"Name": "a", "Tags": []}), list)
    return document


@given(VALUES)
def test_any_value(value):
    check(value)


@given(spoiled(RESOURCE))
def test_spoiled_resource(value):
    document = check(value)
    schema = load_resource_schema(document).schema
    if schema is not None:
        good = build_resource_schema(parse_document(json.dumps(RESOURCE), name="good.json"))
        assert isinstance(compare_schemas(good, schema), list)
        assert compare_schemas(schema, schema) == []
    fixed = parse_document(fix_schema(document).text, name="fuzz.json")
    assert fix_schema(fixed).fixed == ()  # all that is certain was mended


@given(spoiled(HOOK))
def test_spoiled_hook(value):
    document = check(value)
    schema = load_hook_schema(document).schema
    if schema is not None:
        good = load_hook_schema(parse_document(json.dumps(HOOK), name="good.json")).schema
        assert isinstance(compare_hooks(good, schema), list)
        assert compare_hooks(schema, schema) == []


@given(spoiled(MODULE))
def test_spoiled_module(value):
    check(value)
    schema = load_module_schema(parse_document(json.dumps(value), name="fuzz.json")).schema
    if schema is not None:
        written = parse_document(json.dumps(schema.to_value()), name="fuzz.json")
        assert load_module_schema(written).schema == schema


@given(spoiled(RESOURCE), st.sampled_from([None, True, False]))
@example({**RESOURCE, "definitions": {"0": None}}, None)
def test_spoiled_yaml_is_mended_without_new_faults(value, flow):
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    try:
        document = parse_document(text, name="fuzz.yaml")
    except BadInputError:
        return  # a key that is no text, or the like
    fixed = fix_schema(document, kind=ExtensionKind.RESOURCE)
    before = validate_schema(document, kind=ExtensionKind.RESOURCE)
    after = validate_schema(parse_document(fixed.text, name="fuzz.yaml"), kind=ExtensionKind.RESOURCE)
    if not any(each.severity is Severity.ERROR for each in before):  # an error hides the warnings behind it
        assert {each.code for each in after} <= {each.code for each in before}
    assert len(fixed.left) <= len(after)


@given(spoiled(RESOURCE))
def test_yaml_and_json_agree(value):
    text = json.dumps(value, ensure_ascii=True)
    as_json = validate_schema(parse_document(text, name="s.json"), kind=ExtensionKind.RESOURCE)
    try:
        as_yaml = validate_schema(parse_document(text, name="s.yaml"), kind=ExtensionKind.RESOURCE)
    except BadInputError:
        return  # YAML has no surrogate pairs as escapes
    assert [(each.code, each.location.pointer) for each in as_json] == [
        (each.code, each.location.pointer) for each in as_yaml
    ]


@given(VALUES, VALUES)
def test_equality_is_reflexive_and_symmetric(node, value):
    schema = build_resource_schema(parse_document(json.dumps({"properties": {"A": node}}), name="x.json"))
    resolved = schema.subschema_at(("A",)) or UNKNOWN
    assert values_equal(resolved, value, json.loads(json.dumps(value)))
    other = {"B": value}
    assert values_equal(resolved, value, other) == values_equal(resolved, other, value)


@given(st.text(max_size=20) | st.text(alphabet="#/~01aA.:", max_size=20), VALUES)
def test_references(ref, root):
    for function in (
        lambda: split_local_ref(ref),
        lambda: follow_ref({"$ref": ref}, root),
        lambda: resolve_reference("", ref),
    ):
        with contextlib.suppress(ReferenceError_):
            function()
    if isinstance(root, dict):
        with contextlib.suppress(ReferenceError_):
            inline_references({**root, "properties": {"A": {"$ref": ref}}}, ReferenceLoader(Path("nowhere")))


@given(st.text(max_size=20))
def test_pointers(text):
    try:
        assert render_pointer(parse_pointer(text)) == text
    except PointerError:
        with pytest.raises(PointerError):
            parse_pointer(text)
