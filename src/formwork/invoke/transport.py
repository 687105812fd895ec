"""The interface of transports, which call handler functions."""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from formwork.invoke.answer import Answer


class HandlerTransport(Protocol):
    """One function that answers invocations."""

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Send `payload` (a JSON object) and wait for the answer, at most `timeout` seconds.

        Whatever the function does, it is an answer: an unhandled error, a crash, a time-out and nonsense too. Safe to
        call from several threads at once.

        Raises:
            EnvironmentProblemError: the function could not be reached at all (nothing listens, unknown function name).
        """


def encode_payload(payload: Mapping[str, Any]) -> bytes:
    """The bytes of a request: text as it is, or escaped where it holds what UTF-8 can't (half of a surrogate pair)."""
    try:
        return json.dumps(payload, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(payload).encode()
