"""A function of a local Lambda service in this process: no HTTP between the caller and the service."""

from collections.abc import Mapping
from typing import Any

from formwork.invoke.answer import Answer
from formwork.invoke.transport import encode_payload
from formwork.lambda_host.host import LambdaHost


class LocalLambdaTransport:
    """Invokes one function of `host`; the host's owner closes it."""

    def __init__(self, host: LambdaHost, function: str) -> None:
        self._host = host
        self._function = function

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Invoke the function; see HandlerTransport."""
        outcome = self._host.invoke(self._function, encode_payload(payload), timeout=timeout)
        return Answer(outcome.body, outcome.function_error, outcome.seconds, outcome.log, outcome.calls, outcome.sealed)
