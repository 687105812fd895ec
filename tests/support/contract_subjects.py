"""Handlers as subjects of the contract suite, without waiting; functions are called in process."""

from formwork.contract.inputs import GeneratedInputs
from formwork.contract.patience import Patience
from formwork.contract.subject import ResourceSubject
from formwork.invoke import Answer, HandlerSession, InProcessTransport


class Transport:
    """In process; an answer may bring its own seconds along, or be an Answer ready made."""

    def __init__(self, function):
        self._inner = InProcessTransport(self._call)
        self._function = function
        self._ready = None
        self._seconds = None

    def _call(self, event, context):
        self._ready = self._seconds = None
        answer = self._function(event, context)
        if isinstance(answer, Answer):
            self._ready = answer
            return {}
        if isinstance(answer, dict):
            self._seconds = answer.pop("_seconds", None)
        return answer

    def invoke(self, payload, *, timeout=None):
        answer = self._inner.invoke(payload, timeout=timeout)
        if self._ready is not None:
            return self._ready
        return answer if self._seconds is None else Answer(answer.body, answer.function_error, self._seconds)


class Clock:
    """A clock that only waits move: what handlers ask for is waited for in full, and takes no time."""

    now = 0.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds

    def patience(self, seconds=None):
        return Patience(seconds, sleep=self.sleep, clock=self)


def subject_of(function, schema, **options):
    return subject_behind(Transport(function), schema, **options)


def subject_behind(transport, schema, **options):
    """The subject whose handlers the transport leads to."""
    options.setdefault("examples", 2)  # whole lives have tests of their own
    patience = options.pop("patience", None) or Clock().patience()
    session = HandlerSession(transport, schema.type_name, sleep=patience.sleep, clock=patience.clock)
    return ResourceSubject(schema, session, GeneratedInputs(schema, seed=3), patience=patience, **options)
