"""What Guard rules are evaluated against, for each kind of target."""

import pytest
from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.hooks import HookCall, HookTarget, TargetKind
from formwork.hooks.guard.inputs import guard_input

TOPIC = HookTarget(
    kind=TargetKind.RESOURCE, action="UPDATE", name="AWS::SNS::Topic", identifier="Topic", execution="arn:stack"
)


def read(target, model=None, **payload):
    call = HookCall(target=target, model=model or {}, token="t", payload=payload or None)
    return guard_input(call, Scope("111111111111", "eu-west-1"), "Private::Guard::Mine", "00000002")


def test_a_resource_and_what_it_was():
    model = {"resourceProperties": {"TopicName": "new"}, "previousResourceProperties": {"TopicName": "old"}}
    found = read(TOPIC, model)
    assert found["Resources"] == {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "new"}}}
    assert found["Previous"] == {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "old"}}}
    assert found["HookContext"] == {
        "AWSAccountID": "111111111111",
        "AwsAccountId": "111111111111",
        "StackId": "arn:stack",
        "HookTypeName": "Private::Guard::Mine",
        "HookTypeVersion": "00000002",
        "InvocationPoint": "UPDATE_PRE_PROVISION",
        "TargetName": "AWS::SNS::Topic",
        "TargetType": "RESOURCE",
        "TargetLogicalId": "Topic",
        "ChangeSetId": "",
    }


def test_a_deletion_has_no_properties():
    found = read(replace(TOPIC, action="DELETE"), {"resourceProperties": {"TopicName": "gone"}})
    assert found["Resources"] == {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {}}}
    assert found["Previous"] == {}


def test_cloud_control_has_no_stack():
    found = read(replace(TOPIC, kind=TargetKind.CLOUD_CONTROL), {"resourceProperties": {}})
    assert (found["HookContext"]["StackId"], found["HookContext"]["TargetType"]) == ("", "RESOURCE")


@pytest.mark.parametrize("kind", [TargetKind.STACK, TargetKind.CHANGE_SET])
def test_templates(kind):
    target = replace(TOPIC, kind=kind, name=str(kind), identifier="shop")
    new = "HookContext: forged\nResources:\n  Q: {Type: 'AWS::SQS::Queue', Properties: {QueueName: !Ref Name}}\n"
    found = read(target, template=new, previousTemplate='{"Resources": {}}', changedResources=[{"action": "CREATE"}])
    assert found["Resources"]["Q"]["Properties"] == {"QueueName": {"Ref": "Name"}}
    assert found["Previous"] == {"Resources": {}}
    assert found["HookContext"]["TargetType"] == str(kind)
    assert found.get("Changes") == ([{"action": "CREATE"}] if kind is TargetKind.CHANGE_SET else None)
    assert found["HookContext"]["TargetName"] == ("shop" if kind is TargetKind.STACK else "CHANGE_SET")


def test_a_stack_that_is_deleted_has_no_template():
    target = replace(TOPIC, kind=TargetKind.STACK, name="STACK", action="DELETE")
    found = read(target, template="", previousTemplate="")
    assert (set(found), found["Previous"]) == ({"HookContext", "Previous"}, {})
