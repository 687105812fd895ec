"""A TypeScript resource from its start to the first response, and warm, beside AWS's TypeScript library."""

import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.table import Row
from formwork.diagnostics import EnvironmentProblemError
from formwork.extensions import ExtensionKind
from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.host import LambdaHost
from formwork.languages.catalogue import expect_generator
from formwork.languages.typescript.generate.aws_models import LIBRARY
from formwork.languages.typescript.launch import node_launch
from formwork.model import build_type_model
from formwork.toolchain import BuildSettings
from formwork.toolchain.node import find_node
from formwork.toolchain.typescript import build_project

COLD_RUNS = 7
WARM_CALLS = 300
WARM_CALLS_THERE = 5  # each takes a second
SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "properties": {"Name": {"type": "string"}, "Count": {"type": "integer"}},
    "primaryIdentifier": ["/properties/Name"],
    "additionalProperties": False,
}
CREDENTIALS = {"accessKeyId": "AKIDEXAMPLE000000000", "secretAccessKey": "secret-access-key", "sessionToken": "token"}
EVENT = {
    "action": "CREATE",
    "awsAccountId": "123456789012",
    "bearerToken": "token",
    "region": "us-east-1",
    "resourceType": "Acme::Store::Thing",
    "requestData": {"resourceProperties": {"Name": "n", "Count": "5"}, "callerCredentials": CREDENTIALS},
}

OUR_HANDLERS = """\
import { Action, ProgressEvent, Resource } from './formwork/index.js';
import { ResourceModel } from './models.js';

const resource = new Resource('Acme::Store::Thing', ResourceModel);
resource.handler(Action.CREATE, ({ request }) => ProgressEvent.success(request.desiredResourceState));
export const { entrypoint } = resource;
"""
THEIR_HANDLERS = f"""\
import {{ Action, BaseResource, handlerEvent, ProgressEvent }} from '{LIBRARY}';
import {{ ResourceModel }} from './models';

class Resource extends BaseResource<ResourceModel> {{
    @handlerEvent(Action.Create)
    public async create(session: any, request: any): Promise<ProgressEvent> {{
        return ProgressEvent.success<ProgressEvent<ResourceModel>>(new ResourceModel(request.desiredResourceState));
    }}
}}

export const resource = new Resource('Acme::Store::Thing', ResourceModel);
export const entrypoint = resource.entrypoint;
"""
COMPILER = {"target": "ES2022", "module": "Node16", "moduleResolution": "Node16", "types": ["node"]}
COMPILER |= {"rootDir": "src", "outDir": "dist", "skipLibCheck": True}
DECORATORS = {"target": "ES2019", "experimentalDecorators": True, "emitDecoratorMetadata": True}
TOOLS = {"@types/node": "22.20.5", "typescript": "5.9.3"}
THEIR_PACKAGES = {LIBRARY: "1.0.6", "class-transformer": "0.5.1", "aws-sdk": "2.1693.0"}


def main() -> Iterator[Row]:
    """Cold and warm; the warm call is promised to be 100 times as fast, since theirs sleeps for a second."""
    try:
        find_node(os.environ)
    except EnvironmentProblemError as error:
        raise RuntimeError(str(error)) from error
    with tempfile.TemporaryDirectory() as folder:
        ours = _build(Path(folder, "ours"), {"handler_library": "formwork"}, OUR_HANDLERS)
        theirs = _build(Path(folder, "theirs"), {}, THEIR_HANDLERS, THEIR_PACKAGES, DECORATORS)
        yield Row("start to first response", "ms", _cold(ours) * 1e3, _cold(theirs) * 1e3, target=4)
        warm = _warm(ours, WARM_CALLS) * 1e6, _warm(theirs, WARM_CALLS_THERE) * 1e6
        yield Row("warm invocation", "µs", *warm, target=100)


def _build(
    root: Path,
    settings: Mapping[str, str],
    handlers: str,
    packages: Mapping[str, str] | None = None,
    options: Mapping[str, object] | None = None,
) -> Path:
    language = expect_generator("typescript")
    types = build_type_model(SCHEMA, kind=ExtensionKind.RESOURCE, reserved=language.reserved_model_names)
    files = {name: file.text for name, file in language.plan_models(types, {}, settings).items()}
    files["src/handlers.ts"] = handlers
    files["package.json"] = json.dumps({"private": True, "dependencies": packages or {}, "devDependencies": TOOLS})
    files["tsconfig.json"] = json.dumps({"compilerOptions": {**COMPILER, **(options or {})}, "include": ["src"]})
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return build_project(root, BuildSettings(dict(os.environ), Path(__file__).parents[1] / ".bench"))


def _function(root: Path) -> LambdaFunction:
    launch = node_launch(find_node(os.environ).executable, task_root=root)
    return LambdaFunction(
        "F", "dist/handlers.entrypoint", "nodejs22.x", root, lambda: launch, timeout=30, memory_mb=256
    )


def _cold(root: Path) -> float:
    """Seconds, the median."""
    times = []
    for _ in range(COLD_RUNS):
        with LambdaHost([_function(root)]) as host:
            start = time.perf_counter()
            _call(host)
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def _warm(root: Path, calls: int) -> float:
    """Seconds, the median."""
    times = []
    with LambdaHost([_function(root)]) as host:
        _call(host)
        for _ in range(calls):
            start = time.perf_counter()
            _call(host)
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def _call(host: LambdaHost) -> None:
    body = json.loads(host.invoke("F", json.dumps(EVENT).encode()).body)
    if body.get("resourceModel") != {"Name": "n", "Count": 5}:
        raise RuntimeError(f"the resource answered {body}")
