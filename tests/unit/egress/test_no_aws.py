"""AWS calls of handlers that have no AWS: every protocol's client gets the same clear error, at once."""

import time
from dataclasses import dataclass

import boto3
import botocore.exceptions
import pytest

from support.egress import refusing_aws


@dataclass
class Refusal:
    url: str
    calls: list[str]


@pytest.fixture(scope="module")
def refusal():
    calls = []
    with refusing_aws(calls.append) as url:
        yield Refusal(url, calls)


@pytest.mark.parametrize(
    ("service", "operation", "arguments", "heard"),
    [
        ("s3", "list_buckets", {}, "s3 ListBuckets"),  # REST-XML
        ("s3", "put_object", {"Bucket": "b", "Key": "k", "Body": b"x"}, "s3 PutObject"),
        ("sts", "get_caller_identity", {}, "sts GetCallerIdentity"),  # query
        ("ec2", "describe_instances", {}, "ec2 DescribeInstances"),  # EC2's own
        ("dynamodb", "list_tables", {}, "dynamodb ListTables"),  # JSON
        ("lambda", "list_functions", {}, "lambda ListFunctions"),  # REST-JSON
        ("route53", "list_hosted_zones", {}, "route53 ListHostedZones"),
        ("cloudwatch", "list_metrics", {}, None),  # whichever protocol botocore prefers
        ("arc-region-switch", "list_plans", {}, None),  # CBOR, where botocore knows it
    ],
)
def test_the_clients_error_says_what_to_do(refusal, service, operation, arguments, heard):
    try:
        client = boto3.client(
            service, endpoint_url=refusal.url, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y"
        )
    except botocore.exceptions.UnknownServiceError:
        pytest.skip(f"this botocore does not know {service}")
    started = time.monotonic()
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        getattr(client, operation)(**arguments)
    assert time.monotonic() - started < 2, "no retries"
    error = refused.value.response["Error"]
    assert error["Code"] == "FormworkNoAws"
    assert "--aws real" in error["Message"]
    assert "--aws moto" in error["Message"]
    if heard is not None:
        assert refusal.calls[-1] == heard


def test_what_is_no_sdk_is_refused_too(refusal):
    import http.client

    connection = http.client.HTTPConnection(refusal.url.removeprefix("http://"))
    connection.request("POST", "/anything", b"\xff\x00", {"Content-Type": "text/strange"})
    assert connection.getresponse().status == 403
    connection.close()
