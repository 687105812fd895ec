"""A handler function called in this very process: the fastest way, without any isolation."""

import contextlib
import io
import json
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from formwork.invoke.answer import UNHANDLED, Answer, error_body


class InProcessContext:
    """The context object that AWS Lambda hands to a Python function, as far as handlers use it."""

    function_name = "TypeFunction"
    function_version = "$LATEST"
    memory_limit_in_mb = "256"
    log_group_name = "/aws/lambda/TypeFunction"
    log_stream_name = "in-process"
    aws_request_id = "00000000-0000-0000-0000-000000000000"
    invoked_function_arn = "arn:aws:lambda:us-east-1:123456789012:function:TypeFunction"

    def __init__(self, *, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the function's time is up, 0 from then on."""
        return max(0, int((self._ends - time.monotonic()) * 1000))


class InProcessTransport:
    """Calls `function(event, context)` here, as AWS Lambda would: the event and the answer pass through JSON.

    `function` is a handler library's entry point, such as a `Resource` object. A call cannot be stopped from outside,
    so a time limit only shows in the context. Calls from several threads run at the same time and share everything.
    """

    def __init__(self, function: Callable[[Any, Any], Any], *, capture: bool = False) -> None:
        """With `capture`, what the function prints becomes the answer's log (process-wide: for one thread only)."""
        self._function = function
        self._capture = capture

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Call the function; an exception, or an answer that is not a JSON value, is a function error, as in Lambda."""
        event = json.loads(json.dumps(payload))
        log = io.StringIO()
        started = time.perf_counter()
        with contextlib.ExitStack() as stack:
            if self._capture:
                stack.enter_context(contextlib.redirect_stdout(log))
                stack.enter_context(contextlib.redirect_stderr(log))
            body, function_error = self._call(event, 180.0 if timeout is None else timeout)
        return Answer(body, function_error, time.perf_counter() - started, log.getvalue())

    def _call(self, event: Any, seconds: float) -> tuple[bytes, str | None]:
        try:
            result = self._function(event, InProcessContext(seconds=seconds))
        except Exception as error:  # noqa: BLE001 - a runtime's boundary: whatever the handler raises is its answer
            return _error_body(error), UNHANDLED
        except SystemExit as error:
            return error_body("Runtime.ExitError", f"the function ended its process with {error.code}"), UNHANDLED
        try:
            return json.dumps(result, ensure_ascii=False, allow_nan=False).encode(), None
        except (TypeError, ValueError, RecursionError) as error:
            message = f"Unable to marshal response: {error}"
            return error_body("Runtime.MarshalError", message), UNHANDLED


def _error_body(error: Exception) -> bytes:
    details = {
        "errorMessage": str(error),
        "errorType": type(error).__name__,
        "stackTrace": traceback.format_tb(error.__traceback__),
    }
    return json.dumps(details).encode()
