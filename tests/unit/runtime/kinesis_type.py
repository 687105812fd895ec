"""The user guide's sample for progress chaining, the create handler of AWS::Kinesis::Stream, ported to Python."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from collections.abc import Set as AbstractSet
from typing import Any

from cloudformation_cli_python_lib import Action, OperationStatus, ProgressEvent, Resource, identifier_utils
from cloudformation_cli_python_lib.chain import Chain, Constant, Timing
from cloudformation_cli_python_lib.interface import BaseModel
from cloudformation_cli_python_lib.shapes import Fields, integer, model, set_of, string

DEFAULT_RETENTION = 24


class ResourceModel(BaseModel):
    def __init__(
        self,
        *,
        Arn: str | None = None,
        Name: str | None = None,
        RetentionPeriodHours: int | None = None,
        ShardCount: int | None = None,
        StreamEncryption: StreamEncryption | None = None,
        Tags: AbstractSet[Tag] | None = None,
    ) -> None:
        self.Arn = Arn
        self.Name = Name
        self.RetentionPeriodHours = RetentionPeriodHours
        self.ShardCount = ShardCount
        self.StreamEncryption = StreamEncryption
        self.Tags = Tags

    @classmethod
    def _fields(cls) -> Fields:
        return {
            "Arn": string,
            "Name": string,
            "RetentionPeriodHours": integer,
            "ShardCount": integer,
            "StreamEncryption": model(StreamEncryption),
            "Tags": set_of(model(Tag)),
        }


class StreamEncryption(BaseModel):
    def __init__(self, EncryptionType: str | None = None, KeyId: str | None = None) -> None:
        self.EncryptionType = EncryptionType
        self.KeyId = KeyId

    @classmethod
    def _fields(cls) -> Fields:
        return {"EncryptionType": string, "KeyId": string}


class Tag(BaseModel):
    def __init__(self, Key: str | None = None, Value: str | None = None) -> None:
        self.Key = Key
        self.Value = Value

    @classmethod
    def _fields(cls) -> Fields:
        return {"Key": string, "Value": string}


def make_resource(kinesis: Any, *, timing: Timing, checkpoint: bool = False) -> Resource:
    """The type's handlers on this client; a project would take it from the session."""
    resource = Resource("AWS::Kinesis::Stream", ResourceModel)

    @resource.handler(Action.CREATE)
    def create(_session: Any, request: Any, callback_context: MutableMapping[str, Any]) -> ProgressEvent:
        desired = request.desiredResourceState
        if not desired.Name:
            desired.Name = identifier_utils.generate_resource_identifier(
                "stream", request.logicalResourceIdentifier, request.clientRequestToken, 128
            )
        chain = Chain(desired, callback_context, token=request.clientRequestToken, checkpoint=checkpoint, timing=timing)
        return (
            chain.initiate("kinesis:CreateStream", kinesis)
            .request(lambda m: {"StreamName": m.Name, "ShardCount": m.ShardCount})
            .call(lambda r, client: client.create_stream(**r))
            .stabilize(lambda step: is_active(step.client, step.model))
            .progress()
            .then(lambda event: set_tags(chain, kinesis) if desired.Tags else event)
            .then(lambda event: set_retention(chain, kinesis) if desired.RetentionPeriodHours else event)
            .then(lambda event: encrypt(chain, kinesis) if desired.StreamEncryption else event)
            .then(lambda _event: chain.wait_for("active", kinesis, lambda step: is_active(step.client, step.model)))
            .then(lambda _event: read(kinesis, desired))
        )

    @resource.handler(Action.READ)
    def read_handler(_session: Any, request: Any, _callback_context: MutableMapping[str, Any]) -> ProgressEvent:
        return read(kinesis, request.desiredResourceState)

    return resource


def set_tags(chain: Chain[ResourceModel], kinesis: Any) -> ProgressEvent:
    def translate(desired: ResourceModel) -> Mapping[str, Any]:
        return {"StreamName": desired.Name, "Tags": {tag.Key: tag.Value for tag in desired.Tags or ()}}

    step = chain.initiate("kinesis:AddTagsToStream", kinesis).request(translate)
    called = step.call(lambda r, client: client.add_tags_to_stream(**r))
    return called.retry_on("ResourceInUseException", "LimitExceededException").progress()


def set_retention(chain: Chain[ResourceModel], kinesis: Any) -> ProgressEvent:
    hours = chain.model.RetentionPeriodHours or DEFAULT_RETENTION
    if hours <= DEFAULT_RETENTION:
        return chain.progress()
    return (
        chain.initiate("kinesis:IncreaseRetentionPeriod", kinesis)
        .request(lambda m: {"StreamName": m.Name, "RetentionPeriodHours": m.RetentionPeriodHours})
        .call(lambda r, client: client.increase_stream_retention_period(**r))
        .retry_on("ResourceInUseException", "LimitExceededException")
        .backoff(Constant(3, timeout=600))
        .progress()
    )


def encrypt(chain: Chain[ResourceModel], kinesis: Any) -> ProgressEvent:
    def translate(desired: ResourceModel) -> Mapping[str, Any]:
        assert desired.StreamEncryption is not None
        return {"StreamName": desired.Name, **desired.StreamEncryption._serialize()}

    step = chain.initiate("kinesis:StartStreamEncryption", kinesis).request(translate)
    called = step.call(lambda r, client: client.start_stream_encryption(**r))
    return called.retry_on("ResourceInUseException", "LimitExceededException").progress()


def is_active(kinesis: Any, desired: ResourceModel) -> bool:
    status: str = kinesis.describe_stream(StreamName=desired.Name)["StreamStatus"]
    return status == "ACTIVE"


def read(kinesis: Any, desired: ResourceModel) -> ProgressEvent:
    live = kinesis.describe_stream(StreamName=desired.Name)
    found = ResourceModel._deserialize(
        {
            "Arn": live["StreamARN"],
            "Name": desired.Name,
            "ShardCount": live["ShardCount"],
            "RetentionPeriodHours": live["RetentionPeriodHours"],
            "StreamEncryption": live.get("Encryption"),
            "Tags": [{"Key": key, "Value": value} for key, value in live["Tags"].items()],
        }
    )
    return ProgressEvent(OperationStatus.SUCCESS, resourceModel=found)
