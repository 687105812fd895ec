"""The entry points, where the protocol's vectors do not reach: subclassing, the Lambda context, odd answers."""

import datetime as dt
import decimal
import logging

import pytest

from cloudformation_cli_python_lib import (
    Action,
    BaseResourceHandlerRequest,
    HandlerErrorCode,
    Hook,
    HookInvocationPoint,
    OperationStatus,
    ProgressEvent,
    Resource,
    SessionProxy,
    exceptions,
)
from cloudformation_cli_python_lib.invocation import remaining_seconds
from cloudformation_cli_python_lib.utils import KitchenSinkEncoder

from . import dataclass_models
from .request_samples import hook_request, resource_request
from .sample_models import ResourceModel, Tag


def answer(handle, action=Action.CREATE, **members):
    resource = Resource("Acme::Store::Thing", ResourceModel)
    resource.handler(action)(handle)
    return resource(resource_request(action.name, **members), None)


def test_the_decorator_leaves_the_function_as_it_is():
    resource, hook = Resource("A::B::C", ResourceModel), Hook("A::B::C", ResourceModel)

    def handle():
        pass

    assert resource.handler(Action.CREATE)(handle) is handle
    assert hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION)(handle) is handle
    assert resource._handlers == {Action.CREATE: handle}


def test_a_handler_is_given_session_request_and_context():
    seen = []

    def handle(session, request, callback_context):
        seen.append((session, request, callback_context))
        return ProgressEvent(OperationStatus.SUCCESS)

    answer(handle)
    ((session, request, callback_context),) = seen
    assert isinstance(session, SessionProxy)
    assert isinstance(request, BaseResourceHandlerRequest)
    assert isinstance(request.desiredResourceState, ResourceModel)
    assert callback_context == {}


def test_a_hook_subclass_may_bring_its_own_handlers():
    """As cfn_guard_rs_hook's GuardHook does."""

    class GuardHook(Hook):
        def __init__(self, type_name, configuration):
            super().__init__(type_name, configuration)
            self._handlers = {HookInvocationPoint.CREATE_PRE_PROVISION: self._check}

        def _check(self, _session, request, _context, _configuration):
            name = request.hookContext.targetModel["resourceProperties"]["BucketName"]
            return ProgressEvent(OperationStatus.SUCCESS, message=name)

    assert GuardHook("Acme::Store::Check", Tag)(hook_request(), None)["message"] == "b"


def test_models_of_existing_projects_keep_working():
    resource = Resource("Acme::Store::Thing", dataclass_models.ResourceModel)

    @resource.handler(Action.CREATE)
    def create(_session, request, _context):
        return ProgressEvent(OperationStatus.SUCCESS, resourceModel=request.desiredResourceState)

    properties = {"Count": "5", "Tags": [{"Key": "b"}, {"Key": "a"}], "Zones": ["a", "b"], "Memo": {"Heading": "h"}}
    expected = {**properties, "Count": 5, "Tags": [{"Key": "a"}, {"Key": "b"}]}
    assert create is resource._handlers[Action.CREATE]
    assert resource(resource_request(properties=properties), None)["resourceModel"] == expected
    assert resource(resource_request(properties={}), None)["resourceModel"] == {}


def test_the_remaining_time_is_known_while_a_handler_runs():
    class Context:
        def get_remaining_time_in_millis(self):
            return 2500

    seen = []
    resource = Resource("Acme::Store::Thing", ResourceModel)
    resource.handler(Action.CREATE)(lambda *_: seen.append(remaining_seconds()))
    resource(resource_request(), Context())
    assert seen == [2.5]
    assert remaining_seconds() is None


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (dt.datetime(2024, 1, 2, 3, 4, 5, tzinfo=dt.UTC), "2024-01-02T03:04:05+00:00"),
        (dt.date(2024, 1, 2), "2024-01-02"),
        (dt.time(3, 4), "03:04:00"),
        (decimal.Decimal(5), 5),
        (decimal.Decimal("5.5"), 5.5),
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        ({5: Tag(Key="k")}, {"5": {"Key": "k"}}),
        (HandlerErrorCode.NotFound, "NotFound"),
    ],
)
def test_what_python_has_and_json_lacks_is_written(value, written):
    response = answer(lambda *_: ProgressEvent(OperationStatus.SUCCESS, resourceModel=ResourceModel(Policy=value)))
    assert response["resourceModel"]["Policy"] == written


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (float("nan"), "/resourceModel/Policy is not a finite number"),
        (decimal.Decimal("Infinity"), "/resourceModel/Policy is not a finite number"),
        ([1, {"x": b"bytes"}], "/resourceModel/Policy/1/x is of type bytes"),
        ({(1, 2): 3}, "/resourceModel/Policy has a key of type tuple"),
    ],
)
def test_what_json_cannot_hold_is_named(value, complaint):
    response = answer(lambda *_: ProgressEvent(OperationStatus.SUCCESS, resourceModel=ResourceModel(Policy=value)))
    assert (response["status"], response["errorCode"]) == ("FAILED", "InternalFailure")
    assert complaint in response["message"]


def test_the_encoder_writes_them_too():
    text = KitchenSinkEncoder().encode({"model": Tag(Key="k"), "when": dt.date(2024, 1, 2)})
    assert text == '{"model": {"Key": "k"}, "when": "2024-01-02"}'
    with pytest.raises(TypeError, match="bytes"):
        KitchenSinkEncoder().encode(b"")


@pytest.mark.parametrize(
    ("status", "fine"), [("SUCCESS", True), (OperationStatus.PENDING, True), ("GREAT", False), (None, False)]
)
def test_a_status_must_be_one(status, fine):
    response = answer(lambda *_: ProgressEvent(status))
    assert response["status"] == ("FAILED" if not fine else str(getattr(status, "value", status)))


@pytest.mark.parametrize("event", [None, "x", 5, [], {}, {"requestData": 5}, {"action": 5}, {"action": "CREATE"}])
def test_whatever_comes_is_answered(event):
    for extension in (Resource("A::B::C", ResourceModel), Hook("A::B::C", Tag)):
        for entry in (extension, extension.test_entrypoint):
            response = entry(event, None)
            assert response["errorCode"] == "InvalidRequest"
            assert response["message"]


def test_the_test_entry_point_reads_the_envelope_too():
    """AWS's `cfn test --function-name TestEntrypoint` sends the whole of it."""
    resource, hook = Resource("A::B::C", ResourceModel), Hook("A::B::C", Tag)
    resource.handler(Action.CREATE)(
        lambda _session, asked, _context: ProgressEvent(OperationStatus.SUCCESS, message=asked.clientRequestToken)
    )
    hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION)(lambda *_: ProgressEvent(OperationStatus.SUCCESS))
    asked = resource_request()
    assert resource.test_entrypoint(asked, None) == resource(asked, None)
    assert resource.test_entrypoint(asked, None)["message"] == asked["bearerToken"]
    assert hook.test_entrypoint(hook_request(), None)["hookStatus"] == "SUCCESS"


def test_a_failure_is_logged_with_its_traceback(caplog):
    def handle(*_arguments):
        raise RuntimeError("boom")

    with caplog.at_level(logging.ERROR):
        answer(handle)
    assert "RuntimeError: boom" in caplog.text
    assert "in handle" in caplog.text


def test_an_exception_that_means_a_code_is_no_trouble(caplog):
    def handle(*_arguments):
        raise exceptions.NotFound("Acme::Store::Thing", "n")

    with caplog.at_level(logging.INFO):
        answer(handle)
    (record,) = caplog.records
    assert record.levelname == "INFO"
    assert record.getMessage().startswith("The handler failed: NotFound: Resource of type")
    assert "Traceback" not in caplog.text


def test_a_request_that_cannot_be_read_is_logged_in_a_line(caplog):
    Resource("A::B::C", ResourceModel)({}, None)
    assert [record.getMessage() for record in caplog.records] == [
        "The request cannot be read: the request lacks action"
    ]


def test_a_process_that_is_told_to_exit_exits():
    def handle(*_arguments):
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        answer(handle)


@pytest.mark.parametrize(("message", "written"), [(KeyError("k"), "'k'"), (None, ""), (5, "5")])
def test_a_message_is_text(message, written):
    assert answer(lambda *_: ProgressEvent.failed(HandlerErrorCode.NotFound, message))["message"] == written


def test_a_returned_message_shows_no_credentials():
    def handle(session, _request, _context):
        return ProgressEvent.failed(HandlerErrorCode.NotFound, f"with {session.session._keys()}")

    message = answer(handle)["message"]
    assert "canary" not in message
    assert "********" in message
