"""Probes of the operations that make, change and end stacks."""

import json

from formwork.object_store.urls import deliver_object
from support.member_probes.probe import Probe

QUEUE = {"Type": "AWS::SQS::Queue"}
HANDLE = {"Type": "AWS::CloudFormation::WaitConditionHandle"}
ROLE = "arn:aws:iam::123456789012:role/deployer"
TOPIC = "arn:aws:sns:us-east-1:123456789012:news"
ALARM = "arn:aws:cloudwatch:us-east-1:123456789012:alarm:slow"
# Its resources fail after what they depend on was made.
FAILING = {"Type": "AWS::CloudFormation::WaitCondition", "Properties": {"Handle": "http://nope", "Timeout": "1"}}


def template(*, parameter=False, **resources):
    """A template; a queue Q where there is nothing else."""
    found = {"Resources": resources or {"Q": QUEUE}}
    if parameter:
        found["Parameters"] = {"P": {"Type": "String", "Default": "one"}, "O": {"Type": "String", "Default": "x"}}
        found["Outputs"] = {"P": {"Value": {"Ref": "P"}}}
    return json.dumps(found)


BROKEN = template(Q=QUEUE, W={**FAILING, "DependsOn": "Q"})
PARAMETERS = template(parameter=True)
IAM = template(R={"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {}}})
DENY = json.dumps({"Statement": [{"Effect": "Deny", "Action": "Update:*", "Principal": "*", "Resource": "*"}]})
ALLOW = DENY.replace("Deny", "Allow")
RENAMED = template(Q={**QUEUE, "Properties": {"QueueName": "renamed"}})
TRIGGERS = {"RollbackTriggers": [{"Arn": ALARM, "Type": "AWS::CloudWatch::Alarm"}], "MonitoringTimeInMinutes": 0}


def state(world, name="s"):
    """What there is of a stack."""
    events = world.tried("DescribeStackEvents", StackName=name).get("StackEvents", ())
    resources = world.tried("ListStackResources", StackName=name).get("StackResourceSummaries", ())
    return {
        "stack": world.tried("DescribeStacks", StackName=name),
        "policy": world.tried("GetStackPolicy", StackName=name),
        "template": world.tried("GetTemplate", StackName=name),
        "events": [{key: each[key] for key in sorted(each) if key != "Timestamp"} for each in events],
        "resources": [{key: each[key] for key in each if key != "LastUpdatedTimestamp"} for each in resources],
    }


def unstarted(world):
    """What there is of a stack whose operation was held; it is never started."""
    found = state(world)
    world.service.drop()
    return found


def held(*arrangements):
    """Arrange, and then start nothing more."""

    def arrange(world):
        for each in arrangements:
            each(world)
        world.service.hold(True)

    return arrange


def create(body=None, /, **more):
    """Arrange a stack `s`; its id is kept by that name."""

    def arrange(world):
        made = world("CreateStack", StackName="s", TemplateBody=body or template(), **more)
        world.saved["s"] = made["StackId"]

    return arrange


def url_of(content):
    """Arrange an object, and return its URL."""
    return lambda world: put(world, content)


def put(world, content, key="document"):
    """An object in a bucket of the account's; its URL."""
    bucket = f"bucket-{world.account}"
    world.service.parts.objects.create_bucket(bucket, account=world.account, region=world.region)
    deliver_object(world.service.parts.objects, account=world.account, bucket=bucket, key=key, content=content.encode())
    return f"https://{bucket}.s3.{world.region}.amazonaws.com/{key}"


BODY = {"StackName": "s", "TemplateBody": template()}
PARAMETER = {
    "StackName": "s",
    "TemplateBody": PARAMETERS,
    "Parameters": [{"ParameterKey": "P", "ParameterValue": "two"}],
}

PROBES = [
    Probe(
        operation="CreateStack",
        base=BODY,
        look=state,
        changes={
            "StackName": "other",
            "TemplateBody": template(Z=QUEUE),
            "TimeoutInMinutes": 5,
            "NotificationARNs": [TOPIC],
            "ResourceTypes": ["AWS::SNS::*"],
            "RoleARN": ROLE,
            "StackPolicyBody": DENY,
            "StackPolicyURL": url_of(DENY),
            "ClientRequestToken": "token",
            "EnableTerminationProtection": True,
            "Tags": [{"Key": "a", "Value": "b"}],
            "DisableRollback": True,
        },
    ),
    Probe(operation="CreateStack", base={"StackName": "s"}, look=state, changes={"TemplateURL": url_of(template())}),
    Probe(
        operation="CreateStack",
        base={"StackName": "s", "TemplateBody": IAM},
        changes={"Capabilities": ["CAPABILITY_IAM"]},
    ),
    Probe(
        operation="CreateStack",
        base=PARAMETER,
        look=state,
        changes={"Parameters.ParameterKey": "O", "Parameters.ParameterValue": "three"},
    ),
    Probe(
        operation="CreateStack",
        base={"StackName": "s", "TemplateBody": PARAMETERS, "Parameters": [{"ParameterKey": "P"}]},
        changes={"Parameters.UsePreviousValue": True},
    ),
    Probe(
        operation="CreateStack",
        base={"StackName": "s", "TemplateBody": BROKEN},
        look=state,
        changes={"OnFailure": "DELETE", "DisableRollback": True},
    ),
    Probe(
        operation="CreateStack",
        base={
            "StackName": "s",
            "TemplateBody": template(Q={**QUEUE, "DeletionPolicy": "Retain"}, W={**FAILING, "DependsOn": "Q"}),
        },
        look=state,
        changes={"RetainExceptOnCreate": True},
    ),
    Probe(
        operation="CreateStack",
        arrange=held(),
        base={**BODY, "Tags": [{"Key": "a", "Value": "b"}], "RollbackConfiguration": TRIGGERS},
        look=unstarted,
        changes={
            "Tags.Key": "c",
            "Tags.Value": "d",
            "RollbackConfiguration.MonitoringTimeInMinutes": 1,
            "RollbackConfiguration.RollbackTriggers.Arn": "arn:aws:sqs:us-east-1:123456789012:q",
            "RollbackConfiguration.RollbackTriggers.Type": "AWS::SQS::Queue",
        },
    ),
    Probe(
        operation="UpdateStack",
        arrange=create(template(Q=QUEUE, H=HANDLE)),
        base={"StackName": "s", "TemplateBody": RENAMED},
        look=state,
        changes={
            "StackName": "other",
            "TemplateBody": template(Z=QUEUE),
            "UsePreviousTemplate": True,
            "StackPolicyBody": DENY,
            "StackPolicyURL": url_of(DENY),
            "NotificationARNs": [TOPIC],
            "ResourceTypes": ["AWS::SNS::*"],
            "RoleARN": ROLE,
            "ClientRequestToken": "token",
            "Tags": [{"Key": "a", "Value": "b"}],
        },
    ),
    Probe(
        operation="UpdateStack",
        arrange=create(StackPolicyBody=DENY),
        base={"StackName": "s", "TemplateBody": RENAMED},
        look=state,
        changes={"StackPolicyDuringUpdateBody": ALLOW, "StackPolicyDuringUpdateURL": url_of(ALLOW)},
    ),
    Probe(operation="UpdateStack", arrange=create(), base={"StackName": "s"}, changes={"TemplateURL": url_of(RENAMED)}),
    Probe(
        operation="UpdateStack",
        arrange=create(),
        base={"StackName": "s", "TemplateBody": IAM},
        changes={"Capabilities": ["CAPABILITY_IAM"]},
    ),
    Probe(
        operation="UpdateStack",
        arrange=create(PARAMETERS, Parameters=[{"ParameterKey": "P", "ParameterValue": "old"}]),
        base={
            "StackName": "s",
            "TemplateBody": PARAMETERS.replace('"Q"', '"Z"'),
            "Parameters": [{"ParameterKey": "P", "ParameterValue": "two"}],
        },
        look=state,
        changes={"Parameters.ParameterKey": "O", "Parameters.ParameterValue": "three"},
    ),
    Probe(
        operation="UpdateStack",
        arrange=held(create(PARAMETERS, Parameters=[{"ParameterKey": "P", "ParameterValue": "old"}])),
        base={
            "StackName": "s",
            "UsePreviousTemplate": True,
            "Tags": [{"Key": "a", "Value": "b"}],
            "RollbackConfiguration": TRIGGERS,
        },
        look=unstarted,
        changes={
            "Tags.Key": "c",
            "Tags.Value": "d",
            "RollbackConfiguration.MonitoringTimeInMinutes": 1,
            "RollbackConfiguration.RollbackTriggers.Arn": "arn:aws:sqs:us-east-1:123456789012:q",
            "RollbackConfiguration.RollbackTriggers.Type": "AWS::SQS::Queue",
        },
    ),
    Probe(
        operation="UpdateStack",
        arrange=create(PARAMETERS),
        base={
            "StackName": "s",
            "TemplateBody": PARAMETERS.replace('"Q"', '"Z"'),
            "Parameters": [{"ParameterKey": "P"}],
        },
        changes={"Parameters.UsePreviousValue": True},
    ),
    Probe(
        operation="UpdateStack",
        arrange=create(),
        base={
            "StackName": "s",
            "TemplateBody": template(
                Q=QUEUE, R={**HANDLE, "DeletionPolicy": "Retain"}, W={**FAILING, "DependsOn": "R"}
            ),
        },
        look=state,
        changes={"DisableRollback": True, "RetainExceptOnCreate": True},
    ),
    Probe(
        operation="UpdateTerminationProtection",
        arrange=create(),
        base={"StackName": "s", "EnableTerminationProtection": False},
        look=state,
        changes={"EnableTerminationProtection": True, "StackName": "other"},
    ),
    Probe(
        operation="SetStackPolicy",
        arrange=create(),
        base={"StackName": "s", "StackPolicyBody": DENY},
        look=state,
        changes={"StackPolicyBody": ALLOW, "StackName": "other", "StackPolicyURL": url_of(DENY)},
    ),
    Probe(
        operation="DeleteStack",
        arrange=create(),
        base={"StackName": "s"},
        look=lambda world: state(world, world.saved["s"]),
        changes={"StackName": "other", "RoleARN": ROLE, "ClientRequestToken": "token"},
    ),
]
