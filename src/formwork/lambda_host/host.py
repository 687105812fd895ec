"""The local Lambda service: functions, their processes, and the Invoke API towards clients (docs/decisions/1283)."""

import os
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from formwork.aws.partitions import partition_of
from formwork.diagnostics import BadInputError, EnvironmentProblemError, UsageError
from formwork.diagnostics.internal_errors import internal_error
from formwork.lambda_host.function import MAX_REQUEST_BYTES, LambdaFunction
from formwork.lambda_host.http_server import HttpServer
from formwork.lambda_host.invoke_api import InvokeApi
from formwork.lambda_host.outcome import Outcome
from formwork.lambda_host.pool import FunctionPool, HostSettings
from formwork.lambda_host.processes import OrphanGuard
from formwork.lambda_host.sandbox import LEAST_INIT_SECONDS, Invocation
from formwork.request_guard import RequestGuard, machine_names


class UnknownFunctionError(EnvironmentProblemError):
    """The function is not one of the host's."""


class LambdaHost:
    """Runs functions as AWS Lambda does. Close it (or use it in `with`): then no process of its functions is left."""

    def __init__(
        self,
        functions: Iterable[LambdaFunction],
        *,
        settings: HostSettings | None = None,
        guard: OrphanGuard | None = None,
    ) -> None:
        """`guard` sees to processes of several hosts, and stays open; without one the host has its own."""
        self.settings = settings or HostSettings()
        self._guard = guard or OrphanGuard()
        self._owns_guard = guard is None
        self._pools = self._make_pools(functions)
        self._servers: list[HttpServer] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def function_names(self) -> tuple[str, ...]:
        """The names of the functions, sorted."""
        return tuple(sorted(self._pools))

    def arn(self, name: str) -> str:
        """Return the ARN of a function, as its context has it."""
        region = self.settings.region
        return f"arn:{partition_of(region)}:lambda:{region}:{self.settings.account}:function:{name}"

    def invoke(
        self, name: str, payload: bytes, *, timeout: float | None = None, client_context: str | None = None
    ) -> Outcome:
        """Invoke a function and wait for the end; safe to call from several threads.

        Raises:
            BadInputError: `payload` is over Lambda's 6 MB.
            UnknownFunctionError: there is no such function.
            EnvironmentProblemError: its process could not be prepared or started.
        """
        if len(payload) > MAX_REQUEST_BYTES:
            message = f"the request has {len(payload):,} bytes; Lambda takes at most {MAX_REQUEST_BYTES:,}"
            raise BadInputError.of("invoke.request-too-large", message, hint="make the model smaller")
        return self._pool(name).invoke(Invocation(payload, self.arn(name), client_context), timeout=timeout)

    def replace(self, functions: Iterable[LambdaFunction]) -> None:
        """Replace the functions; running invocations are completed."""
        retired, self._pools = self._pools, self._make_pools(functions)
        for pool in retired.values():
            pool.retire()

    def warm(self, name: str) -> None:
        """Prepare a function and start a process of it, ahead of its first invocation."""
        self._pool(name).warm()

    def load(self, name: str, *, seconds: float = LEAST_INIT_SECONDS) -> Outcome | None:
        """See that a function's handler can be loaded, without calling it; how its process ended where it can't.

        Raises:
            BadInputError: its code is not there.
            EnvironmentProblemError: its process could not be prepared or started.
        """
        return self._pool(name).load(seconds)

    def serve(self, *, host: str = "127.0.0.1", port: int = 3001, guard: RequestGuard | None = None) -> str:
        """Answer the Invoke API on `host` and `port` (0 picks one) until `close`; the address, `http://HOST:PORT`.

        `guard` knows under which names the service is reached; by default those of this machine.

        Raises:
            EnvironmentProblemError: the port is in use, or can't be listened on.
            UsageError: `port` is not a port.
        """
        if not 0 <= port < 65536:
            raise UsageError(f"{port} is not a port", hint="give 1 to 65535, or 0 for a free one")
        guard = guard or RequestGuard(machine_names(host))
        try:
            server = HttpServer(
                InvokeApi(self).respond,
                host=host,
                port=port,
                max_body=MAX_REQUEST_BYTES,
                guard=guard,
                on_error=self._report,
            )
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise EnvironmentProblemError(
                f"can't listen on {host} port {port}: {reason}",
                hint="choose another port with --port N (0 picks a free one), or stop the process that listens there",
            ) from error
        with self._lock:
            self._servers.append(server)
        return f"http://{server.address}"

    def close(self) -> None:
        """Stop answering and kill every process; returns when they are gone."""
        with self._lock:
            servers, self._servers = self._servers, []
        for pool in self._pools.values():
            pool.close()
        for server in servers:
            server.close()
        if self._owns_guard:
            self._guard.close()

    def _make_pools(self, functions: Iterable[LambdaFunction]) -> dict[str, FunctionPool]:
        return {each.name: FunctionPool(each, settings=self.settings, guard=self._guard) for each in functions}

    def _report(self, error: Exception) -> None:
        self.settings.log("service", "", internal_error(error))

    def _pool(self, name: str) -> FunctionPool:
        try:
            return self._pools[name]
        except KeyError:
            known = ", ".join(self.function_names) or "none"
            raise UnknownFunctionError(f'function "{name}" not found', hint=f"functions: {known}") from None
