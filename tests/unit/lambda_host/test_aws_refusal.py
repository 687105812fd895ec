"""AWS calls of handlers that have no AWS: every protocol's client gets the same clear error, at once."""

import time

import boto3
import botocore.exceptions
import pytest

from formwork.lambda_host.aws_refusal import AwsRefusal


@pytest.fixture(scope="module")
def refusal():
    calls = []
    made = AwsRefusal(calls.append)
    made.calls = calls
    yield made
    made.close()


@pytest.mark.parametrize(
    ("service", "operation", "arguments", "heard"),
    [
        ("s3", "list_buckets", {}, "s3 GET /"),  # REST-XML
        ("s3", "put_object", {"Bucket": "b", "Key": "k", "Body": b"x"}, "s3 PUT /b/k"),
        ("sts", "get_caller_identity", {}, "sts GetCallerIdentity"),  # query
        ("ec2", "describe_instances", {}, "ec2 DescribeInstances"),  # EC2's own
        ("dynamodb", "list_tables", {}, "dynamodb ListTables"),  # JSON
        ("lambda", "list_functions", {}, "lambda GET /2015-03-31/functions"),  # REST-JSON
        ("route53", "list_hosted_zones", {}, "route53 GET /2013-04-01/hostedzone"),
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
