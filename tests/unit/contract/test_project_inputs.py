"""The inputs/ of a project: what their author should know before handlers are blamed."""

import json

import pytest

from formwork.contract.project_subjects import load_inputs
from formwork.documents import DocumentFormat, parse_document
from formwork.project import load_project
from formwork.schema.resource import build_resource_schema

SCHEMA = {
    "typeName": "Acme::Input::Thing",
    "description": "d",
    "properties": {
        "Id": {"type": "string"},
        "Kind": {"type": "string", "enum": ["a", "b"]},
        "Size": {"type": "integer"},
        "Secret": {"type": "string", "minLength": 6},
    },
    "required": ["Id", "Kind"],
    "readOnlyProperties": ["/properties/Id"],
    "createOnlyProperties": ["/properties/Kind"],
    "writeOnlyProperties": ["/properties/Secret"],
    "primaryIdentifier": ["/properties/Id"],
    "additionalProperties": False,
    "handlers": {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")},
}


@pytest.fixture
def told(tmp_path):
    def load(create, update):
        settings = {"artifact_type": "RESOURCE", "typeName": SCHEMA["typeName"], "language": "python311"}
        settings |= {"runtime": "python3.11", "entrypoint": "thing.resource", "testEntrypoint": "thing.test"}
        (tmp_path / ".rpdk-config").write_text(json.dumps({**settings, "settings": {}}))
        (tmp_path / "acme-input-thing.json").write_text(json.dumps(SCHEMA))
        (tmp_path / "inputs").mkdir()
        for kind, model in (("create", create), ("update", update), ("invalid", {})):
            (tmp_path / "inputs" / f"inputs_1_{kind}.json").write_text(json.dumps(model))
        schema = build_resource_schema(
            parse_document(json.dumps(SCHEMA), name="acme-input-thing.json", format=DocumentFormat.JSON)
        )
        _, diagnostics = load_inputs(load_project(tmp_path), schema, seed=1, exports={})
        return [(each.severity, each.code, each.location.pointer) for each in diagnostics], str(diagnostics)

    return load


def test_valid_inputs_are_not_mentioned(told):
    """What the service gives need not stand there, nor in an update what it takes from the create."""
    assert told({"Kind": "a", "Size": 1}, {"Size": 2})[0] == []


def test_inputs_that_break_the_schema_are_warned_of_with_their_place(told):
    found, text = told({"Kind": "c", "Size": "7", "Secret": "hush", "Bogus": 1}, {"Size": 2.5})
    assert found == [
        ("warning", "model.not-allowed", "/Kind"),
        ("warning", "model.wrong-type", "/Size"),
        ("warning", "model.out-of-bounds", "/Secret"),
        ("warning", "model.undeclared-property", "/Bogus"),
        ("warning", "model.wrong-type", "/Size"),
    ]
    assert "hush" not in text
