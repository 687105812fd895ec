"""A hook's handlers as their author writes them; a comment `# refused: code` marks what mypy must refuse."""

from collections.abc import MutableMapping
from typing import Any

from cloudformation_cli_python_lib import (
    BaseHookHandlerRequest,
    BaseModel,
    HandlerErrorCode,
    Hook,
    HookAnnotation,
    HookAnnotationSeverityLevel,
    HookAnnotationStatus,
    HookInvocationPoint,
    OperationStatus,
    ProgressEvent,
    SessionProxy,
)
from cloudformation_cli_python_lib.shapes import Fields, boolean


class HookHandlerRequest(BaseHookHandlerRequest):
    pass


class TypeConfigurationModel(BaseModel):
    def __init__(self, Strict: bool | None = None) -> None:
        self.Strict = Strict

    @classmethod
    def _fields(cls) -> Fields:
        return {"Strict": boolean}


hook = Hook("Acme::Store::Check", TypeConfigurationModel)
test_entrypoint = hook.test_entrypoint


@hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION)
def pre_create(
    session: SessionProxy | None,
    request: HookHandlerRequest,
    callback_context: MutableMapping[str, Any],
    type_configuration: TypeConfigurationModel,
) -> ProgressEvent:
    properties = request.hookContext.targetModel.get("resourceProperties")
    if request.hookContext.targetName == "AWS::S3::Bucket" and not properties and type_configuration.Strict:
        failed = HookAnnotation(
            "properties", HookAnnotationStatus.FAILED, severityLevel=HookAnnotationSeverityLevel.LOW
        )
        event = ProgressEvent.failed(HandlerErrorCode.NonCompliant, "no properties")
        event.annotations = [failed]
        return event
    return ProgressEvent(status=OperationStatus.SUCCESS)


# What a type checker must refuse.

HookAnnotation("properties")  # refused: call-arg
HookAnnotation("properties", HookAnnotationStatus.FAILED, severityLevel="LOW")  # refused: arg-type
hook.handler(HookInvocationPoint.CREATE)  # refused: attr-defined
Hook("Acme::Store::Check")  # refused: call-arg


@hook.handler(HookInvocationPoint.UPDATE_PRE_PROVISION)  # refused: type-var
def pre_update(_session: Any, _request: Any, _context: MutableMapping[str, Any]) -> ProgressEvent:
    return ProgressEvent(OperationStatus.SUCCESS)
