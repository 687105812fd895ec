"""Module schemas: loaded with their diagnostics, typed, and written back as they were."""

import json

import pytest

from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import ModuleParameter, ModuleSchema, detect_kind, load_module_schema, validate_schema
from support.corpus import corpus_projects, needs_fixtures

MODULE = ModuleSchema(
    "Acme::Store::Shelf::MODULE",
    "Schema for Module Fragment of type Acme::Store::Shelf::MODULE",
    {"Name": ModuleParameter(), "Size": ModuleParameter("How large")},
    {"Bucket": "AWS::S3::Bucket", "Log": "AWS::S3::Bucket", "Inner": "Acme::Store::Box::MODULE"},
)


def document(value):
    return parse_document(json.dumps(value, indent=1), name="schema.json")


@pytest.mark.parametrize("module", [MODULE, ModuleSchema("A1::B1::C1::MODULE", "d", {}, {})])
def test_round_trip(module):
    loaded = load_module_schema(document(module.to_value()))
    assert loaded.diagnostics == []
    assert loaded.schema == module
    assert validate_schema(document(module.to_value())) == []


def test_what_it_contains():
    assert MODULE.resource_types == ("AWS::S3::Bucket",)
    assert MODULE.modules == ("Acme::Store::Box::MODULE",)
    assert detect_kind(document(MODULE.to_value())) is ExtensionKind.MODULE


@needs_fixtures
@pytest.mark.parametrize("project", corpus_projects("MODULE"), ids=lambda each: each.id)
def test_those_that_the_incumbent_wrote(project):
    path = project.root / "schema.json"
    loaded = load_module_schema(path)
    assert loaded.diagnostics == []
    assert loaded.schema.to_value() == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"typeName": "Acme::Store::Shelf"}, "schema.type-name", "/typeName"),
        ({"properties": {"Parameters": {}}}, "schema.missing-keyword", "/properties"),
        ({"properties": {"Resources": 1}}, "schema.wrong-type", "/properties/Resources"),
        ({"description": 1}, "schema.wrong-type", "/description"),
        ({"additionalProperties": "true"}, "schema.wrong-type", "/additionalProperties"),
        ({"primaryIdentifier": []}, "schema.unknown-keyword", "/primaryIdentifier"),
        ({"type": "RESOURCE"}, "schema.value-not-allowed", "/type"),
    ],
)
def test_what_is_wrong(change, code, pointer):
    loaded = load_module_schema(document({**MODULE.to_value(), **change}))
    assert loaded.schema is None
    assert [(each.code, each.location.pointer) for each in loaded.diagnostics] == [(code, pointer)]


def test_a_document_that_is_no_module():
    loaded = load_module_schema(document([1]))
    assert loaded.schema is None
    assert loaded.diagnostics[0].code == "schema.wrong-type"
