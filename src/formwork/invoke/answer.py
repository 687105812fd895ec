"""The answer of a function: raw, and as a progress event if it contains one."""

import json
from enum import StrEnum
from typing import Any

from msgspec import Struct

from formwork.diagnostics.secret_edges import CUT
from formwork.lambda_host.outgoing_calls import OutgoingCall

# AWS Lambda's name for "the function's code or its process failed" (header X-Amz-Function-Error).
UNHANDLED = "Unhandled"
_LONGEST_EXCERPT = 200  # bytes


class Answer(Struct, frozen=True):
    """The answer to one invocation.

    `body` is the response's bytes as they came. `function_error` is AWS Lambda's X-Amz-Function-Error ("Unhandled"),
    and then `body` is a JSON object with errorType and errorMessage; None where the function returned. `seconds` is the
    wall time of the invocation. `log` is what the function wrote meanwhile, as far as the transport can tell. `calls`
    are the requests that it sent to other services meanwhile; None where the transport does not see them. `sealed` says
    that it could send no others.
    """

    body: bytes
    function_error: str | None = None
    seconds: float = 0.0
    log: str = ""
    calls: tuple[OutgoingCall, ...] | None = None
    sealed: bool = False


class ProblemKind(StrEnum):
    """Why an answer holds no event."""

    FUNCTION_ERROR = "function-error"  # an unhandled exception, a crash, a time-out
    NOT_JSON = "not-json"
    NOT_OBJECT = "not-object"  # JSON, but not an object


class AnswerProblem(Struct, frozen=True):
    """Why an answer holds no event; `error_type` is Lambda's errorType where the function failed, else ""."""

    kind: ProblemKind
    message: str
    error_type: str = ""

    @property
    def timed_out(self) -> bool:
        """Whether the function was stopped because its time was up."""
        return self.error_type == "Sandbox.Timedout" or "Task timed out after" in self.message

    @property
    def killed(self) -> bool:
        """Whether the function's process was killed from outside during the invocation."""
        return self.error_type == "Runtime.ExitError" and self.message.endswith("signal: killed")


def error_body(error_type: str, message: str) -> bytes:
    """Return the body that AWS Lambda answers with where a function failed."""
    return json.dumps({"errorType": error_type, "errorMessage": message}, ensure_ascii=False).encode()


def parse_event(answer: Answer) -> tuple[dict[str, Any] | None, AnswerProblem | None]:
    """Return the event in an answer, or why there is none; exactly one of the two is None.

    Nothing is checked beyond "a JSON object": its members are checked by the contract tests.
    """
    value, problem = _parse_json(answer.body)
    if answer.function_error is not None:
        return None, _function_problem(answer, value)
    if problem is not None:
        return None, problem
    if not isinstance(value, dict):
        return None, AnswerProblem(ProblemKind.NOT_OBJECT, f"the answer is not a JSON object: {_excerpt(answer.body)}")
    return value, None


def _parse_json(body: bytes) -> tuple[Any, AnswerProblem | None]:
    try:
        return json.loads(body.decode(), parse_constant=_refuse_constant), None
    except RecursionError:
        why = "it is nested too deeply"
    except ValueError as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        why = str(error)
    message = f"the answer is not JSON ({why}): {_excerpt(body)}" if body else "the answer is empty"
    return None, AnswerProblem(ProblemKind.NOT_JSON, message)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _function_problem(answer: Answer, value: Any) -> AnswerProblem:
    details = value if isinstance(value, dict) else {}
    message = str(details.get("errorMessage") or "") or f"the function failed: {_excerpt(answer.body)}"
    return AnswerProblem(ProblemKind.FUNCTION_ERROR, message, str(details.get("errorType") or ""))


def _excerpt(body: bytes) -> str:
    """Return the beginning of a body; the ellipsis tells maskers that a secret may be cut off at the end."""
    if len(body) <= _LONGEST_EXCERPT:
        return body.decode(errors="replace")
    return f"{body[:_LONGEST_EXCERPT].decode(errors='ignore')}{CUT}"
