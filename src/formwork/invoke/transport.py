"""What every way of reaching a handler function has in common."""

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
