"""A resource type's handlers as their author writes them; a comment `# refused: code` marks what mypy must refuse."""

from collections.abc import MutableMapping
from typing import Any

from cloudformation_cli_python_lib import (
    Action,
    BaseModel,
    BaseResourceHandlerRequest,
    HandlerErrorCode,
    OperationStatus,
    ProgressEvent,
    Resource,
    SessionProxy,
    exceptions,
    identifier_utils,
)
from cloudformation_cli_python_lib.shapes import Fields, integer, string


class ResourceModel(BaseModel):
    def __init__(self, Name: str | None = None, Count: int | None = None) -> None:
        self.Name = Name
        self.Count = Count

    @classmethod
    def _fields(cls) -> Fields:
        return {"Name": string, "Count": integer}


class TypeConfigurationModel(BaseModel):
    @classmethod
    def _fields(cls) -> Fields:
        return {}


class ResourceHandlerRequest(BaseResourceHandlerRequest):
    desiredResourceState: ResourceModel | None
    previousResourceState: ResourceModel | None


resource = Resource("Acme::Store::Thing", ResourceModel, TypeConfigurationModel)
test_entrypoint = resource.test_entrypoint


@resource.handler(Action.CREATE)
def create(
    session: SessionProxy | None,
    request: ResourceHandlerRequest,
    callback_context: MutableMapping[str, Any],
) -> ProgressEvent:
    model = request.desiredResourceState
    if model is None:
        raise exceptions.InvalidRequest("no model")
    model.Name = identifier_utils.generate_resource_identifier(
        request.stackId, request.logicalResourceIdentifier, request.clientRequestToken, 64
    )
    if session is not None:
        session.client("s3").create_bucket(Bucket=model.Name)
    return ProgressEvent(
        status=OperationStatus.IN_PROGRESS,
        resourceModel=model,
        callbackContext={"step": 1},
        callbackDelaySeconds=5,
    )


@resource.handler(Action.LIST)
def list_things(
    _session: SessionProxy | None, request: ResourceHandlerRequest, _context: MutableMapping[str, Any]
) -> ProgressEvent:
    return ProgressEvent(OperationStatus.SUCCESS, resourceModels=[ResourceModel(Name="n")], nextToken=request.nextToken)


reveal: ResourceModel = ResourceModel._deserialize({"Name": "n"})
absent: None = ResourceModel._deserialize(None)
count: int | None = reveal.Count
again: ProgressEvent = create(None, ResourceHandlerRequest.__new__(ResourceHandlerRequest), {})

# What a type checker must refuse.

ProgressEvent(status="SUCCESS")  # refused: arg-type
ProgressEvent()  # refused: call-arg
ProgressEvent(OperationStatus.SUCCESS, resourceModel={"Name": "n"})  # refused: arg-type
ProgressEvent(OperationStatus.SUCCESS, errrorCode=None)  # refused: call-arg
ProgressEvent.failed("NotFound")  # refused: arg-type
ProgressEvent.failed(HandlerErrorCode.Nope)  # refused: attr-defined
exceptions.NotFound("Acme::Store::Thing")  # refused: call-arg
name: int = reveal.Name  # refused: assignment
Resource("Acme::Store::Thing", str)  # refused: arg-type
resource.handler("CREATE")  # refused: arg-type
create(None, None, {})  # refused: arg-type


@resource.handler(Action.DELETE)  # refused: type-var
def delete(session: SessionProxy | None, request: ResourceHandlerRequest) -> ProgressEvent:
    return ProgressEvent(OperationStatus.SUCCESS)


@resource.handler(Action.READ)  # refused: type-var
def read(_session: Any, _request: Any, _context: MutableMapping[str, Any]) -> None:
    return None
