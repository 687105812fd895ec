"""Chains as their author writes them; a comment `# refused: code` marks what mypy must refuse."""

from collections.abc import MutableMapping
from typing import Any, TypedDict

from cloudformation_cli_python_lib import BaseModel, HandlerErrorCode, OperationStatus, ProgressEvent
from cloudformation_cli_python_lib.chain import Blended, Chain, Constant, Progress, ShiftBy
from cloudformation_cli_python_lib.shapes import Fields, string


class ResourceModel(BaseModel):
    def __init__(self, Name: str | None = None) -> None:
        self.Name = Name

    @classmethod
    def _fields(cls) -> Fields:
        return {"Name": string}


class Request(TypedDict):
    StreamName: str | None


class Response(TypedDict):
    Arn: str


class Client:
    def create_stream(self, StreamName: str | None) -> Response:
        return {"Arn": f"arn:{StreamName}"}


def translate(model: ResourceModel) -> Request:
    return {"StreamName": model.Name}


def create(model: ResourceModel, context: MutableMapping[str, Any], client: Client) -> ProgressEvent:
    chain = Chain(model, context, token="t", checkpoint=True)
    return (
        chain.initiate("create", client)
        .request(translate)
        .call(lambda request, client: client.create_stream(**request))
        .keep(lambda response: response["Arn"])
        .stabilize(lambda step: step.response.startswith("arn:") and step.client is client)
        .retry_on("ResourceInUseException")
        .retry_if(lambda error, step: isinstance(error, OSError) and step.request["StreamName"] == "x")
        .fail_as({"LimitExceededException": HandlerErrorCode.ServiceLimitExceeded})
        .handle_error(lambda error, _step: ProgressEvent.failed(HandlerErrorCode.NotFound, str(error)))
        .backoff(Blended(Constant(5, timeout=20), ShiftBy(5, timeout=220)))
        .progress()
        .then(lambda progress: chain.wait_for("active", client, lambda step: step.model.Name is not None))
        .then(lambda progress: ProgressEvent(OperationStatus.SUCCESS, resourceModel=model))
    )


# What a type checker must refuse.


def misuse(chain: Chain[ResourceModel], client: Client) -> None:
    initiated = chain.initiate("create", client)
    requested = initiated.request(translate)
    called = requested.call(lambda request, client: client.create_stream(**request))
    initiated.call(lambda request, client: None)  # refused: attr-defined
    requested.progress()  # refused: attr-defined
    initiated.request(lambda model: model.Nope)  # refused: attr-defined
    requested.call(lambda request, client: client.delete_stream())  # refused: attr-defined
    requested.call(lambda request, client: request["Nope"])  # refused: typeddict-item
    called.stabilize(lambda step: step.response["Nope"] == "x")  # refused: typeddict-item
    called.stabilize(lambda step: "yes")  # refused: arg-type, return-value
    called.done(lambda step: True)  # refused: arg-type, return-value
    called.backoff(5)  # refused: arg-type
    called.backoff(Constant(5))  # refused: call-arg
    called.progress().then(lambda progress: None)  # refused: arg-type, return-value
    called.fail_as({"X": "NotFound"})  # refused: dict-item
    _wrong: str = called.progress()  # refused: assignment
    _right: Progress = called.progress()
    Chain({"Name": "n"}, {})  # refused: type-var
