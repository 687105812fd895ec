"""Calls of boto3 to services with each of AWS's protocols, recorded from moto and replayed under other names."""

import json
import secrets
from urllib.parse import urlsplit

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from moto.server import ThreadedMotoServer

from formwork.egress.cassettes.recorder import Recorder
from formwork.egress.cassettes.replay import open_replay
from formwork.egress.forwarding import forward
from formwork.egress.messages import NoRecordingError
from support.egress_calls import outgoing

TRUST = json.dumps({"Version": "2012-10-17", "Statement": []})
ALLOWED = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}
POLICY = json.dumps({"Version": "2012-10-17", "Statement": [ALLOWED]})


@pytest.fixture(scope="module")
def moto():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield lambda request: forward(request, f"http://{host}:{port}")
    server.stop()


class Raw:
    """The body of a response as botocore reads it."""

    def __init__(self, data):
        self._data = data

    def stream(self, *_args, **_kwargs):
        yield self._data

    def read(self, *_args, **_kwargs):
        data, self._data = self._data, b""
        return data


def session(responder):
    """What makes clients whose requests a responder answers."""
    keys = {"aws_access_key_id": "AKIA" + "Q" * 16, "aws_secret_access_key": secrets.token_hex(20)}
    made = boto3.Session(**keys, aws_session_token="session" + secrets.token_hex(20), region_name="us-east-1")

    def send(request, **_):
        headers = {
            name.lower().replace("-", "_"): each if isinstance(each, str) else each.decode()
            for name, each in request.headers.items()
        }
        body = request.body.read() if hasattr(request.body, "read") else request.body or b""
        data = body.encode() if isinstance(body, str) else bytes(body)
        headers["host"] = urlsplit(request.url).netloc
        reply = responder(outgoing(request.method, request.url, data, **headers))
        return AWSResponse(request.url, reply.status, dict(reply.headers), Raw(reply.body))

    made.events.register("before-send", send)
    return made


def a_life(aws, suffix):
    """What a handler does: a role with a policy, a bucket with an object, a table with an item, a queue with a message."""
    iam, s3, table, queue = (aws.client(name) for name in ("iam", "s3", "dynamodb", "sqs"))
    role, bucket = f"thing-{suffix}", f"logs-{suffix}"
    arn = iam.create_role(RoleName=role, AssumeRolePolicyDocument=TRUST, Tags=[{"Key": "a", "Value": "b"}])["Role"][
        "Arn"
    ]
    iam.put_role_policy(RoleName=role, PolicyName="p", PolicyDocument=POLICY)
    yield arn.endswith(f"role/{role}")
    yield iam.get_role(RoleName=role)["Role"]["Arn"] == arn
    s3.create_bucket(Bucket=bucket)
    s3.put_object(Bucket=bucket, Key="key", Body=b"content")
    yield s3.get_object(Bucket=bucket, Key="key")["Body"].read()
    yield [each["Key"] for each in s3.list_objects_v2(Bucket=bucket)["Contents"]]
    key = [{"AttributeName": "id", "KeyType": "HASH"}]
    types = [{"AttributeName": "id", "AttributeType": "S"}]
    made = table.create_table(TableName=role, KeySchema=key, AttributeDefinitions=types, BillingMode="PAY_PER_REQUEST")
    yield made["TableDescription"]["TableArn"].endswith(role)
    table.put_item(TableName=role, Item={"id": {"S": suffix}, "n": {"N": "1"}})
    yield table.get_item(TableName=role, Key={"id": {"S": suffix}})["Item"]["id"]["S"] == suffix
    url = queue.create_queue(QueueName=role)["QueueUrl"]
    yield url.endswith(role)
    queue.send_message(QueueUrl=url, MessageBody=arn)
    yield queue.receive_message(QueueUrl=url)["Messages"][0]["Body"] == arn
    queue.delete_queue(QueueUrl=url)
    table.delete_table(TableName=role)
    s3.delete_object(Bucket=bucket, Key="key")
    s3.delete_bucket(Bucket=bucket)
    iam.delete_role_policy(RoleName=role, PolicyName="p")
    iam.delete_role(RoleName=role)
    try:
        iam.get_role(RoleName=role)
    except iam.exceptions.NoSuchEntityException as error:
        yield role in str(error)


def test_a_life_is_replayed_under_other_names(moto, tmp_path):
    recorder = Recorder(tmp_path, lambda text: text)
    recorded = list(a_life(session(recorder.around(moto)), "1a2b3c4d5e6f"))
    files = recorder.close()
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    assert "AKIA" not in text
    assert "session" not in text
    assert len(files) == 4
    replay = open_replay(tmp_path)
    assert list(a_life(session(replay), "9z8y7x6w5v4u")) == recorded
    assert replay.stale == ()
    with pytest.raises(NoRecordingError, match=r"no recorded call is POST iam\.amazonaws\.com/ \(DeleteUser\)"):
        session(replay).client("iam").delete_user(UserName="someone")
