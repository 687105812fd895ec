"""Probes of the operations that change or list the instances of stack sets."""

from support.member_probes.probe import Probe, Refusal
from support.member_probes.stack_sets import (
    PREFERENCES,
    PREFERRED,
    REGIONS,
    account,
    instances,
    known,
    sets,
    stack_set,
)
from support.member_probes.stacks import PARAMETERS, RENAMED, put, template


def targets(name, arrange, base):
    """Probes of the members that say which instances an operation changes."""
    by_targets = {key: each for key, each in base.items() if key != "Accounts"} | {
        "DeploymentTargets": {"Accounts": [account]}
    }
    by_url = {**by_targets, "DeploymentTargets": {}}
    return [
        Probe(
            operation=name,
            arrange=arrange,
            base={**base, "OperationPreferences": PREFERRED},
            look=sets,
            changes={
                "StackSetName": "other",
                "Accounts": ["999999999901"],
                "Regions": ["eu-west-1"],
                "OperationId": known,
                **PREFERENCES,
            },
        ),
        Probe(
            operation=name,
            arrange=arrange,
            base=by_targets,
            look=sets,
            changes={"DeploymentTargets.Accounts": ["999999999901"]},
        ),
        Probe(
            operation=name,
            arrange=arrange,
            base=by_url,
            look=sets,
            changes={"DeploymentTargets.AccountsUrl": lambda world: put(world, world.account)},
        ),
        Refusal(
            operation=name,
            arrange=arrange,
            base=by_targets,
            changes={
                "DeploymentTargets.OrganizationalUnitIds": ["ou-abcd-12345678"],
                "DeploymentTargets.AccountFilterType": "UNION",
            },
        ),
    ]


PROBES = [
    *targets(
        "CreateStackInstances",
        instances(),
        {"StackSetName": "t", "Accounts": [account], "Regions": ["us-east-1"]},
    ),
    *targets(
        "UpdateStackInstances",
        instances(),
        {"StackSetName": "t", "Accounts": [account], "Regions": ["us-east-1"]},
    ),
    *targets(
        "DeleteStackInstances",
        instances(),
        {"StackSetName": "t", "Accounts": [account], "Regions": ["us-east-1"], "RetainStacks": False},
    ),
    *targets(
        "UpdateStackSet",
        instances(),
        {"StackSetName": "t", "Accounts": [account], "Regions": ["us-east-1"], "TemplateBody": RENAMED},
    ),
    Probe(
        operation="DeleteStackInstances",
        arrange=instances(),
        base={"StackSetName": "t", "Accounts": [account], "Regions": ["us-east-1"], "RetainStacks": False},
        look=sets,
        changes={"RetainStacks": True},
    ),
    *(
        Probe(
            operation=name,
            arrange=instances(PARAMETERS) if name.startswith("Update") else stack_set(PARAMETERS),
            base={
                "StackSetName": "t",
                "Accounts": [account],
                "Regions": ["us-east-1"],
                "ParameterOverrides": [{"ParameterKey": "P", "ParameterValue": "two"}],
            },
            look=sets,
            changes={
                "ParameterOverrides.ParameterKey": "O",
                "ParameterOverrides.ParameterValue": "three",
                "ParameterOverrides.UsePreviousValue": True,
            },
        )
        for name in ("CreateStackInstances", "UpdateStackInstances")
    ),
    Probe(
        operation="DeleteStackSet",
        arrange=stack_set(),
        base={"StackSetName": "t"},
        look=sets,
        changes={"StackSetName": "other"},
    ),
    Probe(operation="DescribeStackSet", arrange=stack_set(), base={"StackSetName": "t"}, changes={"StackSetName": "z"}),
    Probe(
        operation="ListStackSets",
        arrange=lambda world: (stack_set()(world), world("CreateStackSet", StackSetName="u", TemplateBody=template())),
        changes={"NextToken": "1", "MaxResults": 1, "Status": "DELETED"},
    ),
    Probe(
        operation="DescribeStackInstance",
        arrange=instances(regions=REGIONS),
        base={"StackSetName": "t", "StackInstanceAccount": account, "StackInstanceRegion": "us-east-1"},
        changes={
            "StackSetName": "other",
            "StackInstanceAccount": "999999999901",
            "StackInstanceRegion": "eu-west-1",
        },
    ),
    Probe(
        operation="ListStackInstances",
        arrange=instances(regions=REGIONS),
        base={"StackSetName": "t", "Filters": [{"Name": "DETAILED_STATUS", "Values": "SUCCEEDED"}]},
        changes={
            "StackSetName": "other",
            "NextToken": "1",
            "MaxResults": 1,
            "Filters.Name": "DRIFT_STATUS",
            "Filters.Values": "FAILED",
            "StackInstanceAccount": "999999999901",
            "StackInstanceRegion": "eu-west-1",
        },
    ),
]
