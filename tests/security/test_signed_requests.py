"""A signed request is changed on its way, or used for another service than the one that it was signed for."""

import pytest
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from formwork.diagnostics.secrets import Secret
from formwork.lambda_host.http_messages import Response
from support.api import CREDENTIALS, serve_api

KEY, SECRET = CREDENTIALS.values()
JSON = {"Content-Type": "application/x-amz-json-1.0"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def called():
    return []


@pytest.fixture(params=[True, False], ids=["verified", "not verified"])
def served(request, tmp_path, called):
    def operation(name):
        return lambda *_given: called.append(name) or {}

    def invoke(_request):
        called.append("Invoke")
        return Response(200, b"{}")

    names = [("cloudcontrol", "DeleteResource"), ("cloudcontrol", "CancelResourceRequest")]
    table = {each: operation(each[1]) for each in (*names, ("cloudformation", "DeleteStack"))}
    keys = {KEY: Secret(SECRET)} if request.param else None
    with serve_api(tmp_path, operations=table, keys=keys, invoke=invoke) as running:
        running.verifies = request.param
        yield running


def signed(served, service, call):
    """The headers of a request that botocore signed for `service`."""
    method, path, body, headers = call
    asked = AWSRequest(method, f"{served.url}{path}", {**headers, "Host": f"127.0.0.1:{served.port}"}, body)
    auth = S3SigV4Auth if service == "s3" else SigV4Auth
    auth(Credentials(KEY, SECRET), service, "us-east-1").add_auth(asked)
    return dict(asked.headers.items())


TARGET = {**JSON, "X-Amz-Target": "CloudApiService.DeleteResource"}
DELETE = b'{"TypeName": "Acme::Store::Thing", "Identifier": "x"}'
STACK = b"Action=DeleteStack&Version=2010-05-15&StackName=x"
CALLS = {
    "cloudcontrolapi": ("POST", "/", DELETE, TARGET),
    "cloudformation": ("POST", "/", STACK, FORM),
    "lambda": ("POST", "/2015-03-31/functions/F/invocations", b"{}", {}),
    "s3": ("PUT", "/bucket", b"", {}),
}


@pytest.mark.parametrize("service", CALLS)
def test_as_it_was_signed(served, service):
    """The reverse, so that no attack below fails for another reason."""
    method, path, body, _ = CALLS[service]
    headers = signed(served, service, CALLS[service])
    assert served.send(method, path, headers=headers, body=body)[0] == 200


@pytest.mark.parametrize("service", ["cloudcontrolapi", "cloudformation", "lambda"])
@pytest.mark.parametrize("other", ["sts", "iam", "logs", "cloudformation", "cloudcontrolapi", "s3", "lambda", "ec2"])
def test_a_signature_for_another_service(served, called, service, other):
    if service == other:
        return
    method, path, body, _ = CALLS[service]
    headers = signed(served, other, CALLS[service])
    status, _, told = served.send(method, path, headers=headers, body=body)
    if service == "lambda" and not served.verifies:
        return  # there nobody need sign, as Lambda's local clients don't
    assert (400 <= status < 500, called) == (True, []), told


@pytest.mark.parametrize(
    ("service", "added"),
    [
        ("cloudcontrolapi", {"X-Amz-Security-Token": "another"}),
        ("cloudformation", {"X-Amz-Target": "CloudApiService.CancelResourceRequest"}),
        ("cloudformation", {"X-Amz-Anything": "x"}),
        ("lambda", {"X-Amz-Invocation-Type": "Event"}),
        ("lambda", {"X-Amz-Client-Context": "e30="}),
        ("s3", {"X-Amz-Acl": "public-read"}),
        ("s3", {"X-Amz-Copy-Source": "/other/key"}),
        ("s3", {"X-Amz-Meta-Name": "x"}),
    ],
)
def test_a_header_that_was_added_on_the_way(served, called, service, added):
    if not served.verifies:
        return  # whoever can add headers can as well sign anew
    method, path, body, _ = CALLS[service]
    headers = {**signed(served, service, CALLS[service]), **added}
    status, _, told = served.send(method, path, headers=headers, body=body)
    assert (400 <= status < 500, called) == (True, []), told


def test_another_target_or_a_changed_one(served, called):
    if not served.verifies:
        return
    method, path, body, _ = CALLS["cloudcontrolapi"]
    unsigned = signed(served, "cloudcontrolapi", (method, path, body, JSON))
    changed = signed(served, "cloudcontrolapi", CALLS["cloudcontrolapi"])
    for each in (unsigned, changed):
        each["X-Amz-Target"] = "CloudApiService.CancelResourceRequest"
        assert 400 <= served.send(method, path, headers=each, body=body)[0] < 500
    assert called == []


def test_a_presigned_url_with_more_headers(served):
    if not served.verifies:
        return
    s3 = served.client("s3", config=Config(signature_version="s3v4"))
    s3.create_bucket(Bucket="bucket")
    url = s3.generate_presigned_url("put_object", Params={"Bucket": "bucket", "Key": "k"}).removeprefix(served.url)
    assert served.send("PUT", url, body=b"x", headers={"X-Amz-Meta-Name": "x"})[0] == 403
    assert served.send("PUT", url, body=b"x")[0] == 200
