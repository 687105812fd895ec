"""The processes of one function: kept warm, at most so many at once, replaced when they or their sources change."""

import threading
import time
from collections.abc import Callable, Mapping

from msgspec import Struct, field

from formwork.diagnostics import EnvironmentProblemError
from formwork.lambda_host.fingerprint import fingerprint_of
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.outcome import Outcome
from formwork.lambda_host.processes import OrphanGuard
from formwork.lambda_host.sandbox import Invocation, Sandbox
from formwork.lambda_host.way_out import NoNamespaceError, OpenWay, ProcessExit, WayOut

# Sources are looked at once in so many seconds, at most.
_FRESHNESS_SECONDS = 0.25


def _ignore_line(_function: str, _request_id: str, _line: str) -> None:
    pass


def _ignore_payload(_payload: bytes) -> None:
    pass


class HostSettings(Struct, frozen=True):
    """Settings for all functions of a host.

    `concurrency` is how many processes a function may have. `freeze` stops processes between invocations as Lambda
    does. `environment` comes on top of Lambda's variables in every process: the region, and what the platform needs.
    `way_out` opens the way to other services for each process. `log` receives every line that a process writes:
    function name, request id ("" outside of one), line; `hear` every event before a process gets it, so that its
    secrets can be kept out of what is logged.
    """

    account: str = "123456789012"
    region: str = "us-east-1"
    concurrency: int = 10
    freeze: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    way_out: WayOut = field(default_factory=OpenWay)
    log: Callable[[str, str, str], None] = _ignore_line
    hear: Callable[[bytes], None] = _ignore_payload


class FunctionPool:
    """Runs invocations of one function, each alone on a process; more than the limit wait for one to be free."""

    def __init__(self, function: LambdaFunction, *, settings: HostSettings, guard: OrphanGuard) -> None:
        self.function = function
        self._settings = settings
        self._guard = guard
        self._changed = threading.Condition()
        self._idle: list[tuple[Sandbox, int]] = []
        self._all: set[Sandbox] = set()
        self._starting = 0
        self._closed = False
        self._look_again = 0.0
        self._fingerprint = 0

    def invoke(self, invocation: Invocation, *, timeout: float | None) -> Outcome:
        """Run one invocation, waiting for a free process; at most `timeout` seconds where the function allows more.

        Raises:
            EnvironmentProblemError: the function's process can't be prepared or started.
        """
        limits = [each for each in (timeout, self.function.timeout) if each is not None]
        self._settings.hear(invocation.payload)
        sandbox, fingerprint = self._acquire()
        try:
            return sandbox.invoke(invocation, timeout=min(limits, default=None))
        except BaseException:
            sandbox.close()  # it still works on this invocation, whose answer is not awaited any more
            raise
        finally:
            self._release(sandbox, fingerprint)

    def warm(self) -> None:
        """Start a process ahead of the first invocation."""
        self._release(*self._acquire())

    def load(self, seconds: float) -> Outcome | None:
        """Start a process and see that it loads its handler; how it ended where it can't."""
        sandbox, fingerprint = self._acquire()
        try:
            return sandbox.await_init(seconds)
        finally:
            self._release(sandbox, fingerprint)

    def close(self) -> None:
        """Kill all processes; invocations that run end as stopped, later ones are refused."""
        with self._changed:
            self._closed = True
            doomed = list(self._all)
            self._idle.clear()
            self._changed.notify_all()
        closers = [threading.Thread(target=each.close, daemon=True) for each in doomed]
        for each in closers:
            each.start()
        for each in closers:
            each.join(10)

    def retire(self) -> None:
        """Take no more invocations; processes go as soon as they have nothing to do."""
        with self._changed:
            self._closed = True
            doomed, self._idle = self._idle, []
            self._all.difference_update(each for each, _ in doomed)
            self._changed.notify_all()
        for each, _ in doomed:
            each.close()

    def _acquire(self) -> tuple[Sandbox, int]:
        fingerprint = self._fresh_fingerprint()
        found: tuple[Sandbox, int] | None = None
        with self._changed:
            while True:
                if self._closed:
                    raise EnvironmentProblemError("the local Lambda service is stopped")
                stale = [sandbox for sandbox, seen in self._idle if seen != fingerprint or not sandbox.usable]
                self._idle = [each for each in self._idle if each[0] not in stale]
                self._all.difference_update(stale)
                if self._idle:
                    found = self._idle.pop()
                    break
                if len(self._all) + self._starting < self._settings.concurrency:
                    self._starting += 1
                    break
                self._changed.wait()
        for each in stale:
            each.close()
        return (self._start(), fingerprint) if found is None else found

    def _start(self) -> Sandbox:
        sandbox: Sandbox | None = None
        try:
            sandbox = self._open_sandbox()
        except OSError as error:
            raise EnvironmentProblemError(
                f"function {self.function.name} could not be started: {error}",
                hint="check that the interpreter is still installed, and the limits of processes and open files",
            ) from error
        finally:
            with self._changed:
                self._starting -= 1
                if sandbox is not None:
                    self._all.add(sandbox)
                    closed = self._closed
                else:
                    closed = False
                self._changed.notify_all()
        if closed:
            sandbox.close()
        return sandbox

    def _open_sandbox(self) -> Sandbox:
        launch = self.function.prepare()
        way_out = self._settings.way_out.open(self.function.runtime)
        try:
            return self._make_sandbox(launch, way_out)
        except NoNamespaceError as error:
            way_out.close()
            self._settings.way_out.without_namespaces(str(error))
            way_out = self._settings.way_out.open(self.function.runtime)
            return self._make_sandbox(launch, way_out)
        except OSError:
            way_out.close()
            raise

    def _make_sandbox(self, launch: Launch, way_out: ProcessExit) -> Sandbox:
        return Sandbox(
            self.function,
            launch,
            environment=self._settings.environment,
            way_out=way_out,
            guard=self._guard,
            freeze=self._settings.freeze,
            log=lambda request_id, line: self._settings.log(self.function.name, request_id, line),
        )

    def _release(self, sandbox: Sandbox, fingerprint: int) -> None:
        with self._changed:
            keep = sandbox.usable and not self._closed
            if keep:
                self._idle.append((sandbox, fingerprint))
            else:
                self._all.discard(sandbox)
            self._changed.notify_all()
        if not keep:
            sandbox.close()

    def _fresh_fingerprint(self) -> int:
        now = time.monotonic()
        if now >= self._look_again:
            self._fingerprint = fingerprint_of(self.function.sources)
            took = time.monotonic() - now
            self._look_again = now + max(_FRESHNESS_SECONDS, 20 * took)  # a huge folder must not slow every call
        return self._fingerprint
