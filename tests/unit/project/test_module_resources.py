"""Resources in a fragment against the schemas of their types."""

import json

import pytest

from formwork.diagnostics import BadInputError
from formwork.project import load_project
from formwork.project.module import load_module

BOX = {
    "typeName": "Acme::Store::Box",
    "description": "A box.",
    "definitions": {"Side": {"type": "object", "additionalProperties": False, "properties": {"Width": {}, "Rim": {}}}},
    "properties": {
        "Name": {"type": "string"},
        "Arn": {"type": "string"},
        "Sides": {"type": "array", "items": {"$ref": "#/definitions/Side"}},
        "Labels": {"type": "object"},
        "Lid": {"oneOf": [{"$ref": "#/definitions/Side"}, {"type": "object"}]},
    },
    "required": ["Name", "Arn"],
    "readOnlyProperties": ["/properties/Arn"],
    "primaryIdentifier": ["/properties/Arn"],
    "additionalProperties": False,
}


def found(tmp_path, resource, *, schemas=True):
    (tmp_path / "fragments").mkdir()
    config = {"artifact_type": "MODULE", "typeName": "Acme::Store::Shelf::MODULE", "settings": {}}
    (tmp_path / ".rpdk-config").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "fragments" / "f.json").write_text(json.dumps({"Resources": {"R": resource}}), encoding="utf-8")
    if schemas:
        (tmp_path / "target-schemas").mkdir()
        (tmp_path / "target-schemas" / "box.json").write_text(json.dumps(BOX), encoding="utf-8")
    module = load_module(load_project(tmp_path))
    return [(each.code, each.location.pointer) for each in module.diagnostics]


def box(**properties):
    return {"Type": "Acme::Store::Box", "Properties": properties}


@pytest.mark.parametrize(
    ("resource", "code", "pointer"),
    [
        (box(), "module.missing-property", "/Resources/R"),
        ({"Type": "Acme::Store::Box"}, "module.missing-property", "/Resources/R"),
        (box(Name="a", Colour="red"), "module.unknown-property", "/Resources/R/Properties/Colour"),
        (box(Name="a", Arn="x"), "module.read-only-property", "/Resources/R/Properties/Arn"),
        (
            box(Name="a", Sides=[{"Width": 1}, {"Depth": 1}]),
            "module.unknown-property",
            "/Resources/R/Properties/Sides/1/Depth",
        ),
        ({"Type": "Acme::Store::Bocks"}, "module.unknown-type", "/Resources/R/Type"),
    ],
)
def test_what_is_found(tmp_path, resource, code, pointer):
    assert found(tmp_path, resource) == [(code, pointer)]


@pytest.mark.parametrize(
    "resource",
    [
        box(Name={"Fn::Sub": "${AWS::StackName}"}, Labels={"Any": 1}, Lid={"Free": 1}),
        box(Name="a", Sides={"Fn::Split": [",", "a"]}),
        {"Type": "Acme::Store::Box", "Properties": {"Fn::If": ["C", {}, {}]}},
        {"Type": "Other::Service::Type", "Properties": {"X": 1}},
        {"Type": "Acme::Store::Other::MODULE", "Properties": {"X": 1}},
        {"Type": "Custom::Thing", "Properties": {"X": 1}},
    ],
)
def test_what_is_left_alone(tmp_path, resource):
    codes = {code for code, _ in found(tmp_path, resource)}
    assert not {each for each in codes if each.startswith("module.")}


def test_without_schemas_nothing_is_said(tmp_path):
    assert found(tmp_path, {"Type": "Acme::Store::Box", "Properties": {"Colour": 1}}, schemas=False) == []


def test_a_fragment_in_a_json_file_may_be_yaml(tmp_path):
    assert found(tmp_path, box(Name="a"), schemas=False) == []
    text = "Parameters:\n  P: {Type: String}\nResources:\n  R:\n    Type: Acme::Store::Box\n    Properties: {Name: !Ref P}\n"
    (tmp_path / "fragments" / "f.json").write_text(text, encoding="utf-8")
    module = load_module(load_project(tmp_path))
    assert not module.diagnostics
    assert list(module.template.resources) == ["R"]
    (tmp_path / "fragments" / "f.json").write_text('{"Resources": {"R": ]}}', encoding="utf-8")
    with pytest.raises(BadInputError, match=r"expected|JSON"):
        load_module(load_project(tmp_path))
