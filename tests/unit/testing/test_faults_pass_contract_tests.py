"""The seeded faults of the type and the hook pass the contract tests with their author's inputs.

Modules and applications have no contract tests.
"""

import json

import pytest

from formwork.contract import prove_project
from formwork.testing.handlers import read_class
from support.seeded_faults import HOOK_FAULTS, TYPE_FAULTS
from support.shelves import SCHEMA

FOLDERS = {"RESOURCE": "acme-books-shelf", "HOOK": "acme-books-smallshelves"}


def write_project(folder, extension, inputs):
    config = {
        "artifact_type": str(extension.kind),
        "typeName": extension.type_name,
        "language": "python312",
        "runtime": "python3.12",
        "entrypoint": "faulty.resource",
        "testEntrypoint": "faulty.resource",
        "settings": {"protocolVersion": "2.0.0"},
    }
    (folder / ".rpdk-config").write_text(json.dumps(config))
    (folder / f"{FOLDERS[str(extension.kind)]}.json").write_text(json.dumps(extension.schema))
    (folder / "inputs").mkdir()
    for name, value in inputs.items():
        (folder / "inputs" / f"{name}.json").write_text(json.dumps(value))


def type_inputs(schema):
    for number in (1, 2):
        one = {"Name": f"shelf-{number}", "Size": number, "Label": "to read", "Room": "a"}
        yield f"inputs_{number}_create", one
        changed = {**one, "Label": "read"}
        if "/properties/Size" not in schema["createOnlyProperties"]:
            changed["Size"] = number + 1
        yield f"inputs_{number}_update", changed


def hook_inputs(schema):
    small, large = {"Name": "a", "Size": 1, "Label": "read"}, {"Name": "a", "Size": 40, "Label": "read"}
    before = {**small, "Label": "to read"}
    points = {
        "pre_create": {"resourceProperties": small},
        "invalid_pre_create": {"resourceProperties": large},
        "pre_update": {"resourceProperties": small, "previousResourceProperties": before},
        "invalid_pre_update": {"resourceProperties": large, "previousResourceProperties": before},
    }
    if "preDelete" in schema["handlers"]:
        points["pre_delete"] = {"resourceProperties": small}
    (target,) = schema["handlers"]["preCreate"]["targetNames"]
    for point, model in points.items():
        yield f"inputs_1_{point}", {target: model}


def expect_proved(folder, extension, inputs):
    write_project(folder, extension, dict(inputs(extension.schema)))
    report = prove_project(folder, handlers=extension.function)
    assert report.passed, report.text
    # At least the life of a resource, and each invocation point of the hook with the author's inputs.
    assert sum(each.state == "proved" for each in report.clauses) >= 5, report.text


@pytest.mark.parametrize("fault", TYPE_FAULTS)
def test_contract_tests_do_not_see_it_in_the_type(fault, tmp_path):
    version, following, _ = TYPE_FAULTS[fault]
    expect_proved(tmp_path, read_class(following or version), type_inputs)


@pytest.mark.parametrize("fault", HOOK_FAULTS)
def test_contract_tests_do_not_see_it_in_the_hook(fault, tmp_path):
    extension = read_class(HOOK_FAULTS[fault])
    (target,) = extension.schema["handlers"]["preCreate"]["targetNames"]
    (tmp_path / "target-schemas").mkdir()
    name = target.lower().replace("::", "-")
    schema = {**SCHEMA, "typeName": target, "additionalProperties": False}
    (tmp_path / "target-schemas" / f"{name}.json").write_text(json.dumps(schema))
    expect_proved(tmp_path, extension, hook_inputs)
