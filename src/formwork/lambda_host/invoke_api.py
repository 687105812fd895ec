"""AWS Lambda's Invoke API, for boto3's `lambda` client and every other one."""

import base64
import contextlib
import json
import threading
import uuid
from typing import Protocol
from urllib.parse import parse_qs, unquote

from formwork.diagnostics import FormworkError
from formwork.lambda_host.function import MAX_REQUEST_BYTES
from formwork.lambda_host.http_messages import Request, Response
from formwork.lambda_host.outcome import Outcome

# AWS Lambda's limits on an asynchronous event, and on the log that travels in a header; in bytes.
_MAX_EVENT_BYTES = 1024 * 1024
_MAX_LOG_BYTES = 4096


class FunctionHost(Protocol):
    """The interface of a host for the API."""

    @property
    def function_names(self) -> tuple[str, ...]:
        """The functions there are."""

    def arn(self, name: str) -> str:
        """Return a function's ARN."""

    def invoke(
        self, name: str, payload: bytes, *, timeout: float | None = None, client_context: str | None = None
    ) -> Outcome:
        """Run it."""


class _ApiError(Exception):
    """An answer in AWS Lambda's error form."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class InvokeApi:
    """Requests to responses, for one host. What listens has refused web pages before."""

    def __init__(self, host: FunctionHost) -> None:
        self._host = host

    def respond(self, request: Request) -> Response:
        """Answer a request; blocks while the function runs."""
        try:
            return self._route(request)
        except _ApiError as error:
            body = json.dumps({"Type": "User", "Message": str(error), "message": str(error)}).encode()
            return Response(error.status, body, {"x-amzn-ErrorType": error.code, **_ids()})
        except FormworkError as error:  # the function can't be started: say why, and not as a retriable 5xx
            more = [part for each in error.diagnostics for part in (*each.notes, each.hint) if part]
            message = "; ".join([str(error), *more])
            body = json.dumps({"Type": "User", "Message": message, "message": message}).encode()
            return Response(400, body, {"x-amzn-ErrorType": "InvalidRuntimeException", **_ids()})

    def _route(self, request: Request) -> Response:
        match [unquote(each) for each in request.path.strip("/").split("/")]:
            case ["2015-03-31", "functions", name, "invocations"] if request.method == "POST":
                return self._invoke(request, self._function(name, request))
            case ["2015-03-31", "functions"] if request.method == "GET":
                functions = [
                    {"FunctionName": each, "FunctionArn": self._host.arn(each)} for each in self._host.function_names
                ]
                return Response(200, json.dumps({"Functions": functions}).encode(), _ids())
            case _:
                message = f"{request.method} {request.path} is not supported: only Lambda's Invoke is"
                raise _ApiError(404, "UnknownOperationException", message)

    def _function(self, name: str, request: Request) -> str:
        """Return the function that a name, a partial or a full ARN means, each with or without a qualifier."""
        parts = name.split(":")
        asked = name
        if "function" in parts[:-1]:  # ACCOUNT:function:NAME or arn:aws:lambda:REGION:ACCOUNT:function:NAME
            parts = parts[parts.index("function") + 1 :]
        qualifier = parse_qs(request.query).get("Qualifier", parts[1:2] or ["$LATEST"])[0]
        name = parts[0]
        if name not in self._host.function_names or qualifier != "$LATEST" or len(parts) > 2:
            arn = asked if asked.startswith("arn:") else self._host.arn(asked)
            known = ", ".join(self._host.function_names)
            raise _ApiError(404, "ResourceNotFoundException", f"Function not found: {arn} (known here: {known})")
        return name

    def _invoke(self, request: Request, name: str) -> Response:
        kind = request.headers.get("x-amz-invocation-type", "RequestResponse")
        if kind not in ("RequestResponse", "Event", "DryRun"):
            raise _ApiError(400, "InvalidParameterValueException", f'unknown invocation type "{kind}"')
        limit = _MAX_EVENT_BYTES if kind == "Event" else MAX_REQUEST_BYTES
        if request.too_large or len(request.body) > limit:
            message = f"Request must be smaller than {limit} bytes for the InvokeFunction operation"
            raise _ApiError(413, "RequestTooLargeException", message)
        payload = request.body or b"{}"
        _expect_json(payload)
        client_context = _client_context(request)
        if kind == "DryRun":
            return Response(204, b"", {**_ids(), "X-Amz-Executed-Version": "$LATEST"})
        if kind == "Event":
            threading.Thread(target=self._run_event, args=(name, payload, client_context), daemon=True).start()
            return Response(202, b"", {**_ids(), "X-Amz-Executed-Version": "$LATEST"})
        outcome = self._host.invoke(name, payload, client_context=client_context)
        headers = {"x-amzn-RequestId": outcome.request_id, "X-Amz-Executed-Version": "$LATEST"}
        if outcome.function_error is not None:
            headers["X-Amz-Function-Error"] = outcome.function_error
        if request.headers.get("x-amz-log-type") == "Tail":
            headers["X-Amz-Log-Result"] = _log_tail(outcome)
        return Response(200, outcome.body, headers)

    def _run_event(self, name: str, payload: bytes, client_context: str | None) -> None:
        with contextlib.suppress(FormworkError):  # no client waits for the answer of an Event
            self._host.invoke(name, payload, client_context=client_context)


def _expect_json(payload: bytes) -> None:
    try:
        json.loads(payload)
    except RecursionError:
        message = "Could not parse request body into json: it is nested too deeply"
    except ValueError as error:
        message = f"Could not parse request body into json: {error}"
    else:
        return
    raise _ApiError(400, "InvalidRequestContentException", message)


def _client_context(request: Request) -> str | None:
    encoded = request.headers.get("x-amz-client-context")
    if encoded is None:
        return None
    try:
        text = base64.b64decode(encoded, validate=True).decode()
        json.loads(text)
    except (ValueError, RecursionError):
        raise _ApiError(
            400, "InvalidRequestContentException", "Client context must be a valid Base64-encoded JSON object."
        ) from None
    return json.dumps(json.loads(text))  # on one line: it travels in a header


def _ids() -> dict[str, str]:
    return {"x-amzn-RequestId": str(uuid.uuid4())}


def _log_tail(outcome: Outcome) -> str:
    """Return the end of the log as AWS Lambda has it, with its own lines around the handler's."""
    milliseconds = outcome.seconds * 1000
    log = outcome.log if outcome.log.endswith("\n") or not outcome.log else outcome.log + "\n"
    text = (
        f"START RequestId: {outcome.request_id} Version: $LATEST\n{log}END RequestId: {outcome.request_id}\n"
        f"REPORT RequestId: {outcome.request_id}\tDuration: {milliseconds:.2f} ms\n"
    )
    return base64.b64encode(text.encode()[-_MAX_LOG_BYTES:]).decode()
