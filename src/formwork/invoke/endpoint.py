"""A function behind a Lambda endpoint: a local service over plain HTTP, or AWS Lambda itself."""

import base64
import http.client
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.invoke.answer import UNHANDLED, Answer, error_body
from formwork.invoke.transport import encode_payload

# AWS Lambda's longest timeout, and a little for the way.
READ_TIMEOUT = 900.0
_LOG_RESULT_BYTES = 4096  # the end of a log, as AWS Lambda answers it
_LONGEST_ANSWER = 64 * 1024 * 1024


class LambdaEndpointTransport:
    """Invokes `function_name` at an `http://` endpoint, unsigned and without retries: `cfn serve`, `sam local`.

    It keeps connections for reuse, one for each call at the same time; close it at the end.
    """

    def __init__(self, endpoint: str, function_name: str, *, connect_timeout: float = 5.0) -> None:
        """Raise UsageError where `endpoint` is not an http URL."""
        self._host, self._port, path = _parse_endpoint(endpoint)
        self.endpoint = endpoint
        self.function_name = function_name
        self._path = f"{path.rstrip('/')}/2015-03-31/functions/{quote(function_name, safe='')}/invocations"
        self._connect_timeout = connect_timeout
        self._idle: list[http.client.HTTPConnection] = []

    def close(self) -> None:
        """Close the connections that are kept."""
        while self._idle:
            self._idle.pop().close()

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Invoke the function; see HandlerTransport."""
        body = encode_payload(payload)
        started = time.perf_counter()
        limit = READ_TIMEOUT if timeout is None else timeout
        try:
            response, answer = self._exchange(body, limit)
        except TimeoutError:
            message = f"Task timed out after {limit:.2f} seconds"
            return Answer(error_body("Sandbox.Timedout", message), UNHANDLED, time.perf_counter() - started)
        except (OSError, http.client.HTTPException) as error:
            raise EnvironmentProblemError(
                f"{self.endpoint} broke the connection: {str(error) or type(error).__name__}",
                hint="is it a Lambda service? `cfn serve` starts one",
            ) from error
        seconds = time.perf_counter() - started
        if response.status != http.client.OK:
            raise self._refusal(response, answer)
        log = response.headers.get("X-Amz-Log-Result", "")
        return Answer(answer, response.headers.get("X-Amz-Function-Error"), seconds, decode_log(log))

    def _exchange(self, body: bytes, timeout: float) -> tuple[http.client.HTTPResponse, bytes]:
        try:
            connection, fresh = self._idle.pop(), False
        except IndexError:
            connection, fresh = self._connect(), True
        assert connection.sock is not None
        connection.sock.settimeout(timeout)
        try:
            connection.request("POST", self._path, body, {"Content-Type": "application/json", "X-Amz-Log-Type": "Tail"})
            response = connection.getresponse()
            answer = _read(response)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            connection.close()
            if fresh:
                raise
            return self._exchange(body, timeout)  # the service closed an idle connection: no handler was called
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._idle.append(connection)
        return response, answer

    def _connect(self) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=self._connect_timeout)
        try:
            connection.connect()
        except OSError as error:
            raise EnvironmentProblemError(
                f"nothing answers at {self.endpoint}: {error.strerror or error}",
                hint="start the local Lambda service with `cfn serve`, or leave --endpoint out",
            ) from error
        return connection

    def _refusal(self, response: http.client.HTTPResponse, body: bytes) -> EnvironmentProblemError:
        code = response.headers.get("x-amzn-ErrorType", "").partition(":")[0] or f"HTTP {response.status}"
        try:
            details = json.loads(body)
            message = details.get("message") or details.get("Message") or ""
        except (ValueError, AttributeError, RecursionError):
            message = body[:200].decode(errors="replace")
        return EnvironmentProblemError(f"{self.endpoint} refused to invoke {self.function_name}: {code}: {message}")


def _read(response: http.client.HTTPResponse) -> bytes:
    answer = response.read(_LONGEST_ANSWER)
    if response.length:  # with a size, `read` takes less than was promised for the end
        raise http.client.IncompleteRead(answer, response.length)
    return answer


def _parse_endpoint(endpoint: str) -> tuple[str, int, str]:
    """Host, port and path."""
    try:
        parts = urlsplit(endpoint)
        if parts.hostname and parts.scheme == "http":
            return parts.hostname, parts.port or 80, parts.path
    except ValueError:
        pass
    raise UsageError(f'"{endpoint}" is not an http endpoint', hint="such as http://127.0.0.1:3001")


def decode_log(encoded: str) -> str:
    """Return the text of a LogResult, "" where it is none.

    A line whose beginning is cut off is left out: a part of a secret could not be masked.
    """
    try:
        log = base64.b64decode(encoded)
    except ValueError:
        return ""
    if len(log) >= _LOG_RESULT_BYTES and not log.startswith(b"START "):
        log = log.partition(b"\n")[2]
    return log.decode(errors="replace")
