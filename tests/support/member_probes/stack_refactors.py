"""Probes of the operations on stack refactors."""

from support.member_probes.probe import Probe
from support.member_probes.stacks import QUEUE, state, template

TOPIC = {"Type": "AWS::SNS::Topic"}
MAPPING = {
    "Source": {"StackName": "s", "LogicalResourceId": "A"},
    "Destination": {"StackName": "n", "LogicalResourceId": "A"},
}
SPLIT = {
    "EnableStackCreation": True,
    "StackDefinitions": [
        {"StackName": "s", "TemplateBody": template(Q=QUEUE)},
        {"StackName": "n", "TemplateBody": template(A=TOPIC)},
    ],
}


def both(world):
    """Arrange a stack with a queue and a topic."""
    world("CreateStack", StackName="s", TemplateBody=template(Q=QUEUE, A=TOPIC))


def split(world):
    """Arrange two refactors that move the topic into another stack."""
    both(world)
    for _ in range(2):
        world.saved["refactor"] = world("CreateStackRefactor", **SPLIT)["StackRefactorId"]


def refactor(world):
    """The id of the refactor that was created last."""
    return world.saved["refactor"]


def described(world):
    """What there is of the refactor that was answered."""
    found = world.saved["answer"].get("StackRefactorId", "none")
    return [
        world.tried(operation, StackRefactorId=found)
        for operation in ("DescribeStackRefactor", "ListStackRefactorActions")
    ]


PROBES = [
    Probe(
        operation="CreateStackRefactor",
        arrange=both,
        base=SPLIT,
        look=described,
        changes={
            "Description": "split",
            "EnableStackCreation": False,
            "ResourceMappings": [MAPPING],
            "StackDefinitions.StackName": "z",
            "StackDefinitions.TemplateBody": template(A=TOPIC),
            "StackDefinitions.TemplateURL": "https://example.com/template.yaml",
        },
    ),
    Probe(
        operation="CreateStackRefactor",
        arrange=both,
        base={**SPLIT, "ResourceMappings": [MAPPING]},
        look=described,
        changes={
            "ResourceMappings.Source.StackName": "n",
            "ResourceMappings.Source.LogicalResourceId": "Z",
            "ResourceMappings.Destination.StackName": "s",
            "ResourceMappings.Destination.LogicalResourceId": "Z",
        },
    ),
    Probe(
        operation="DescribeStackRefactor",
        arrange=split,
        base={"StackRefactorId": refactor},
        changes={"StackRefactorId": "none"},
    ),
    Probe(
        operation="ExecuteStackRefactor",
        arrange=split,
        base={"StackRefactorId": refactor},
        look=state,
        changes={"StackRefactorId": "none"},
    ),
    Probe(
        operation="ListStackRefactorActions",
        arrange=split,
        base={"StackRefactorId": refactor},
        changes={"StackRefactorId": "none", "MaxResults": 1, "NextToken": "1"},
    ),
    Probe(
        operation="ListStackRefactors",
        arrange=split,
        changes={"ExecutionStatusFilter": ["EXECUTE_COMPLETE"], "MaxResults": 1, "NextToken": "1"},
    ),
]
