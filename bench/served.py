"""`cfn serve` and `cfn worker` as processes of their own, and boto3's clients for them."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bench.measure import ENVIRONMENT

ACCOUNT, REGION = "111122223333", "us-east-1"  # the key is the account
_ACCOUNT = {"AWS_ACCESS_KEY_ID": ACCOUNT, "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": REGION}
_HANDLERS = """
import time
from pathlib import Path
from cloudformation_cli_python_lib import Action, OperationStatus, ProgressEvent, Resource
from .models import ResourceModel

resource = Resource({name!r}, ResourceModel)
test_entrypoint = resource.test_entrypoint

@resource.handler(Action.CREATE)
def create_handler(session, request, callback_context):
    model = request.desiredResourceState
    model.Id = request.clientRequestToken
{create}

@resource.handler(Action.READ)
def read_handler(session, request, callback_context):
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=request.desiredResourceState)

@resource.handler(Action.DELETE)
def delete_handler(session, request, callback_context):
    return ProgressEvent(status=OperationStatus.SUCCESS)
"""


@dataclass(frozen=True, slots=True)
class Served:
    """A server at `url`, whose process is `pid`."""

    url: str
    pid: int

    def client(self, service: str) -> Any:
        """Return a client of boto3 that does not retry."""
        import boto3
        from botocore.config import Config

        return boto3.client(
            service,
            endpoint_url=self.url,
            region_name=REGION,
            aws_access_key_id=ACCOUNT,
            aws_secret_access_key="x",
            config=Config(retries={"max_attempts": 0}, read_timeout=90, max_pool_connections=40),
        )

    def post(self, service: str = "cloudformation", **parameters: str) -> bytes:
        """Return the answer of a service to a request in the query protocol, without what importing boto3 takes."""
        import urllib.parse
        import urllib.request

        scope = f"{ACCOUNT}/20260101/{REGION}/{service}/aws4_request"
        said = f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature={64 * '0'}"
        headers = {"Authorization": said, "X-Amz-Date": "20260101T000000Z"}
        body = urllib.parse.urlencode({"Version": "2010-05-15", **parameters}).encode()
        request = urllib.request.Request(self.url, body, headers)
        with urllib.request.urlopen(request) as answer:
            found: bytes = answer.read()
        return found

    def megabytes(self) -> float:
        """Return its resident memory in MB; 0 where the system does not say."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        except OSError:
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def run(self, *words: str, cwd: Path) -> None:
        """Run a command of `cfn` that reaches this server.

        Raises:
            RuntimeError: it failed.
        """
        run_cfn(*words, cwd=cwd, environment={"AWS_ENDPOINT_URL": self.url})


def run_cfn(*words: str, cwd: Path, environment: Mapping[str, str] = MappingProxyType({})) -> None:
    """Run a command of `cfn`.

    Raises:
        RuntimeError: it failed.
    """
    variables = {**ENVIRONMENT, **_ACCOUNT, **environment}
    done = subprocess.run([*_cfn(), *words], cwd=cwd, env=variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"cfn {' '.join(words)}: {done.stdout}{done.stderr}")


def write_project(project: Path, name: str, create: str) -> None:
    """Write a project of a resource type in Python, with the end of its create handler, which has a `model`."""
    schema = {
        "typeName": name,
        "description": "A thing that takes its time.",
        "additionalProperties": False,
        "properties": {"Id": {"type": "string"}, "Name": {"type": "string"}},
        "primaryIdentifier": ["/properties/Id"],
        "readOnlyProperties": ["/properties/Id"],
        "tagging": {"taggable": False},
        "handlers": {each: {"permissions": []} for each in ("create", "read", "delete")},
    }
    project.mkdir()
    run_cfn("init", "-a", "RESOURCE", "-t", name, "--sample", "python311", "--no-docker", cwd=project)
    parts = name.lower().split("::")
    (project / f"{'-'.join(parts)}.json").write_text(json.dumps(schema, indent=2), encoding="utf-8")
    handlers = _HANDLERS.format(name=name, create=textwrap.indent(create.strip(), "    "))
    (project / "src" / "_".join(parts) / "handlers.py").write_text(handlers, encoding="utf-8")
    run_cfn("generate", cwd=project)


def await_stack(client: Any, name: str, *, every: float) -> None:
    """Wait for the creation of a stack, and look so often.

    Raises:
        RuntimeError: it failed.
    """
    while (found := client.describe_stacks(StackName=name)["Stacks"][0])["StackStatus"] == "CREATE_IN_PROGRESS":
        time.sleep(every)
    if found["StackStatus"] != "CREATE_COMPLETE":
        raise RuntimeError(f"{name}: {found['StackStatus']} {found.get('StackStatusReason')}")


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Iterator[Served]:
    """Run `cfn serve` with its state and cache in `folder`, and with more options."""
    with _running(folder, "serve", "--port", "0", *options) as (process, line):
        yield Served(line.split()[1], process.pid)


def seconds_to_first_answer(folder: Path) -> float:
    """Return the seconds until a new `cfn serve`, with its state in `folder`, answers what needs no registry: STS.

    Raises:
        RuntimeError: it ends before.
    """
    import urllib.error

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = time.perf_counter()
    with _started(folder, "serve", "--port", str(port)) as process:
        server = Served(f"http://127.0.0.1:{port}", process.pid)
        while process.poll() is None:
            try:
                server.post("sts", Action="GetCallerIdentity", Version="2011-06-15")
            except urllib.error.HTTPError:
                raise
            except urllib.error.URLError:  # it does not listen yet
                time.sleep(0.001)
            else:
                return time.perf_counter() - start
    raise RuntimeError("cfn serve ended before it answered")


@contextlib.contextmanager
def working(folder: Path, url: str, number: int) -> Iterator[list[int]]:
    """Run so many `cfn worker` on a database, with the state in `folder`; the pids of those that are ready."""
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(_running(folder, "worker", "--database", url)) for _ in range(number)]
        yield [process.pid for process, _ in found]


@contextlib.contextmanager
def _running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with _started(folder, *words) as process:
        line = process.stdout.readline() if process.stdout is not None else ""
        if not line.startswith("ready "):
            raise RuntimeError(f"cfn {words[0]} did not start")
        yield process, line


@contextlib.contextmanager
def _started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    folders = {"FORMWORK_CACHE": str(folder / "cache"), "FORMWORK_STATE": str(folder / "state")}
    with subprocess.Popen(
        [*_cfn(), *words],
        cwd=folder,
        env={**ENVIRONMENT, **_ACCOUNT, **folders},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def _cfn() -> list[str]:
    return [str(Path(sys.executable).with_name("cfn"))]


def cpu_seconds(pid: int, *, ended: bool = False) -> float:
    """Return the CPU time of a process so far, with `ended` also that of its children that have ended; 0 without it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    fields = [int(each) for each in stat.rpartition(")")[2].split()[11:15]]
    return sum(fields if ended else fields[:2]) / os.sysconf("SC_CLK_TCK")
