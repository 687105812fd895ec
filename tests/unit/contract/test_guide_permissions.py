"""The roles and the handlers' permissions that the user guide shows, against the calls of the handlers that it shows.

The calls are requests as boto3 signs them, read as the gate reads them.
"""

import re

import boto3
import pytest
from botocore.config import Config

from formwork.contract.permissions import CLAUSES, judge_permissions
from formwork.egress.iam_actions import read_call
from formwork.egress.messages import Outgoing
from formwork.lambda_host.http_messages import Request
from formwork.lambda_host.outgoing_calls import AnsweredBy, OutgoingCall
from support.permission_runs import ran, subject_with
from support.seeds import chapter, code_blocks, guide, needs_guide

pytestmark = needs_guide

REQUIRED = {
    "create_security_group": {"GroupName": "a", "Description": "b", "VpcId": "vpc-1"},
    "run_instances": {"MinCount": 1, "MaxCount": 1, "ImageId": "ami-1"},
    "delete_security_group": {"GroupId": "sg-1"},
    "terminate_instances": {"InstanceIds": ["i-1"]},
    "authorize_security_group_ingress": {"GroupId": "sg-1"},
    "get_bucket_encryption": {"Bucket": "things"},
    "head_bucket": {"Bucket": "things"},
    "get_queue_url": {"QueueName": "things"},
    "get_queue_attributes": {"QueueUrl": "https://sqs.us-east-1.amazonaws.com/123456789012/things"},
}


class Stopped(Exception):
    pass


def calls_of(service, *operations):
    """What the gate makes of the requests that boto3 sends for these operations."""
    settings = Config(retries={"total_max_attempts": 1})
    client = boto3.Session("AKIDEXAMPLE", "x", region_name="us-east-1").client(service, config=settings)
    found = []

    def stop(request, **_more):
        _, _, rest = request.url.partition("://")
        host, _, target = rest.partition("/")
        path, _, query = target.partition("?")
        headers = {
            name.lower(): value.decode() if isinstance(value, bytes) else value
            for name, value in request.headers.items()
        }
        body = request.body or b""
        sent = Request(request.method, f"/{path}", query, headers, body.encode() if isinstance(body, str) else body)
        found.append((host, sent, read_call(Outgoing("https", host, 443, sent))))
        raise Stopped

    client.meta.events.register("before-send", stop)
    for operation in operations:
        with pytest.raises(Stopped):
            getattr(client, operation)(**REQUIRED.get(operation, {}))
    return [
        OutgoingCall(host, 443, sent.method, sent.path, call, 200, 1.0, AnsweredBy.STAND_IN)
        for host, sent, call in found
    ]


def operations_in(java):
    """The operations that a handler of the guide calls, as boto3 names them."""
    names = dict.fromkeys(re.findall(r"ec2Client::(\w+)", java))
    return [re.sub(r"(?=[A-Z])", "_", name).lower() for name in names]


def judged(permissions, calls):
    """Clause → what is said of a handler with these permissions that makes these calls."""
    found = judge_permissions(subject_with(delete=permissions), [ran(*calls, action="DELETE")], complete=True)
    said = dict.fromkeys(CLAUSES, "open") | dict.fromkeys(found.held)
    # The other handlers of the subject call nothing, so that `unused` is open for them.
    said |= {clause: None for clause, each in found.open.items() if each.reason.endswith(OTHERS)}
    return said | {each.clause: each.message for each in found.findings}


OTHERS = "no call of create, read, update, list was answered"
PROVED = dict.fromkeys(CLAUSES)
SAMPLE = ("Model the resource type", "Implement the Resource handler")
HANDLERS = {
    "create": ("Implement the Create handler", "Implement the Delete handler"),
    "delete": ("Implement the Delete handler", "Test the resource type"),
}


def permissions_of(handler):
    """The permissions of a handler in the guide's sample schema, as they are published."""
    schema = "".join(code_blocks(chapter(*SAMPLE))[:2])
    (listed,) = re.findall(rf'"{handler}": {{\s*"permissions": \[(.*?)\]', schema, re.DOTALL)
    return re.findall(r'"(.*?)"', listed)


@pytest.mark.parametrize("handler", ["create", "delete"])
def test_the_sample_types_permissions(handler):
    """The guide lists `ec2>DeleteSecurityGroup`: named as missing; written with its colon, the list is proved."""
    published, operations = permissions_of(handler), operations_in(chapter(*HANDLERS[handler]))
    calls = calls_of("ec2", *operations)
    assert "ec2>DeleteSecurityGroup" in published
    said = judged(published, calls)
    assert said["permissions.missing"] == (
        "delete calls ec2 DeleteSecurityGroup, and its permissions lack ec2:DeleteSecurityGroup"
    )
    assert judged([each.replace(">", ":") for each in published], calls) == PROVED


def role_actions():
    """The actions of each execution role that the guide shows."""
    roles = re.findall(r"^  ExecutionRole:\n(?:.*\n)*?^Outputs:", guide(), re.MULTILINE)
    lists = [re.findall(r"Action:\n((?: +- '.*'\n)+)", role) for role in roles]
    return [re.findall("'(.*)'", listed) for found in lists for listed in found]


HOOK_CALLS = {
    "s3": ("list_buckets", "head_bucket", "get_bucket_encryption"),
    "sqs": ("list_queues", "get_queue_url", "get_queue_attributes"),
}


def test_the_hooks_execution_roles():
    """Both roles of the guide (the hook's, in each of its languages) are proved, and each action taken out is named."""
    roles = role_actions()
    assert len(roles) == 2
    calls = [each for service, operations in HOOK_CALLS.items() for each in calls_of(service, *operations)]
    for actions in roles:
        assert len(actions) == 6
        assert judged(actions, calls) == PROVED
        for action in actions:
            left = [each for each in actions if each != action]
            assert judged(left, calls)["permissions.missing"].endswith(f"lack {action}")
        assert "s3:GetObject" in judged([*actions, "s3:GetObject"], calls)["permissions.unused"]


def test_the_hooks_schema_permissions():
    """What the guide's hook schema lists for preDelete is what its role allows."""
    lists = re.findall(r'"permissions": ?\[([^\]]*sqs:GetQueueUrl[^\]]*)\]', guide())
    assert len(lists) >= 2
    calls = [each for service, operations in HOOK_CALLS.items() for each in calls_of(service, *operations)]
    for listed in lists:
        assert judged(re.findall(r'"(.*?)"', listed), calls) == PROVED
