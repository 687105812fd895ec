"""A Kinesis of one stream, and CloudFormation's side of creating it with the handlers of `kinesis_type`.

Plain Python from 3.9 on, without pytest, so that the conformance run can use it on other interpreters.
"""

from __future__ import annotations

import json

from cloudformation_cli_python_lib.chain import Timing

from .kinesis_type import make_resource

PROPERTIES = {
    "ShardCount": "100",
    "RetentionPeriodHours": "36",
    "Tags": [{"Key": "1", "Value": "one"}, {"Key": "2", "Value": "two"}],
    "StreamEncryption": {"EncryptionType": "KMS", "KeyId": "alias/KinesisEncryption"},
}
MUTATING = ["create_stream", "add_tags_to_stream", "increase_stream_retention_period", "start_stream_encryption"]


class ServiceError(Exception):
    def __init__(self, code):
        super().__init__(f"An error occurred ({code})")
        self.response = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": 400}}


class Killed(BaseException):
    """The handler's process dies."""


class Kinesis:
    """One stream that takes time to change and meanwhile refuses everything."""

    def __init__(self, *, throttles=(), dies_before=()):
        self.now = 0.0
        self.busy_until = 0.0
        self.stream = None
        self.calls = []
        self.throttles = list(throttles)
        self.dies_before = list(dies_before)

    def _enter(self, name):
        if name in self.dies_before:
            self.dies_before.remove(name)
            raise Killed
        if name in self.throttles:
            self.throttles.remove(name)
            raise ServiceError("LimitExceededException")
        if name != "create_stream" and self.busy_until > self.now and name != "describe_stream":
            raise ServiceError("ResourceInUseException")
        self.calls.append(name)

    def create_stream(self, StreamName, ShardCount):
        self._enter("create_stream")
        if self.stream is not None:
            raise ServiceError("ResourceInUseException")
        self.stream = {"name": StreamName, "shards": ShardCount, "retention": 24, "tags": {}}
        self.busy_until = self.now + 12

    def add_tags_to_stream(self, StreamName, Tags):
        self._enter("add_tags_to_stream")
        self.stream["tags"].update(Tags)

    def increase_stream_retention_period(self, StreamName, RetentionPeriodHours):
        self._enter("increase_stream_retention_period")
        self.stream["retention"] = RetentionPeriodHours
        self.busy_until = self.now + 7

    def start_stream_encryption(self, StreamName, EncryptionType, KeyId):
        self._enter("start_stream_encryption")
        self.stream["encryption"] = {"EncryptionType": EncryptionType, "KeyId": KeyId}
        self.busy_until = self.now + 7

    def describe_stream(self, StreamName):
        self._enter("describe_stream")
        assert StreamName == self.stream["name"]
        return {
            "StreamARN": f"arn:aws:kinesis:eu-west-1:123456789012:stream/{StreamName}",
            "StreamStatus": "UPDATING" if self.busy_until > self.now else "ACTIVE",
            "ShardCount": self.stream["shards"],
            "RetentionPeriodHours": self.stream["retention"],
            "Encryption": self.stream.get("encryption"),
            "Tags": self.stream["tags"],
        }


def refuse_to_sleep(_seconds):
    raise AssertionError("every wait of this type is long enough for a callback")


def drive(kinesis, *, checkpoint=False):
    """Create the stream with a fresh process for each invocation; the responses, and how often a process died."""
    responses, deaths = [], 0
    properties, context = PROPERTIES, None
    while not responses or responses[-1]["status"] == "IN_PROGRESS":
        assert len(responses) + deaths < 60, "the operation does not end"
        timing = Timing(clock=lambda: kinesis.now, sleep=refuse_to_sleep, remaining=lambda: 100.0)
        request = {
            "action": "CREATE",
            "awsAccountId": "123456789012",
            "bearerToken": "token-1",
            "region": "eu-west-1",
            "callbackContext": context,
            "requestData": {"resourceProperties": properties, "logicalResourceId": "KinesisStream"},
        }
        try:
            response = make_resource(kinesis, timing=timing, checkpoint=checkpoint)(
                json.loads(json.dumps(request)), None
            )
        except Killed:
            deaths += 1
            continue
        responses.append(json.loads(json.dumps(response)))
        properties, context = response.get("resourceModel"), response.get("callbackContext")
        kinesis.now += response["callbackDelaySeconds"]
    return responses, deaths


def mutating(kinesis):
    return [name for name in kinesis.calls if name in MUTATING]


def check_created(kinesis, response):
    model = response["resourceModel"]
    assert response["status"] == "SUCCESS", response
    assert model.pop("Arn").endswith(model["Name"])
    assert model.pop("Name").startswith("stream-KinesisStream-")
    assert model == {**PROPERTIES, "ShardCount": 100, "RetentionPeriodHours": 36}
    assert mutating(kinesis) == MUTATING
