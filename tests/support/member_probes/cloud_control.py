"""Probes of Cloud Control's operations."""

import json

from support.member_probes.probe import Probe

QUEUE = "AWS::SQS::Queue"
NAMED = json.dumps({"QueueName": "mine"})
PATCH = json.dumps([{"op": "add", "path": "/VisibilityTimeout", "value": 5}])


def address(world):
    """The queue's identifier."""
    return f"https://sqs.{world.region}.amazonaws.com/{world.account}/mine"


def queue(world):
    """Arrange a queue `mine`; the request's token is kept."""
    made = world("CreateResource", TypeName=QUEUE, DesiredState=NAMED, ClientToken="first")
    world.saved["request"] = made["ProgressEvent"]["RequestToken"]


def two(world):
    """Arrange two queues."""
    queue(world)
    world("CreateResource", TypeName=QUEUE, DesiredState=json.dumps({"QueueName": "yours"}))


def queues(world):
    """What there is of queues and requests."""
    request = world.saved.get("answer", {}).get("ProgressEvent", {}).get("RequestToken")
    return (
        world.tried("ListResources", TypeName=QUEUE),
        world.tried("ListResourceRequests"),
        request and world.tried("GetResourceRequestStatus", RequestToken=request),
    )


def known_request(world):
    """The request that made the queue."""
    return world.saved["request"]


def pending(world):
    """Arrange a request that has not begun."""
    world.service.hold(True)
    queue(world)


def after(world):
    """The request, once what was held has been done."""
    world.service.hold(False)
    return world.tried("GetResourceRequestStatus", RequestToken=known_request(world))


PROBES = [
    Probe(
        operation="CreateResource",
        base={"TypeName": QUEUE, "DesiredState": NAMED},
        look=queues,
        changes={
            "TypeName": "AWS::SNS::Topic",
            "DesiredState": json.dumps({"QueueName": "yours"}),
            "TypeVersionId": "00000009",
        },
    ),
    Probe(
        operation="CreateResource",
        arrange=queue,
        base={"TypeName": QUEUE, "DesiredState": NAMED},
        look=queues,
        changes={"ClientToken": "first"},
    ),
    Probe(
        operation="CreateResource",
        arrange=queue,
        base={"TypeName": QUEUE, "DesiredState": NAMED, "ClientToken": "first"},
        changes={"RoleArn": "arn:aws:iam::123456789012:role/deployer"},
    ),
    Probe(
        operation="UpdateResource",
        arrange=two,
        base={"TypeName": QUEUE, "Identifier": address, "PatchDocument": PATCH},
        look=queues,
        changes={
            "TypeName": "AWS::SNS::Topic",
            "Identifier": lambda world: address(world).replace("mine", "yours"),
            "PatchDocument": PATCH.replace("5", "6"),
            "TypeVersionId": "00000009",
            "ClientToken": "first",
        },
    ),
    Probe(
        operation="UpdateResource",
        arrange=lambda world: (
            queue(world),
            world("UpdateResource", TypeName=QUEUE, Identifier=address(world), PatchDocument=PATCH, ClientToken="t"),
        ),
        base={"TypeName": QUEUE, "Identifier": address, "PatchDocument": PATCH, "ClientToken": "t"},
        changes={"RoleArn": "arn:aws:iam::123456789012:role/deployer"},
    ),
    Probe(
        operation="DeleteResource",
        arrange=two,
        base={"TypeName": QUEUE, "Identifier": address},
        look=queues,
        changes={
            "TypeName": "AWS::SNS::Topic",
            "Identifier": lambda world: address(world).replace("mine", "yours"),
            "TypeVersionId": "00000009",
            "ClientToken": "first",
        },
    ),
    Probe(
        operation="DeleteResource",
        arrange=lambda world: (
            queue(world),
            world("DeleteResource", TypeName=QUEUE, Identifier=address(world), ClientToken="t"),
        ),
        base={"TypeName": QUEUE, "Identifier": address, "ClientToken": "t"},
        changes={"RoleArn": "arn:aws:iam::123456789012:role/deployer"},
    ),
    Probe(
        operation="GetResource",
        arrange=two,
        base={"TypeName": QUEUE, "Identifier": address},
        changes={
            "TypeName": "AWS::SNS::Topic",
            "Identifier": lambda world: address(world).replace("mine", "yours"),
            "TypeVersionId": "00000009",
        },
    ),
    Probe(
        operation="ListResources",
        arrange=two,
        base={"TypeName": QUEUE},
        changes={
            "TypeName": "AWS::SNS::Topic",
            "NextToken": lambda world: world("ListResources", TypeName=QUEUE, MaxResults=1)["NextToken"],
            "MaxResults": 1,
            "ResourceModel": "[]",
            "TypeVersionId": "00000009",
        },
    ),
    Probe(
        operation="GetResourceRequestStatus",
        arrange=queue,
        base={"RequestToken": known_request},
        changes={"RequestToken": "c3df4a19-0000-4000-8000-000000000000"},
    ),
    Probe(
        operation="CancelResourceRequest",
        arrange=pending,
        base={"RequestToken": known_request},
        look=after,
        changes={"RequestToken": "c3df4a19-0000-4000-8000-000000000000"},
    ),
    Probe(
        operation="ListResourceRequests",
        arrange=two,
        base={"ResourceRequestStatusFilter": {}},
        changes={
            "MaxResults": 1,
            "NextToken": "1",
            "ResourceRequestStatusFilter.Operations": ["DELETE"],
            "ResourceRequestStatusFilter.OperationStatuses": ["FAILED"],
        },
    ),
]
