"""What EventBridge is given of stacks, resources and drift detections."""

import pytest

from formwork.engine.drift.detection import DriftDetection
from formwork.stacks.store.notices import announce_events
from formwork.stacks.store.records import StackSettings
from support.engines import HERE, Bench
from support.stack_calls import StackCalls

TEMPLATE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: red}}}"
STACK, RESOURCE = "CloudFormation Stack Status Change", "CloudFormation Resource Status Change"


@pytest.fixture
def bench(database):
    announce_events(database)
    return Bench(database)


def test_every_status_change_is_an_event_once(bench):
    arn = bench.create(TEMPLATE, token="token-1")
    found = bench.notices
    assert [(each["detail-type"], each["detail"]["status-details"]["status"]) for each in found] == [
        (STACK, "CREATE_IN_PROGRESS"),
        (RESOURCE, "CREATE_IN_PROGRESS"),
        (RESOURCE, "CREATE_IN_PROGRESS"),
        (RESOURCE, "CREATE_COMPLETE"),
        (STACK, "CREATE_COMPLETE"),
    ]
    assert {(each["source"], each["account"], each["region"], *each["resources"]) for each in found} == {
        ("aws.cloudformation", HERE.account, HERE.region, arn)
    }
    assert len({each["id"] for each in found}) == len(found)
    assert found[3]["detail"] == {
        "stack-id": arn,
        "status-details": {"status": "CREATE_COMPLETE", "status-reason": ""},
        "client-request-token": "token-1",
        "logical-resource-id": "A",
        "physical-resource-id": bench.resources()["A"].physical_id,
        "resource-type": "Acme::Web::Thing",
    }


def test_drift_detections_are_events(bench):
    bench.create(TEMPLATE)
    before = len(bench.notices)
    detection = DriftDetection(bench.engine, bench.work).detect_stack(HERE, "shop")
    begun, ended = bench.notices[before:]
    assert begun["detail"]["status-details"]["detection-status"] == "DETECTION_IN_PROGRESS"
    assert ended["detail"]["status-details"] == {
        "stack-drift-status": "IN_SYNC",
        "detection-status": "DETECTION_COMPLETE",
    }
    assert ended["detail"]["stack-drift-detection-id"] == detection
    assert ended["detail"]["drift-detection-details"] == {"drifted-stack-resource-count": 0}


def test_without_a_listener_there_are_none(database):
    bench = Bench(database)
    bench.create(TEMPLATE)
    assert bench.notices == []


def test_topics_get_a_message_of_every_event(bench):
    topic = "arn:aws:sns:eu-west-1:123456789012:stacks"
    settings = StackSettings(notification_arns=[topic])
    arn = bench.create(TEMPLATE, token="token-1", settings=settings)
    found = [each for each in bench.notices if each.get("topic") == topic]
    assert len(found) == len([each for each in bench.notices if "detail-type" in each]) == 5
    assert {each["subject"] for each in found} == {"AWS CloudFormation Notification"}
    lines = found[3]["message"].splitlines()
    shown = StackCalls(bench)("DescribeStackEvents", StackName="shop")["StackEvents"][1]
    assert [line for line in lines if not line.startswith(("Timestamp", "ResourceProperties"))] == [
        f"StackId='{arn}'",
        f"EventId='{shown['EventId']}'",
        "LogicalResourceId='A'",
        f"Namespace='{HERE.account}'",
        f"PhysicalResourceId='{shown['PhysicalResourceId']}'",
        "ResourceStatus='CREATE_COMPLETE'",
        "ResourceStatusReason=''",
        "ResourceType='Acme::Web::Thing'",
        "StackName='shop'",
        "ClientRequestToken='token-1'",
    ]
    assert found[3]["message"].endswith("'\n")
