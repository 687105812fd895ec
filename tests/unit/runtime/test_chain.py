"""The chain: each call once, resumed from the callback context, errors meaning what they mean."""

import json
from datetime import UTC

import pytest

from cloudformation_cli_python_lib import HandlerErrorCode, OperationStatus, ProgressEvent, exceptions
from cloudformation_cli_python_lib.chain import Chain, Constant, Exponential, Retry, Timing, chain_of

from .sample_models import ResourceModel


class ServiceError(Exception):
    """An error in the form of botocore's ClientError."""

    def __init__(self, code, status=400):
        super().__init__(f"An error occurred ({code})")
        self.response = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}


class World:
    """Time, and a service that answers from a script: exceptions are raised, other values returned."""

    def __init__(self, *script, remaining=None):
        self.now = 1_700_000_000.0
        self.slept = []
        self.script = list(script)
        self.requests = []
        self.remaining = remaining

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def create(self, request, _client):
        self.requests.append(request)
        answer = self.script.pop(0) if self.script else {"Id": "id-1"}
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def chain(self, context, **options):
        timing = Timing(clock=lambda: self.now, sleep=self.sleep, remaining=lambda: self.remaining)
        return Chain(ResourceModel(Name="n"), context, token="token-1", timing=timing, **options)

    def step(self, context, name="create", **options):
        return self.chain(context, **options).initiate(name, self).request(lambda m: {"Name": m.Name}).call(self.create)


def survive(event):
    """The callback context as the next invocation gets it."""
    return json.loads(json.dumps(event._serialize()["callbackContext"]))


def run(world, build, limit=500):
    """Invoke until the operation ends, as CloudFormation does; the events in order."""
    events, context = [], {}
    while not events or events[-1].status == OperationStatus.IN_PROGRESS:
        assert len(events) < limit, "the operation does not end"
        events.append(build(context))
        if events[-1].status == OperationStatus.IN_PROGRESS:
            context = survive(events[-1])
            world.now += events[-1].callbackDelaySeconds
    return events


def test_a_step_succeeds_at_once():
    world = World()
    event = world.step({}).success()
    assert event._serialize() == {
        "status": "SUCCESS",
        "message": "",
        "callbackDelaySeconds": 0,
        "resourceModel": {"Name": "n"},
    }
    assert world.requests == [{"Name": "n"}]


def test_nothing_runs_before_the_last_word():
    world = World()
    world.step({}).stabilize(lambda _step: True)
    assert world.requests == []


@pytest.mark.parametrize("response", [{"Id": "id-1"}, None, [], False])
def test_a_call_is_made_once_whatever_it_returns(response):
    world = World(response)
    ready = iter([False, False, True])
    seen = []

    def stabilized(step):
        seen.append(step.response)
        return next(ready)

    events = run(world, lambda context: world.step(context).stabilize(stabilized).success())
    assert [event.status.name for event in events] == ["IN_PROGRESS", "IN_PROGRESS", "SUCCESS"]
    assert len(world.requests) == 1
    assert seen == [response] * 3


def test_what_waits_says_for_what_and_carries_the_model():
    world = World()
    event = world.step({}).stabilize(lambda _step: False).progress()
    assert event._serialize() == {
        "status": "IN_PROGRESS",
        "message": "create: waiting, attempt 1",
        "callbackDelaySeconds": 5,
        "resourceModel": {"Name": "n"},
        "callbackContext": {
            "__chain__": {"create": {"response": {"Id": "id-1"}, "started": 1_700_000_000.0, "attempts": 1}}
        },
    }


def test_stabilization_is_not_asked_again():
    world = World()
    asked = []

    def build(context):
        chain = world.chain(context)
        return (
            chain.initiate("one", world)
            .request(lambda _m: 1)
            .call(world.create)
            .stabilize(lambda step: asked.append(step.name) or True)
            .progress()
            .then(lambda _p: chain.wait_for("two", world, lambda _step: world.now > 1_700_000_010))
            .success()
        )

    events = run(world, build)
    assert len(events) > 2
    assert asked == ["one"]


def test_the_handlers_own_context_is_kept():
    world = World()
    event = world.step({"mine": 1}).stabilize(lambda _step: False).progress()
    assert survive(event)["mine"] == 1


def test_steps_see_request_response_client_model_and_context():
    world = World()
    context = {"mine": 1}

    def finish(step):
        assert (step.name, step.request, step.response) == ("create", {"Name": "n"}, {"Id": "id-1"})
        assert step.client is world
        assert step.context is context
        step.model.Title = step.response["Id"]
        return ProgressEvent(OperationStatus.SUCCESS, resourceModel=step.model)

    assert world.step(context).done(finish).status == OperationStatus.SUCCESS


def test_done_may_say_not_yet():
    world = World()
    answers = iter([None, None, ProgressEvent(OperationStatus.SUCCESS)])
    events = run(world, lambda context: world.step(context).done(lambda _step: next(answers)))
    assert len(events) == 3
    assert len(world.requests) == 1


def test_progress_with_a_delay_ends_the_invocation_once():
    world = World()
    events = run(world, lambda context: world.step(context).progress(30).success())
    assert [(event.status.name, event.callbackDelaySeconds) for event in events] == [
        ("IN_PROGRESS", 30),
        ("SUCCESS", 0),
    ]
    assert len(world.requests) == 1


def test_then_is_skipped_after_the_end_and_while_waiting():
    world = World()
    never = pytest.fail
    world.step({}).success().then(lambda _p: never("after success"))
    world.step({}).stabilize(lambda _step: False).progress().then(lambda _p: never("while waiting"))
    world.step({}).progress().then(lambda _p: ProgressEvent.failed(HandlerErrorCode.NotFound)).then(
        lambda _p: never("after failure")
    )


def test_then_refuses_what_is_no_event():
    with pytest.raises(TypeError, match="NoneType"):
        World().step({}).progress().then(lambda _p: None)


def test_on_success_runs_after_success_alone():
    world = World()
    done = world.step({}).success().on_success(lambda p: ProgressEvent(p.status, message="read"))
    assert done.message == "read"
    assert world.chain({}).failed(HandlerErrorCode.NotFound, "gone").on_success(pytest.fail).message == "gone"


def test_the_response_is_the_same_json_at_once_and_later():
    from datetime import datetime

    world = World({"At": datetime(2024, 1, 1, tzinfo=UTC), "ResponseMetadata": {"RequestId": "r"}})
    seen = []
    ready = iter([False, True])
    run(world, lambda c: world.step(c).stabilize(lambda s: seen.append(s.response) or next(ready)).success())
    assert seen == [{"At": "2024-01-01T00:00:00+00:00"}] * 2


def test_keep_chooses_what_is_remembered():
    world = World({"Id": "id-1", "Body": object()})
    event = world.step({}).keep(lambda response: response["Id"]).stabilize(lambda s: s.response != "id-1").progress()
    assert survive(event)["__chain__"]["create"]["response"] == "id-1"


def test_a_response_that_cannot_be_remembered_says_how():
    event = World({"Body": object()}).step({}).success()
    assert event.errorCode == HandlerErrorCode.InternalFailure
    assert "/Body" in event.message
    assert "keep()" in event.message


def test_a_context_that_is_too_large_names_the_step():
    world = World({"Text": "x" * 40_000})
    with pytest.raises(exceptions.InternalFailure, match=r"more than 32768; step 'create' holds 4\d{4}"):
        world.step({}).stabilize(lambda _step: False).progress()


def test_a_large_context_does_no_harm_where_nothing_waits():
    assert World({"Text": "x" * 40_000}).step({}).success().status == OperationStatus.SUCCESS


def test_two_steps_of_one_name_are_refused():
    world = World()
    chain = world.chain({})
    chain.initiate("create", world)
    with pytest.raises(exceptions.InternalFailure, match="'create'"):
        chain.initiate("create", world)


@pytest.mark.parametrize("state", [[], "x", {"create": 1}])
def test_a_context_that_no_chain_wrote_is_refused(state):
    with pytest.raises(exceptions.InternalFailure, match="__chain__"):
        World().chain({"__chain__": state})


# Errors


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ServiceError("ResourceNotFoundException"), "NotFound"),
        (ServiceError("Whatever", 400), "InvalidRequest"),
        (ServiceError("Whatever", 403), "AccessDenied"),
        (ServiceError("Whatever", 500), "ServiceInternalError"),
        (ServiceError("Whatever", 418), "GeneralServiceException"),
        (KeyError("k"), "InternalFailure"),
        (exceptions.AlreadyExists("T", "i"), "AlreadyExists"),
    ],
)
def test_errors_end_the_chain_with_their_code(error, code):
    event = World(error).step({}).progress()
    assert event.errorCode.name == code
    assert str(error) in event.message


@pytest.mark.parametrize("error", [ServiceError("ThrottlingException"), ServiceError("X", 503), ServiceError("X", 429)])
def test_busy_services_are_tried_again(error):
    world = World(error, error)
    events = run(world, lambda context: world.step(context).success())
    assert [event.status.name for event in events] == ["IN_PROGRESS", "IN_PROGRESS", "SUCCESS"]
    assert len(world.requests) == 3


def test_chosen_errors_are_tried_again():
    world = World(ServiceError("ResourceInUseException"), ValueError("odd"))
    events = run(
        world,
        lambda c: (
            world.step(c)
            .retry_on("ResourceInUseException")
            .retry_if(lambda error, _step: isinstance(error, ValueError))
            .success()
        ),
    )
    assert [event.status.name for event in events] == ["IN_PROGRESS", "IN_PROGRESS", "SUCCESS"]


def test_chosen_codes_replace_the_usual_ones():
    world = World(ServiceError("ResourceInUseException"))
    event = world.step({}).fail_as({"ResourceInUseException": HandlerErrorCode.AlreadyExists}).success()
    assert event.errorCode == HandlerErrorCode.AlreadyExists


def test_handle_error_may_end_the_chain():
    world = World(ServiceError("ResourceNotFoundException"))
    event = world.step({}).handle_error(lambda _e, step: ProgressEvent(OperationStatus.SUCCESS)).success()
    assert event.status == OperationStatus.SUCCESS


def test_handle_error_may_ask_for_another_attempt():
    world = World(KeyError("k"))

    def handle(_error, _step):
        raise Retry

    assert len(run(world, lambda context: world.step(context).handle_error(handle).success())) == 2


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (exceptions.NotFound("T", "i"), "NotFound"),
        (ServiceError("AccessDenied"), "AccessDenied"),
        (ValueError("v"), "InternalFailure"),
    ],
)
def test_what_handle_error_raises_keeps_its_code(raised, code):
    def handle(_error, _step):
        raise raised

    assert World(KeyError("k")).step({}).handle_error(handle).success().errorCode.name == code


def test_handle_error_must_decide():
    event = World(KeyError("k")).step({}).handle_error(lambda _error, _step: None).success()
    assert event.errorCode == HandlerErrorCode.InternalFailure
    assert "handle_error of create returned NoneType" in event.message
    assert "KeyError" in event.message


def test_a_failed_call_is_translated_anew():
    world = World(ServiceError("ThrottlingException"))
    run(world, lambda context: world.step(context).success())
    assert world.requests == [{"Name": "n"}] * 2


# Time


def test_it_gives_up_after_the_timeout_across_containers():
    world = World()
    events = run(world, lambda c: world.step(c).backoff(Constant(5, timeout=20)).stabilize(lambda _s: False).success())
    assert len(events) == 5
    assert events[-1].errorCode == HandlerErrorCode.NotStabilized
    assert events[-1].message == "create did not stabilize after 5 attempts in 20 seconds"


def test_time_that_callbacks_take_counts():
    world = World()

    def build(context):
        world.now += 7
        return world.step(context).backoff(Constant(5, timeout=20)).stabilize(lambda _step: False).success()

    assert len(run(world, build)) == 3


def test_giving_up_on_an_error_keeps_its_code():
    world = World(*[ServiceError("ThrottlingException")] * 20)
    events = run(world, lambda context: world.step(context).backoff(Constant(5, timeout=10)).success())
    assert events[-1].errorCode == HandlerErrorCode.Throttling
    assert "An error occurred (ThrottlingException)" in events[-1].message


def test_short_waits_are_spent_here():
    world = World(remaining=10.0)
    ready = iter([False, False, True])
    event = world.step({}).backoff(Constant(0.25, timeout=5)).stabilize(lambda _step: next(ready)).success()
    assert event.status == OperationStatus.SUCCESS
    assert world.slept == [0.25, 0.25]


def test_short_waits_become_callbacks_when_time_runs_out():
    world = World(remaining=0.3)
    event = world.step({}).backoff(Constant(0.25, timeout=5)).stabilize(lambda _step: False).success()
    assert (event.status, event.callbackDelaySeconds, world.slept) == (OperationStatus.IN_PROGRESS, 1, [])


def test_short_waits_end_well_before_the_invocations_limit():
    world = World()
    event = world.step({}).backoff(Constant(0.5, timeout=3600)).stabilize(lambda _step: False).success()
    assert event.status == OperationStatus.IN_PROGRESS
    assert 25 < sum(world.slept) <= 30


def test_parts_of_a_second_are_rounded_up():
    event = World().step({}).backoff(Exponential(timeout=60, power=1.1)).stabilize(lambda _step: False).success()
    assert event.callbackDelaySeconds == 2


# Every call once


class Killed(BaseException):
    """The process dies."""


def test_with_checkpoints_a_process_may_die_anywhere():
    made, died = [], set()

    def call(name):
        def make(_request, _client):
            if name not in died:
                died.add(name)
                raise Killed
            made.append(name)

        return make

    world = World()

    def build(context):
        chain = world.chain(context, checkpoint=True)
        event = chain.progress()
        for name in ("one", "two", "three"):
            event = event.then(
                lambda _p, name=name: chain.initiate(name, None).request(lambda _m: None).call(call(name)).progress()
            )
        return event.success()

    context, status, deaths = {}, None, 0
    while status != OperationStatus.SUCCESS:
        try:
            event = build(json.loads(json.dumps(context)))
        except Killed:
            deaths += 1
            continue
        status = event.status
        if status == OperationStatus.IN_PROGRESS:
            context = survive(event)
    assert made == ["one", "two", "three"]
    assert deaths == 3


def test_tokens_are_stable_and_differ_between_steps():
    world = World()
    assert world.chain({}).token_for("create") == world.chain({}).token_for("create")
    assert world.chain({}).token_for("create") != world.chain({}).token_for("other")
    assert len(world.chain({}).token_for("create")) == 36


def test_chain_of_a_request():
    from types import SimpleNamespace

    request = SimpleNamespace(desiredResourceState=ResourceModel(Name="n"), clientRequestToken="token-1")
    chain = chain_of(request, {})
    assert chain.model.Name == "n"
    assert chain.token_for("create") == World().chain({}).token_for("create")
    with pytest.raises(exceptions.InternalFailure, match="no desired model"):
        chain_of(SimpleNamespace(desiredResourceState=None, clientRequestToken="t"), {})
