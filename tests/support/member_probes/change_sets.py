"""Probes of the operations on change sets."""

import json

from support.member_probes.probe import Probe
from support.member_probes.stacks import (
    DENY,
    FAILING,
    HANDLE,
    IAM,
    PARAMETERS,
    QUEUE,
    RENAMED,
    ROLE,
    TOPIC,
    TRIGGERS,
    create,
    put,
    state,
    template,
    url_of,
)

NEW = {"StackName": "s", "ChangeSetName": "c", "ChangeSetType": "CREATE", "TemplateBody": template()}
CHANGE = {"StackName": "s", "ChangeSetName": "c", "TemplateBody": RENAMED}
IMPORTED = {"Type": "AWS::SQS::Queue", "DeletionPolicy": "Retain", "Properties": {"QueueName": "mine"}}


def described(world, name="c"):
    """What a change set is, and what its stack has become once it was executed."""
    found = {"before": world.tried("DescribeChangeSet", StackName="s", ChangeSetName=name)}
    found["executed"] = world.tried("ExecuteChangeSet", StackName="s", ChangeSetName=name)
    return {**found, **state(world)}


def change(arrange=None, /, **more):
    """Arrange a change set `c` of the stack `s`."""

    def run(world):
        (arrange or create())(world)
        made = world("CreateChangeSet", **{**CHANGE, **more})
        world.saved["c"] = made["Id"]

    return run


def queue(world):
    """Arrange a queue `mine` that belongs to no stack."""
    world("CreateResource", TypeName="AWS::SQS::Queue", DesiredState=json.dumps({"QueueName": "mine"}))


def queue_address(world):
    """The identifier of the queue `mine`."""
    return {"QueueUrl": f"https://sqs.{world.region}.amazonaws.com/{world.account}/mine"}


def nested(world):
    """A template with a nested stack."""
    child = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": put(world, template())}}
    return template(C=child, Q={**QUEUE, "Properties": {"QueueName": "renamed"}})


PROBES = [
    Probe(
        operation="CreateChangeSet",
        base=NEW,
        look=described,
        changes={
            "StackName": "other",
            "ChangeSetName": "other",
            "ChangeSetType": "UPDATE",
            "TemplateBody": template(Z=QUEUE),
            "ResourceTypes": ["AWS::SNS::*"],
            "RoleARN": ROLE,
            "NotificationARNs": [TOPIC],
            "Tags": [{"Key": "a", "Value": "b"}],
            "Description": "text",
            "OnStackFailure": "DELETE",
        },
    ),
    Probe(
        operation="CreateChangeSet",
        base={key: NEW[key] for key in NEW if key != "TemplateBody"},
        changes={"TemplateURL": url_of(template())},
    ),
    Probe(
        operation="CreateChangeSet",
        base={**NEW, "TemplateBody": IAM},
        look=described,
        changes={"Capabilities": ["CAPABILITY_IAM"]},
    ),
    Probe(
        operation="CreateChangeSet",
        arrange=change(create(), ClientToken="t"),
        base={**CHANGE, "Description": None},
        changes={"ClientToken": "t"},
    ),
    Probe(
        operation="CreateChangeSet",
        arrange=create(PARAMETERS),
        base={**CHANGE, "TemplateBody": PARAMETERS, "Parameters": [{"ParameterKey": "P", "ParameterValue": "two"}]},
        look=described,
        changes={"Parameters.ParameterKey": "O", "Parameters.ParameterValue": "three"},
    ),
    Probe(
        operation="CreateChangeSet",
        arrange=create(),
        base=CHANGE,
        look=described,
        changes={"UsePreviousTemplate": True},
    ),
    Probe(
        operation="CreateChangeSet",
        arrange=create(PARAMETERS),
        base={**CHANGE, "TemplateBody": PARAMETERS, "Parameters": [{"ParameterKey": "P"}]},
        look=described,
        changes={"Parameters.UsePreviousValue": True},
    ),
    Probe(
        operation="CreateChangeSet",
        base={**NEW, "Tags": [{"Key": "a", "Value": "b"}], "RollbackConfiguration": TRIGGERS},
        look=lambda world: world.tried("DescribeChangeSet", StackName="s", ChangeSetName="c"),
        changes={
            "Tags.Key": "c",
            "Tags.Value": "d",
            "RollbackConfiguration.MonitoringTimeInMinutes": 1,
            "RollbackConfiguration.RollbackTriggers.Arn": "arn:aws:sqs:us-east-1:123456789012:q",
            "RollbackConfiguration.RollbackTriggers.Type": "AWS::SQS::Queue",
        },
    ),
    Probe(
        operation="CreateChangeSet",
        arrange=create(),
        base={**CHANGE, "TemplateBody": nested},
        look=lambda world: world.tried("DescribeChangeSet", StackName="s", ChangeSetName="c"),
        changes={"IncludeNestedStacks": True},
    ),
    Probe(
        operation="CreateChangeSet",
        arrange=queue,
        base={**NEW, "TemplateBody": template(Q=IMPORTED)},
        look=described,
        changes={"ImportExistingResources": True},
    ),
    Probe(
        operation="CreateChangeSet",
        arrange=queue,
        base={
            "StackName": "s",
            "ChangeSetName": "c",
            "ChangeSetType": "IMPORT",
            "TemplateBody": template(Q=IMPORTED),
            "ResourcesToImport": [
                {"ResourceType": "AWS::SQS::Queue", "LogicalResourceId": "Q", "ResourceIdentifier": queue_address}
            ],
        },
        look=described,
        changes={
            "ResourcesToImport.ResourceType": "AWS::SNS::Topic",
            "ResourcesToImport.LogicalResourceId": "Z",
            "ResourcesToImport.ResourceIdentifier": {"QueueUrl": "other"},
        },
    ),
    Probe(
        operation="DescribeChangeSet",
        arrange=change(),
        base={"StackName": "s", "ChangeSetName": "c"},
        changes={
            "StackName": "other",
            "ChangeSetName": "other",
            "NextToken": "1",
            "IncludePropertyValues": True,
        },
    ),
    Probe(
        operation="ExecuteChangeSet",
        arrange=change(),
        base={"StackName": "s", "ChangeSetName": "c"},
        look=state,
        changes={"StackName": "other", "ChangeSetName": "other", "ClientRequestToken": "token"},
    ),
    Probe(
        operation="ExecuteChangeSet",
        arrange=change(
            TemplateBody=template(Q=QUEUE, R={**HANDLE, "DeletionPolicy": "Retain"}, W={**FAILING, "DependsOn": "R"})
        ),
        base={"StackName": "s", "ChangeSetName": "c"},
        look=state,
        changes={"DisableRollback": True, "RetainExceptOnCreate": True},
    ),
    Probe(
        operation="DeleteChangeSet",
        arrange=change(),
        base={"StackName": "s", "ChangeSetName": "c"},
        look=lambda world: world("ListChangeSets", StackName="s"),
        changes={"StackName": "other", "ChangeSetName": "other"},
    ),
    Probe(
        operation="ListChangeSets",
        arrange=change(),
        base={"StackName": "s"},
        changes={"StackName": "other", "NextToken": "1"},
    ),
    Probe(
        operation="GetTemplate",
        arrange=change(),
        base={"StackName": "s"},
        changes={"StackName": "other", "ChangeSetName": "c"},
    ),
    Probe(
        operation="DescribeEvents",
        arrange=change(),
        base={"StackName": "s"},
        changes={"StackName": "other", "ChangeSetName": "c", "NextToken": "1", "OperationId": "other"},
    ),
    Probe(
        operation="DescribeEvents",
        arrange=create(),
        base={"StackName": "s", "Filters": {"FailedEvents": False}},
        changes={"Filters.FailedEvents": True},
    ),
    Probe(
        operation="SetStackPolicy",
        arrange=create(),
        base={"StackName": "s"},
        look=state,
        changes={"StackPolicyBody": DENY, "StackPolicyURL": url_of(DENY)},
    ),
]
