"""Outcomes of workflows and steps as they are stored: the JSON text of a result, or the text of an error."""

import json
from typing import Any, Self

from msgspec import Struct


class WorkflowFailedError(Exception):
    """The exception that a step or a workflow raised earlier, as its type's name and its message."""


class RecordedOutcome(Struct, frozen=True):
    """The end of a step or a workflow: `result_json`, or `error` where it raised."""

    result_json: str | None
    error: str | None

    @classmethod
    def of_result(cls, result: Any) -> Self:
        """Return the outcome of a step or a workflow that returned `result`.

        Raises:
            TypeError: it is not a JSON value.
        """
        return cls(dump_json(result), None)

    @classmethod
    def of_error(cls, error: Exception) -> Self:
        """Return the outcome of a step or a workflow that raised `error`."""
        return cls(None, f"{type(error).__name__}: {error}")

    def unwrap(self) -> Any:
        """Return the result.

        Raises:
            WorkflowFailedError: the outcome is an error.
        """
        if self.error is not None:
            raise WorkflowFailedError(self.error)
        return json.loads(self.result_json or "null")


def dump_json(value: Any) -> str:
    """Return the JSON text of what a workflow or a step takes or returns.

    Raises:
        TypeError: `value` is not a JSON value.
    """
    return json.dumps(value, default=_refuse)


def _refuse(value: Any) -> Any:
    msg = f"{type(value).__name__} is not a JSON value: workflows and steps take and return nothing else"
    raise TypeError(msg)
