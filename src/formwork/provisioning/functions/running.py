"""Running functions of stacks: as registered handlers are run, with the function's own code and settings."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics import BadInputError
from formwork.extensions import ExtensionKind
from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.outcome import Outcome
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import read_object
from formwork.project.config import ProjectConfig
from formwork.provisioning.functions.finding import DeployedFunction
from formwork.registry.packages import Package, unpack_archive
from formwork.registry.runtimes import packaged_function
from formwork.registry.settings import HandlerSettings
from formwork.registry.warm_hosts import WarmHosts

_WARM = 8
_PROVIDED = Path(__file__).with_name("provided")  # what Lambda adds to code that is written in a template
# What Lambda takes where the template says nothing.
_TIMEOUT = 3
_MEMORY_MB = 128


class FunctionRunner:
    """The processes of deployed functions, whose code is read from `objects`; `close` ends every one of them."""

    def __init__(self, settings: HandlerSettings, objects: ObjectStore) -> None:
        self._settings = settings
        self._objects = objects
        self._hosts = WarmHosts(settings, most=_WARM)

    def invoke(self, function: DeployedFunction, payload: bytes, client_context: str | None = None) -> Outcome:
        """Run a function once.

        Raises:
            BadInputError: its code is unavailable, or its runtime is not supported here.
            EnvironmentProblemError: its process can't be started.
        """
        with self._hosts.use(function.digest, function.scope, lambda: self._function(function)) as host:
            return host.invoke(host.function_names[0], payload, client_context=client_context)

    def close(self) -> None:
        """End every process."""
        self._hosts.close()

    def _function(self, function: DeployedFunction) -> LambdaFunction:
        properties = function.properties
        package = Package(function.digest, Path(tempfile.mkdtemp(dir=self._hosts.temporary)))
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
                **self._settings.variables_in(function.scope),
                **{key: str(each) for key, each in properties.get("Environment", {}).get("Variables", {}).items()},
            },
        )

    def _write_code(self, function: DeployedFunction, folder: Path) -> None:
        """Write the function's code, which is in the template or in an archive of S3."""
        code: Any = function.properties.get("Code")
        match code:
            case {"ZipFile": str(text)}:
                python = str(function.properties.get("Runtime")).startswith("python")
                (folder / ("index.py" if python else "index.js")).write_text(text, encoding="utf-8")
                _provide(folder, python=python)
            case {"S3Bucket": str(bucket), "S3Key": str(key)}:
                version, account = code.get("S3ObjectVersion"), function.scope.account
                content = read_object(self._objects, account=account, bucket=bucket, key=key, version=version)
                unpack_archive(content, folder, f"the code of {function.name}")
            case _:
                message = f"the function {function.name} has no code that can be run here"
                raise BadInputError.of(
                    "function.code", message, expected="Code with ZipFile, or with S3Bucket and S3Key"
                )


def _provide(folder: Path, *, python: bool) -> None:
    """Add the module that sends responses of custom resources, as Lambda does."""
    name, place = ("cfnresponse.py", folder) if python else ("cfn-response.js", folder / "node_modules")
    place.mkdir(exist_ok=True)
    shutil.copyfile(_PROVIDED / name, place / name)
