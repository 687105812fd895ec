"""What requests to AWS ask for, and the actions that they need: requests are botocore's own."""

import boto3
import botocore.awsrequest
import pytest
from botocore.config import Config
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from formwork.egress.aws_calls import read_aws_call
from formwork.egress.iam_actions import needs_no_permission, read_call
from formwork.egress.messages import Outgoing
from formwork.lambda_host.http_messages import Request

ROLE = "arn:aws:iam::123456789012:role/it"


class CaughtError(Exception):
    """Ends a call before it is sent."""


def request_of(service, operation, arguments, *, region="eu-west-1", config=None):
    """The request that boto3 would send."""
    client = boto3.client(
        service,
        region_name=region,
        aws_access_key_id="KEYID",
        aws_secret_access_key="secret",
        config=config or Config(retries={"total_max_attempts": 1}),
    )
    caught = []

    def catch(request, **_more):
        caught.append(request)
        raise CaughtError

    client.meta.events.register("before-send", catch)
    with pytest.raises(CaughtError):
        getattr(client, operation)(**arguments)
    (request,) = caught
    return outgoing(request)


def outgoing(request):
    scheme, _, rest = request.url.partition("://")
    place, slash, path = rest.partition("/")
    path, _, query = (slash + path).partition("?")
    headers = {
        name.lower(): value.decode() if isinstance(value, bytes) else str(value)
        for name, value in request.headers.items()
    }
    body = request.body if isinstance(request.body, bytes) else (request.body or "")
    if hasattr(body, "read"):
        body = body.read()
    return Outgoing(
        scheme,
        place,
        443,
        Request(request.method, path or "/", query, headers, body if isinstance(body, bytes) else body.encode()),
    )


@pytest.mark.parametrize(
    ("service", "operation", "arguments", "name", "actions"),
    [
        ("iam", "create_role", {"RoleName": "a", "AssumeRolePolicyDocument": "{}"}, "CreateRole", ["iam:CreateRole"]),
        ("sts", "get_caller_identity", {}, "GetCallerIdentity", []),
        ("ec2", "describe_vpcs", {}, "DescribeVpcs", ["ec2:DescribeVpcs"]),
        ("dynamodb", "put_item", {"TableName": "a", "Item": {}}, "PutItem", ["dynamodb:PutItem"]),
        ("dynamodb", "execute_statement", {"Statement": "select"}, "ExecuteStatement", []),
        ("cloudwatch", "list_metrics", {}, "ListMetrics", ["cloudwatch:ListMetrics"]),
        ("resourcegroupstaggingapi", "get_resources", {}, "GetResources", ["tag:GetResources"]),
        ("sqs", "send_message_batch", {"QueueUrl": "https://sqs/1/q", "Entries": []}, "SendMessageBatch", ["sqs:SendMessage"]),
        ("s3", "list_buckets", {}, "ListBuckets", ["s3:ListAllMyBuckets"]),
        ("s3", "head_bucket", {"Bucket": "some-bucket"}, "HeadBucket", ["s3:ListBucket"]),
        ("s3", "list_objects_v2", {"Bucket": "some-bucket"}, "ListObjectsV2", ["s3:ListBucket"]),
        ("s3", "get_object", {"Bucket": "some-bucket", "Key": "a/b c"}, "GetObject", ["s3:GetObject"]),
        ("s3", "get_object", {"Bucket": "some-bucket", "Key": "a", "VersionId": "1"}, "GetObject", ["s3:GetObjectVersion"]),
        ("s3", "put_object", {"Bucket": "some-bucket", "Key": "a", "ACL": "private"}, "PutObject", ["s3:PutObject", "s3:PutObjectAcl"]),
        ("s3", "put_object", {"Bucket": "some-bucket", "Key": "a", "Tagging": "a=b"}, "PutObject", ["s3:PutObject", "s3:PutObjectTagging"]),
        ("s3", "copy_object", {"Bucket": "some-bucket", "Key": "a", "CopySource": "b/c"}, "CopyObject", ["s3:GetObject", "s3:PutObject"]),
        ("s3", "upload_part", {"Bucket": "some-bucket", "Key": "a", "UploadId": "1", "PartNumber": 1}, "UploadPart", ["s3:PutObject"]),
        ("s3", "get_bucket_cors", {"Bucket": "some-bucket"}, "GetBucketCors", ["s3:GetBucketCORS"]),
        ("s3", "delete_public_access_block", {"Bucket": "some-bucket"}, "DeletePublicAccessBlock", ["s3:PutBucketPublicAccessBlock"]),
        ("lambda", "invoke", {"FunctionName": "a"}, "Invoke", ["lambda:InvokeFunction"]),
        ("lambda", "list_functions", {}, "ListFunctions", ["lambda:ListFunctions"]),
        (
            "lambda",
            "create_function",
            {"FunctionName": "a", "Role": ROLE, "Code": {"ZipFile": b"x"}},
            "CreateFunction",
            ["lambda:CreateFunction", "iam:PassRole"],
        ),
        ("apigateway", "create_rest_api", {"name": "a"}, "CreateRestApi", ["apigateway:POST"]),
        ("apigatewayv2", "get_apis", {}, "GetApis", ["apigateway:GET"]),
        ("route53", "list_hosted_zones", {}, "ListHostedZones", ["route53:ListHostedZones"]),
        ("efs", "describe_file_systems", {}, "DescribeFileSystems", ["elasticfilesystem:DescribeFileSystems"]),
        ("opensearch", "list_domain_names", {}, "ListDomainNames", ["es:ListDomainNames"]),
        ("kms", "re_encrypt", {"CiphertextBlob": b"x", "DestinationKeyId": "a"}, "ReEncrypt", ["kms:ReEncryptFrom", "kms:ReEncryptTo"]),
    ],
)  # fmt: skip
def test_calls_of_boto3(service, operation, arguments, name, actions):
    call = read_call(request_of(service, operation, arguments))
    assert (call.operation, list(call.actions)) == (name, actions)
    assert call.region in ("eu-west-1", "us-east-1")
    assert call.access_key == "KEYID"
    assert needs_no_permission(call) is (name == "GetCallerIdentity")


def test_buckets_in_the_path_and_presigned_urls():
    path = request_of("s3", "head_object", {"Bucket": "b", "Key": "k"}, config=Config(s3={"addressing_style": "path"}))
    assert read_call(path).operation == "HeadObject"
    keys = {"aws_access_key_id": "KEYID", "aws_secret_access_key": "x"}
    client = boto3.client("s3", region_name="eu-west-1", config=Config(signature_version="s3v4"), **keys)
    url = client.generate_presigned_url("get_object", {"Bucket": "bucket", "Key": "k"})
    request = botocore.awsrequest.AWSRequest("GET", url).prepare()
    signed = read_call(outgoing(request))
    assert (signed.operation, signed.access_key, signed.region) == ("GetObject", "KEYID", "eu-west-1")


def test_aws_iot_signed_as_api_gateway():
    made = request_of("iot", "create_thing", {"thingName": "it"})
    headers = {
        **made.request.headers,
        "authorization": made.request.headers["authorization"].replace("/iot/", "/execute-api/"),
    }
    signed = Outgoing("https", "iot.eu-west-1.amazonaws.com", 443, replace(made.request, headers=headers))
    call = read_aws_call(signed)
    assert (call.service, call.operation) == ("iot", "CreateThing")
    elsewhere = read_aws_call(replace(signed, host="abc.execute-api.eu-west-1.amazonaws.com"))
    assert elsewhere.service == "execute-api"


def test_requests_that_are_not_for_aws():
    request = Request("GET", "/v1", "", {"authorization": "Bearer x"}, b"")
    assert read_aws_call(Outgoing("https", "api.example.com", 443, request)) is None
    unsigned = read_aws_call(
        Outgoing("https", "sts.amazonaws.com", 443, Request("GET", "/", "Action=AssumeRole", {}, b""))
    )
    assert (unsigned.service, unsigned.operation) == ("sts", "AssumeRole")


@given(
    st.sampled_from(["GET", "POST", "PUT"]),
    st.text(max_size=60),
    st.text(max_size=60),
    st.dictionaries(
        st.sampled_from(["authorization", "x-amz-target", "content-type", "smithy-protocol"]), st.text(max_size=80)
    ),
    st.binary(max_size=80),
)
def test_no_request_breaks_the_reader(method, path, query, headers, body):
    scope = "AWS4-HMAC-SHA256 Credential=K/20260101/us-east-1/lambda/aws4_request"
    for given_headers in (headers, {**headers, "authorization": scope}):
        request = Request(method, f"/{path}", query, given_headers, body)
        call = read_call(Outgoing("https", "lambda.us-east-1.amazonaws.com", 443, request))
        assert call is not None
