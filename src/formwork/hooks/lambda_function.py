"""AWS::Hooks::LambdaHook: a Lambda function is sent each target, and its answer is the hook's.

Source: the service's hooks guide, "Create Lambda functions to evaluate resources for Lambda Hooks". What the guide does
not say: a response without the request's token, or with another one, is a failure of the hook, and so is a function
that is not found, that fails, or whose answer is not a response.

The reasons are in docs/decisions/1321.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from typing import Any

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.aws.stored_values import UnresolvedReferenceError
from formwork.diagnostics import FormworkError
from formwork.hooks.active import POINTS, HookCall, HookFailed, HookOutcome, HookPassed, HookWaiting, hook_outcome
from formwork.hooks.target import TargetKind
from formwork.invoke.masking import Masker
from formwork.lambda_host.outcome import Outcome

MOST_CALLS_OF_FUNCTION = 3  # a function may be invoked so often for one target
_LONGEST_MESSAGE = 4096
_LONGEST_OF_CLOUD_CONTROL = 1024
_STATUSES = ("SUCCESS", "FAILED", "IN_PROGRESS")
_CODES = ("NonCompliant", "InternalFailure")
_SHOWN = 200  # characters of an answer that is not a response
_MOST_DELAY = 60 * 60

InvokeFunction = Callable[[str, bytes], Outcome | None]


class LambdaEvaluator(Struct, frozen=True):
    """Invokes the function of an activated Lambda hook.

    `invoke` invokes a function by its name or ARN and returns None where it is not found. `configuration` returns the
    properties of the hook's configuration, its dynamic references resolved. A function has `seconds` to answer.
    """

    invoke: InvokeFunction
    scope: Scope
    type_name: str
    version: str
    configuration: Callable[[], Mapping[str, Any]]
    seconds: float

    def __call__(self, call: HookCall) -> HookOutcome:
        """Invoke the function once."""
        masker = call.masker()
        try:
            function = str(self.configuration().get("LambdaFunction", ""))
            request = hook_request(call, self.scope, self.type_name, self.version, function)
            outcome = self._invoke(function, json.dumps(request, ensure_ascii=False).encode())
        except LateError:
            return HookFailed(f"the Lambda function did not answer within {self.seconds:g} seconds", refused=False)
        except (FormworkError, UnresolvedReferenceError) as error:
            return HookFailed(masker.text(f"the Lambda function can't be invoked: {error}"), refused=False)
        return _masked(_read(outcome, function, call), masker, call)

    def _invoke(self, function: str, payload: bytes) -> Outcome | None:
        """Invoke the function, which may run on when its time is up: its answer is then dropped.

        Raises:
            LateError: its time is up.
        """
        made: Future[Outcome | None] = Future()

        def run() -> None:
            try:
                made.set_result(self.invoke(function, payload))
            except Exception as error:  # noqa: BLE001 - raised again where the result is wanted
                made.set_exception(error)

        threading.Thread(target=run, name="lambda-hook", daemon=True).start()
        return made.result(self.seconds)


def hook_request(call: HookCall, scope: Scope, type_name: str, version: str, function: str) -> dict[str, Any]:
    """Return the event that the function gets."""
    target = call.target
    data: dict[str, Any] = {
        "targetName": target.name,
        "targetType": str(TargetKind.RESOURCE) if target.kind is TargetKind.CLOUD_CONTROL else target.name,
        "targetLogicalId": target.identifier,
    }
    if target.kind.holds_resources:
        data["targetModel"] = _model(call)
    else:
        data["payload"] = call.payload_url
    return {
        "clientRequestToken": call.token,
        "awsAccountId": scope.account,
        "stackId": target.stack_arn,
        "changeSetId": target.change_set,
        "hookTypeName": type_name,
        "hookTypeVersion": version,
        "hookModel": {"LambdaFunction": function_arn(scope, function)},
        "actionInvocationPoint": POINTS[target.action],
        "requestData": data,
        "requestContext": {"invocation": call.invocation, "callbackContext": call.context},
    }


def function_arn(scope: Scope, function: str) -> str:
    """Return the ARN of a function given by its name, its ARN or a partial ARN."""
    if function.startswith("arn:"):
        return function
    before, _, name = function.rpartition("function:")
    owner = next((each for each in before.split(":") if each.isdigit()), scope.account)
    return f"arn:{scope.partition}:lambda:{scope.region}:{owner}:function:{name}"


def _model(call: HookCall) -> dict[str, Any]:
    """The properties that are proposed and those that are there: empty on delete and on create."""
    proposed = call.model.get("resourceProperties") or {}
    previous = call.model.get("previousResourceProperties") or {}
    if call.target.action == "DELETE":
        proposed, previous = {}, proposed
    return {"resourceProperties": proposed, "previousResourceProperties": previous}


def _read(outcome: Outcome | None, function: str, call: HookCall) -> HookOutcome:
    """Return the hook's outcome from the outcome of its function."""
    if outcome is None:
        return HookFailed(f"the Lambda function {function} was not found", refused=False)
    text = outcome.body.decode(errors="replace")
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if outcome.function_error is not None:
        error = answer.get("errorMessage") if isinstance(answer, Mapping) else None
        return HookFailed(f"the Lambda function failed: {error or text[:_SHOWN]}", refused=False)
    wrong = _wrong_with(answer, call)
    if wrong is not None:
        return HookFailed(f"the Lambda function's response is not valid: {wrong}", refused=False)
    return hook_outcome(answer)


def _wrong_with(answer: Any, call: HookCall) -> str | None:
    """Return why an answer is not a valid hook response; None if it is."""
    if not isinstance(answer, Mapping):
        return f"not a JSON object: {_shown(answer)}"
    return next(_problems(answer, call), None)


def _problems(answer: Mapping[str, Any], call: HookCall) -> Iterator[str]:
    status, token = answer.get("hookStatus"), answer.get("clientRequestToken")
    if status not in _STATUSES:
        yield f"hookStatus is {_shown(status)}, not one of {', '.join(_STATUSES)}"
    if token != call.token:
        yield "clientRequestToken is missing" if token is None else "clientRequestToken is not that of the request"
    delay = answer.get("callbackDelaySeconds")
    if delay is not None and not (type(delay) in {int, float} and 0 <= delay <= _MOST_DELAY):
        yield f"callbackDelaySeconds is {_shown(delay)}, not a number from 0 to {_MOST_DELAY}"
    if status == "FAILED" and answer.get("errorCode") not in _CODES:
        yield f"errorCode is {_shown(answer.get('errorCode'))}, not one of {', '.join(_CODES)}"
    given = answer.get("annotations")
    if given is not None and not (isinstance(given, list) and all(isinstance(each, Mapping) for each in given)):
        yield "annotations is not a list of objects"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:_SHOWN]


def _masked(outcome: HookOutcome, masker: Masker, call: HookCall) -> HookOutcome:
    """Return the outcome without secrets of the target, its message cut as the service cuts it."""
    longest = _LONGEST_OF_CLOUD_CONTROL if call.target.kind is TargetKind.CLOUD_CONTROL else _LONGEST_MESSAGE
    match outcome:
        case HookWaiting():
            return outcome
        case HookPassed():
            return HookPassed(masker.text(outcome.message)[:longest], _notes(outcome.annotations, masker))
        case HookFailed():
            message = masker.text(outcome.message)[:longest]
            return HookFailed(message, outcome.refused, _notes(outcome.annotations, masker))


def _notes(annotations: Any, masker: Masker) -> list[dict[str, str]]:
    return [{name: masker.text(str(text)) for name, text in each.items()} for each in annotations]
