"""Models run on AWS's handler library and on ours: of what only ours has, the project has copies."""

import json
import subprocess
import sys
from pathlib import Path

from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated
from formwork.generate.write import write_plan
from formwork.handler_libraries import python_library_folder
from formwork.languages.catalogue import expect_generator
from formwork.project import Project, ProjectConfig
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


def plan():
    config = ProjectConfig(ExtensionKind.RESOURCE, SCHEMA["typeName"], language="python311")
    project = Project(Path(), config, Path("schema.json"))
    return plan_generated(
        project,
        build_resource_schema(parse_document(json.dumps(SCHEMA), name="schema.json")),
        expect_generator(project.language),
    )


def test_models_work_with_the_library_of_aws(tmp_path):
    write_plan(plan(), tmp_path)
    library = tmp_path / "aws" / "cloudformation_cli_python_lib"
    library.mkdir(parents=True)
    (library / "__init__.py").touch()
    (library / "interface.py").write_text(AWS_INTERFACE)
    (library / "exceptions.py").write_text(AWS_EXCEPTIONS)
    argv = [sys.executable, "-W", "error", "-c", PROGRAM, str(tmp_path / "src"), str(library.parent)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "/Tags/0/Weight" in done.stdout


def test_models_are_those_of_our_library_where_it_is_installed(tmp_path):
    write_plan(plan(), tmp_path)
    program = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "from acme_store_thing.models import ResourceModel\n"
        "from cloudformation_cli_python_lib import BaseModel\n"
        "assert issubclass(ResourceModel, BaseModel)\n"
        "assert 'acme_store_thing.formwork_models.model' not in sys.modules\n"
    )
    library = str(python_library_folder())
    argv = [sys.executable, "-I", "-S", "-W", "error", "-c", program, str(tmp_path / "src"), library]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
