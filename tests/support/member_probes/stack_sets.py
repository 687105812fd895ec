"""Probes of the operations on stack sets."""

import uuid

from support.member_probes.probe import ABSENT, Probe, Refusal
from support.member_probes.stacks import IAM, PARAMETERS, QUEUE, RENAMED, create, put, template, url_of

ADMINISTRATOR = "arn:aws:iam::123456789012:role/administrator"
REGIONS = ["us-east-1", "eu-west-1"]
ORDER = ["eu-west-1", "us-east-1"]


def account(world):
    """The account itself."""
    return world.account


def neighbours(world):
    """Three accounts, of which one is the world's."""
    return [world.account, "999999999901", "999999999902"]


def sets(world):
    """What there is of the stack set `t` and its instances."""
    operations = world.tried("ListStackSetOperations", StackSetName="t").get("Summaries", ())
    numbers = [each["OperationId"] for each in operations]
    return {
        "set": world.tried("DescribeStackSet", StackSetName="t"),
        "instances": world.tried("ListStackInstances", StackSetName="t"),
        "operations": operations,
        "described": [world.tried("DescribeStackSetOperation", StackSetName="t", OperationId=each) for each in numbers],
        "results": [
            world.tried("ListStackSetOperationResults", StackSetName="t", OperationId=each) for each in numbers
        ],
        "stacks": world.tried("ListStacks"),
        "overrides": world.tried(
            "DescribeStackInstance",
            StackSetName="t",
            StackInstanceAccount=world.account,
            StackInstanceRegion="us-east-1",
        ),
    }


def stack_set(body=None, /, **more):
    """Arrange the stack set `t`."""
    return lambda world: world("CreateStackSet", StackSetName="t", TemplateBody=body or template(), **more)


def instances(body=None, /, regions=("us-east-1",), accounts=None, **more):
    """Arrange the stack set `t` with instances; the operation's id is kept."""

    def arrange(world):
        stack_set(body, **more)(world)
        world.saved["operation"] = str(uuid.uuid4())
        world(
            "CreateStackInstances",
            StackSetName="t",
            Accounts=accounts(world) if accounts else [world.account],
            Regions=list(regions),
            OperationId=world.saved["operation"],
        )

    return arrange


def operation(world):
    """The operation that made the instances."""
    return world.saved["operation"]


def detected(world, body=None):
    """Arrange instances whose drift was detected."""
    instances(body)(world)
    world.saved["operation"] = world("DetectStackSetDrift", StackSetName="t")["OperationId"]


def importable(world):
    """Arrange a stack, and a stack set with an instance in another Region."""
    create()(world)
    instances(regions=["eu-west-1"])(world)


def known(world):
    """An operation id that is taken."""
    return world.saved["operation"]


PREFERRED = {"RegionConcurrencyType": "SEQUENTIAL"}
PREFERENCES = {
    "OperationPreferences.RegionConcurrencyType": "PARALLEL",
    "OperationPreferences.RegionOrder": ORDER,
    "OperationPreferences.FailureToleranceCount": 1,
    "OperationPreferences.FailureTolerancePercentage": 50,
    "OperationPreferences.MaxConcurrentCount": 1,
    "OperationPreferences.MaxConcurrentPercentage": 50,
    "OperationPreferences.ConcurrencyMode": "SOFT_FAILURE_TOLERANCE",
}


def called_as(name, arrange, **base):
    """The refusal of a delegated administrator."""
    return Refusal(operation=name, arrange=arrange, base=base, changes={"CallAs": "DELEGATED_ADMIN"})


PROBES = [
    Probe(
        operation="CreateStackSet",
        base={"StackSetName": "t", "TemplateBody": template()},
        look=sets,
        changes={
            "StackSetName": "other",
            "Description": "text",
            "TemplateBody": template(Z=QUEUE),
            "TemplateURL": url_of(template()),
            "Tags": [{"Key": "a", "Value": "b"}],
            "AdministrationRoleARN": ADMINISTRATOR,
            "ExecutionRoleName": "executor",
        },
    ),
    Probe(
        operation="CreateStackSet",
        arrange=create(),
        base={"StackSetName": "t"},
        look=sets,
        changes={"TemplateURL": url_of(template()), "StackId": lambda world: world.saved["s"]},
    ),
    Probe(
        operation="CreateStackSet",
        base={"StackSetName": "t", "TemplateBody": IAM},
        changes={"Capabilities": ["CAPABILITY_IAM"]},
    ),
    Probe(
        operation="CreateStackSet",
        arrange=stack_set(ClientRequestToken="t"),
        base={"StackSetName": "t", "TemplateBody": template()},
        changes={"ClientRequestToken": "t"},
    ),
    Probe(
        operation="CreateStackSet",
        base={
            "StackSetName": "t",
            "TemplateBody": PARAMETERS,
            "Tags": [{"Key": "a", "Value": "b"}],
            "ManagedExecution": {"Active": False},
            "Parameters": [{"ParameterKey": "P", "ParameterValue": "two"}],
        },
        look=sets,
        changes={
            "Parameters.ParameterKey": "O",
            "Parameters.ParameterValue": "three",
            "Parameters.UsePreviousValue": True,
            "Tags.Key": "c",
            "Tags.Value": "d",
            "ManagedExecution.Active": True,
        },
    ),
    Refusal(
        operation="CreateStackSet",
        base={"StackSetName": "t", "TemplateBody": template(), "AutoDeployment": {"Enabled": False}},
        changes={
            "PermissionModel": "SERVICE_MANAGED",
            "CallAs": "DELEGATED_ADMIN",
            "AutoDeployment.Enabled": True,
            "AutoDeployment.RetainStacksOnAccountRemoval": True,
            "AutoDeployment.DependsOn": ["arn:aws:cloudformation:us-east-1:123456789012:stackset/u:1"],
        },
    ),
    Probe(
        operation="UpdateStackSet",
        arrange=instances(PARAMETERS),
        base={
            "StackSetName": "t",
            "TemplateBody": PARAMETERS,
            "Tags": [{"Key": "a", "Value": "b"}],
            "ManagedExecution": {"Active": False},
            "Parameters": [{"ParameterKey": "P", "ParameterValue": "two"}],
            "OperationPreferences": PREFERRED,
        },
        look=sets,
        changes={
            "StackSetName": "other",
            "Description": "text",
            "TemplateBody": template(Z=QUEUE),
            "TemplateURL": url_of(PARAMETERS),
            "AdministrationRoleARN": ADMINISTRATOR,
            "ExecutionRoleName": "executor",
            "Parameters.ParameterKey": "O",
            "Parameters.ParameterValue": "three",
            "Parameters.UsePreviousValue": True,
            "Tags.Key": "c",
            "Tags.Value": "d",
            "ManagedExecution.Active": True,
            "OperationId": known,
            "Accounts": ["999999999901"],
            "Regions": REGIONS,
            **PREFERENCES,
        },
    ),
    Probe(
        operation="UpdateStackSet",
        arrange=stack_set(),
        base={"StackSetName": "t", "TemplateBody": RENAMED},
        look=sets,
        changes={"UsePreviousTemplate": True},
    ),
    Probe(
        operation="UpdateStackSet",
        arrange=stack_set(),
        base={"StackSetName": "t", "TemplateBody": IAM},
        changes={"Capabilities": ["CAPABILITY_IAM"]},
    ),
    Refusal(
        operation="UpdateStackSet",
        arrange=stack_set(),
        base={"StackSetName": "t", "TemplateBody": template(), "AutoDeployment": {"Enabled": False}},
        changes={
            "PermissionModel": "SERVICE_MANAGED",
            "CallAs": "DELEGATED_ADMIN",
            "AutoDeployment.Enabled": True,
            "AutoDeployment.RetainStacksOnAccountRemoval": True,
            "AutoDeployment.DependsOn": ["arn:aws:cloudformation:us-east-1:123456789012:stackset/u:1"],
        },
    ),
    Probe(
        operation="DescribeStackSetOperation",
        arrange=instances(),
        base={"StackSetName": "t", "OperationId": operation},
        changes={"StackSetName": "other", "OperationId": "other"},
    ),
    Probe(
        operation="ListStackSetOperations",
        arrange=detected,
        base={"StackSetName": "t"},
        changes={"StackSetName": "other", "NextToken": "1", "MaxResults": 1},
    ),
    Probe(
        operation="ListStackSetOperationResults",
        arrange=instances(regions=REGIONS),
        base={
            "StackSetName": "t",
            "OperationId": operation,
            "Filters": [{"Name": "OPERATION_RESULT_STATUS", "Values": "SUCCEEDED"}],
        },
        changes={
            "StackSetName": "other",
            "OperationId": "other",
            "NextToken": "1",
            "MaxResults": 1,
            "Filters.Name": ABSENT,
            "Filters.Values": "FAILED",
        },
    ),
    Probe(
        operation="StopStackSetOperation",
        arrange=instances(),
        base={"StackSetName": "t", "OperationId": operation},
        changes={"StackSetName": "other", "OperationId": "other"},
    ),
    Probe(
        operation="ImportStacksToStackSet",
        arrange=importable,
        base={
            "StackSetName": "t",
            "StackIds": [lambda world: world.saved["s"]],
            "OperationPreferences": PREFERRED,
        },
        look=sets,
        changes={
            "StackSetName": "other",
            "StackIds": ["arn:aws:cloudformation:us-east-1:123456789012:stack/z/1"],
            "StackIdsUrl": lambda world: put(world, "arn:aws:cloudformation:us-east-1:123456789012:stack/z/1"),
            "OperationId": known,
            **PREFERENCES,
        },
    ),
    Refusal(
        operation="ImportStacksToStackSet",
        arrange=lambda world: (create()(world), stack_set()(world)),
        base={"StackSetName": "t", "StackIds": [lambda world: world.saved["s"]]},
        changes={"OrganizationalUnitIds": ["ou-abcd-12345678"]},
    ),
    Probe(
        operation="DetectStackSetDrift",
        arrange=instances(),
        base={"StackSetName": "t", "OperationPreferences": PREFERRED},
        look=sets,
        changes={"StackSetName": "other", "OperationId": known, **PREFERENCES},
    ),
    Probe(
        operation="ListStackInstanceResourceDrifts",
        arrange=detected,
        base={
            "StackSetName": "t",
            "StackInstanceAccount": account,
            "StackInstanceRegion": "us-east-1",
            "OperationId": operation,
        },
        changes={
            "StackSetName": "other",
            "NextToken": "1",
            "StackInstanceResourceDriftStatuses": ["DELETED"],
            "StackInstanceAccount": "999999999901",
            "StackInstanceRegion": "eu-west-1",
            "OperationId": "other",
        },
    ),
    Probe(
        operation="ListStackInstanceResourceDrifts",
        arrange=lambda world: detected(world, template(Q=QUEUE, P=QUEUE)),
        base={
            "StackSetName": "t",
            "StackInstanceAccount": account,
            "StackInstanceRegion": "us-east-1",
            "OperationId": operation,
        },
        changes={"MaxResults": 1},
    ),
    Probe(
        operation="ListStackSetAutoDeploymentTargets",
        arrange=stack_set(),
        base={"StackSetName": "t"},
        changes={"StackSetName": "other", "NextToken": "x"},
    ),
    *(
        called_as(name, stack_set(), StackSetName="t")
        for name in (
            "DeleteStackSet",
            "DescribeStackSet",
            "DetectStackSetDrift",
            "ListStackInstances",
            "ListStackSetAutoDeploymentTargets",
            "ListStackSetOperations",
        )
    ),
    called_as("ListStackSets", stack_set()),
    called_as("ImportStacksToStackSet", stack_set(), StackSetName="t"),
    *(
        called_as(name, stack_set(), StackSetName="t", OperationId="o")
        for name in ("DescribeStackSetOperation", "ListStackSetOperationResults", "StopStackSetOperation")
    ),
    *(
        called_as(name, stack_set(), StackSetName="t", Regions=["us-east-1"], **more)
        for name, more in (
            ("CreateStackInstances", {}),
            ("UpdateStackInstances", {}),
            ("DeleteStackInstances", {"RetainStacks": False}),
        )
    ),
    called_as("GetTemplateSummary", stack_set(), StackSetName="t"),
    *(
        called_as(
            name,
            stack_set(),
            StackSetName="t",
            StackInstanceAccount=account,
            StackInstanceRegion="us-east-1",
            **more,
        )
        for name, more in (
            ("DescribeStackInstance", {}),
            ("ListStackInstanceResourceDrifts", {"OperationId": "o"}),
        )
    ),
]
