"""What a chain remembers between invocations: a JSON object in the callback context, one entry a step.

    {"__chain__": {"create-stream": {"response": {...}, "stable": true, "attempts": 3, "started": 1700000000.0}}}

`response` is there once the call was made, null included; `stable` once the resource was ready. `attempts` and
`started` (seconds since the epoch) belong to what the step is waiting for, so that a timeout holds across containers.
"""

from __future__ import annotations

import json
from collections.abc import MutableMapping
from typing import Any

from cloudformation_cli_python_lib.exceptions import InternalFailure

KEY = "__chain__"


class StepState:
    """The entry of one step."""

    def __init__(self, entry: MutableMapping[str, Any]) -> None:
        self._entry = entry

    @property
    def called(self) -> bool:
        """Whether the service call has been made."""
        return "response" in self._entry

    @property
    def response(self) -> Any:
        """What was kept of the call's response."""
        return self._entry["response"]

    def record_response(self, response: Any) -> None:
        """Remember the response; the attempts that follow are those of the stabilization."""
        self._entry.clear()
        self._entry["response"] = response

    @property
    def stable(self) -> bool:
        """Whether the stabilization has been reached."""
        return bool(self._entry.get("stable"))

    def leave_once(self) -> bool:
        """Whether the step should end the invocation now; it does so once and then is passed."""
        first = "left" not in self._entry
        self._entry["left"] = True
        return first

    def record_stable(self) -> None:
        """Remember that the stabilization has been reached."""
        self._entry["stable"] = True

    def count_attempt(self, now: float) -> tuple[int, float]:
        """Count an attempt; its number from 1, and the seconds since the first."""
        started = self._entry.setdefault("started", now)
        self._entry["attempts"] = self._entry.get("attempts", 0) + 1
        return self._entry["attempts"], max(0.0, now - started)


def load_states(callback_context: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The chain's part of the callback context, made where it is missing."""
    states = callback_context.setdefault(KEY, {})
    if not isinstance(states, MutableMapping) or not all(
        isinstance(entry, MutableMapping) for entry in states.values()
    ):
        raise InternalFailure(f"the callback context's {KEY} was not written by a chain")
    return states


def expect_within(callback_context: MutableMapping[str, Any], limit: int) -> None:
    """Raise InternalFailure if the context as JSON exceeds `limit` bytes, naming the step that holds most."""
    size = _size(callback_context)
    if size <= limit:
        return
    states = callback_context.get(KEY, {})
    largest = max(states, key=lambda name: _size(states[name]), default=None)
    advice = (
        "" if largest is None else f"; step {largest!r} holds {_size(states[largest])}, choose what to keep() of it"
    )
    raise InternalFailure(f"the callback context has {size} bytes, more than {limit}{advice}")


def _size(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
