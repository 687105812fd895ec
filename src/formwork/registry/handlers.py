"""Registered handlers as functions of a local Lambda service: loaded once to see that they can be, kept warm after."""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.diagnostics import FormworkError
from formwork.invoke import Answer, HandlerTransport
from formwork.invoke.in_process import InProcessTransport
from formwork.invoke.local import LocalLambdaTransport
from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.outcome import Outcome
from formwork.project.config import ProjectConfig
from formwork.registry.failures import describe_error
from formwork.registry.packages import Package
from formwork.registry.runtimes import FUNCTION, expect_entry_point, is_judged, packaged_function
from formwork.registry.settings import HandlerSettings
from formwork.registry.warm_hosts import WarmHosts

# How long a handler may take to load; Lambda gives it ten seconds, on a machine that does nothing else.
_LOAD_SECONDS = 60.0


class Loaded(Struct, frozen=True):
    """The result of loading handlers: `problems` that refuse them, or a remark if this machine can't load them."""

    problems: tuple[str, ...] = ()
    remark: str | None = None


class PackagedHandlers:
    """The handler processes of a registry. Close it at the end: then none is left."""

    def __init__(self, settings: HandlerSettings) -> None:
        self._settings = settings
        self._hosts = WarmHosts(settings, most=settings.warm)

    def load(self, scope: Scope, package: Package, config: ProjectConfig) -> Loaded:
        """See whether the package's handlers can be loaded. They stay warm."""
        if self._settings.in_process(config.entrypoint or "") is not None:
            return Loaded()
        try:
            expect_entry_point(package, config)
        except FormworkError as error:
            return Loaded(problems=tuple(describe_error(error)))
        problem = self._problem(scope, package, config)
        if problem is None:
            return Loaded()
        self._hosts.forget((package.digest, scope))
        text = f'package.handler: the handler "{config.entrypoint}" can\'t be loaded: {problem}'
        if is_judged(package, config, self._settings):
            return Loaded(problems=(text,))
        return Loaded(remark=f"{text} (on this machine; the package is made for another)")

    def _problem(self, scope: Scope, package: Package, config: ProjectConfig) -> str | None:
        try:
            with self._host(scope, package, config) as host:
                outcome = host.load(FUNCTION, seconds=_LOAD_SECONDS)
        except FormworkError as error:
            return "; ".join(describe_error(error))
        return None if outcome is None else _reason(outcome)

    def transport(self, scope: Scope, package: Package, config: ProjectConfig) -> HandlerTransport:
        """Return what invokes the package's handlers."""
        function = self._settings.in_process(config.entrypoint or "")
        if function is not None:
            return InProcessTransport(function)
        return RegisteredTransport(lambda: self._host(scope, package, config))

    @contextlib.contextmanager
    def serve(self, scope: Scope, package: Package, config: ProjectConfig) -> Iterator[str]:
        """Serve the package's handlers as the Lambda function `FUNCTION`, for contract tests; yield the address."""
        with contextlib.closing(self._hosts.open(scope, self._function(package, config))) as host:
            yield host.serve(port=0)

    def close(self) -> None:
        """End every process."""
        self._hosts.close()

    def _host(
        self, scope: Scope, package: Package, config: ProjectConfig
    ) -> contextlib.AbstractContextManager[LambdaHost]:
        """Return the host of a package, in use until the end of the block."""
        return self._hosts.use((package.digest, scope), scope, lambda: self._function(package, config))

    def _function(self, package: Package, config: ProjectConfig) -> LambdaFunction:
        return packaged_function(package, config, self._settings, self._hosts.temporary)


class RegisteredTransport:
    """A `HandlerTransport` to the handlers of one registered version."""

    def __init__(self, host: Callable[[], contextlib.AbstractContextManager[LambdaHost]]) -> None:
        self._host = host

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Invoke the handlers; see `HandlerTransport`."""
        with self._host() as host:
            return LocalLambdaTransport(host, FUNCTION).invoke(payload, timeout=timeout)


def _reason(outcome: Outcome) -> str:
    """Return what Lambda's error document says."""
    try:
        value = json.loads(outcome.body)
    except ValueError:
        return str(outcome.kind)
    kind, message = value.get("errorType"), value.get("errorMessage")
    return f"{kind}: {message}" if kind else str(message or outcome.kind)
