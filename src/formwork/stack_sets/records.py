"""Stored records of stack sets."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.stack_sets.preferences import Preferences
from formwork.stacks.store.records import Record, Texts

DEFAULT_ROLE = "AWSCloudFormationStackSetExecutionRole"


class Definition(Record, frozen=True):
    """The deployment of a stack set; `parameters` are all that the template declares."""

    template: str
    description: str | None = None
    parameters: Texts = field(default_factory=dict)
    tags: Texts = field(default_factory=dict)
    capabilities: list[str] = field(default_factory=list)
    administration_role_arn: str | None = None
    execution_role_name: str | None = None
    managed_execution: bool = False


class StackSetRecord(Struct, frozen=True, kw_only=True):
    """A stack set; `drift` is what was found last, in the API's words. `token` and `request` made it."""

    id: str
    scope: Scope
    name: str
    created: float
    deleted: float | None
    definition: Definition
    drift: Mapping[str, Any] | None = None
    token: str | None = None
    request: str = ""

    @property
    def full_id(self) -> str:
        """The id that clients see: the name with a suffix."""
        return f"{self.name}:{self.id}"

    @property
    def arn(self) -> str:
        """The ARN of the stack set."""
        scope = self.scope
        return f"arn:{scope.partition}:cloudformation:{scope.region}:{scope.account}:stackset/{self.full_id}"


class InstanceStatus(StrEnum):
    """Whether an instance's stack is what the stack set says."""

    CURRENT = "CURRENT"
    OUTDATED = "OUTDATED"
    INOPERABLE = "INOPERABLE"


class DetailedStatus(StrEnum):
    """The progress of an operation on an instance, or how the last one ended."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    INOPERABLE = "INOPERABLE"
    FAILED_IMPORT = "FAILED_IMPORT"

    @property
    def ended(self) -> bool:
        """Whether the instance's operation has ended."""
        return self not in {DetailedStatus.PENDING, DetailedStatus.RUNNING}


class Instance(Record, frozen=True):
    """A stack instance: a stack set's stack in one account and Region.

    `stack_id` is the stack's ARN, None where none was made; `overrides` take the place of the stack set's parameters.
    """

    account: str
    region: str
    stack_id: str | None = None
    overrides: Texts = field(default_factory=dict)
    status: str = InstanceStatus.OUTDATED
    detailed: str = DetailedStatus.PENDING
    reason: str | None = None
    drift_status: str = "NOT_CHECKED"
    drift_checked: float | None = None
    operation_id: str | None = None


class SetOperationAction(StrEnum):
    """The action of an operation on instances."""

    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    DETECT_DRIFT = "DETECT_DRIFT"


class SetOperationStatus(StrEnum):
    """The status of an operation on a stack set."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    STOPPING = "STOPPING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    STOPPED = "STOPPED"

    @property
    def ended(self) -> bool:
        """Whether the operation has ended."""
        return self in {SetOperationStatus.SUCCEEDED, SetOperationStatus.FAILED, SetOperationStatus.STOPPED}


class SetOperation(Struct, frozen=True, kw_only=True):
    """An operation on a stack set: `preferences` say how, `retain` leaves the stacks of deleted instances.

    `imports` says that stacks which stand already are taken over; `request` is a digest of what was asked.
    """

    id: str
    stack_set_id: str
    number: int | None = None  # of the table, once it is there
    action: SetOperationAction
    status: SetOperationStatus
    started: float
    ended: float | None = None
    request: str = ""
    preferences: Preferences = field(default_factory=Preferences)
    retain: bool | None = None
    imports: bool = False
    reason: str | None = None
    drift: Mapping[str, Any] | None = None


class ResultStage(StrEnum):
    """What an operation waits for in one account and Region; detections of drift stay in the first stage."""

    BEGIN = "begin"
    DEPLOY = "deploy"  # until the stack is created or updated
    REPLACE = "replace"  # until a stack is deleted that can't be updated
    DELETE = "delete"  # until the stack is deleted


class Result(Record, frozen=True):
    """The progress of an operation in one account and Region; `detection` is the id of a detection of drift."""

    account: str
    region: str
    status: str = DetailedStatus.PENDING
    reason: str | None = None
    stage: ResultStage = ResultStage.BEGIN
    detection: str | None = None

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Self:
        """See Record."""
        return cls(**{**value, "stage": ResultStage(value.get("stage", ResultStage.BEGIN))})
