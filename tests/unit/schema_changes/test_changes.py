"""What breaks between two versions: single changes of one good schema, each with what must be said of it."""

import itertools
import json

import pytest

from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.schema import load_resource_schema
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema
from formwork.schema_changes import compare_hooks, compare_schemas
from support.corpus import corpus_projects, needs_fixtures
from support.faults import GONE, HOOK, RESOURCE, lines_by_pointer, seed_fault

N, NEW, LIST = "/properties/Name", "/properties/New", "/readOnlyProperties"
E, W, I = Severity.ERROR, Severity.WARNING, Severity.INFO  # noqa: E741 - a column of a table
CONDITIONAL = "/conditionalCreateOnlyProperties"

CHANGES = [
    ({"/properties/Size": GONE}, "property-removed", E, "/properties/Size"),
    ({NEW: {"type": "string"}}, "property-added", I, NEW),
    ({"/required": ["Name", "Size"]}, "newly-required", E, "/required/1"),
    ({"/required": ["Name", "Id"]}, None, None, None),  # readOnly: nobody has to set it
    ({"/required": []}, "no-longer-required", I, ""),
    ({"/definitions/Tag/required": ["Key"]}, "no-longer-required", I, "/definitions/Tag/required"),
    (
        {"/definitions/Tag/properties/Value": GONE, "/definitions/Tag/required": ["Key"]},
        "property-removed",
        E,
        "/definitions/Tag/properties/Value",
    ),
    ({"/definitions/Rule/required": ["Port"]}, "newly-required", E, "/definitions/Rule/required/0"),
    ({f"{N}/type": "integer"}, "type-changed", E, N),
    ({f"{N}/type": ["string", "integer"]}, "type-widened", W, N),
    ({"/properties/Size/type": "number"}, "type-widened", W, "/properties/Size"),
    ({"/properties/Mode/enum": ["fast"]}, "enum-value-removed", E, "/properties/Mode"),
    ({"/properties/Mode/enum": ["fast", "slow", "idle"]}, "enum-value-added", I, "/properties/Mode"),
    ({"/properties/Mode/enum": GONE}, "enum-removed", I, "/properties/Mode"),
    ({f"{N}/enum": ["a"]}, "enum-added", E, N),
    ({f"{N}/const": "a"}, "enum-added", E, N),
    ({"/properties/Size/minimum": 2}, "range-tightened", E, "/properties/Size"),
    ({"/properties/Size/minimum": 0}, "range-widened", I, "/properties/Size"),
    ({"/properties/Size/maximum": 99}, "range-tightened", E, "/properties/Size"),
    ({"/properties/Size/maximum": GONE}, "range-widened", I, "/properties/Size"),
    ({"/properties/Size/multipleOf": 2}, "range-tightened", E, "/properties/Size"),
    ({f"{N}/minLength": 1}, "range-tightened", E, N),
    ({f"{N}/maxLength": 63}, "range-tightened", E, N),
    ({f"{N}/maxLength": 65}, "range-widened", I, N),
    ({"/properties/Rules/maxItems": 3}, "range-tightened", E, "/properties/Rules"),
    ({"/properties/Rules/uniqueItems": True}, "items-unique", E, "/properties/Rules"),
    ({"/properties/Rules/insertionOrder": False}, "equality-changed", W, "/properties/Rules"),
    ({"/properties/Rules/arrayType": "AttributeList"}, "equality-changed", W, "/properties/Rules"),
    ({f"{N}/pattern": "^a"}, "pattern-changed", E, N),
    ({f"{N}/pattern": GONE}, "pattern-removed", I, N),
    ({"/properties/Id/pattern": "^a"}, "pattern-added", E, "/properties/Id"),
    ({"/definitions/Rule/properties/Port/maximum": 80}, "range-tightened", E, "/definitions/Rule/properties/Port"),
    (
        {"/properties/Labels/patternProperties": {"^[A-Z]+$": {"type": "string"}}},
        "map-keys-changed",
        E,
        "/properties/Labels",
    ),
    ({"/properties/Size/default": 4}, "default-changed", W, "/properties/Size"),
    ({"/properties/Size/default": GONE}, "default-changed", W, "/properties/Size"),
    ({f"{N}/format": "uri"}, "format-changed", W, N),
    ({f"{N}/allOf": [{"minLength": 3}]}, "combiner-changed", W, N),
    ({f"{LIST}": ["/properties/Id", "/properties/Arn", "/properties/Size"]}, "became-read-only", E, f"{LIST}/2"),
    (
        {"/createOnlyProperties": ["/properties/Mode", "/properties/Size"]},
        "became-create-only",
        E,
        "/createOnlyProperties/1",
    ),
    ({"/createOnlyProperties": GONE}, "no-longer-create-only", I, "/createOnlyProperties"),
    (
        {"/writeOnlyProperties": ["/properties/Password", "/properties/Size"]},
        "became-write-only",
        E,
        "/writeOnlyProperties/1",
    ),
    ({CONDITIONAL: ["/properties/Size"]}, "became-conditional-create-only", E, f"{CONDITIONAL}/0"),
    ({"/nonPublicProperties": ["/properties/Size"]}, "became-non-public", E, "/nonPublicProperties/0"),
    ({"/primaryIdentifier": ["/properties/Arn"]}, "identifier-changed", E, "/primaryIdentifier"),
    ({"/additionalIdentifiers": GONE}, "identifier-removed", E, "/additionalIdentifiers"),
    ({"/typeName": "Acme::Store::Other"}, "type-name", E, "/typeName"),
    ({"/handlers/update": GONE}, "handler-removed", E, "/handlers"),
    (
        {"/handlers/create/permissions": ["store:CreateThing", "kms:Encrypt"]},
        "permissions-added",
        W,
        "/handlers/create/permissions",
    ),
    ({"/handlers/create/timeoutInMinutes": 20}, "timeout-shortened", W, "/handlers/create"),
    ({"/tagging": {"taggable": False}}, "tagging-removed", E, "/tagging"),
    ({"/tagging/tagProperty": "/properties/Labels"}, "tag-property", E, "/tagging"),
    ({"/replacementStrategy": "delete_then_create"}, "replacement-strategy", W, "/replacementStrategy"),
    ({"/typeConfiguration": GONE}, "configuration-removed", E, "/typeConfiguration"),
    (
        {"/typeConfiguration/properties/Key": {"type": "string"}, "/typeConfiguration/required": ["ApiUrl", "Key"]},
        "newly-required",
        E,
        "/typeConfiguration/required/1",
    ),
    ({f"{N}/description": "Other words"}, None, None, None),
    ({"/description": "Other words"}, None, None, None),
]


def load(value):
    return build_resource_schema(parse_document(json.dumps(value, indent=1), name="schema.json"))


@pytest.mark.parametrize(("changes", "slug", "weight", "pointer"), CHANGES, ids=lambda each: str(each)[:50])
def test_change(changes, slug, weight, pointer):
    changed = seed_fault(RESOURCE, changes)
    found = compare_schemas(load(RESOURCE), load(changed))
    if slug is None:
        assert found == []
        return
    wanted = [each for each in found if (each.code, each.severity) == (f"change.{slug}", weight)]
    assert [each.location.pointer for each in wanted] == [pointer], found
    shown = (
        RESOURCE
        if slug in ("property-removed", "no-longer-create-only", "identifier-removed", "configuration-removed")
        else changed
    )
    assert wanted[0].location.start.line == lines_by_pointer(shown)[pointer]
    assert all(each.severity is not E or each.hint for each in found if slug != "configuration-removed")


@pytest.mark.parametrize("changes", [row[0] for row in CHANGES], ids=lambda each: str(each)[:50])
def test_a_schema_does_not_differ_from_itself(changes):
    schema = load(seed_fault(RESOURCE, changes))
    assert compare_schemas(schema, schema) == []


def test_recursion_ends():
    deep = {**RESOURCE, "definitions": {**RESOURCE["definitions"], "Other": {"$ref": "#/definitions/Rule"}}}
    deep["properties"] = {**deep["properties"], "Rules": {"type": "array", "items": {"$ref": "#/definitions/Other"}}}
    assert isinstance(compare_schemas(load(RESOURCE), load(deep)), list)


@needs_fixtures
def test_corpus():
    schemas = [
        load_resource_schema(each.schema_path).schema
        for each in corpus_projects("RESOURCE")
        if each.schema_path.is_file()
    ]
    for one, other in itertools.pairwise(schemas):
        assert compare_schemas(one, one) == []
        assert any(each.severity is Severity.ERROR for each in compare_schemas(one, other))


HANDLER = {"targetNames": ["Acme::Store::Thing"], "permissions": []}
HOOK_CHANGES = [
    ({}, None, None, None),
    ({"/typeName": "Acme::Store::Other"}, "type-name", E, "/typeName"),
    ({"/handlers/preDelete": HANDLER}, "handler-added", W, "/handlers/preDelete"),
    ({"/handlers": {"preDelete": HANDLER}}, "handler-removed", W, "/handlers/preCreate"),
    (
        {"/handlers/preCreate/targetNames": ["Acme::Store::Thing", "AWS::S3::Bucket"]},
        "target-added",
        W,
        "/handlers/preCreate/targetNames/1",
    ),
    ({"/handlers/preCreate/targetNames": []}, "target-removed", W, "/handlers/preCreate/targetNames/0"),
    (
        {"/handlers/preCreate/permissions": ["store:GetThing", "store:ListThings"]},
        "permission-added",
        W,
        "/handlers/preCreate/permissions",
    ),
    ({"/handlers/preCreate/permissions": []}, "permission-removed", I, "/handlers/preCreate/permissions"),
    (
        {"/typeConfiguration/properties/limit": GONE, "/typeConfiguration/properties/other": {"type": "string"}},
        "property-removed",
        E,
        "/typeConfiguration/properties/limit",
    ),
    ({"/typeConfiguration/required": ["limit"]}, "newly-required", E, "/typeConfiguration/required/0"),
    ({"/typeConfiguration/properties/limit/maximum": 9}, "range-tightened", E, "/typeConfiguration/properties/limit"),
]


@pytest.mark.parametrize(("changes", "slug", "severity", "pointer"), HOOK_CHANGES, ids=lambda each: str(each)[:50])
def test_a_change_of_a_hook(changes, slug, severity, pointer):
    old, new = (
        build_hook_schema(parse_document(json.dumps(value), name="hook.json"))
        for value in (HOOK, seed_fault(HOOK, changes))
    )
    found = [(each.code, each.severity, each.location.pointer) for each in compare_hooks(old, new)]
    if slug is None:
        assert found == []
    else:
        assert (f"change.{slug}", severity, pointer) in found
