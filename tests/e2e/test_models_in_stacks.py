"""Types that read and delete by more than their identifier, as published ones do: what a stack sends them suffices.

One has a composite key whose parts are properties beside it (as AwsCommunity::DynamoDB::Item), one finds its resource by
its names and answers a read with what it was given (as AwsCommunity::ApplicationAutoscaling::ScheduledAction).
"""

import json

import pytest

from support.registry import resource_package
from support.serving import register, serving

ITEM, ACTION = "Acme::Table::Item", "Acme::Scaling::ScheduledAction"
HANDLERS = {each: {"permissions": ["a:B"]} for each in ("create", "read", "update", "delete")}
PART = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("AttributeName", "AttributeType", "AttributeValue")},
    "additionalProperties": False,
}
ITEM_SCHEMA = {
    "typeName": ITEM,
    "description": "An item of a table.",
    "properties": {
        "TableName": {"type": "string"},
        "Keys": {"type": "array", "items": PART, "insertionOrder": True},
        "Item": {
            "type": "object",
            "patternProperties": {"^[a-z]+$": {"type": "string"}},
            "additionalProperties": False,
        },
        "CompositeKey": {"type": "string"},
    },
    "required": ["TableName", "Keys"],
    "primaryIdentifier": ["/properties/TableName", "/properties/CompositeKey"],
    "readOnlyProperties": ["/properties/CompositeKey"],
    "createOnlyProperties": ["/properties/TableName", "/properties/Keys"],
    "tagging": {"taggable": False},
    "handlers": HANDLERS,
    "additionalProperties": False,
}
ACTION_SCHEMA = {
    "typeName": ACTION,
    "description": "An action at a time.",
    "properties": {
        "ScheduledActionName": {"type": "string"},
        "ResourceId": {"type": "string"},
        "Schedule": {"type": "string"},
        "ScalableTargetAction": {
            "type": "object",
            "properties": {"MinCapacity": {"type": "number"}, "MaxCapacity": {"type": "number"}},
            "additionalProperties": False,
        },
        "ScheduledActionARN": {"type": "string"},
    },
    "required": ["ScheduledActionName", "ResourceId", "Schedule", "ScalableTargetAction"],
    "primaryIdentifier": ["/properties/ScheduledActionARN"],
    "readOnlyProperties": ["/properties/ScheduledActionARN"],
    "createOnlyProperties": ["/properties/ScheduledActionName", "/properties/ResourceId"],
    "tagging": {"taggable": False},
    "handlers": HANDLERS,
    "additionalProperties": False,
}
# Both keep what they make in a file; a step that lacks what it needs raises, as it does in the published handlers.
BEFORE = """
import json, pathlib
STORE = pathlib.Path(%r)

def resource(event, context):
    kept = json.loads(STORE.read_text()) if STORE.exists() else {}
    try:
        return handle(event["action"], event["requestData"]["resourceProperties"], kept)
    finally:
        STORE.write_text(json.dumps(kept))

def failed(code):
    return {"status": "FAILED", "errorCode": code, "message": code}
"""
ITEM_HANDLERS = """
def handle(action, model, kept):
    composite = "-".join(key["AttributeValue"] for key in model["Keys"])
    place = model["TableName"] + "/" + composite
    if (place in kept) is (action == "CREATE"):
        return failed("AlreadyExists" if place in kept else "NotFound")
    if action == "DELETE":
        del kept[place]
        return {"status": "SUCCESS"}
    if action != "READ":
        kept[place] = model.get("Item") or {}
    item = {name: kept[place][name] for name in model["Item"].keys()}
    shown = {"TableName": model["TableName"], "Keys": model["Keys"], "Item": item, "CompositeKey": composite}
    return {"status": "SUCCESS", "resourceModel": shown}
"""
ACTION_HANDLERS = """
def handle(action, model, kept):
    place = model["ResourceId"] + "/" + model["ScheduledActionName"]
    if (place in kept) is (action == "CREATE"):
        return failed("AlreadyExists" if place in kept else "NotFound")
    if action == "DELETE":
        del kept[place]
        return {"status": "SUCCESS"}
    if action != "READ":
        kept[place] = [int(model["ScalableTargetAction"][name]) for name in ("MinCapacity", "MaxCapacity")]
        model = {**model, "ScheduledActionARN": "arn:action:" + place}
    return {"status": "SUCCESS", "resourceModel": model}
"""
TEMPLATE = """
Parameters: {Most: {Type: Number, Default: 1000}, Title: {Type: String, Default: one}}
Resources:
  Table:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: table-of-items
      BillingMode: PAY_PER_REQUEST
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
  Item:
    Type: Acme::Table::Item
    Properties:
      TableName: !Ref Table
      Item: {title: !Ref Title}
      Keys:
        - {AttributeName: pk, AttributeType: S, AttributeValue: foo}
        - {AttributeName: sk, AttributeType: S, AttributeValue: bar}
  Action:
    Type: Acme::Scaling::ScheduledAction
    Properties:
      ScheduledActionName: TestScaling
      ResourceId: !Sub table/${Table}
      Schedule: rate(2 hours)
      ScalableTargetAction: {MinCapacity: 5, MaxCapacity: !Ref Most}
Outputs:
  Key: {Value: !GetAtt Item.CompositeKey}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    with serving(folder, forked=True) as running:
        running.items, running.actions = folder / "items.json", folder / "actions.json"
        for name, schema, handlers, store in (
            (ITEM, ITEM_SCHEMA, ITEM_HANDLERS, running.items),
            (ACTION, ACTION_SCHEMA, ACTION_HANDLERS, running.actions),
        ):
            content = resource_package(name, schema=schema, handlers=BEFORE % str(store) + handlers)
            register(running, name, content=content, key=f"{name[6:11]}.zip")
        yield running


def parameters(**values):
    return [{"ParameterKey": name, "ParameterValue": value} for name, value in values.items()]


def test_a_stack_is_created_updated_looked_at_and_deleted(server):
    client = server.client("cloudformation")
    client.create_stack(StackName="models", TemplateBody=TEMPLATE)
    client.get_waiter("stack_create_complete").wait(StackName="models")
    assert json.loads(server.items.read_text()) == {"table-of-items/foo-bar": {"title": "one"}}
    assert json.loads(server.actions.read_text()) == {"table/table-of-items/TestScaling": [5, 1000]}
    changed = parameters(Most="70", Title="two")
    client.update_stack(StackName="models", UsePreviousTemplate=True, Parameters=changed)
    client.get_waiter("stack_update_complete").wait(StackName="models")
    assert json.loads(server.actions.read_text()) == {"table/table-of-items/TestScaling": [5, 70]}
    detection = client.detect_stack_drift(StackName="models")["StackDriftDetectionId"]
    while (found := client.describe_stack_drift_detection_status(StackDriftDetectionId=detection))[
        "DetectionStatus"
    ] == "DETECTION_IN_PROGRESS":
        pass
    assert (found["DetectionStatus"], found["StackDriftStatus"]) == ("DETECTION_COMPLETE", "IN_SYNC")
    client.delete_stack(StackName="models")
    client.get_waiter("stack_delete_complete").wait(StackName="models")
    assert (json.loads(server.items.read_text()), json.loads(server.actions.read_text())) == ({}, {})


def test_a_creation_that_fails_leaves_nothing(server):
    client = server.client("cloudformation")
    broken = TEMPLATE.replace("Outputs:", "  Again: {Type: Acme::Table::Item, Properties: {TableName: t}}\nOutputs:")
    assert broken != TEMPLATE
    client.create_stack(StackName="fails", TemplateBody=broken)
    with pytest.raises(Exception, match="terminal failure state"):
        client.get_waiter("stack_create_complete").wait(StackName="fails")
    client.get_waiter("stack_rollback_complete")
    while (status := client.describe_stacks(StackName="fails")["Stacks"][0]["StackStatus"]) == "ROLLBACK_IN_PROGRESS":
        pass
    assert status == "ROLLBACK_COMPLETE"
    assert (json.loads(server.items.read_text()), json.loads(server.actions.read_text())) == ({}, {})
