"""A project as the incumbent made it, with AWS's own Go runtime, unedited: generated, built, run, and what it answers.

The runtime comes from Go's module proxy, or from the module cache. In every answer it echoes the bearer token, writes
`resourceModels` even where it is null, and leaves out an empty message and a delay of 0; what else differs from the
vectors is listed in `protocol/differences/aws-go.json`.
"""

import functools
import json
import os
import shutil
import subprocess

import pytest

from formwork.generate.generated import plan_generated
from formwork.generate.write import write_plan
from formwork.invoke.project_host.host import open_project_host
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.languages.catalogue import expect_generator
from formwork.languages.projects import ProjectRuntimes
from formwork.project import load_project
from formwork.project.schema_file import expect_project_schema
from support import golang
from support.toolchains import needs_go
from support.vectors import PROTOCOL, check_listed, differences, requests, vectors

DIFFERENCES = PROTOCOL / "differences" / "aws-go.json"
CONFIG = {
    "artifact_type": "RESOURCE",
    "typeName": "Acme::Store::Thing",
    "language": "go",
    "runtime": "provided.al2",
    "entrypoint": "bootstrap",
    "testEntrypoint": "bootstrap",
    "settings": {"importpath": "thing", "protocolVersion": "2.0.0", "pluginVersion": "2.0.4"},
}
FUNCTION = {"Type": "AWS::Serverless::Function", "Properties": {"Handler": "bootstrap", "Runtime": "provided.al2"}}


@functools.cache
def why_not():
    """Why AWS's runtime can't be had, "" where it can."""
    done = subprocess.run(
        [golang.executable(), "mod", "download"], cwd=PROTOCOL / "go-aws", capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stderr.strip()[-300:]


@pytest.fixture
def project(tmp_path):
    if why_not() and not os.environ.get("CI"):
        pytest.skip(f"AWS's Go runtime can't be downloaded: {why_not()}")
    root = tmp_path / "thing"
    (root / "cmd" / "resource").mkdir(parents=True)
    shutil.copyfile(PROTOCOL / "go-aws" / "resource.go", root / "cmd" / "resource" / "resource.go")
    for name in ("go.mod", "go.sum"):
        shutil.copyfile(PROTOCOL / "go-aws" / name, root / name)
    shutil.copyfile(PROTOCOL / "thing.json", root / "acme-store-thing.json")
    (root / ".rpdk-config").write_text(json.dumps(CONFIG))
    behaviours = sorted({each["handler"] for each in requests()})
    functions = {name_of(each): function(each) for each in behaviours}
    (root / "template.yml").write_text(json.dumps({"Resources": functions}))
    project = load_project(root)
    schema, _ = expect_project_schema(project)
    write_plan(plan_generated(project, schema, expect_generator(project.language)), root)
    return project


def name_of(behaviour):
    return "".join(each.capitalize() for each in behaviour.split("-")) + "Function"


def function(behaviour):
    properties = {**FUNCTION["Properties"], "CodeUri": "bin/", "Environment": {"Variables": {"BEHAVIOUR": behaviour}}}
    return {**FUNCTION, "Properties": properties}


def first_line(error):
    """A function's error without what follows the first line: members in no particular order."""
    return {**error, "errorMessage": error["errorMessage"].partition("\n")[0]}


def usual(response):
    """A response without what every response of this runtime has or lacks."""
    assert "resourceModels" in response
    assert response.pop("bearerToken", "token-1") == "token-1"
    if response["resourceModels"] is None:
        del response["resourceModels"]
    return {"message": "", "callbackDelaySeconds": 0, **response}


@needs_go
@pytest.mark.slow
def test_awss_runtime(project, tmp_path, request):
    settings = ProjectHostSettings(
        cache=tmp_path / "cache", home=tmp_path, user_environment=dict(os.environ), concurrency=1
    )
    answers = {}
    with open_project_host(project, settings, ProjectRuntimes) as host:
        for each in requests():
            outcome = host.invoke(name_of(each["handler"]), json.dumps(each["request"]).encode())
            found = json.loads(outcome.body)
            answers[each["id"]] = {"error": first_line(found)} if outcome.function_error else {"response": usual(found)}
    assert answers.keys() == vectors().keys()
    assert len(differences(answers)) < len(answers), "something is as everywhere"
    check_listed(answers, DIFFERENCES, update=request.config.getoption("--update-golden"))
