"""Probes of STS, IAM, CloudWatch Logs and SSM as far as they are served."""

import json
import os
from datetime import UTC, datetime

from support.member_probes.probe import Probe, Refusal
from support.member_probes.stacks import template

TRUST = json.dumps({"Statement": []})
LONG = "x" * 200
ROLE = "arn:aws:iam::123456789012:role/deployer"
ASSUMED = {
    "RoleArn": ROLE,
    "RoleSessionName": "session",
    "Tags": [{"Key": "a", "Value": "b"}],
    "PolicyArns": [{"arn": "arn:aws:iam::aws:policy/ReadOnlyAccess"}],
}


def round_hours(world):
    """How many hours the credentials of an answer are valid, and which keys they are."""
    credentials = world.saved["answer"].pop("Credentials", None)
    if credentials is None:
        return None
    left = credentials["Expiration"] - datetime.now(UTC)
    return round(left.total_seconds() / 3600, 1)


SESSIONS = [
    Probe(
        operation="AssumeRole",
        base=ASSUMED,
        look=round_hours,
        changes={
            "RoleArn": ROLE.replace("deployer", "other"),
            "RoleSessionName": "other",
            "DurationSeconds": 40_000,
            "Policy": "text",
            "Tags.Key": LONG[:100],
            "Tags.Value": LONG,
            "PolicyArns.arn": f"arn:aws:iam::aws:policy/{LONG}",
            "TransitiveTagKeys": ["z"],
            "SerialNumber": "arn:aws:iam::123456789012:mfa/user",
            "TokenCode": "123456",
            "SourceIdentity": "person",
        },
    ),
    Refusal(
        operation="AssumeRole",
        base=ASSUMED,
        look=round_hours,
        changes={
            "ProvidedContexts": [{"ProviderArn": "arn:aws:iam::aws:contextProvider/IdentityCenter"}],
            "MinimumSessionTokenSize": 1,
        },
    ),
    Probe(
        operation="GetSessionToken",
        look=round_hours,
        changes={
            "DurationSeconds": 900,
            "SerialNumber": "arn:aws:iam::123456789012:mfa/user",
            "TokenCode": "123456",
        },
    ),
    Refusal(operation="GetSessionToken", look=round_hours, changes={"MinimumSessionTokenSize": 1}),
]


def role(world):
    """Arrange two roles, of which one has two policies."""
    for name in "r", "q":
        world("CreateRole", RoleName=name, AssumeRolePolicyDocument=TRUST)
    for name in "p", "o":
        world("PutRolePolicy", RoleName="r", PolicyName=name, PolicyDocument=TRUST)


def roles(world):
    """What there is of roles."""
    listed = world("ListRoles")["Roles"]
    return listed, [world.tried("GetRolePolicy", RoleName="r", PolicyName=name) for name in ("p", "o", "n")]


OF_ROLE = {"RoleName": "r", "PolicyName": "p"}
OTHER = {"RoleName": "z", "PolicyName": "n"}
ROLES = [
    Probe(
        operation="CreateRole",
        base={"RoleName": "r", "AssumeRolePolicyDocument": TRUST, "Tags": [{"Key": "a", "Value": "b"}]},
        look=roles,
        changes={
            "Path": "/path/",
            "RoleName": "other",
            "AssumeRolePolicyDocument": '{"Statement": [1]}',
            "Description": "text",
            "MaxSessionDuration": 7200,
            "PermissionsBoundary": "arn:aws:iam::aws:policy/ReadOnlyAccess",
            "Tags.Key": "c",
            "Tags.Value": "d",
        },
    ),
    Probe(operation="GetRole", arrange=role, base={"RoleName": "r"}, changes={"RoleName": "q"}),
    Probe(operation="DeleteRole", arrange=role, base={"RoleName": "q"}, look=roles, changes={"RoleName": "z"}),
    Probe(operation="ListRoles", arrange=role, changes={"PathPrefix": "/z/", "Marker": "q", "MaxItems": 1}),
    Probe(
        operation="ListRolePolicies",
        arrange=role,
        base={"RoleName": "r"},
        changes={"RoleName": "q", "Marker": "o", "MaxItems": 1},
    ),
    Probe(operation="GetRolePolicy", arrange=role, base=OF_ROLE, changes=OTHER),
    Probe(operation="DeleteRolePolicy", arrange=role, base=OF_ROLE, look=roles, changes=OTHER),
    Probe(
        operation="PutRolePolicy",
        arrange=role,
        base={**OF_ROLE, "PolicyDocument": TRUST},
        look=roles,
        changes={**OTHER, "PolicyDocument": "{}"},
    ),
    Probe(
        operation="UpdateAssumeRolePolicy",
        arrange=role,
        base={"RoleName": "r", "PolicyDocument": TRUST},
        look=roles,
        changes={"RoleName": "z", "PolicyDocument": "{}"},
    ),
]


def logged(world):
    """Arrange two groups of logs with streams of three events in all."""
    root = world.service.folder / "logs" / world.account / world.region
    for group, stream, text in [
        ("one", "first", "1970-01-01T00:00:01Z\thello\n1970-01-01T00:00:03Z\tworld\n"),
        ("one", "second", "1970-01-01T00:00:02Z\tbetween\n"),
        ("two", "first", "1970-01-01T00:00:01Z\tother\n"),
    ]:
        path = root / group / stream
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        when = 1_000_000 if stream == "second" else 2_000_000
        os.utime(path, (when, when))


def group_arn(world):
    """The second group's ARN."""
    return f"arn:aws:logs:{world.region}:{world.account}:log-group:two"


BETWEEN = {"startTime": 2000, "endTime": 3000, "nextToken": "f/1", "limit": 1}
OF_GROUP = {"logGroupName": "two", "nextToken": "f/1", "limit": 1}
LOGS = [
    Probe(
        operation="DescribeLogGroups",
        arrange=logged,
        changes={
            "logGroupNamePrefix": "on",
            "logGroupNamePattern": "tw",
            "nextToken": "f/1",
            "limit": 1,
            "logGroupClass": "INFREQUENT_ACCESS",
            "logGroupIdentifiers": [group_arn],
        },
    ),
    Refusal(
        operation="DescribeLogGroups",
        arrange=logged,
        changes={"accountIdentifiers": ["123456789012"], "includeLinkedAccounts": True},
    ),
    Probe(
        operation="DescribeLogStreams",
        arrange=logged,
        base={"logGroupName": "one"},
        changes={**OF_GROUP, "logStreamNamePrefix": "s", "orderBy": "LastEventTime", "descending": True},
    ),
    Probe(
        operation="GetLogEvents",
        arrange=logged,
        base={"logGroupName": "one", "logStreamName": "first"},
        changes={"logGroupName": "two", "logStreamName": "second", **BETWEEN},
    ),
    Probe(
        operation="GetLogEvents",
        arrange=logged,
        base={"logGroupName": "one", "logStreamName": "first", "limit": 1},
        changes={"startFromHead": True},
    ),
    Probe(
        operation="FilterLogEvents",
        arrange=logged,
        base={"logGroupName": "one"},
        changes={
            "logGroupName": "two",
            "logStreamNames": ["second"],
            "logStreamNamePrefix": "s",
            "filterPattern": "hello",
            "startFromHead": False,
            **BETWEEN,
            "endTime": 2000,
        },
    ),
    *(
        Probe(operation=name, arrange=logged, base=more, changes={"logGroupIdentifier": group_arn})
        for name, more in (
            ("DescribeLogStreams", {}),
            ("GetLogEvents", {"logStreamName": "first"}),
            ("FilterLogEvents", {}),
        )
    ),
]


def parameters(world):
    """Arrange parameters `/a/b`, `/a/c` and `/a/d/e` that a stack makes, and a secret one elsewhere."""
    value = {"Type": "String", "Value": "v"}
    names = ("/a/b", "/a/c", "/a/d/e")
    resources = {
        f"P{number}": {"Type": "AWS::SSM::Parameter", "Properties": {**value, "Name": name}}
        for number, name in enumerate(names)
    }
    world("CreateStack", StackName="s", TemplateBody=template(**resources))
    world.service.store({"/secret": "hidden"}, secret=True)


PARAMETERS = [
    Probe(operation="GetParameter", arrange=parameters, base={"Name": "/a/b"}, changes={"Name": "/a/c"}),
    Probe(operation="GetParameter", arrange=parameters, base={"Name": "/secret"}, changes={"WithDecryption": True}),
    Probe(operation="GetParameters", arrange=parameters, base={"Names": ["/secret"]}, changes={"WithDecryption": True}),
    Probe(operation="GetParameters", arrange=parameters, base={"Names": ["/a/b"]}, changes={"Names": ["/a/c"]}),
    Probe(
        operation="GetParametersByPath",
        arrange=parameters,
        base={"Path": "/a"},
        changes={"Path": "/a/d", "Recursive": True, "MaxResults": 1, "NextToken": "1"},
    ),
    Refusal(
        operation="GetParametersByPath",
        arrange=parameters,
        base={"Path": "/a"},
        changes={"ParameterFilters": [{"Key": "Type", "Option": "Equals", "Values": ["String"]}]},
    ),
]
