"""Java handlers: start to first answer and warm calls, on our loop and on AWS's own runtime interface client."""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.table import Row
from formwork.diagnostics import FormworkError
from formwork.extensions import ExtensionKind
from formwork.generate.scaffold import ScaffoldRequest, plan_scaffold
from formwork.generate.write import write_plan
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.host import LambdaHost
from formwork.languages.catalogue import expect_generator
from formwork.languages.java.launch import BOOTSTRAP_SOURCES, java_launch
from formwork.toolchain import BuildSettings
from formwork.toolchain.java import find_jdk
from formwork.toolchain.maven import BUILD_INPUTS, MavenProject, compile_classes

COLD_RUNS = 7
WARM_CALLS = 300
CACHE = Path(__file__).resolve().parent.parent / ".bench" / "java"
HANDLER = "com.acme.store.thing.HandlerWrapper::handleRequest"
CLIENT = """        <dependency>
            <groupId>com.amazonaws</groupId>
            <artifactId>aws-lambda-java-runtime-interface-client</artifactId>
            <version>2.9.0</version>
        </dependency>
"""


def main() -> Iterator[Row]:
    """The sample's read handler, which finds nothing: both run AWS's runtime for extensions."""
    settings = BuildSettings(dict(os.environ), CACHE)
    java = find_jdk(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        own = compile_classes([BOOTSTRAP_SOURCES], jdk=java, settings=settings)
        ours = _launch(java.executable, (own, *_project(Path(folder) / "ours", "").class_path()), Path(folder) / "a")
        theirs, note = None, ""
        try:
            paths = _project(Path(folder) / "theirs", CLIENT).class_path()
            theirs = _client_launch(_launch(java.executable, paths, Path(folder) / "b"))
        except FormworkError:
            note = "AWS's client can't be downloaded here"
        for name, measure in (("start of the process to its first answer", _cold), ("warm call", _warm)):
            yield Row(name, "ms", measure(ours), None if theirs is None else measure(theirs), note=note)


def _project(root: Path, dependency: str) -> MavenProject:
    root.mkdir()
    request = ScaffoldRequest(kind=ExtensionKind.RESOURCE, type_name="Acme::Store::Thing", language="java", sample=True)
    write_plan(plan_scaffold(request, expect_generator(request.language)), root)
    pom = root / "pom.xml"
    text = pom.read_text(encoding="utf-8")
    pom.write_text(text.replace("\n    <dependencies>\n", f"\n    <dependencies>\n{dependency}", 1), encoding="utf-8")
    inputs = tuple(root / each for each in BUILD_INPUTS)
    build = BuildSettings(dict(os.environ), CACHE)
    return MavenProject(root, inputs, find_jdk(os.environ), Path(sys.executable).parent, build)


def _launch(java: Path, class_path: tuple[Path, ...], temporary: Path) -> Launch:
    temporary.mkdir()
    return java_launch(java, class_path=class_path, temporary=temporary, task_root=temporary.parent, memory_mb=512)


def _client_launch(launch: Launch) -> Launch:
    client = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda"
    return Launch((*launch.command[:-1], client, HANDLER), launch.environment, launch.working_directory)


def _function(launch: Launch) -> LambdaFunction:
    return LambdaFunction("F", HANDLER, "java17", launch.working_directory, lambda: launch, timeout=60, memory_mb=512)


def _payload() -> bytes:
    data = {"resourceProperties": {"Name": "none"}, "logicalResourceId": "x", "callerCredentials": None}
    request = {"action": "READ", "awsAccountId": "123456789012", "bearerToken": "t", "region": "us-east-1"}
    return json.dumps({**request, "requestData": data}).encode()


def _cold(launch: Launch) -> float:
    """Milliseconds from the start of the process until its answer has arrived, the median."""
    times = []
    for _ in range(COLD_RUNS):
        with LambdaHost([_function(launch)]) as host:
            start = time.perf_counter()
            _expect_answer(host)
            times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def _warm(launch: Launch) -> float:
    """Milliseconds, the median."""
    times = []
    with LambdaHost([_function(launch)]) as host:
        for _ in range(WARM_CALLS):
            start = time.perf_counter()
            _expect_answer(host)
            times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def _expect_answer(host: LambdaHost) -> None:
    body = host.invoke("F", _payload()).body
    if json.loads(body).get("errorCode") != "NotFound":
        raise RuntimeError(f"the handler answers {body!r}")
