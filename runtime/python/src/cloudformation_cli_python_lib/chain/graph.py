"""The chain of service calls that an operation is made of, resumed where it was left."""

from __future__ import annotations

import math
from collections.abc import MutableMapping
from typing import Any, Callable, Generic, TypeVar

from cloudformation_cli_python_lib.exceptions import InternalFailure
from cloudformation_cli_python_lib.interface import (
    BaseModel,
    BaseResourceHandlerRequest,
    HandlerErrorCode,
    OperationStatus,
    ProgressEvent,
)
from cloudformation_cli_python_lib.wire import NotJsonError, to_wire

from .delays import Delay
from .errors import exhausted_event
from .progress import Progress
from .stages import DEFAULT_DELAY, Called, Initiated, Step
from .state import StepState, expect_within, load_states
from .timing import Timing

M = TypeVar("M", bound=BaseModel)
C = TypeVar("C")

# No published text gives the service's limit; this is far below what a Lambda request can hold, and ample for ids.
CONTEXT_LIMIT_BYTES = 32 * 1024


class Chain(Generic[M]):
    """The steps of one operation on one model.

    Args:
        model: The model; every event carries it.
        callback_context: The handler's callback context. The chain keeps its state in it, beside the handler's own.
        token: The request's clientRequestToken, for `token_for`.
        checkpoint: End the invocation after every service call, so that nothing made is forgotten even if the process
            dies right after; costs a re-invocation a call.
        context_limit: The most bytes that the callback context may have as JSON.
        timing: The clocks; replaceable for tests.
    """

    def __init__(  # noqa: PLR0913 - options by name
        self,
        model: M,
        callback_context: MutableMapping[str, Any],
        *,
        token: str = "",
        checkpoint: bool = False,
        context_limit: int = CONTEXT_LIMIT_BYTES,
        timing: Timing | None = None,
    ) -> None:
        self.model = model
        self.context = callback_context
        self._token = token
        self._checkpoint = checkpoint
        self._context_limit = context_limit
        self._timing = timing or Timing()
        self._states = load_states(callback_context)
        self._names: set[str] = set()

    def initiate(self, name: str, client: C) -> Initiated[M, C]:
        """Begin a step; its name identifies it across invocations and must be unique in the operation."""
        if name in self._names:
            raise InternalFailure(f"two steps of the chain are named {name!r}; what one remembers would end the other")
        self._names.add(name)
        return Initiated(self, name, client)

    def state(self, name: str) -> StepState:
        """What is remembered of a step."""
        return StepState(self._states.setdefault(name, {}))

    def wait_for(
        self,
        name: str,
        client: C,
        is_ready: Callable[[Step[M, C, None, None]], bool],
        *,
        delay: Delay = DEFAULT_DELAY,
    ) -> Progress:
        """Add a step that calls nothing and ends when `is_ready` returns true."""
        nothing = self.initiate(name, client).request(lambda _model: None).call(lambda _request, _client: None)
        nothing.mutates = False
        return nothing.stabilize(is_ready).backoff(delay).progress()

    def token_for(self, name: str) -> str:
        """An idempotency token for a step's request: the same in every attempt of this operation, a UUID in form."""
        import hashlib  # noqa: PLC0415 - loads OpenSSL, and few steps need it

        digest = hashlib.sha256(f"{self._token}/{name}".encode()).hexdigest()
        return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]))

    def progress(self, delay_seconds: int = 0) -> Progress:
        """Continue at once, or, with a delay, when called again. The first `then` can follow it."""
        return Progress(
            OperationStatus.IN_PROGRESS,
            callbackContext=self.context,
            callbackDelaySeconds=delay_seconds,
            resourceModel=self.model,
        )

    def success(self) -> Progress:
        """End the operation with SUCCESS and the model."""
        return Progress(OperationStatus.SUCCESS, resourceModel=self.model)

    def failed(self, error_code: HandlerErrorCode, message: str) -> Progress:
        """End the operation with FAILED."""
        return Progress.of(ProgressEvent.failed(error_code, message))

    def run(
        self, called: Called[M, Any, Any, Any], finish: Callable[[Step[M, Any, Any, Any]], ProgressEvent | None]
    ) -> Progress:
        """Run a step until it is done, fails, or has to wait for longer than this invocation should."""
        while True:
            error: Exception | None = None
            try:
                event = self._advance(called, finish)
            except Exception as raised:  # noqa: BLE001 - the step's own callbacks and botocore raise anything
                error = raised
                event = called.judge(raised)
            if event is None:
                event = self._wait(called, error)
            if event is not None:
                return self._checked(Progress.of(event))

    def _advance(
        self,
        called: Called[M, Any, Any, Any],
        finish: Callable[[Step[M, Any, Any, Any]], ProgressEvent | None],
    ) -> ProgressEvent | None:
        """Do what is left of a step; None when it is not yet done."""
        step = called.step
        state = step.state
        if not state.called:
            response = called.function(step.request, step.client)
            state.record_response(_kept(called, response))
            if self._checkpoint and called.mutates:
                return self.progress().leaving()
        step.response = state.response
        if called.is_stable is not None and not state.stable:
            if not called.is_stable(step):
                return None
            state.record_stable()
        return finish(step)

    def _wait(self, called: Called[M, Any, Any, Any], error: Exception | None) -> ProgressEvent | None:
        """Wait for the next attempt: here if short (None), else by being called again; or give up."""
        attempt, elapsed = called.step.state.count_attempt(self._timing.clock())
        seconds = called.delay.seconds(attempt)
        if seconds is None or elapsed + seconds > called.delay.horizon:
            return exhausted_event(called.step.name, error, attempt, elapsed)
        if seconds < 1 and self._timing.may_wait(seconds):
            self._timing.sleep(seconds)
            return None
        event = self.progress(max(1, math.ceil(seconds)))
        event.message = f"{called.step.name}: waiting, attempt {attempt}"
        return event

    def _checked(self, event: Progress) -> Progress:
        if event.status == OperationStatus.IN_PROGRESS and not event.can_continue:
            expect_within(self.context, self._context_limit)
        return event


def chain_of(request: BaseResourceHandlerRequest, callback_context: MutableMapping[str, Any]) -> Chain[Any]:
    """The chain for a handler's request: its desired model and its token."""
    if request.desiredResourceState is None:
        raise InternalFailure("the request has no desired model to chain steps on")
    return Chain(request.desiredResourceState, callback_context, token=request.clientRequestToken)


def _kept(called: Called[Any, Any, Any, Any], response: Any) -> Any:
    """What of a response is remembered: JSON, the same in the invocation that made the call and in later ones."""
    if called.select is not None:
        response = called.select(response)
    elif isinstance(response, dict):
        response = {name: value for name, value in response.items() if name != "ResponseMetadata"}
    try:
        return to_wire(response)
    except NotJsonError as problem:
        advice = "choose with keep() what of it to remember"
        raise InternalFailure(f"the response of {called.step.name} cannot be remembered: {problem}; {advice}") from None
