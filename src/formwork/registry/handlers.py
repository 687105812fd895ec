"""Registered handlers as functions of a local Lambda service: loaded once to see that they can be, kept warm after."""

import contextlib
import json
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from formwork.diagnostics import FormworkError
from formwork.invoke import Answer
from formwork.invoke.local import LocalLambdaTransport
from formwork.invoke.project_host import local_aws_environment
from formwork.lambda_host import HostSettings, LambdaHost, Outcome
from formwork.lambda_host.aws_refusal import AwsRefusal
from formwork.lambda_host.processes import OrphanGuard
from formwork.project.config import ProjectConfig
from formwork.registry.failures import describe_error
from formwork.registry.packages import Package
from formwork.registry.runtimes import FUNCTION, expect_runtime, is_judged, packaged_function
from formwork.registry.scope import Scope
from formwork.registry.settings import HandlerSettings

# How long a handler may take to load; Lambda gives it ten seconds, on a machine that does nothing else.
_LOAD_SECONDS = 60.0


@dataclass(slots=True)
class _Warm:
    host: LambdaHost
    users: int = 0


@dataclass(frozen=True, slots=True)
class Loaded:
    """Whether handlers could be loaded: why they are refused, or a remark where this machine can't tell."""

    problems: tuple[str, ...] = ()
    remark: str | None = None


class Handlers:
    """The handler processes of a registry. Close it at the end: then none is left."""

    def __init__(self, settings: HandlerSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._warm: OrderedDict[tuple[str, Scope], _Warm] = OrderedDict()
        self._refusal: AwsRefusal | None = None
        self._temporary = tempfile.TemporaryDirectory(prefix="formwork-handlers-", ignore_cleanup_errors=True)
        self._closed = False
        self._guard = OrphanGuard()

    def load(self, scope: Scope, package: Package, config: ProjectConfig) -> Loaded:
        """See whether the package's handlers can be loaded. They stay warm."""
        try:
            expect_runtime(package, config)
        except FormworkError as error:
            return Loaded(problems=tuple(describe_error(error)))
        problem = self._problem(scope, package, config)
        if problem is None:
            return Loaded()
        self._forget(scope, package)
        text = f'package.handler: the handler "{config.entrypoint}" can\'t be loaded: {problem}'
        if is_judged(package, config, self._settings):
            return Loaded(problems=(text,))
        return Loaded(remark=f"{text} (on this machine, which is not what the package is made for)")

    def _problem(self, scope: Scope, package: Package, config: ProjectConfig) -> str | None:
        try:
            with self._host(scope, package, config) as host:
                outcome = host.load(FUNCTION, seconds=_LOAD_SECONDS)
        except FormworkError as error:
            return "; ".join(describe_error(error))
        return None if outcome is None else _reason(outcome)

    def transport(
        self,
        scope: Scope,
        package: Package,
        config: ProjectConfig,
        *,
        heard: Callable[[Mapping[str, Any], Answer], None] = lambda _payload, _answer: None,
    ) -> "RegisteredTransport":
        """What invokes the package's handlers; `heard` hears of every invocation and its answer."""
        return RegisteredTransport(lambda: self._host(scope, package, config), heard)

    @contextlib.contextmanager
    def serve(self, scope: Scope, package: Package, config: ProjectConfig) -> Iterator[str]:
        """The address of a Lambda service of the package's own, for whoever proves it; the function is `FUNCTION`."""
        with contextlib.closing(self._open(scope, package, config)) as host:
            yield host.serve(port=0)

    def close(self) -> None:
        """End every process."""
        with self._lock:
            self._closed = True
            doomed, self._warm = list(self._warm.values()), OrderedDict()
        for each in doomed:
            each.host.close()
        if self._refusal is not None:
            self._refusal.close()
        self._guard.close()
        self._temporary.cleanup()

    @contextlib.contextmanager
    def _host(self, scope: Scope, package: Package, config: ProjectConfig) -> Iterator[LambdaHost]:
        """The host of a package, in use until the end of the block; the longest unused one goes for it."""
        key = package.digest, scope
        with self._lock:
            warm = self._warm.get(key)
            if warm is None:
                warm = self._warm[key] = _Warm(self._open(scope, package, config))
            self._warm.move_to_end(key)
            warm.users += 1
            doomed = self._surplus()
        for each in doomed:
            each.host.close()
        try:
            yield warm.host
        finally:
            with self._lock:
                warm.users -= 1

    def _surplus(self) -> list[_Warm]:
        idle = [key for key, each in self._warm.items() if not each.users]
        surplus = max(0, len(self._warm) - self._settings.warm)
        return [self._warm.pop(key) for key in idle[:surplus]]

    def _forget(self, scope: Scope, package: Package) -> None:
        with self._lock:
            warm = self._warm.pop((package.digest, scope), None)
        if warm is not None:
            warm.host.close()

    def _open(self, scope: Scope, package: Package, config: ProjectConfig) -> LambdaHost:
        settings = self._settings
        aws = settings.aws_environment
        if aws is None:
            if self._refusal is None:
                self._refusal = AwsRefusal(settings.refused)
            aws = local_aws_environment(self._refusal.url)
        system = {name: value for name, value in settings.user_environment.items() if name.upper() == "SYSTEMROOT"}
        region = {"AWS_REGION": scope.region, "AWS_DEFAULT_REGION": scope.region}
        host = HostSettings(
            account=scope.account,
            region=scope.region,
            concurrency=settings.concurrency,
            environment={**system, **region, **aws},
        )
        return LambdaHost(
            [packaged_function(package, config, settings, Path(self._temporary.name))], settings=host, guard=self._guard
        )


class RegisteredTransport:
    """A `HandlerTransport` to the handlers of one registered version."""

    def __init__(
        self,
        host: Callable[[], contextlib.AbstractContextManager[LambdaHost]],
        heard: Callable[[Mapping[str, Any], Answer], None],
    ) -> None:
        self._host = host
        self._heard = heard

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Invoke the handlers; see `HandlerTransport`."""
        with self._host() as host:
            answer = LocalLambdaTransport(host, FUNCTION).invoke(payload, timeout=timeout)
        self._heard(payload, answer)
        return answer


def _reason(outcome: Outcome) -> str:
    """What Lambda's error document says."""
    try:
        value = json.loads(outcome.body)
    except ValueError:
        return str(outcome.kind)
    kind, message = value.get("errorType"), value.get("errorMessage")
    return f"{kind}: {message}" if kind else str(message or outcome.kind)
