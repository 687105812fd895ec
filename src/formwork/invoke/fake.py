"""A transport for tests: answers from a script, and remembers what it was sent."""

import copy
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from formwork.invoke.answer import Answer

Script = Answer | bytes | Mapping[str, Any]


class FakeTransport:
    """Answers with scripted answers in turn (the last one repeats), or with the result of a function of the payload.

    An answer is an `Answer`, the bytes of a body, or an event. `requests` holds every payload, as it was when sent;
    `timeouts` the time limits that came with them.
    """

    def __init__(self, answers: Iterable[Script] | Callable[[dict[str, Any]], Script]) -> None:
        self._function = answers if callable(answers) else None
        self._script = [] if callable(answers) else list(answers)
        self.requests: list[dict[str, Any]] = []
        self.timeouts: list[float | None] = []

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Return the next scripted answer."""
        request = copy.deepcopy(dict(payload))
        self.requests.append(request)
        self.timeouts.append(timeout)
        if self._function is not None:
            return _to_answer(self._function(request))
        return _to_answer(self._script.pop(0) if len(self._script) > 1 else self._script[0])


def _to_answer(script: Script) -> Answer:
    match script:
        case Answer():
            return script
        case bytes():
            return Answer(script)
        case _:
            return Answer(json.dumps(script).encode())
