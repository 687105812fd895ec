"""The project folder: where its files are."""

import json

import pytest

from formwork.diagnostics import BadInputError
from formwork.extensions import hyphenated_name, package_name
from formwork.project import load_project

CONFIG = {
    "artifact_type": "RESOURCE",
    "typeName": "Acme::Store::Thing",
    "language": "python311",
    "runtime": "python3.11",
    "entrypoint": None,
    "testEntrypoint": None,
    "settings": {"protocolVersion": "2.0.0"},
}


@pytest.fixture
def root(tmp_path):
    (tmp_path / ".rpdk-config").write_text(json.dumps(CONFIG))
    return tmp_path


def test_names():
    assert hyphenated_name("Acme::Store::Thing") == "acme-store-thing"
    assert package_name("Acme::Store::Thing") == "acme_store_thing"


def test_the_schema_is_json_or_yaml(root):
    assert load_project(root).schema_path == root / "acme-store-thing.json"
    (root / "acme-store-thing.yaml").write_text("{}")
    assert load_project(root).schema_path == root / "acme-store-thing.yaml"
    assert load_project(root).diagnostics == ()
    (root / "acme-store-thing.json").write_text("{}")
    project = load_project(root)
    assert project.schema_path == root / "acme-store-thing.json"
    assert [each.code for each in project.diagnostics] == ["project.schema-twice"]
    assert "remove" not in project.diagnostics[0].hint


def test_no_project_says_what_to_do(tmp_path):
    with pytest.raises(BadInputError) as caught:
        load_project(tmp_path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "project.not-found"
    assert "cfn init" in diagnostic.hint


def test_a_folder_inside_a_project_is_pointed_to_it(root):
    (root / "src").mkdir()
    with pytest.raises(BadInputError) as caught:
        load_project(root / "src")
    assert str(root) in caught.value.diagnostics[0].hint


def test_a_config_that_is_a_folder(tmp_path):
    (tmp_path / ".rpdk-config").mkdir()
    with pytest.raises(BadInputError, match="is not a project"):
        load_project(tmp_path)
