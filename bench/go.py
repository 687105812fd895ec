"""Go handlers: start to first answer, warm calls, the program's size; the incumbent's on AWS's runtime."""

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.table import Row
from formwork.diagnostics import FormworkError
from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated
from formwork.generate.plan import PlannedFile, seed
from formwork.generate.scaffold import ScaffoldRequest, plan_scaffold
from formwork.generate.write import write_plan
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.http_messages import Request, Response
from formwork.lambda_host.http_server import HttpServer
from formwork.languages.catalogue import expect_generator
from formwork.languages.go.build import GoTarget, build_go_program
from formwork.project import load_project
from formwork.project.schema_file import expect_project_schema
from formwork.toolchain import BuildSettings

COLD_RUNS = 25
WARM_CALLS = 500
PROTOCOL = Path(__file__).resolve().parent.parent / "tests" / "conformance" / "protocol"
CACHE = Path(__file__).resolve().parent.parent / ".bench" / "go"
ECHO = """package resource

import (
	"context"

	"thing/internal/cfn"
)

func echo(_ context.Context, request *Request) (*Event, error) { return cfn.Success(request.DesiredState), nil }

var Create, Read, Update, Delete, List = echo, echo, echo, echo, echo
"""
CONFIG = {"typeName": "Acme::Store::Thing", "language": "go", "runtime": "provided.al2", "entrypoint": "bootstrap"}


def main() -> Iterator[Row]:
    """The same handler, which answers with the model that it was given, in both."""
    with tempfile.TemporaryDirectory() as folder:
        ours = _own_program(Path(folder) / "ours")
        theirs, note = _aws_program(Path(folder) / "theirs")
        colds = _turns(_cold, ours, theirs)
        warms = _turns(_warm, ours, theirs)
        yield Row("start of the process to its first answer", "ms", *_millis(colds), limit=10, note=note)
        yield Row("warm call", "ms", *_millis(warms), note=note)
        sizes = [None if each is None else each.stat().st_size / 1e6 for each in (ours, theirs)]
        yield Row("the program", "MB", sizes[0] or 0, sizes[1], note=note)


def _turns(measure: object, ours: Path, theirs: Path | None) -> list[float | None]:
    assert callable(measure)
    return [measure(ours), None if theirs is None else measure(theirs)]


def _millis(seconds: list[float | None]) -> tuple[float, float | None]:
    ours, theirs = seconds
    assert ours is not None
    return ours * 1000, None if theirs is None else theirs * 1000


def _program(root: Path) -> Path:
    return build_go_program(root, GoTarget(), BuildSettings(dict(os.environ), CACHE))


def _own_program(root: Path) -> Path:
    root.mkdir()
    schema = load_document(PROTOCOL / "thing.json")
    settings = {"import_path": "thing", "handler_library": "formwork"}
    document = schema.value | {
        "handlers": {each: {"permissions": []} for each in ("create", "read", "update", "delete", "list")}
    }
    (root / "acme-store-thing.json").write_text(json.dumps(document), encoding="utf-8")
    request = ScaffoldRequest(
        kind=ExtensionKind.RESOURCE,
        type_name="Acme::Store::Thing",
        language="go",
        settings=settings,
        schema=load_document(root / "acme-store-thing.json"),
    )
    plan: Mapping[str, PlannedFile] = {
        **plan_scaffold(request, expect_generator(request.language)),
        "cmd/resource/resource.go": seed(ECHO),
    }
    write_plan(plan, root)
    return _program(root)


def _aws_program(root: Path) -> tuple[Path | None, str]:
    """The program over AWS's runtime, or why there is none."""
    (root / "cmd" / "resource").mkdir(parents=True)
    shutil.copyfile(PROTOCOL / "go-aws" / "resource.go", root / "cmd" / "resource" / "resource.go")
    for name in ("go.mod", "go.sum"):
        shutil.copyfile(PROTOCOL / "go-aws" / name, root / name)
    shutil.copyfile(PROTOCOL / "thing.json", root / "acme-store-thing.json")
    (root / ".rpdk-config").write_text(json.dumps({**CONFIG, "settings": {"importpath": "thing"}}), encoding="utf-8")
    project = load_project(root)
    write_plan(plan_generated(project, expect_project_schema(project)[0], expect_generator(project.language)), root)
    try:
        return _program(root), ""
    except FormworkError:
        return None, "AWS's runtime can't be downloaded here"


def _function(program: Path) -> LambdaFunction:
    launch = Launch((str(program),), {"BEHAVIOUR": "echo"}, program.parent)
    return LambdaFunction(
        "F", "bootstrap", "provided.al2023", program.parent, lambda: launch, timeout=30, memory_mb=256
    )


def _payload() -> bytes:
    data = {"resourceProperties": {"Name": "n", "Count": 5}, "logicalResourceId": "x"}
    keys = {"accessKeyId": "a", "secretAccessKey": "b", "sessionToken": "c"}
    return json.dumps(
        {
            "action": "READ",
            "awsAccountId": "123456789012",
            "bearerToken": "t",
            "region": "us-east-1",
            "requestData": {**data, "callerCredentials": keys},
        }
    ).encode()


def _cold(program: Path) -> float:
    """Seconds from the start of the process until its answer has arrived, the median; what hosts it stands ready."""
    return statistics.median(_first_answer(program) for _ in range(COLD_RUNS))


def _first_answer(program: Path) -> float:
    answered = threading.Event()
    events = iter([_payload()])

    def respond(request: Request) -> Response:
        if request.method == "POST":
            answered.set()
            return Response(202, b"{}")
        if (event := next(events, None)) is None:
            return Response(410, b"{}")
        deadline = str(int((time.time() + 60) * 1000))
        return Response(200, event, {"Lambda-Runtime-Aws-Request-Id": "1", "Lambda-Runtime-Deadline-Ms": deadline})

    with contextlib.closing(HttpServer(respond, max_body=1 << 20)) as server:
        environment = {"AWS_LAMBDA_RUNTIME_API": server.address, "BEHAVIOUR": "echo", "AWS_SAM_LOCAL": "true"}
        start = time.perf_counter()
        with subprocess.Popen([program], env=environment, stderr=subprocess.DEVNULL) as process:
            if not answered.wait(30):
                raise RuntimeError("the program did not answer")
            took = time.perf_counter() - start
            process.kill()
    return took


def _warm(program: Path) -> float:
    """Seconds, the median."""
    times = []
    with LambdaHost([_function(program)]) as host:
        for _ in range(WARM_CALLS):
            start = time.perf_counter()
            host.invoke("F", _payload())
            times.append(time.perf_counter() - start)
    return statistics.median(times)
