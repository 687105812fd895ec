"""Probes of the operations on hooks' results."""

from support.member_probes.probe import ABSENT, Probe
from support.member_probes.registry import CONFIGURED, registered
from support.member_probes.stacks import template

ABSENT_ID = "c3df4a19-0000-4000-8000-000000000000"
BUCKET = {"Type": "AWS::S3::Bucket"}


def planned(world):
    """Arrange a change set that a hook will look at."""
    registered(world)
    world("SetTypeConfiguration", **CONFIGURED)
    for name in "c", "d":
        body = template(B=BUCKET) if name == "c" else template()
        world("CreateChangeSet", StackName=name, ChangeSetName=name, ChangeSetType="CREATE", TemplateBody=body)


PROBES = [
    Probe(
        operation="DescribeChangeSetHooks",
        arrange=planned,
        base={"ChangeSetName": "c", "StackName": "c"},
        changes={"ChangeSetName": "d", "StackName": "d", "NextToken": "1", "LogicalResourceId": "Z"},
    ),
    Probe(operation="ListHookResults", changes={"TargetType": "STACK", "TargetId": "s", "NextToken": "x"}),
    Probe(operation="ListHookResults", changes={"Status": "HOOK_FAILED"}),
    Probe(
        operation="ListHookResults",
        base={"TargetType": "CLOUD_CONTROL", "TargetId": "t"},
        changes={"TypeArn": "arn:aws:cloudformation:us-east-1:123456789012:type/hook/Acme-Store-Guard"},
    ),
    Probe(operation="GetHookResult", base={"HookResultId": ABSENT_ID}, changes={"HookResultId": ABSENT}),
]
