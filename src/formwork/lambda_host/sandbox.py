"""An execution environment: one handler process and the Runtime API it talks to; one invocation at a time.

The reasons are in docs/decisions/0401.
"""

import hmac
import json
import secrets
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct, field

from formwork.lambda_host import outcome as outcomes
from formwork.lambda_host.function import MAX_RESPONSE_BYTES, LambdaFunction, Launch
from formwork.lambda_host.http_messages import Request, Response
from formwork.lambda_host.http_server import HttpServer
from formwork.lambda_host.live_lines import LineListener, line_listener
from formwork.lambda_host.logs import LogPipe
from formwork.lambda_host.namespace import API_ADDRESS
from formwork.lambda_host.outcome import Outcome, OutcomeKind
from formwork.lambda_host.processes import HandlerProcess, OrphanGuard
from formwork.lambda_host.variables import lambda_variables
from formwork.lambda_host.way_out import NoNamespaceError, ProcessExit

_VERSION = "/2018-06-01/runtime/"
# The first look at a function's memory comes this many seconds after its start, then one each interval.
_MEMORY_INTERVAL = 0.05
# What Lambda gives a function to load its handler, in seconds.
LEAST_INIT_SECONDS = 10.0
# AWS Lambda's longest timeout, in seconds; told to a handler that has no limit.
_LONGEST_TIMEOUT = 900.0


class Invocation(Struct, frozen=True):
    """The input of an invocation: the event's bytes and the values of headers.

    `on_line` gets each line that the process writes meanwhile.
    """

    payload: bytes
    arn: str
    client_context: str | None = None
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    on_line: LineListener | None = field(default_factory=line_listener)


class _State(StrEnum):
    STARTING = "starting"  # the process has not asked for an event yet
    WAITING = "waiting"  # it waits for one
    BUSY = "busy"  # it has one
    ANSWERED = "answered"  # it has answered and not asked again yet
    DEAD = "dead"


class _End(Struct, frozen=True):
    kind: OutcomeKind
    body: bytes


class Sandbox:
    """One process of a function.

    `log` receives every line it writes, with the id of the request it belongs to ("" outside of one).
    """

    def __init__(  # noqa: PLR0913 - what a process needs
        self,
        function: LambdaFunction,
        launch: Launch,
        *,
        environment: Mapping[str, str],
        way_out: ProcessExit,
        guard: OrphanGuard,
        freeze: bool,
        log: Callable[[str, str], None],
    ) -> None:
        """Start the process; it loads its handler meanwhile. `environment` comes on top of Lambda's variables.

        Raises:
            OSError: the process could not be started.
            NoNamespaceError: it was to have a network of its own, and the machine gives it none.
        """
        self.function = function
        self._freeze = freeze
        self._changed = threading.Condition()
        self._state = _State.STARTING
        self._pending: Invocation | None = None  # not fetched by the process yet
        self._current: Invocation | None = None
        self._end: _End | None = None
        self._init_failure: bytes | None = None
        self._exit_code = 0
        self._timeout: float | None = None
        self._stopping = False
        self._closing = threading.Lock()
        self._closed = False
        self._started = time.monotonic()
        self._delivered = self._started
        self._init_seconds: float | None = None
        # Clients put the address before their paths: a secret in it is sent with each of their requests.
        self._secret = secrets.token_urlsafe(24)
        self._exit = way_out
        self._api = None if way_out.namespace is not None else HttpServer(self._respond, max_body=MAX_RESPONSE_BYTES)
        address = API_ADDRESS if self._api is None else self._api.address
        variables = lambda_variables(function, f"{address}/{self._secret}")
        try:
            with self._changed:  # the process may ask for an event before this thread continues
                self._process = HandlerProcess(
                    launch.command,
                    environment={
                        **variables,
                        **environment,
                        **way_out.environment,
                        **function.environment,
                        **launch.environment,
                    },
                    working_directory=launch.working_directory,
                    guard=guard,
                    on_exit=self._exited,
                    namespace=way_out.namespace,
                )
                way_out.attach(self._process.kill)
                if (sockets := self._process.sockets) is not None:
                    self._api = HttpServer(self._respond, max_body=MAX_RESPONSE_BYTES, listener=sockets.api)
                    way_out.serve(sockets, self._process.pid)
        except (OSError, NoNamespaceError):
            self._close_api()
            raise
        try:
            self._log = LogPipe(self._process.output, on_line=lambda line: self._take_line(line, log))
        except OSError:
            self._process.kill()
            self._close_api()
            raise

    @property
    def usable(self) -> bool:
        """Whether another invocation may go to this process."""
        return self._state is not _State.DEAD

    def invoke(self, invocation: Invocation, *, timeout: float | None) -> Outcome:
        """Hand the event to the process and wait for the end, at most `timeout` seconds from its delivery on.

        Whatever but a returned or raised answer leaves the sandbox unusable.
        """
        if self._state is not _State.STARTING:
            self._log.take()  # written between invocations: belongs to no request
        with self._changed:
            self._current, self._pending, self._end = invocation, invocation, None
            self._timeout = timeout
            self._delivered = time.monotonic()
            self._changed.notify_all()
        end = self._await_end(invocation, timeout)
        seconds = time.monotonic() - self._delivered
        init_seconds, self._init_seconds = self._init_seconds, None
        log = self._log.take()
        with self._changed:
            self._current = self._pending = None
        if end.kind not in (OutcomeKind.RETURNED, OutcomeKind.HANDLER_ERROR):
            self.close()
            log += self._log.take()
        calls = self._exit.take_calls()
        return Outcome(
            end.kind,
            end.body,
            invocation.request_id,
            seconds,
            init_seconds,
            log,
            calls,
            self._exit.namespace is not None,
        )

    def await_init(self, seconds: float) -> Outcome | None:
        """Wait until the process has loaded its handler; how it ended where it can't, or not within `seconds`."""
        with self._changed:
            loaded = self._changed.wait_for(lambda: self._state is not _State.STARTING, seconds)
            if loaded and self._state is not _State.DEAD:
                return None
            invocation = Invocation(b"", "")
            late = _End(OutcomeKind.TIMED_OUT, outcomes.timeout_body(invocation.request_id, seconds))
            end = self._death(invocation) if loaded else late
        self.close()
        return Outcome(
            end.kind, end.body, invocation.request_id, time.monotonic() - self._started, log=self._log.take()
        )

    def close(self) -> None:
        """Kill the process with all it started, and wait for its end; an invocation that runs ends as stopped."""
        with self._changed:
            self._stopping = self._stopping or self._state is not _State.DEAD
            self._state = _State.DEAD
            self._changed.notify_all()
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._process.kill()
            self._process.join(5)
            self._close_api()
            self._log.close()
            self._exit.close()

    def _close_api(self) -> None:
        if self._api is not None:
            self._api.close()

    def memory_bytes(self) -> int | None:
        """Return what the process and its children have resident now."""
        return self._process.resident_bytes()

    def _take_line(self, line: str, log: Callable[[str, str], None]) -> None:
        current = self._current
        log(current.request_id if current else "", line)
        if current is not None and current.on_line is not None:
            current.on_line(line)

    # -- the invoking thread

    def _await_end(self, invocation: Invocation, timeout: float | None) -> _End:
        # On top of the function's own time.
        init_ends = None if timeout is None else self._delivered + max(timeout, LEAST_INIT_SECONDS)
        with self._changed:
            while self._end is None:
                if self._state is _State.DEAD:
                    return self._death(invocation)
                now = time.monotonic()
                starting = self._state in (_State.STARTING, _State.ANSWERED)
                ends = init_ends if starting else None if timeout is None else self._delivered + timeout
                if ends is not None and now >= ends:
                    return _End(OutcomeKind.TIMED_OUT, outcomes.timeout_body(invocation.request_id, timeout or 0))
                if (used := self._memory_excess(now)) is not None:
                    limit = self.function.memory_mb or 0
                    return _End(OutcomeKind.OUT_OF_MEMORY, outcomes.memory_body(invocation.request_id, limit, used))
                self._changed.wait(self._patience(now, ends))
            return self._end

    def _patience(self, now: float, ends: float | None) -> float | None:
        until_end = None if ends is None else ends - now
        if self.function.memory_mb is None:
            return until_end
        return _MEMORY_INTERVAL if until_end is None else min(until_end, _MEMORY_INTERVAL)

    def _memory_excess(self, now: float) -> int | None:
        """Return the bytes in use where they are over the limit; not looked at in calls that end at once."""
        if self.function.memory_mb is None or now - self._delivered < _MEMORY_INTERVAL:
            return None
        used = self._process.resident_bytes()
        return used if used is not None and used > self.function.memory_mb << 20 else None

    def _death(self, invocation: Invocation) -> _End:
        if self._init_failure is not None:
            return _End(OutcomeKind.INIT_ERROR, self._init_failure)
        if self._stopping:
            return _End(OutcomeKind.STOPPED, outcomes.stopped_body(invocation.request_id))
        return _End(OutcomeKind.EXITED, outcomes.exit_body(invocation.request_id, self._exit_code))

    # -- the thread that waits for the process

    def _exited(self, code: int) -> None:
        with self._changed:
            self._state = _State.DEAD
            self._exit_code = code
            self._changed.notify_all()

    # -- the threads of the Runtime API

    def _respond(self, request: Request) -> Response:
        secret, slash, path = request.path.removeprefix("/").partition("/")
        if not hmac.compare_digest(secret.encode(), self._secret.encode()):
            return _refuse(403, "AccessDenied", "this address serves only one handler process")
        return self._route(request, f"{slash}{path}")

    def _route(self, request: Request, path: str) -> Response:
        if not path.startswith(_VERSION):
            return _refuse(404, "UnknownPath", f"no such path: {path}")
        match request.method, path.removeprefix(_VERSION).split("/"):
            case "GET", ["invocation", "next"]:
                return self._next()
            case "POST", ["invocation", request_id, "response"]:
                return self._answer(request_id, request, OutcomeKind.RETURNED)
            case "POST", ["invocation", request_id, "error"]:
                return self._answer(request_id, request, OutcomeKind.HANDLER_ERROR)
            case "POST", ["init", "error"]:
                return self._fail_init(request.body or outcomes.error_body("Runtime.Unknown", "no reason given"))
            case _:
                return _refuse(404, "UnknownPath", f"no such path: {request.method} {path}")

    def _fail_init(self, body: bytes) -> Response:
        with self._changed:
            if self._state is not _State.DEAD:
                self._init_failure = body
                self._state = _State.DEAD
                self._changed.notify_all()
        return _accepted()

    def _next(self) -> Response:
        with self._changed:
            if self._state is _State.STARTING:
                self._init_seconds = time.monotonic() - self._started
            if self._state in (_State.STARTING, _State.ANSWERED):
                self._state = _State.WAITING
                self._changed.notify_all()  # callers that await the init
            if self._pending is None:
                if self._freeze and self._state is _State.WAITING:  # a second thread may ask while the first is busy
                    self._process.freeze()
                self._changed.wait_for(lambda: self._state is _State.DEAD or self._pending is not None)
            invocation, self._pending = self._pending, None
            if self._state is _State.DEAD or invocation is None:
                return _refuse(410, "Gone", "this execution environment is closed")
            self._process.thaw()
            self._state = _State.BUSY
            self._delivered = time.monotonic()  # the start of the process does not count for the handler
            self._changed.notify_all()
            remaining = _LONGEST_TIMEOUT if self._timeout is None else self._timeout
        return _event(invocation, time.time() + remaining)

    def _answer(self, request_id: str, request: Request, kind: OutcomeKind) -> Response:
        with self._changed:
            if self._state is not _State.BUSY or self._current is None or self._current.request_id != request_id:
                return _refuse(400, "InvalidRequestID", f"no invocation {request_id} waits for an answer")
            if request.too_large:
                self._end = _End(OutcomeKind.RESPONSE_TOO_LARGE, outcomes.too_large_body(MAX_RESPONSE_BYTES))
                self._state = _State.DEAD
            else:
                self._end = _End(kind, request.body)
                # A process that closes its connection won't ask again: it ends after a fatal error.
                leaves = request.headers.get("connection", "").lower() == "close"
                self._state = _State.DEAD if leaves else _State.ANSWERED
            self._changed.notify_all()
        return _accepted() if not request.too_large else _refuse(413, "RequestEntityTooLarge", "over the size limit")


def _event(invocation: Invocation, deadline: float) -> Response:
    headers = {
        "Lambda-Runtime-Aws-Request-Id": invocation.request_id,
        "Lambda-Runtime-Deadline-Ms": str(int(deadline * 1000)),
        "Lambda-Runtime-Invoked-Function-Arn": invocation.arn,
        "Lambda-Runtime-Trace-Id": f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]};Sampled=0",
    }
    if invocation.client_context is not None:
        headers["Lambda-Runtime-Client-Context"] = invocation.client_context
    return Response(200, invocation.payload, headers)


def _accepted() -> Response:
    return Response(202, b'{"status":"OK"}')


def _refuse(status: int, error_type: str, message: str) -> Response:
    return Response(status, json.dumps({"errorType": error_type, "errorMessage": message}).encode())
