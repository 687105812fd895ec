"""Probes of the IaC generator's operations."""

import json

from support.member_probes.probe import Probe
from support.member_probes.stacks import create

QUEUE, TOPIC = "AWS::SQS::Queue", "AWS::SNS::Topic"


def address(world, name="mine"):
    """The identifier of a queue."""
    return {"QueueUrl": f"https://sqs.{world.region}.amazonaws.com/{world.account}/{name}"}


def yours(world):
    """The identifier of the other queue."""
    return address(world, "yours")


def queues(world):
    """Arrange two queues, of which one has a tag."""
    tagged = {"QueueName": "mine", "Tags": [{"Key": "a", "Value": "b"}]}
    world("CreateResource", TypeName=QUEUE, DesiredState=json.dumps(tagged))
    world("CreateResource", TypeName=QUEUE, DesiredState=json.dumps({"QueueName": "yours"}))


def related(world):
    """Arrange a scan of a queue, and of two others that mention it."""
    queues(world)
    for name in "third", "fourth":
        policy = {"deadLetterTargetArn": f"arn:aws:sqs:{world.region}:{world.account}:mine", "maxReceiveCount": 1}
        desired = {"QueueName": name, "RedrivePolicy": policy}
        world("CreateResource", TypeName=QUEUE, DesiredState=json.dumps(desired))
    world.saved["scan"] = world("StartResourceScan", ScanFilters=[{"Types": [QUEUE]}])["ResourceScanId"]


def scanned(world):
    """Arrange scans of queues, the first one with a token."""
    queues(world)
    more = {"ScanFilters": [{"Types": [QUEUE]}]}
    world.saved["scan"] = world("StartResourceScan", **more, ClientRequestToken="t")["ResourceScanId"]
    world("StartResourceScan", **more)


def scan(world):
    """The first scan's id."""
    return world.saved["scan"]


def scans(world):
    """What there is of scans."""
    return [world("ListResourceScans", ScanTypeFilter=each) for each in ("FULL", "PARTIAL")]


def templated(world):
    """Arrange a generated template `g` of the queue `mine`, and another one."""
    scanned(world)
    for name in "g", "h":
        world("CreateGeneratedTemplate", GeneratedTemplateName=name, Resources=[definition(world)])


def definition(world, **more):
    """A resource of a generated template."""
    return {"ResourceType": QUEUE, "LogicalResourceId": "Mine", "ResourceIdentifier": address(world), **more}


def templates(world):
    """What there is of generated templates."""
    return [
        (
            world.tried("DescribeGeneratedTemplate", GeneratedTemplateName=name),
            world.tried("GetGeneratedTemplate", GeneratedTemplateName=name),
        )
        for name in ("g", "h", "i")
    ]


POLICIES = {"TemplateConfiguration.DeletionPolicy": "RETAIN", "TemplateConfiguration.UpdateReplacePolicy": "RETAIN"}
STANDARD = {"DeletionPolicy": "DELETE", "UpdateReplacePolicy": "DELETE"}

PROBES = [
    Probe(
        operation="StartResourceScan",
        arrange=scanned,
        base={"ScanFilters": [{"Types": [QUEUE]}]},
        look=scans,
        changes={"ClientRequestToken": "t", "ScanFilters.Types": ["Not::A::Type"]},
    ),
    Probe(
        operation="DescribeResourceScan",
        arrange=scanned,
        base={"ResourceScanId": scan},
        changes={"ResourceScanId": "arn:aws:cloudformation:us-east-1:123456789012:resourceScan/z"},
    ),
    Probe(
        operation="ListResourceScans",
        arrange=scanned,
        base={"ScanTypeFilter": "PARTIAL"},
        changes={"ScanTypeFilter": "FULL", "NextToken": "1", "MaxResults": 1},
    ),
    Probe(
        operation="ListResourceScanResources",
        arrange=scanned,
        base={"ResourceScanId": scan},
        changes={
            "ResourceScanId": "arn:aws:cloudformation:us-east-1:123456789012:resourceScan/z",
            "ResourceIdentifier": lambda world: address(world)["QueueUrl"],
            "ResourceTypePrefix": "AWS::SNS",
            "TagKey": "a",
            "TagValue": "b",
            "NextToken": "1",
            "MaxResults": 1,
        },
    ),
    Probe(
        operation="ListResourceScanRelatedResources",
        arrange=related,
        base={
            "ResourceScanId": scan,
            "Resources": [{"ResourceType": QUEUE, "ResourceIdentifier": address}],
        },
        changes={
            "ResourceScanId": "arn:aws:cloudformation:us-east-1:123456789012:resourceScan/z",
            "Resources.ResourceType": TOPIC,
            "Resources.ResourceIdentifier": {"QueueUrl": "other"},
            "NextToken": "x",
            "MaxResults": 1,
        },
    ),
    Probe(
        operation="CreateGeneratedTemplate",
        arrange=queues,
        base={
            "GeneratedTemplateName": "g",
            "Resources": [definition],
            "TemplateConfiguration": STANDARD,
        },
        look=templates,
        changes={
            "GeneratedTemplateName": "h",
            "Resources.ResourceType": TOPIC,
            "Resources.LogicalResourceId": "Other",
            "Resources.ResourceIdentifier": yours,
            **POLICIES,
        },
    ),
    Probe(
        operation="CreateGeneratedTemplate",
        arrange=lambda world: (queues(world), create()(world)),
        base={"GeneratedTemplateName": "g", "Resources": [definition]},
        look=templates,
        changes={"StackName": "s"},
    ),
    Probe(
        operation="UpdateGeneratedTemplate",
        arrange=templated,
        base={"GeneratedTemplateName": "g", "TemplateConfiguration": STANDARD},
        look=templates,
        changes={
            "GeneratedTemplateName": "h",
            "NewGeneratedTemplateName": "i",
            "RemoveResources": ["Mine"],
            **POLICIES,
        },
    ),
    Probe(
        operation="UpdateGeneratedTemplate",
        arrange=templated,
        base={
            "GeneratedTemplateName": "g",
            "AddResources": [
                lambda world: definition(world, LogicalResourceId="Yours", ResourceIdentifier=yours(world))
            ],
        },
        look=templates,
        changes={
            "AddResources.ResourceType": TOPIC,
            "AddResources.LogicalResourceId": "Other",
            "AddResources.ResourceIdentifier": address,
        },
    ),
    Probe(
        operation="UpdateGeneratedTemplate",
        arrange=lambda world: (
            templated(world),
            world("DeleteResource", TypeName=QUEUE, Identifier=address(world)["QueueUrl"]),
        ),
        base={"GeneratedTemplateName": "g", "TemplateConfiguration": STANDARD},
        look=templates,
        changes={"RefreshAllResources": True},
    ),
    *(
        Probe(
            operation=name,
            arrange=templated,
            base={"GeneratedTemplateName": "g"},
            look=templates,
            changes={"GeneratedTemplateName": "z"},
        )
        for name in ("DescribeGeneratedTemplate", "DeleteGeneratedTemplate")
    ),
    Probe(
        operation="GetGeneratedTemplate",
        arrange=templated,
        base={"GeneratedTemplateName": "g"},
        changes={"GeneratedTemplateName": "z", "Format": "YAML"},
    ),
    Probe(operation="ListGeneratedTemplates", arrange=templated, changes={"NextToken": "1", "MaxResults": 1}),
]
