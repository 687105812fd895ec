"""Projects that the incumbent made keep AWS's handler library, and work with no edit."""

import json
import os
import zipfile
from pathlib import Path

import hypothesis
import pytest

from formwork.extensions import ExtensionKind
from formwork.languages.typescript.generate.aws_models import render_aws_models
from formwork.languages.typescript.generate.naming import RESERVED_MODEL_NAMES
from formwork.model import build_type_model
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
    return render_aws_models(build_type_model(document, kind=ExtensionKind.RESOURCE, reserved=RESERVED_MODEL_NAMES))


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


# Handlers that keep the contract as far as AWS's library lets them: one page, then the next by the token.
STORED = """\
import * as fs from 'fs';
import {
    Action, BaseResource, exceptions, handlerEvent, LoggerProxy, Optional, ProgressEvent, ResourceHandlerRequest,
    SessionProxy,
} from '@amazon-web-services-cloudformation/cloudformation-cli-typescript-lib';
import { ResourceModel, TypeConfigurationModel } from './models';

type Request = ResourceHandlerRequest<ResourceModel>;
const FOLDER = 'THE FOLDER';
const file = (name: string) => `${FOLDER}/${encodeURIComponent(name)}`;

class Resource extends BaseResource<ResourceModel> {
    private find(model: ResourceModel): ResourceModel {
        if (!model.name || !fs.existsSync(file(model.name))) throw new exceptions.NotFound(this.typeName, model.name);
        return ResourceModel.deserialize(JSON.parse(fs.readFileSync(file(model.name), 'utf8')));
    }

    private keep(model: ResourceModel): ProgressEvent {
        fs.writeFileSync(file(model.name), JSON.stringify(model.toJSON()));
        return ProgressEvent.success<ProgressEvent<ResourceModel>>(model);
    }

    @handlerEvent(Action.Create)
    public async create(session: Optional<SessionProxy>, request: Request): Promise<ProgressEvent> {
        const model = new ResourceModel(request.desiredResourceState);
        if (fs.existsSync(file(model.name))) throw new exceptions.AlreadyExists(this.typeName, model.name);
        return this.keep(model);
    }

    @handlerEvent(Action.Update)
    public async update(session: Optional<SessionProxy>, request: Request): Promise<ProgressEvent> {
        this.find(request.desiredResourceState);
        return this.keep(new ResourceModel(request.desiredResourceState));
    }

    @handlerEvent(Action.Delete)
    public async delete(session: Optional<SessionProxy>, request: Request): Promise<ProgressEvent> {
        this.find(request.desiredResourceState);
        fs.unlinkSync(file(request.desiredResourceState.name));
        return ProgressEvent.success<ProgressEvent<ResourceModel>>();
    }

    @handlerEvent(Action.Read)
    public async read(session: Optional<SessionProxy>, request: Request): Promise<ProgressEvent> {
        return ProgressEvent.success<ProgressEvent<ResourceModel>>(this.find(request.desiredResourceState));
    }

    @handlerEvent(Action.List)
    public async list(session: Optional<SessionProxy>, request: Request): Promise<ProgressEvent> {
        const names = fs.readdirSync(FOLDER).map(decodeURIComponent).sort();
        const rest = names.filter((each) => each > (request.nextToken ?? ''));
        const progress = ProgressEvent.success<ProgressEvent<ResourceModel>>();
        progress.resourceModels = rest.slice(0, 2).map((name) => new ResourceModel({ name }));
        if (rest.length > 2) progress.nextToken = rest[1];
        return progress;
    }
}

export const resource = new Resource(ResourceModel.TYPE_NAME, ResourceModel, null, null, TypeConfigurationModel);
export const entrypoint = resource.entrypoint;
export const testEntrypoint = resource.testEntrypoint;
"""


def test_the_contract_names_what_awss_library_is_the_cause_of(tmp_path):
    store = tmp_path / "store"
    store.mkdir()
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    schema["properties"] = {name: schema["properties"][name] for name in ("Name", "Count", "Enabled", "Rules")}
    schema["handlers"] = {each: {"permissions": []} for each in ("create", "read", "update", "delete", "list")}
    files = {
        "src/handlers.ts": STORED.replace("THE FOLDER", store.as_posix()),
        "acme-store-thing.json": json.dumps(schema),
    }
    root = write_project(tmp_path / "thing", **files)
    env = {"FORMWORK_CACHE": str(CACHE), "npm_config_userconfig": str(Path.home() / ".npmrc")}
    words = (
        "test",
        "--report",
        "json",
        "--",
        "-k",
        "contract_list_pages or contract_read_read or contract_delete_read",
    )
    ended = Desk(tmp_path).cfn(*words, cwd=root, env=env, timeout=300)
    report = json.loads(ended.out)
    states = {each["id"]: each["state"] for each in report["clauses"]}
    assert states["delete.read"] == states["read.model"] == "proved", str(ended)
    violations = {each["clause"]: each for each in report["findings"] if each["severity"] == "violation"}
    assert violations.keys() == {"list.token", "list.ends"}, str(ended)
    assert all("never hands the list's nextToken" in each["cause"] for each in violations.values())
    assert not list(store.iterdir()), "everything that was made is deleted"


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
