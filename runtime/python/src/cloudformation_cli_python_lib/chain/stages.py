"""One service call, said in the order in which it happens: request, call, what to do with errors, when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar

from cloudformation_cli_python_lib.exceptions import _HandlerError
from cloudformation_cli_python_lib.interface import BaseModel, HandlerErrorCode, ProgressEvent
from cloudformation_cli_python_lib.service_errors import service_error_code

from .delays import Constant, Delay
from .errors import Retry, default_event, guarded_handler
from .progress import Progress

if TYPE_CHECKING:
    from .graph import Chain

M = TypeVar("M", bound=BaseModel)  # the model
C = TypeVar("C")  # the client
R = TypeVar("R")  # the request
S = TypeVar("S")  # the response, or what is kept of it
T = TypeVar("T")

# As patient as the framework that the user guide describes: every 5 seconds for 20 minutes.
DEFAULT_DELAY = Constant(5, timeout=1200)


class Step(Generic[M, C, R, S]):
    """A step as its callbacks see it: its name, the model, the client, the callback context, request and response."""

    def __init__(self, chain: Chain[M], name: str, client: C, make_request: Callable[[M], R]) -> None:
        self.name = name
        self.model = chain.model
        self.client = client
        self.context = chain.context
        self.state = chain.state(name)
        self.response: S = None  # type: ignore[assignment] # only errors of the call itself find it so
        self._make_request = make_request
        self._request: R | None = None

    def leave_once(self, delay_seconds: int) -> bool:
        """Whether to end the invocation now: the first time only, or the step would never be passed."""
        return delay_seconds > 0 and self.state.leave_once()

    @property
    def request(self) -> R:
        """The service request, translated from the model when first looked at."""
        if self._request is None:
            self._request = self._make_request(self.model)
        return self._request


class Initiated(Generic[M, C]):
    """A named step; the next word is `request`."""

    def __init__(self, chain: Chain[M], name: str, client: C) -> None:
        self._chain = chain
        self._name = name
        self._client = client

    def request(self, translate: Callable[[M], R]) -> Requested[M, C, R]:
        """Translate the model to the service's request."""
        step: Step[M, C, R, Any] = Step(self._chain, self._name, self._client, translate)
        return Requested(self._chain, step)


class Requested(Generic[M, C, R]):
    """A step with its request; the next word is `call`."""

    def __init__(self, chain: Chain[M], step: Step[M, C, R, Any]) -> None:
        self._chain = chain
        self._step = step

    def call(self, function: Callable[[R, C], S]) -> Called[M, C, R, S]:
        """Make the service call, once: its response is remembered across invocations, null included."""
        return Called(self._chain, self._step, function)


class Called(Generic[M, C, R, S]):
    """A step that may say more about itself before `progress`, `success` or `done` runs it."""

    def __init__(self, chain: Chain[M], step: Step[M, C, R, Any], function: Callable[[R, C], Any]) -> None:
        self.chain = chain
        self.step = step
        self.function = function
        self.mutates = True  # so that a checkpoint after it is worth an invocation
        self.delay: Delay = DEFAULT_DELAY
        self.select: Callable[[Any], Any] | None = None
        self.is_stable: Callable[[Step[M, C, R, S]], bool] | None = None
        self._retried: list[Callable[[Exception, Step[M, C, R, S]], bool]] = []
        self._codes: dict[str, HandlerErrorCode] = {}
        self._handle: Callable[[Exception, Step[M, C, R, S]], ProgressEvent] | None = None

    def backoff(self, delay: Delay) -> Called[M, C, R, S]:
        """Wait like this between attempts (by default 5 seconds, for 20 minutes)."""
        self.delay = delay
        return self

    def keep(self, select: Callable[[S], T]) -> Called[M, C, R, T]:
        """Remember only this of the response; it must be JSON, and it is what later callbacks see."""
        kept: Called[M, C, R, T] = self  # type: ignore[assignment] # the response's type changes, nothing else
        kept.select = select
        return kept

    def stabilize(self, is_stable: Callable[[Step[M, C, R, S]], bool]) -> Called[M, C, R, S]:
        """Wait until `is_stable` returns true; it is called again after each wait, and never again afterwards."""
        self.is_stable = is_stable
        return self

    def retry_on(self, *codes: str) -> Called[M, C, R, S]:
        """Try again after AWS errors with these codes, such as "ResourceInUseException"."""
        return self.retry_if(lambda error, _step: service_error_code(error) in codes)

    def retry_if(self, matches: Callable[[Exception, Step[M, C, R, S]], bool]) -> Called[M, C, R, S]:
        """Try again after exceptions for which this is true."""
        self._retried.append(matches)
        return self

    def fail_as(self, codes: Mapping[str, HandlerErrorCode]) -> Called[M, C, R, S]:
        """Fail with these handler error codes after AWS errors with those codes."""
        self._codes.update(codes)
        return self

    def handle_error(self, handle: Callable[[Exception, Step[M, C, R, S]], ProgressEvent]) -> Called[M, C, R, S]:
        """Decide about exceptions: return the event to end with, raise Retry to try again, or raise another."""
        self._handle = handle
        return self

    def done(self, finish: Callable[[Step[M, C, R, S]], ProgressEvent | None]) -> Progress:
        """Run the step and finish with this event; None means not yet: wait and ask again."""
        return self.chain.run(self, finish)

    def progress(self, delay_seconds: int = 0) -> Progress:
        """Run the step and continue with the next, at once or when called again after the delay."""
        return self.done(lambda step: self.chain.progress(delay_seconds if step.leave_once(delay_seconds) else 0))

    def success(self) -> Progress:
        """Run the step and end the operation with SUCCESS and the model."""
        return self.done(lambda _step: self.chain.success())

    def judge(self, error: Exception) -> ProgressEvent | None:
        """What an exception of this step means: the event to end with, or None to try again."""
        handle = self._handle
        if any(matches(error, self.step) for matches in self._retried):
            return None
        code = self._codes.get(service_error_code(error) or "")
        if code is not None:
            return ProgressEvent.failed(code, str(error))
        if handle is None or isinstance(error, (Retry, _HandlerError)):
            return default_event(error)
        return guarded_handler(lambda raised: handle(raised, self.step), error, self.step.name)
