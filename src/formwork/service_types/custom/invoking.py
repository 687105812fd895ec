"""Sending a custom resource's request: to a Lambda function of a stack or of the project, or to a URL."""

import contextlib
import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from formwork.aws.scope import Scope
from formwork.diagnostics import FormworkError
from formwork.diagnostics.internal_errors import internal_error
from formwork.provisioning.functions.finding import FunctionInvoker

_PATIENCE = 60.0  # for a URL to take a request; its answer comes later, and elsewhere
_LAMBDA = ":lambda:"


class Invocations:
    """The requests that this process is sending; after a crash, the process that resumes the work sends them again."""

    def __init__(self, functions: FunctionInvoker) -> None:
        self._functions = functions
        self._lock = threading.Lock()
        self._under_way: dict[str, Future[str | None]] = {}

    def send(self, scope: Scope, target: str, event: Mapping[str, Any]) -> Future[str | None]:
        """Send a request once; the result is what went wrong, None if it was accepted."""
        request_id = str(event["RequestId"])
        with self._lock:
            known = self._under_way.get(request_id)
            if known is not None:
                return known
            made: Future[str | None] = Future()
            self._under_way[request_id] = made
        thread = threading.Thread(
            target=self._run, args=(made, scope, target, event), name="custom-resource", daemon=True
        )
        thread.start()
        return made

    def is_done(self, request_id: str) -> bool:
        """Return whether the request was accepted."""
        with self._lock:
            known = self._under_way.get(request_id)
        return known is not None and known.done() and known.result() is None

    def forget(self, request_id: str) -> None:
        """Drop the request: its operation has ended."""
        with self._lock:
            self._under_way.pop(request_id, None)

    def _run(self, made: "Future[str | None]", scope: Scope, target: str, event: Mapping[str, Any]) -> None:
        payload = json.dumps(event).encode()
        try:
            made.set_result(self._post(target, payload) if _is_url(target) else self._invoke(scope, target, payload))
        except FormworkError as error:
            made.set_result(f"The function {target} can't be run here: {error}")
        except Exception as error:  # noqa: BLE001 - becomes the operation's failure
            made.set_result(f"The request could not be sent: {internal_error(error)}")

    def _invoke(self, scope: Scope, target: str, payload: bytes) -> str | None:
        if target.startswith("arn:") and _LAMBDA not in target:
            return (
                f"The ServiceToken {target} is not a Lambda function: here custom resources are made by functions of a "
                "stack or of the project, or at a URL"
            )
        outcome = self._functions.invoke(scope, target, payload)
        if outcome is None:
            return f"The function {target} is not here: neither a stack nor the project has it"
        if outcome.function_error is None:
            return None
        message = outcome.body.decode(errors="replace")
        with contextlib.suppress(ValueError, AttributeError):
            message = json.loads(message).get("errorMessage") or message
        return f"The function {target} failed without an answer: {message}"

    def _post(self, url: str, payload: bytes) -> str | None:
        request = urllib.request.Request(url, payload, {"Content-Type": "application/json"})  # noqa: S310 - see _is_url
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE):  # noqa: S310 - see _is_url
                return None
        except (urllib.error.URLError, OSError, http.client.HTTPException) as error:
            return f"The ServiceToken {url} does not take the request: {error}"


def _is_url(target: str) -> bool:
    return target.startswith(("http://", "https://"))
