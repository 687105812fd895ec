"""Projects of the incumbent keep the model shapes that their handlers and unit tests were written against."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated
from formwork.generate.write import write_plan
from formwork.languages.catalogue import expect_generator
from formwork.languages.python.generate.aws_shapes import AWS, AWS_MARK, OWN, have_same_fields, shapes_of_project
from formwork.project import Project, ProjectConfig
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema
from support.generated import module_of

NAME = "Acme::Store::Table"
MODELS = "src/acme_store_table/models.py"
SCHEMA = {
    "typeName": NAME,
    "description": "",
    "definitions": {
        "Value": {"type": "object", "properties": {"S": {"type": "string"}}, "additionalProperties": False},
        "Key": {"type": "object", "properties": {"Name": {"type": "string"}}, "additionalProperties": False},
    },
    "properties": {
        "Keys": {"type": "array", "items": {"$ref": "#/definitions/Key"}},
        "Item": {"type": "object", "patternProperties": {".*": {"$ref": "#/definitions/Value"}}},
        "Free": {"type": "object"},
        "Any": {},
        "Choice": {"oneOf": [{"type": "string"}, {"$ref": "#/definitions/Value"}]},
        "Nested": {"type": "array", "items": {"type": "array", "items": {"$ref": "#/definitions/Key"}}},
        "Names": {"type": "array", "uniqueItems": True, "insertionOrder": False, "items": {"type": "string"}},
        "Size": {"type": "integer"},
    },
    "additionalProperties": False,
    "primaryIdentifier": ["/properties/Size"],
}
# What AWS's generator wrote into the project, as far as it matters here.
BY_AWS = """# DO NOT modify this file by hand, changes will be overwritten
from dataclasses import dataclass
from cloudformation_cli_python_lib.interface import BaseModel

@dataclass
class ResourceModel(BaseModel):
    Item: Optional[MutableMapping[str, "_Value"]]
"""
# The names of AWS's library that AWS's models import, and nothing else.
AWS_LIBRARY = {
    "__init__": "",
    "interface": "class BaseModel: pass\nclass BaseResourceHandlerRequest: pass\nclass BaseHookHandlerRequest: pass\n",
    "recast": "def recast_object(cls, json_data, classes): assert '_Value' in classes\n",
    "utils": "def deserialize_list(values, cls): return values and [cls._deserialize(each) for each in values]\n",
}
UNIT_TESTS = """
import sys
sys.path[:0] = sys.argv[1:]
from acme_store_table.models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel, _Value
model = ResourceModel._deserialize({
    "Keys": [{"Name": "a"}], "Item": {"one": {"S": "1"}}, "Free": {"a": {"b": 1}}, "Choice": {"S": "x"},
    "Nested": [[{"Name": "b"}]], "Names": ["x"], "Size": 5,
})
assert model.Keys[0].Name == "a"
assert model.Item["one"]["S"] == "1"
assert model.Free["a"]["b"] == 1
assert model.Choice["S"] == "x"
assert model.Nested[0][0]["Name"] == "b"
assert model.Names == {"x"}
assert model.Any is None
assert ResourceModel._deserialize({}) is None
assert ResourceModel(Keys=None, Item={}, Free=None, Any=None, Choice=None, Nested=None, Names=None, Size=1).Size == 1
assert ResourceHandlerRequest(desiredResourceState=model, previousResourceState=None, typeConfiguration=None)
"""


def project_in(root, *, kind=ExtensionKind.RESOURCE, **settings):
    return Project(root, ProjectConfig(kind, NAME, language="python39", settings=settings), Path("schema.json"))


def generate(root, **settings):
    schema = build_resource_schema(parse_document(json.dumps(SCHEMA), name="schema.json"))
    return plan_generated(project_in(root, **settings), schema, expect_generator("python312"))


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "src" / "acme_store_table"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "handlers.py").touch()
    (folder / "models.py").write_text(BY_AWS)
    return tmp_path


@pytest.mark.parametrize("settings", [{}, {"aws_runtime": True}])
def test_models_keep_aws_shapes_and_need_aws_library_alone(project, settings):
    write_plan(generate(project, **settings), project)
    library = project / "aws" / "cloudformation_cli_python_lib"
    library.mkdir(parents=True)
    for name, text in AWS_LIBRARY.items():
        (library / f"{name}.py").write_text(text)
    argv = [sys.executable, "-I", "-W", "error", "-c", UNIT_TESTS, str(project / "src"), str(library.parent)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (project / "src" / "acme_store_table" / "formwork_models").exists()


def test_the_same_models_read_and_write_on_our_library(project, monkeypatch):
    text = generate(project)[MODELS].text
    module = type(sys)("aws_shaped_models")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(text, "models.py", "exec", dont_inherit=True), module.__dict__)
    sent = {"Keys": [{"Name": "a"}], "Item": {"one": {"S": "1"}}, "Any": "text", "Names": ["x"], "Size": "5"}
    model = module.ResourceModel._deserialize(sent)
    assert model.Item == {"one": {"S": "1"}}
    assert model._serialize() == {
        "Keys": [{"Name": "a"}], "Item": {"one": {"S": "1"}}, "Any": "text", "Names": ["x"], "Size": 5
    }  # fmt: skip


def test_generating_again_changes_nothing(project):
    first = generate(project)
    write_plan(first, project)
    assert shapes_of_project(project) == AWS
    report = write_plan(generate(project), project)
    assert (report.created, report.updated) == ((), ())


def test_a_hooks_target_models_keep_them_too(project):
    schema = build_hook_schema(
        parse_document(
            json.dumps(
                {
                    "typeName": NAME,
                    "typeConfiguration": {"properties": {"Limit": {"type": "integer"}}, "additionalProperties": False},
                    "handlers": {"preCreate": {"targetNames": ["AWS::S3::Bucket"], "permissions": []}},
                    "required": [],
                    "additionalProperties": False,
                }
            ),
            name="schema.json",
        )
    )
    target = {**SCHEMA, "typeName": "AWS::S3::Bucket"}
    plan = plan_generated(
        project_in(project, kind=ExtensionKind.HOOK),
        schema,
        expect_generator("python312"),
        targets={"AWS::S3::Bucket": target},
    )
    models = module_of(plan[MODELS].text)
    assert models.TypeConfigurationModel._deserialize({"Limit": 3}).Limit == 3
    assert models.HookHandlerRequest
    bucket = plan["src/acme_store_table/target_models/aws_s3_bucket.py"].text
    assert "recast_object" in bucket
    assert 'Item: Optional[MutableMapping[str, "_Value"]]' in bucket
    assert "shapes." not in bucket


def test_the_shapes_are_those_of_the_models_that_exist(project, tmp_path_factory):
    models = project / MODELS
    assert shapes_of_project(project) == AWS
    models.write_text(generate(project, model_shapes=OWN)[MODELS].text)
    assert shapes_of_project(project) == OWN
    models.unlink()
    assert shapes_of_project(project) == AWS  # handlers without models: not ignored by git in projects made here
    assert shapes_of_project(tmp_path_factory.mktemp("new")) == OWN


def test_the_settings_choose(project):
    assert AWS_MARK in generate(project)[MODELS].text
    assert "shapes.map_of" in generate(project, model_shapes="formwork")[MODELS].text
    assert AWS_MARK in generate(Path("nowhere"), model_shapes="aws")[MODELS].text
    with pytest.raises(BadInputError, match="model_shapes"):
        generate(project, model_shapes="java")


def test_names_that_no_dataclass_can_have_get_our_shapes(project, monkeypatch):
    monkeypatch.setitem(SCHEMA["properties"], "None", {"type": "string"})
    assert "_wire_names" in generate(project)[MODELS].text


def test_models_of_aws_generator_with_the_same_fields_are_not_stale(project):
    ours = generate(project)[MODELS].text
    theirs = ours.replace("Optional[Any]\n", "Optional[MutableMapping[str, Any]]\n")
    assert have_same_fields(ours, theirs)
    assert not have_same_fields(ours, theirs.replace("Size: Optional[int]", "Size: Optional[str]"))
    assert not have_same_fields(ours, theirs.replace("    Size: Optional[int]\n", ""))
    assert not have_same_fields(ours, "(")
