"""The handler protocol's vocabularies, events and requests; the only definition of them in the project.

Source: user guide (seed 002), "Handler error codes" and "ProgressEvent object schema"; wire truth as the CloudFormation
CLI's own runtimes have it (camelCase field names, `status` rather than `OperationStatus`). Enum members are strings
equal to their names, so that they serialise as themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from .model import BaseModel
from .values import Serializable

if TYPE_CHECKING:
    # To a type checker these are dataclasses; at run time they are the same, made without importing `dataclasses`.
    from dataclasses import dataclass as record
else:
    from .records import record

__all__ = [
    "Action",
    "BaseHookHandlerRequest",
    "BaseModel",
    "BaseResourceHandlerRequest",
    "HandlerErrorCode",
    "HookAnnotation",
    "HookAnnotationSeverityLevel",
    "HookAnnotationStatus",
    "HookContext",
    "HookInvocationPoint",
    "HookProgressEvent",
    "HookStatus",
    "OperationStatus",
    "ProgressEvent",
]


class Action(str, Enum):
    """What a resource handler is asked to do."""

    CREATE = "CREATE"
    READ = "READ"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    LIST = "LIST"


class HookInvocationPoint(str, Enum):
    """When a hook is asked."""

    CREATE_PRE_PROVISION = "CREATE_PRE_PROVISION"
    UPDATE_PRE_PROVISION = "UPDATE_PRE_PROVISION"
    DELETE_PRE_PROVISION = "DELETE_PRE_PROVISION"


class OperationStatus(str, Enum):
    """Where an operation stands; the last but one only answers stack-level hooks."""

    PENDING = "PENDING"
    IN_PROGRESS = "IN_PROGRESS"
    SUCCESS = "SUCCESS"
    CHANGE_SET_SUCCESS_SKIP_STACK_HOOK = "CHANGE_SET_SUCCESS_SKIP_STACK_HOOK"
    FAILED = "FAILED"


class HookStatus(str, Enum):
    """Where a hook's check stands, as hook responses name it."""

    PENDING = "PENDING"
    IN_PROGRESS = "IN_PROGRESS"
    SUCCESS = "SUCCESS"
    CHANGE_SET_SUCCESS_SKIP_STACK_HOOK = "CHANGE_SET_SUCCESS_SKIP_STACK_HOOK"
    FAILED = "FAILED"


class HookAnnotationStatus(str, Enum):
    """The outcome of one check of a hook."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"


class HookAnnotationSeverityLevel(str, Enum):
    """How much a failed check weighs."""

    INFORMATIONAL = "INFORMATIONAL"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    CRITICAL = "CRITICAL"


class HandlerErrorCode(str, Enum):
    """Why an operation failed.

    The caller retries after NetworkFailure, ResourceConflict, ServiceInternalError and Throttling.
    """

    NotUpdatable = "NotUpdatable"
    InvalidRequest = "InvalidRequest"
    AccessDenied = "AccessDenied"
    InvalidCredentials = "InvalidCredentials"
    AlreadyExists = "AlreadyExists"
    NotFound = "NotFound"
    ResourceConflict = "ResourceConflict"
    Throttling = "Throttling"
    ServiceLimitExceeded = "ServiceLimitExceeded"
    NotStabilized = "NotStabilized"
    GeneralServiceException = "GeneralServiceException"
    ServiceInternalError = "ServiceInternalError"
    NetworkFailure = "NetworkFailure"
    InternalFailure = "InternalFailure"
    InvalidTypeConfiguration = "InvalidTypeConfiguration"
    HandlerInternalFailure = "HandlerInternalFailure"
    NonCompliant = "NonCompliant"
    UnsupportedTarget = "UnsupportedTarget"
    Unknown = "Unknown"


@record
class HookAnnotation(Serializable):
    """One check that a hook made, shown beside its result."""

    annotationName: str
    status: HookAnnotationStatus
    statusMessage: str | None = None
    remediationMessage: str | None = None
    remediationLink: str | None = None
    severityLevel: HookAnnotationSeverityLevel | None = None


@record
class ProgressEvent(Serializable):
    """What a handler answers; hooks' handlers return it too and the runtime turns it into a HookProgressEvent.

    `callbackDelaySeconds`: seconds until the next invocation of an IN_PROGRESS operation, negative for none.
    `callbackContext`: JSON that the next invocation is given back. `result` and `annotations` are for hooks only.
    """

    status: OperationStatus
    errorCode: HandlerErrorCode | None = None
    message: str = ""
    result: str | None = None
    callbackContext: MutableMapping[str, Any] | None = None
    callbackDelaySeconds: int = 0
    resourceModel: BaseModel | None = None
    resourceModels: Sequence[BaseModel] | None = None
    nextToken: str | None = None
    annotations: Sequence[HookAnnotation] | None = None

    def _members(self) -> Mapping[str, Any]:
        """What a resource handler's response has: the members that are present, without those for hooks."""
        hooks_only = ("result", "annotations")
        return {name: value for name, value in super()._members().items() if name not in hooks_only}

    @classmethod
    def failed(
        cls: type[ProgressEvent], error_code: HandlerErrorCode, message: str = "", result: str | None = None
    ) -> ProgressEvent:
        """A FAILED event with this code and message."""
        return cls(status=OperationStatus.FAILED, errorCode=error_code, message=message, result=result)


@record
class HookProgressEvent(Serializable):
    """What a hook invocation answers on the wire."""

    hookStatus: HookStatus
    errorCode: HandlerErrorCode | None = None
    message: str = ""
    callbackContext: MutableMapping[str, Any] | None = None
    callbackDelaySeconds: int = 0
    result: str | None = None
    clientRequestToken: str | None = None
    annotations: Sequence[HookAnnotation] | None = None

    @classmethod
    def failed(
        cls: type[HookProgressEvent],
        error_code: HandlerErrorCode,
        message: str = "",
        annotations: Sequence[HookAnnotation] | None = None,
    ) -> HookProgressEvent:
        """A FAILED event with this code and message."""
        return cls(hookStatus=HookStatus.FAILED, errorCode=error_code, message=message, annotations=annotations)


@record
class BaseResourceHandlerRequest:
    """What a resource handler is asked; the generated ResourceHandlerRequest narrows the three model fields."""

    clientRequestToken: str
    desiredResourceState: BaseModel | None
    previousResourceState: BaseModel | None
    desiredResourceTags: Mapping[str, Any] | None
    previousResourceTags: Mapping[str, Any] | None
    systemTags: Mapping[str, Any] | None
    previousSystemTags: Mapping[str, Any] | None
    awsAccountId: str | None
    logicalResourceIdentifier: str | None
    typeConfiguration: BaseModel | None
    nextToken: str | None
    region: str | None
    awsPartition: str | None
    stackId: str | None


@record
class HookContext:
    """What a hook is asked about; `targetModel` is raw JSON: resourceProperties, previousResourceProperties."""

    awsAccountId: str
    stackId: str
    hookTypeName: str
    hookTypeVersion: str
    invocationPoint: HookInvocationPoint
    targetName: str
    targetType: str
    targetLogicalId: str
    targetModel: Mapping[str, Any]
    changeSetId: str | None = None


@record
class BaseHookHandlerRequest:
    """What a hook handler is asked; the generated HookHandlerRequest inherits it."""

    clientRequestToken: str
    hookContext: HookContext
