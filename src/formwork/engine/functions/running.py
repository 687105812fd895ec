"""Running functions of stacks: as registered handlers are run, with the function's own code and settings."""

import contextlib
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from formwork.diagnostics import BadInputError
from formwork.engine.functions.finding import DeployedFunction
from formwork.invoke.project_host import local_aws_environment
from formwork.lambda_host import Function, HostSettings, LambdaHost, Outcome
from formwork.lambda_host.aws_refusal import AwsRefusal
from formwork.lambda_host.processes import OrphanGuard
from formwork.project.config import ProjectConfig
from formwork.project.names import ExtensionKind
from formwork.registry import HandlerSettings
from formwork.registry.packages import Package, unpack_archive
from formwork.registry.runtimes import packaged_function
from formwork.registry.scope import Scope

_WARM = 8
_PROVIDED = Path(__file__).with_name("provided")  # what Lambda lays beside code that stands in a template
# What Lambda takes where the template says nothing.
_TIMEOUT = 3
_MEMORY_MB = 128


@dataclass(slots=True)
class _Running:
    host: LambdaHost
    users: int = 0


class FunctionRunner:
    """The processes of deployed functions; `fetch` reads an object of S3. Close it at the end: then none is left."""

    def __init__(self, settings: HandlerSettings, fetch: Callable[[Scope, str], bytes]) -> None:
        self._settings = settings
        self._fetch = fetch
        self._lock = threading.Lock()
        self._running: OrderedDict[str, _Running] = OrderedDict()
        self._refusal: AwsRefusal | None = None
        self._guard = OrphanGuard()
        self._temporary = tempfile.TemporaryDirectory(prefix="formwork-functions-", ignore_cleanup_errors=True)

    def invoke(self, function: DeployedFunction, payload: bytes) -> Outcome:
        """Run a function once.

        Raises:
            BadInputError: its code can't be had, or nothing here can run it.
            EnvironmentProblemError: its process can't be started.
        """
        with self._host(function) as host:
            return host.invoke(host.function_names[0], payload)

    def close(self) -> None:
        """End every process."""
        with self._lock:
            doomed, self._running = list(self._running.values()), OrderedDict()
        for each in doomed:
            each.host.close()
        if self._refusal is not None:
            self._refusal.close()
        self._guard.close()
        self._temporary.cleanup()

    @contextlib.contextmanager
    def _host(self, function: DeployedFunction) -> Iterator[LambdaHost]:
        """The host of a function, in use until the end of the block; the longest unused one goes for it."""
        key = function.digest
        with self._lock:
            if key not in self._running:
                self._running[key] = _Running(self._open(function))
            running = self._running[key]
            self._running.move_to_end(key)
            running.users += 1
            idle = [key for key, each in self._running.items() if not each.users]
            doomed = [self._running.pop(key) for key in idle[: max(0, len(self._running) - _WARM)]]
        for each in doomed:
            each.host.close()
        try:
            yield running.host
        finally:
            with self._lock:
                running.users -= 1

    def _open(self, function: DeployedFunction) -> LambdaHost:
        settings = self._settings
        aws = settings.aws_environment
        if aws is None:
            if self._refusal is None:
                self._refusal = AwsRefusal(settings.refused)
            aws = local_aws_environment(self._refusal.url)
        system = {name: value for name, value in settings.user_environment.items() if name.upper() == "SYSTEMROOT"}
        region = {"AWS_REGION": function.scope.region, "AWS_DEFAULT_REGION": function.scope.region}
        host = HostSettings(
            account=function.scope.account,
            region=function.scope.region,
            concurrency=settings.concurrency,
            environment={**system, **region, **aws},
            log=lambda name, request_id, line: settings.note(f"[{name} {request_id[:8] or '-'}] {line}"),
        )
        return LambdaHost([self._function(function)], settings=host, guard=self._guard)

    def _function(self, function: DeployedFunction) -> Function:
        properties = function.properties
        package = Package(function.digest, Path(tempfile.mkdtemp(dir=self._temporary.name)))
        package.handler.mkdir()
        self._write_code(function, package.handler)
        config = ProjectConfig(
            ExtensionKind.RESOURCE,
            function.name,
            runtime=properties.get("Runtime"),
            entrypoint=properties.get("Handler"),
        )
        made = packaged_function(package, config, self._settings, package.root)
        return replace(
            made,
            name=function.name,
            timeout=float(properties.get("Timeout", _TIMEOUT)),
            memory_mb=int(properties.get("MemorySize", _MEMORY_MB)),
            environment={
                key: str(each) for key, each in properties.get("Environment", {}).get("Variables", {}).items()
            },
        )

    def _write_code(self, function: DeployedFunction, folder: Path) -> None:
        """The function's code: what stands in the template, or in an archive of S3."""
        match function.properties.get("Code"):
            case {"ZipFile": str(text)}:
                python = str(function.properties.get("Runtime")).startswith("python")
                (folder / ("index.py" if python else "index.js")).write_text(text, encoding="utf-8")
                _provide(folder, python=python)
            case {"S3Bucket": str(bucket), "S3Key": str(key)}:
                content = self._fetch(function.scope, f"s3://{bucket}/{key}")
                unpack_archive(content, folder, f"the code of {function.name}")
            case _:
                message = f"the function {function.name} has no code that can be run here"
                raise BadInputError.of(
                    "function.code", message, expected="Code with ZipFile, or with S3Bucket and S3Key"
                )


def _provide(folder: Path, *, python: bool) -> None:
    """The module that answers for custom resources, as Lambda provides it."""
    name, place = ("cfnresponse.py", folder) if python else ("cfn-response.js", folder / "node_modules")
    place.mkdir(exist_ok=True)
    shutil.copyfile(_PROVIDED / name, place / name)
