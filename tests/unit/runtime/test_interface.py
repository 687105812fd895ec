"""The protocol's vocabularies, events and requests."""

import dataclasses
import json

import pytest

from cloudformation_cli_python_lib import (
    Action,
    BaseHookHandlerRequest,
    BaseResourceHandlerRequest,
    HandlerErrorCode,
    HookAnnotation,
    HookAnnotationSeverityLevel,
    HookAnnotationStatus,
    HookContext,
    HookInvocationPoint,
    HookProgressEvent,
    HookStatus,
    OperationStatus,
    ProgressEvent,
)
from cloudformation_cli_python_lib import interface as interface_module

from .sample_models import ResourceModel


@pytest.mark.parametrize(
    "vocabulary", [Action, HandlerErrorCode, HookInvocationPoint, HookStatus, OperationStatus, HookAnnotationStatus]
)
def test_members_are_their_names(vocabulary):
    assert [member.value for member in vocabulary] == [member.name for member in vocabulary]
    assert json.loads(json.dumps(list(vocabulary))) == [member.name for member in vocabulary]


def test_both_statuses_have_the_same_members():
    assert [status.name for status in OperationStatus] == [status.name for status in HookStatus]


def test_an_event_leaves_out_what_is_absent_and_what_hooks_alone_have():
    event = ProgressEvent(status=OperationStatus.SUCCESS, result="r", annotations=[])
    assert event._serialize() == {"status": "SUCCESS", "message": "", "callbackDelaySeconds": 0}


def test_an_event_writes_models_and_context():
    event = ProgressEvent(
        status=OperationStatus.IN_PROGRESS,
        callbackContext={"when": {"step": 1}},
        callbackDelaySeconds=5,
        resourceModel=ResourceModel(Name="n"),
        resourceModels=[ResourceModel(Name="m"), {"Name": "raw"}],
        nextToken="t",
    )
    assert event._serialize() == {
        "status": "IN_PROGRESS",
        "message": "",
        "callbackContext": {"when": {"step": 1}},
        "callbackDelaySeconds": 5,
        "resourceModel": {"Name": "n"},
        "resourceModels": [{"Name": "m"}, {"Name": "raw"}],
        "nextToken": "t",
    }


def test_a_failed_event():
    event = ProgressEvent.failed(HandlerErrorCode.NotFound, "gone")
    assert event._serialize() == {
        "status": "FAILED",
        "errorCode": "NotFound",
        "message": "gone",
        "callbackDelaySeconds": 0,
    }


def test_a_hook_event_writes_annotations():
    annotation = HookAnnotation(
        "encryption", HookAnnotationStatus.FAILED, severityLevel=HookAnnotationSeverityLevel.HIGH
    )
    event = HookProgressEvent.failed(HandlerErrorCode.NonCompliant, "no", annotations=[annotation])
    assert event._serialize() == {
        "hookStatus": "FAILED",
        "errorCode": "NonCompliant",
        "message": "no",
        "callbackDelaySeconds": 0,
        "annotations": [{"annotationName": "encryption", "status": "FAILED", "severityLevel": "HIGH"}],
    }


def test_events_are_dataclasses_to_whoever_asks():
    event = ProgressEvent(OperationStatus.SUCCESS)
    assert dataclasses.is_dataclass(event)
    assert [field.name for field in dataclasses.fields(event)] == [
        "status",
        "errorCode",
        "message",
        "result",
        "callbackContext",
        "callbackDelaySeconds",
        "resourceModel",
        "resourceModels",
        "nextToken",
        "annotations",
    ]
    assert dataclasses.replace(event, message="m") == ProgressEvent(OperationStatus.SUCCESS, message="m")
    assert dataclasses.asdict(HookAnnotation("a", HookAnnotationStatus.PASSED))["annotationName"] == "a"
    assert repr(event).startswith("ProgressEvent(status=<OperationStatus.SUCCESS: 'SUCCESS'>, errorCode=None")
    assert event != "event"


def test_a_request_subclass_made_with_dataclass_has_every_field():
    @dataclasses.dataclass
    class ResourceHandlerRequest(BaseResourceHandlerRequest):
        desiredResourceState: str

    names = [field.name for field in dataclasses.fields(ResourceHandlerRequest)]
    request = ResourceHandlerRequest(**dict.fromkeys(names, "x"))
    assert request.desiredResourceState == request.stackId == "x"


def test_a_hook_request_subclass_needs_nothing_more():
    @dataclasses.dataclass
    class HookHandlerRequest(BaseHookHandlerRequest):
        pass

    assert HookHandlerRequest("token", None).clientRequestToken == "token"


def test_a_missing_argument_is_named():
    with pytest.raises(TypeError, match="targetModel"):
        HookContext("1", "s", "h", "1", HookInvocationPoint.CREATE_PRE_PROVISION, "t", "RESOURCE", "l")


def test_the_interface_names_all_that_it_offers():
    assert all(hasattr(interface_module, name) for name in interface_module.__all__)
