"""Injects failures into the calls of an operation: a responder around those that answer.

One operation at a time; its calls may come from several threads.
"""

import threading
import time
from collections.abc import Callable

from msgspec.structs import replace

from formwork.egress.faults.fault import FaultKind, Injection, Persistence
from formwork.egress.faults.observing import Observer, SeenCall, values_of
from formwork.egress.faults.replies import fault_reply
from formwork.egress.faults.staleness import EarlierState
from formwork.egress.messages import BrokenConnectionError, Outgoing, Reply, Responder
from formwork.lambda_host.outgoing_calls import AwsCall

HOLD_SECONDS = 0.7  # how long a call without an answer waits before its connection breaks
SLOW_SECONDS = 0.4
_THRICE = 3


class Injector:
    """Watches the calls of operations, and lets one fail in each that begins with an injection.

    `seen` are the calls of the operation so far; `injected` counts the failures in it.
    """

    def __init__(self, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.seen: list[SeenCall] = []
        self.injected = 0
        self._sleep = sleep
        self._lock = threading.Lock()
        self._observer = Observer()
        self._earlier = EarlierState()
        self._injection: Injection | None = None
        self._counts: dict[str, int] = {}
        self._target: str | None = None  # the content of the call that fails, once it has come
        self._invocation = 0
        self._first_invocation = 0

    def begin(self, injection: Injection | None = None) -> None:
        """Begin an operation, with no failure in it where `injection` is None."""
        with self._lock:
            self.seen, self.injected = [], 0
            self._injection, self._target, self._counts = injection, None, {}
            self._invocation = self._first_invocation = 0
            self._observer.begin()
            self._earlier.begin()

    def next_invocation(self) -> None:
        """Note that an invocation of the operation has ended."""
        with self._lock:
            self._invocation += 1

    def around(self, responder: Responder) -> Responder:
        """Return a responder that answers as `responder` does, but for the call that is to fail.

        It raises BrokenConnectionError where the connection is to break.
        """

        def answering(outgoing: Outgoing) -> Reply:
            with self._lock:
                call, aws = self._observer.see(outgoing)
                due = self._is_due(call)
                self.seen.append(call)
                if not call.reads:
                    self._earlier.note_write(outgoing)
            if due and (reply := self._fail(call, aws, outgoing, responder)) is not None:
                return reply
            reply = responder(outgoing)
            with self._lock:
                self._observer.learn(values_of(reply.body))
                self._earlier.note(call, outgoing, reply)
            return reply

        return answering

    def _is_due(self, call: SeenCall) -> bool:
        """Whether the call is one that fails; counts it."""
        injection = self._injection
        if injection is None or call.name != injection.call:
            return False
        if not (self.injected and call.content == self._target):  # a client's repetition does not count
            self._counts[call.name] = self._counts.get(call.name, 0) + 1
        stale = injection.fault.kind is FaultKind.STALE
        if self._counts[call.name] < injection.occurrence or (stale and not call.after_write):
            return False
        if self._target is None:
            self._target, self._first_invocation = call.content, self._invocation
        match injection.fault.persistence:
            case Persistence.INVOCATION:
                return call.content == self._target and self._invocation == self._first_invocation
            case Persistence.THRICE:
                return self.injected < _THRICE
            case persistence:
                return persistence is Persistence.ALWAYS or self.injected == 0

    def _fail(self, call: SeenCall, aws: AwsCall | None, outgoing: Outgoing, responder: Responder) -> Reply | None:
        """Return the reply of the failure; None where there is none to give.

        Raises:
            BrokenConnectionError: the connection is to break.
        """
        assert self._injection is not None
        fault = self._injection.fault
        if fault.kind is FaultKind.STALE:
            earlier = self._earlier.reply(call, outgoing, responder)
            if earlier is None:
                return None
            self._count()
            return replace(earlier, fault=str(fault))
        self._count()
        match fault.kind:
            case FaultKind.KILL | FaultKind.RESET | FaultKind.TIMEOUT:
                if fault.persistence is Persistence.AFTER:
                    responder(outgoing)
                if fault.kind is FaultKind.TIMEOUT:
                    self._sleep(HOLD_SECONDS)
                raise BrokenConnectionError(str(fault), kills=fault.kind is FaultKind.KILL)
            case FaultKind.SLOW:
                self._sleep(SLOW_SECONDS)
                return replace(responder(outgoing), fault=str(fault))
            case _:
                return replace(fault_reply(fault.kind, outgoing, aws), fault=str(fault))

    def _count(self) -> None:
        with self._lock:
            self.injected += 1
