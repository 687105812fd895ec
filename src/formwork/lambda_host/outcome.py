"""How an invocation ended, with the body and names that AWS Lambda gives it."""

import json
import signal
from enum import StrEnum
from typing import Any

from msgspec import Struct

from formwork.lambda_host.outgoing_calls import OutgoingCall


class OutcomeKind(StrEnum):
    """How an invocation ended."""

    RETURNED = "returned"
    HANDLER_ERROR = "handler-error"  # the handler raised
    INIT_ERROR = "init-error"  # the handler's module could not be loaded
    EXITED = "exited"  # the process ended in the middle, by itself or by a signal
    TIMED_OUT = "timed-out"
    OUT_OF_MEMORY = "out-of-memory"
    RESPONSE_TOO_LARGE = "response-too-large"
    STOPPED = "stopped"  # the local service was stopped meanwhile


class Outcome(Struct, frozen=True):
    """The end of one invocation.

    `body` is the response, or where the function failed AWS's error document. `seconds` is the time from the event's
    delivery to the end, `init_seconds` the start of a new process where there was one before. `log` is what the process
    wrote meanwhile, `calls` the requests that it sent to other services; None where they are not seen. `sealed` says
    that it could send no others.
    """

    kind: OutcomeKind
    body: bytes
    request_id: str
    seconds: float = 0.0
    init_seconds: float | None = None
    log: str = ""
    calls: tuple[OutgoingCall, ...] | None = None
    sealed: bool = False

    @property
    def function_error(self) -> str | None:
        """The value of X-Amz-Function-Error: "Unhandled", None where the function returned."""
        return None if self.kind is OutcomeKind.RETURNED else "Unhandled"


def error_body(error_type: str, message: str, **more: Any) -> bytes:
    """AWS Lambda's error document."""
    return json.dumps({"errorType": error_type, "errorMessage": message, **more}, ensure_ascii=False).encode()


def exit_body(request_id: str, code: int) -> bytes:
    """For a process that ended with `code`, negative for a signal."""
    if code == 0:
        reason = "Runtime exited without providing a reason"
    elif code > 0:
        reason = f"Runtime exited with error: exit status {code}"
    else:
        reason = f"Runtime exited with error: signal: {_signal_name(-code)}"
    return error_body("Runtime.ExitError", f"RequestId: {request_id} Error: {reason}")


def timeout_body(request_id: str, seconds: float) -> bytes:
    """For a function that was stopped because its time was up."""
    return error_body("Sandbox.Timedout", f"RequestId: {request_id} Error: Task timed out after {seconds:.2f} seconds")


def memory_body(request_id: str, limit_mb: int, used_bytes: int) -> bytes:
    """For a function that was stopped because it used too much memory."""
    message = (
        f"RequestId: {request_id} Error: Runtime exited with error: signal: killed "
        f"(memory limit of {limit_mb} MB exceeded, {used_bytes / (1 << 20):.0f} MB in use)"
    )
    return error_body("Runtime.OutOfMemory", message)


def too_large_body(limit: int) -> bytes:
    """For a response over Lambda's limit."""
    message = f"Response payload size exceeded maximum allowed payload size ({limit} bytes)."
    return error_body("Function.ResponseSizeTooLarge", message)


def stopped_body(request_id: str) -> bytes:
    """For an invocation that the end of the local service cut off."""
    return error_body("Sandbox.Stopped", f"RequestId: {request_id} Error: the local Lambda service was stopped")


def _signal_name(number: int) -> str:
    names = {"SIGSEGV": "segmentation fault", "SIGKILL": "killed", "SIGABRT": "aborted", "SIGTERM": "terminated"}
    try:
        name = signal.Signals(number).name
    except ValueError:
        return str(number)
    return names.get(name, name)
