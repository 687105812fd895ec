"""What is refused before an operation is called, each with the error that AWS's clients understand."""

import base64
import json
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwork.api.calls import MAX_BODY_BYTES
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.diagnostics.secrets import Secret
from support.api import CREDENTIALS, serve_api

SIGNED = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261121/us-east-1/cloudformation/aws4_request,"
    f" SignedHeaders=host;x-amz-date, Signature={'a' * 64}",
    "X-Amz-Date": "20261121T040000Z",
    "Content-Type": "application/x-www-form-urlencoded",
}
FORM = urlencode(
    {"Action": "DescribeType", "Version": "2010-05-15", "Type": "RESOURCE", "TypeName": "Acme::Store::Thing"}
)
TABLE = {
    ("cloudformation", "DescribeType"): lambda caller, request: {"Arn": "arn"},
    ("cloudcontrol", "ListResources"): lambda caller, request: {"TypeName": request["TypeName"]},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serve_api(tmp_path_factory.mktemp("state"), operations=TABLE) as found:
        yield found


def answer_of(served, method="POST", path="/", body=FORM, **headers):
    """Status and text of an answer; headers by keyword, None leaves one out."""
    named = {**SIGNED, **{name.replace("_", "-"): value for name, value in headers.items()}}
    given = {name: value for name, value in named.items() if value is not None}
    status, _, text = served.send(method, path, headers=given, body=body)
    return status, text.decode()


def test_a_good_one(served):
    assert answer_of(served)[0] == 200
    assert answer_of(served, "GET", f"/?{FORM}", body=None)[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:3001",
        "127.0.0.1.evil.example",
        "169.254.169.254",
        "localhost.evil.example",
        "",
        "x@localhost",
    ],
)
def test_hosts_that_are_not_this_machine(served, host):
    status, text = answer_of(served, Host=host)
    assert (status, "<Code>AccessDenied</Code>" in text) == (403, True)
    status, text = answer_of(served, "GET", "/bucket/key", body=None, Host=host)
    assert (status, "<Code>AccessDenied</Code>" in text) == (403, True)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:3001", "127.0.0.1:1", "[::1]:3001", "host.docker.internal:3001"]
)
def test_hosts_that_are(served, host):
    assert answer_of(served, Host=host)[0] == 200


def test_web_pages(served):
    assert answer_of(served, Origin="http://localhost:8000")[0] == 403
    assert answer_of(served, Sec_Fetch_Site="cross-site")[0] == 403


@pytest.mark.parametrize(
    ("header", "code", "status"),
    [
        (None, "MissingAuthenticationToken", 403),
        ("", "IncompleteSignature", 400),
        ("Bearer abc", "IncompleteSignature", 400),
        ("AWS4-HMAC-SHA256 nonsense", "IncompleteSignature", 400),
        ("AWS4-HMAC-SHA256 Credential=x/y, SignedHeaders=host, Signature=1", "IncompleteSignature", 400),
        (SIGNED["Authorization"].replace("/us-east-1", ""), "IncompleteSignature", 400),
        (SIGNED["Authorization"].replace("host;", ""), "IncompleteSignature", 400),
        (SIGNED["Authorization"].replace("a" * 64, "short"), "IncompleteSignature", 400),
        (SIGNED["Authorization"].replace("Signature=", "Signed="), "IncompleteSignature", 400),
    ],
)
def test_signatures_that_are_none(served, header, code, status):
    got, text = answer_of(served, Authorization=header)
    assert (got, f"<Code>{code}</Code>" in text) == (status, True), text


def test_no_date(served):
    assert "<Code>IncompleteSignature</Code>" in answer_of(served, X_Amz_Date=None)[1]
    assert "<Code>IncompleteSignature</Code>" in answer_of(served, X_Amz_Date="today")[1]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", "MissingAction"),
        ("Action=Fly&Version=2010-05-15", "InvalidAction"),
        ("Action=&Version=2010-05-15", "InvalidAction"),
        ("Action=" + "A" * 10_000, "InvalidAction"),
        (b"Action=DescribeType&TypeName=\xff\xfe", "MalformedInput"),
        ("Action=ListTypes&MaxResults=many", "InvalidAction"),
        (FORM + "&Type=NONE", "ValidationError"),
    ],
)
def test_forms_that_ask_for_nothing(served, body, code):
    status, text = answer_of(served, body=body)
    assert (status, f"<Code>{code}</Code>" in text) == (400, True), text


def test_too_much(served):
    status, text = answer_of(served, body=FORM + "&Description=" + "x" * MAX_BODY_BYTES)
    assert (status, "<Code>RequestEntityTooLarge</Code>" in text) == (413, True)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "SerializationException"),
        (b"[]", "SerializationException"),
        (b"[" * 100_000, "SerializationException"),
        (b'{"TypeName": 5}', "ValidationError"),
        (b"{}", "ValidationError"),
        (b"\xff", "SerializationException"),
    ],
)
def test_json_that_is_none(served, body, code):
    authorization = SIGNED["Authorization"].replace("cloudformation", "cloudcontrolapi")
    status, text = answer_of(
        served, body=body, X_Amz_Target="CloudApiService.ListResources", Authorization=authorization
    )
    assert (status, json.loads(text)["__type"].partition("#")[2]) == (400, code)


def test_targets_that_are_none(served):
    for target in ("CloudApiService.Fly", "CloudApiService", "", "Other_2011.Thing", "CloudApiService." + "A" * 5000):
        authorization = SIGNED["Authorization"].replace("cloudformation", "cloudcontrolapi")
        status, text = answer_of(served, body=b"{}", X_Amz_Target=target, Authorization=authorization)
        assert (status, json.loads(text)["__type"].partition("#")[2]) == (400, "UnknownOperationException")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]),
    path=st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), max_size=20).map(lambda text: "/" + text),
    query=st.sampled_from(
        ["", "Action=DescribeType", "X-Amz-Algorithm=x", "AWSAccessKeyId=a&Signature=b", "uploads", "%zz=1"]
    ),
    body=st.binary(max_size=60),
    authorization=st.sampled_from(
        [SIGNED["Authorization"], SIGNED["Authorization"].replace("cloudformation", "s3"), "AWS4-HMAC-SHA256 ="]
    ),
)
def test_any_request_is_answered_in_aws_words(served, *, method, path, query, body, authorization):
    status, headers, text = served.send(
        method, f"{path}?{query}", headers={**SIGNED, "Authorization": authorization}, body=body
    )
    assert 200 <= status < 502
    assert status != 500, text
    assert b"<html" not in text.lower()
    assert headers["Content-Type"] != "text/plain; charset=utf-8"


KEYS = {CREDENTIALS["aws_access_key_id"]: Secret(CREDENTIALS["aws_secret_access_key"])}


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    with serve_api(tmp_path_factory.mktemp("strict"), operations=TABLE, keys=KEYS) as found:
        yield found


def code_of(call):
    with pytest.raises(ClientError) as caught:
        call()
    return caught.value.response["Error"]["Code"]


def test_signatures_are_verified(strict):
    """botocore signs, we verify: query, JSON, STS, S3 with odd keys and queries, presigned."""
    assert strict.client("cloudformation").describe_type(Type="RESOURCE", TypeName="Acme::Store::Thing")["Arn"]
    assert strict.client("cloudcontrol").list_resources(TypeName="Acme::Store::Thing")["TypeName"]
    s3 = strict.client("s3")
    s3.create_bucket(Bucket="packages")
    s3.put_object(Bucket="packages", Key="a b/ä+%~*'().zip", Body=b"data", Metadata={"a": "two  blanks"})
    assert s3.list_objects_v2(Bucket="packages", Prefix="a b/ä+", Delimiter="")["KeyCount"] == 1
    assert s3.get_object(Bucket="packages", Key="a b/ä+%~*'().zip")["Body"].read() == b"data"


def test_lambda_is_verified_too(strict):
    def invoke(**more):
        return strict.client("lambda", **more).invoke(FunctionName="F", Payload=b"{}")

    assert code_of(invoke) == "404", "a good signature gets as far as the functions, of which there are none"
    assert code_of(lambda: invoke(aws_secret_access_key="other")) == "InvalidSignatureException"
    status, _, _ = strict.send("POST", "/2015-03-31/functions/F/invocations", body=b"{}")
    assert status == 403


def test_wrong_secrets_and_unknown_keys(strict):
    wrong = {"aws_secret_access_key": "other"}
    unknown = {"aws_access_key_id": "AKIAUNKNOWN"}
    asked = {"Type": "RESOURCE", "TypeName": "Acme::Store::Thing"}
    assert code_of(lambda: strict.client("cloudformation", **wrong).describe_type(**asked)) == "SignatureDoesNotMatch"
    assert code_of(lambda: strict.client("cloudformation", **unknown).describe_type(**asked)) == "InvalidClientTokenId"
    listed = {"TypeName": "Acme::Store::Thing"}
    assert (
        code_of(lambda: strict.client("cloudcontrol", **wrong).list_resources(**listed)) == "InvalidSignatureException"
    )
    assert (
        code_of(lambda: strict.client("cloudcontrol", **unknown).list_resources(**listed))
        == "UnrecognizedClientException"
    )
    assert code_of(lambda: strict.client("s3", **wrong).list_buckets()) == "SignatureDoesNotMatch"
    assert code_of(lambda: strict.client("s3", **unknown).list_buckets()) == "InvalidAccessKeyId"


def test_presigned_urls_are_verified_and_run_out(strict):
    from botocore.config import Config

    s3 = strict.client("s3", config=Config(signature_version="s3v4"))
    s3.create_bucket(Bucket="presigned")
    s3.put_object(Bucket="presigned", Key="k", Body=b"data")
    url = s3.generate_presigned_url("get_object", Params={"Bucket": "presigned", "Key": "k"})
    assert strict.send("GET", url.removeprefix(strict.url))[2] == b"data"
    assert b"SignatureDoesNotMatch" in strict.send("GET", url.removeprefix(strict.url).replace("/k?", "/l?"))[2]
    old = url.removeprefix(strict.url).replace("X-Amz-Date=20", "X-Amz-Date=19").replace("%2F20", "%2F19", 1)
    status, _, text = strict.send("GET", old)
    assert (status, b"RequestTimeTooSkewed" in text) == (403, True)
    assert (
        b"Please use AWS4-HMAC-SHA256"
        in strict.send("GET", "/presigned/k?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Signature=x&Expires=9999999999")[2]
    )


def test_an_old_signature(strict):
    status, text = answer_of(strict)
    assert (
        status,
        "Signature expired: 20261121T040000Z is now earlier than" in text or "SignatureDoesNotMatch" in text,
    ) == (403, True)


def test_temporary_keys_need_their_token(strict):
    given = strict.client("sts").assume_role(RoleArn="arn:aws:iam::444444444444:role/R", RoleSessionName="me")[
        "Credentials"
    ]
    key = {"aws_access_key_id": given["AccessKeyId"], "aws_secret_access_key": given["SecretAccessKey"]}
    whole = strict.client("sts", **key, aws_session_token=given["SessionToken"])
    assert whole.get_caller_identity()["Account"] == "444444444444"
    assert code_of(strict.client("sts", **key).get_caller_identity) == "InvalidClientTokenId"


def test_temporary_keys_are_those_of_their_seed():
    keys, same, others = TemporaryKeys(b"one"), TemporaryKeys(b"one"), TemporaryKeys()
    key = keys.give(account="444444444444", arn="arn", lifetime=timedelta(minutes=1))
    token = key.token.reveal()
    found = same.get(key.access_key_id, token)
    assert (found.secret.reveal(), found.arn) == (key.secret.reveal(), "arn")
    changed = [None, "", "x", token[:-4] + "AAA=", base64.b64encode(base64.b64decode(token) + b" ").decode()]
    assert [same.get(key.access_key_id, each) for each in changed] == [None] * len(changed)
    assert others.get(key.access_key_id, token) is None
    assert same.get("ASIA555555555555AAAA", token) is None


def test_temporary_keys_run_out():
    keys = TemporaryKeys()
    key = keys.give(account="444444444444", arn="arn", lifetime=timedelta(seconds=-1))
    assert keys.get(key.access_key_id, key.token.reveal()) is None
    assert "Secret" not in repr(key) or key.secret.reveal() not in repr(key)
