"""Whatever arrives at an entry point is answered with an event, and whatever a chain meets, it calls once and ends."""

import json
import logging

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cloudformation_cli_python_lib import Action, Hook, HookInvocationPoint, OperationStatus, ProgressEvent, Resource
from cloudformation_cli_python_lib.chain import (
    Blended,
    CappedExponential,
    Chain,
    Constant,
    Exponential,
    MultipleOf,
    ShiftBy,
    Timing,
)
from cloudformation_cli_python_lib.model import BaseModel
from cloudformation_cli_python_lib.shapes import anything

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


class Thing(BaseModel):
    def __init__(self, Name=None):
        self.Name = Name

    @classmethod
    def _fields(cls):
        return {"Name": anything}


resource = Resource("Acme::Store::Thing", Thing, Thing)
hook = Hook("Acme::Store::Check", Thing)


def echo(_session, request, callback_context, *_configuration):
    return ProgressEvent(
        OperationStatus.IN_PROGRESS,
        resourceModel=getattr(request, "desiredResourceState", None),
        callbackContext=callback_context,
    )


for each in Action:
    resource.handler(each)(echo)
for each in HookInvocationPoint:
    hook.handler(each)(echo)


def envelopes(valid):
    """Envelopes with some members right and some anything."""
    return st.fixed_dictionaries({name: st.just(value) | JSON for name, value in valid.items()}) | JSON


RESOURCE = envelopes(
    {
        "action": "CREATE",
        "awsAccountId": "1",
        "bearerToken": "t",
        "region": "eu-west-1",
        "callbackContext": {"a": 1},
        "requestData": {"resourceProperties": {"Name": "n"}, "callerCredentials": None},
    }
)
HOOK = envelopes(
    {
        "actionInvocationPoint": "CREATE_PRE_PROVISION",
        "awsAccountId": "1",
        "clientRequestToken": "t",
        "requestContext": {"callbackContext": {"a": 1}},
        "requestData": {"targetName": "A::B::C", "targetModel": {"resourceProperties": {}}},
        "hookModel": {"Name": 1},
    }
)


def check(response, status):
    assert json.loads(json.dumps(response, allow_nan=False)) == response
    assert response[status] in OperationStatus.__members__
    assert (response[status] == "FAILED") == ("errorCode" in response)


@settings(max_examples=60, deadline=None)
@given(RESOURCE)
def test_any_resource_request_is_answered(event):
    logging.disable(logging.CRITICAL)
    try:
        check(resource(event, None), "status")
        check(resource.test_entrypoint(event, None), "status")
    finally:
        logging.disable(logging.NOTSET)


@settings(max_examples=60, deadline=None)
@given(HOOK)
@example({"actionInvocationPoint": "CREATE_PRE_PROVISION", "requestData": {"targetName": "A::B::C"}})
@example({"actionInvocationPoint": "CREATE_PRE_PROVISION", "request": {"hookContext": {"targetName": "A::B::C"}}})
def test_any_hook_request_is_answered(event):
    logging.disable(logging.CRITICAL)
    try:
        check(hook(event, None), "hookStatus")
        enveloped = isinstance(event, dict) and "requestData" in event and "request" not in event
        check(hook.test_entrypoint(event, None), "hookStatus" if enveloped else "status")
    finally:
        logging.disable(logging.NOTSET)


class Busy(Exception):
    def __init__(self):
        super().__init__("busy")
        self.response = {"Error": {"Code": "ThrottlingException"}, "ResponseMetadata": {"HTTPStatusCode": 400}}


RESPONSES = st.none() | st.integers() | st.dictionaries(st.text(max_size=6), st.text(max_size=6), max_size=3)
STEPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), RESPONSES), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(STEPS, st.booleans(), st.sampled_from([0.2, 1.0, 5.0]))
def test_a_chain_calls_once_and_ends(steps, checkpoint, wait):
    """Each step is throttled so many times, then answers, then is unstable so many times."""
    now = [0.0]
    throttles = [throttled for throttled, _, _ in steps]
    unstable = [times for _, times, _ in steps]
    made = []

    def call(index):
        def make(_request, _client):
            if throttles[index]:
                throttles[index] -= 1
                raise Busy
            made.append(index)
            return steps[index][2]

        return make

    def is_stable(index):
        def ask(_step):
            unstable[index] -= 1
            return unstable[index] < 0

        return ask

    def sleep(seconds):
        now[0] += seconds

    def invoke(context):
        timing = Timing(clock=lambda: now[0], sleep=sleep, remaining=lambda: 60.0)
        chain = Chain(Thing(Name="n"), context, timing=timing, checkpoint=checkpoint)
        event = chain.progress()
        for index in range(len(steps)):
            event = event.then(
                lambda _event, index=index: (
                    chain.initiate(f"step-{index}", None)
                    .request(lambda _model: None)
                    .call(call(index))
                    .stabilize(is_stable(index))
                    .backoff(Constant(wait, timeout=600))
                    .progress()
                )
            )
        return event.success()

    event = invoke({})
    for _ in range(100):
        if event.status == OperationStatus.SUCCESS:
            break
        assert event.status == OperationStatus.IN_PROGRESS, event
        now[0] += event.callbackDelaySeconds
        event = invoke(json.loads(json.dumps(event._serialize()["callbackContext"])))
    assert event.status == OperationStatus.SUCCESS
    assert made == list(range(len(steps)))


SECONDS = st.floats(0.1, 100)
TIMEOUTS = st.floats(1, 5000)
DELAYS = st.one_of(
    st.builds(Constant, SECONDS, timeout=TIMEOUTS),
    st.builds(Exponential, timeout=TIMEOUTS, power=st.floats(1.1, 10), minimum=st.floats(0, 5)),
    st.builds(CappedExponential, timeout=TIMEOUTS, power=st.floats(1.1, 10), maximum=st.floats(1, 60)),
    st.builds(MultipleOf, SECONDS, timeout=TIMEOUTS, multiple=st.floats(0.5, 5)),
    st.builds(ShiftBy, st.floats(1, 100), timeout=TIMEOUTS, multiple=st.floats(1, 5)),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(DELAYS, min_size=1, max_size=3).map(lambda parts: parts[0] if len(parts) == 1 else Blended(*parts)))
def test_delays_are_positive_and_end(delay):
    waits, attempt = [], 1
    while (wait := delay.seconds(attempt)) is not None and attempt < 400:
        waits.append(wait)
        attempt += 1
    assert all(wait > 0 for wait in waits)
    if wait is None:
        assert delay.seconds(attempt + 1) is None, "over is over"
        assert isinstance(delay, (Blended, ShiftBy)) or sum(waits) <= delay.timeout * (1 + 1e-9)
