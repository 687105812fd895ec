"""Projects that the incumbent made keep AWS's handler library, and work with no edit."""

import json
import os
import zipfile
from pathlib import Path

import hypothesis
import pytest

from formwork.generate.typescript.aws_models import render_aws_models
from formwork.generate.typescript.naming import RESERVED_MODEL_NAMES
from formwork.model import Kind, build_type_model
from formwork.toolchain import BuildSettings
from formwork.toolchain.node import find_node
from formwork.toolchain.typescript import build_project
from support import vectors
from support.any_schema import SCHEMAS
from support.aws_typescript import SCHEMA, write_project
from support.commands import Desk
from support.corpus import corpus_projects, needs_fixtures
from support.toolchains import needs_node
from support.typescript import CACHE

pytestmark = [needs_node, pytest.mark.slow]

MODEL = {
    "Name": "n",
    "Count": 5,
    "Ratio": 0.5,
    "Enabled": True,
    "Policy": {"a": 1},
    "Memo": {"Heading": "h"},
    "Tags": [{"Key": "a", "Value": "1"}],
    "Zones": ["z"],
    "Rules": [{"Key": "k"}],
    "Labels": {"x": 1},
}


def models_text(document):
    return render_aws_models(build_type_model(document, kind=Kind.RESOURCE, reserved=RESERVED_MODEL_NAMES))


def build(root):
    return build_project(root, BuildSettings(dict(os.environ), CACHE))


def test_a_project_with_no_edit(tmp_path):
    """Its class-transformer is not the library's, which on the incumbent loses every property without a word."""
    root = write_project(tmp_path / "thing")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    desk, env = Desk(tmp_path), {"FORMWORK_CACHE": str(CACHE), "npm_config_userconfig": str(Path.home() / ".npmrc")}
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"desiredResourceState": MODEL, "previousResourceState": None}))
    ended = desk.cfn("invoke", "resource", "CREATE", request, cwd=root, env=env)
    assert ended.code == 0, str(ended)
    response = json.loads(ended.out.partition("=== Handler response ===")[2])
    assert response["resourceModel"] == MODEL
    ended = desk.cfn("package", cwd=root, env=env)
    assert ended.code == 0, str(ended)
    package = root / "acme-store-thing.zip"
    with zipfile.ZipFile(package) as archive:
        archive.extract("ResourceProvider.zip", tmp_path)
    with zipfile.ZipFile(tmp_path / "ResourceProvider.zip") as provider:
        names = provider.namelist()
        version = json.loads(provider.read("node_modules/class-transformer/package.json"))["version"]
    assert "dist/handlers.js" in names
    assert version == "0.5.1", "the library's own"
    assert not [each for each in names if each.startswith("node_modules/typescript/")]
    package.unlink()
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_vectors(tmp_path, request):
    runner = vectors.PROTOCOL / "run_aws_typescript.ts"
    models = models_text(json.loads(SCHEMA.read_text(encoding="utf-8")) | {"typeConfiguration": CONFIGURATION})
    files = {"src/run.ts": runner.read_text(encoding="utf-8"), "src/models.ts": models}
    built = build(write_project(tmp_path, **files))
    answers = vectors.run([find_node(os.environ).executable, "dist/run.js"], cwd=built)
    table = vectors.PROTOCOL / "differences" / "aws-typescript.json"
    vectors.check_listed(answers, table, update=request.config.getoption("--update-golden"))


CONFIGURATION = {
    "type": "object",
    "properties": {"Limit": {"type": "integer"}, "Strict": {"type": "boolean"}},
    "additionalProperties": False,
}


@needs_fixtures
def test_models_of_all_projects_compile(tmp_path):
    files = {}
    for number, each in enumerate(corpus_projects("RESOURCE")):
        if each.schema_path.is_file():
            document = json.loads(each.schema_path.read_text(encoding="utf-8"))
            files[f"src/m{number}.ts"] = models_text(document)
    assert len(files) > 250
    build(write_project(tmp_path, **files, **{"src/models.ts": models_text(json.loads(SCHEMA.read_text()))}))


def test_models_of_any_schema_compile(tmp_path):
    chosen = []

    @hypothesis.settings(max_examples=60, database=None)
    @hypothesis.given(SCHEMAS)
    def choose(document):
        chosen.append(document)

    choose()
    files = {f"src/m{number}.ts": models_text(document) for number, document in enumerate(chosen)}
    build(write_project(tmp_path, **files, **{"src/models.ts": models_text(json.loads(SCHEMA.read_text()))}))
