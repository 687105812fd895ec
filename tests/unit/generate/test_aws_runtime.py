"""Models for projects that keep AWS's handler library: they take nothing from ours but what is copied beside them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from formwork.documents import parse_document
from formwork.generate import plan_generated, write_plan
from formwork.generate.python.vendored import plan_vendored
from formwork.project import ExtensionKind, Project, ProjectConfig
from formwork.schema.resource import build_resource_schema

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "",
    "properties": {
        "Tags": {
            "type": "array",
            "uniqueItems": True,
            "insertionOrder": False,
            "items": {"type": "object", "properties": {"Weight": {"type": "integer"}}, "additionalProperties": False},
        }
    },
    "additionalProperties": False,
    "primaryIdentifier": ["/properties/Tags"],
}

# What AWS's library has of what models import, and nothing of ours.
AWS_INTERFACE = """
from dataclasses import dataclass

@dataclass
class BaseResourceHandlerRequest:
    desiredResourceState: object
"""
AWS_EXCEPTIONS = "class InvalidRequest(Exception): pass\n"

PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:]
from acme_store_thing.models import ResourceModel, ResourceHandlerRequest, _ResourceModel
from cloudformation_cli_python_lib.exceptions import InvalidRequest
import cloudformation_cli_python_lib
assert not any(each.startswith("cloudformation_cli_python_lib.shapes") for each in sys.modules)
model = ResourceModel._deserialize({"Tags": [{"Weight": "1"}, {"Weight": 2}]})
assert model._serialize() == {"Tags": [{"Weight": 1}, {"Weight": 2}]}
assert ResourceHandlerRequest(desiredResourceState=model).desiredResourceState is model
try:
    ResourceModel._deserialize({"Tags": [{"Weight": "heavy"}]})
except InvalidRequest as error:
    print(error)
"""


def plan(settings):
    config = ProjectConfig(ExtensionKind.RESOURCE, SCHEMA["typeName"], language="python311", settings=settings)
    project = Project(Path(), config, Path("schema.json"))
    return plan_generated(project, build_resource_schema(parse_document(json.dumps(SCHEMA), name="schema.json")))


def test_models_work_with_the_library_of_aws(tmp_path):
    write_plan(plan({"aws_runtime": True}), tmp_path)
    library = tmp_path / "aws" / "cloudformation_cli_python_lib"
    library.mkdir(parents=True)
    (library / "__init__.py").touch()
    (library / "interface.py").write_text(AWS_INTERFACE)
    (library / "exceptions.py").write_text(AWS_EXCEPTIONS)
    argv = [sys.executable, "-W", "error", "-c", PROGRAM, str(tmp_path / "src"), str(library.parent)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "/Tags/0/Weight" in done.stdout


@pytest.mark.parametrize("settings", [{}, {"aws_runtime": False}, {"aws_runtime": "yes"}])
def test_only_where_the_settings_say_so(settings):
    assert not [each for each in plan(settings) if "formwork_models" in each]
    assert {f"src/acme_store_thing/{each}" for each in plan_vendored()} <= set(plan({"aws_runtime": True}))
