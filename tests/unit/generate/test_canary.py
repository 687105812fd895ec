"""Canary templates, and what the incumbent's get wrong (spec: canary bundle)."""

import json

import pytest
import yaml

from formwork.cli.main import main
from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.generate.canary import plan_canaries
from formwork.generate.canary.patch import PatchError, apply_patch
from formwork.generate.canary.tokens import fill_tokens

TYPE_NAME = "Acme::Store::Thing"


def plan(dependencies=None, **files):
    documents = {
        f"{name}.json": parse_document(json.dumps(value), name=f"{name}.json") for name, value in files.items()
    }
    return plan_canaries(TYPE_NAME, documents, dependencies)


def properties_of(file):
    template = yaml.safe_load(file.text)
    assert template["Description"] == f"Template for {TYPE_NAME}"
    assert template["Resources"]["Thing"]["Type"] == TYPE_NAME
    return template["Resources"]["Thing"]["Properties"]


def test_a_template_to_create_and_one_to_update():
    patches = [
        {"op": "replace", "path": "/Copies", "value": 2},
        {"op": "add", "path": "/Tags/-", "value": {"Key": "b"}},
        {"op": "remove", "path": "/Title"},
        {"op": "test", "path": "/Copies", "value": 7},
    ]
    create = {"Copies": 1, "Title": "a", "Tags": [{"Key": "a"}]}
    files = plan(
        inputs_2={"CreateInputs": {"Copies": 5}},
        inputs_1={"CreateInputs": create, "PatchInputs": patches},
        dependencies="Resources: {}\n",
    )
    assert list(files) == [
        "canary-bundle/canary/canary1_001.yaml",
        "canary-bundle/canary/canary1_002.yaml",
        "canary-bundle/canary/canary2_001.yaml",
        "canary-bundle/bootstrap.yaml",
    ]
    assert properties_of(files["canary-bundle/canary/canary1_001.yaml"]) == create
    assert properties_of(files["canary-bundle/canary/canary1_002.yaml"]) == {
        "Copies": 2,
        "Tags": [{"Key": "a"}, {"Key": "b"}],
    }
    assert files["canary-bundle/bootstrap.yaml"].text == "Resources: {}\n"


def test_values_keep_their_types():
    value = {"B": True, "I": 5, "N": None, "F": 0.5, "L": [{"A": [1, False]}]}
    assert properties_of(plan(inputs_1={"CreateInputs": value})["canary-bundle/canary/canary1_001.yaml"]) == value


TOKENS = [
    ("plain", "plain"),
    ("{{ Name }}", {"Fn::ImportValue": "Name"}),
    ("{{region}}", {"Fn::Sub": "${AWS::Region}"}),
    ("arn:{{partition}}:x:{{region}}:{{account}}:y", {"Fn::Sub": "arn:${AWS::Partition}:x:${AWS::Region}:${AWS::AccountId}:y"}),
    ("a-{{Name}}-b", {"Fn::Sub": ["a-${Import1}-b", {"Import1": {"Fn::ImportValue": "Name"}}]}),
    ("${Own} {{region}}", {"Fn::Sub": "${!Own} ${AWS::Region}"}),
    ("${Own}", "${Own}"),
    ("{{}} {{a!}}", "{{}} {{a!}}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_tokens(text, expected):
    assert fill_tokens({"P": [text]}, "inputs_1.json") == {"P": [expected]}


def test_made_up_ids_differ_by_place_and_not_by_run():
    value = {"A": "{{uuid}}", "B": "${x}-{{my-uuid}}", "C": ["{{uuid}}{{uuid}}"]}
    filled = fill_tokens(value, "inputs_1.json")
    assert filled == fill_tokens(value, "inputs_1.json") != fill_tokens(value, "inputs_2.json")
    assert len({filled["A"], filled["B"][5:], filled["C"][0][:36], filled["C"][0][36:]}) == 4
    assert filled["B"].startswith("${x}-")


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "replace", "path": "/Nope", "value": 1},
        {"op": "remove", "path": "/L/5"},
        {"op": "add", "path": "/L/x", "value": 1},
        {"op": "add", "path": "/S/x", "value": 1},
        {"op": "add", "path": "/A"},
        {"op": "remove", "path": ""},
        {"op": "add"},
    ],
)
def test_operations_that_cannot_be_done(operation):
    with pytest.raises(PatchError, match="operation 0"):
        apply_patch({"L": [1], "S": "text"}, [operation])


@pytest.mark.parametrize("value", [[], {}, {"CreateInputs": 5}, {"CreateInputs": {}, "PatchInputs": {"op": "add"}}])
def test_files_that_are_something_else(value):
    with pytest.raises(BadInputError):
        plan(inputs_1=value)


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["init", "-a", "RESOURCE", "-t", TYPE_NAME, "python312", "--no-docker"]) == 0
    config = json.loads((tmp_path / ".rpdk-config").read_text())
    config["canarySettings"] = {"contract_test_file_names": ["inputs_1.json"]}
    (tmp_path / ".rpdk-config").write_text(json.dumps(config))
    folder = tmp_path / "contract-tests-artifacts"
    folder.mkdir()
    for name in ("inputs_1.json", "inputs_2.json"):
        (folder / name).write_text('{"CreateInputs": {"Name": "{{uuid}}"}}')
    (folder / "dependencies.yml").write_text("Resources: {}\n")
    assert main(["generate"]) == 0
    assert not (tmp_path / "canary-bundle").exists()
    assert main(["generate", "--local-code-generation"]) == 0
    written = {
        str(each.relative_to(tmp_path / "canary-bundle")) for each in (tmp_path / "canary-bundle").rglob("*.yaml")
    }
    assert written == {"bootstrap.yaml", "canary/canary1_001.yaml"}
    capsys.readouterr()
