"""Records of the store: stacks, resources, events, operations and change sets."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.stacks.statuses import ResourceStatus, StackStatus

Texts = Mapping[str, str]
CUSTOM_TYPE = "AWS::CloudFormation::CustomResource"  # the type of custom resources without a `Custom::` type
STACK_TYPE = "AWS::CloudFormation::Stack"  # the type of a stack in events, and of a nested stack


class Record(Struct, frozen=True):
    """A value whose members are JSON values."""

    def to_json(self) -> str:
        """Return the stored form, a JSON text."""
        return json.dumps(self.to_value(), separators=(",", ":"))

    def to_value(self) -> dict[str, Any]:
        """Return the members as a dict; their values are shared, not copied."""
        members = {each: getattr(self, each) for each in self.__struct_fields__}
        return {name: each.to_value() if isinstance(each, Record) else each for name, each in members.items()}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the record of a stored form; members that an older version did not write get their defaults."""
        return cls.from_value(json.loads(text))

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Self:
        """Return the record of a dict that `to_value` returned."""
        return cls(**value)


class Deployment(Record, frozen=True):
    """The input of a deployment: a template and parameters.

    `template` is the processed template, `original` the text as it was given; `given` and `stored` are parameters as
    `ResolvedParameters` has them; `modules` is logical id → [type hierarchy, logical id hierarchy].
    """

    original: str
    template: Mapping[str, Any]
    given: Texts = field(default_factory=dict)
    stored: Texts = field(default_factory=dict)
    tags: Texts = field(default_factory=dict)
    modules: Mapping[str, list[str]] = field(default_factory=dict)
    capabilities: list[str] = field(default_factory=list)


class StackSettings(Record, frozen=True):
    """Options of a stack beside its deployment, and what failed operations have left to undo or continue.

    `unsettled` are failed operations whose work was neither kept nor undone, the oldest first; `rollbacks` those that
    began to undo it; `stable` is the deployment before them, None where there was none or where it is the stack's own.
    `removing` is the time at which the removal of all resources began, by a deletion or the rollback of the creation.
    `deployment_config` is that of the last operation. `configuration_complete` says that the last operation has applied
    everything without waiting until all resources are ready.
    """

    on_failure: str = "ROLLBACK"  # ROLLBACK, DELETE, DO_NOTHING
    disable_rollback: bool = False
    timeout_minutes: int | None = None
    termination_protection: bool = False
    notification_arns: list[str] = field(default_factory=list)
    role_arn: str | None = None
    retain_except_on_create: bool = False
    parent_id: str | None = None
    root_id: str | None = None
    change_set_id: str | None = None
    rollback_configuration: Mapping[str, Any] | None = None
    unsettled: list[str] = field(default_factory=list)
    rollbacks: list[str] = field(default_factory=list)
    stable: Mapping[str, Any] | None = None
    removing: float | None = None
    deployment_config: Mapping[str, Any] | None = None
    configuration_complete: bool = False


class StackRecord(Struct, frozen=True, kw_only=True):
    """A stack; `outputs` is name → [value, export name or null, description or null]."""

    id: str
    scope: Scope
    name: str
    status: StackStatus
    reason: str | None
    created: float
    updated: float | None
    deleted: float | None
    settings: StackSettings
    deployed: Deployment | None
    outputs: Mapping[str, list[str | None]]
    policy: str | None
    drift_status: str
    drift_checked: float | None
    operation_id: str | None

    @property
    def arn(self) -> str:
        """The stack's id as clients see it."""
        return stack_arn(self.scope, self.name, self.id)


def stack_arn(scope: Scope, name: str, identifier: str) -> str:
    """Return the ARN of a stack."""
    return f"arn:{scope.partition}:cloudformation:{scope.region}:{scope.account}:stack/{name}/{identifier}"


class ResourceRecord(Record, frozen=True):
    """A resource of a stack: its declaration in the processed template, its deployed properties, its current model."""

    logical_id: str
    type: str
    status: ResourceStatus
    declaration: Mapping[str, Any]
    properties: Mapping[str, Any]
    physical_id: str | None = None
    reason: str | None = None
    updated: float = 0.0
    model: Mapping[str, Any] = field(default_factory=dict)
    module: list[str] | None = None
    version: str | None = None

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Self:
        """See Record."""
        return cls(**{**value, "status": ResourceStatus(value["status"])})


class EventDetails(Record, frozen=True):
    """The rarer members of an event; `properties` is a JSON text with secrets masked."""

    properties: str | None = None
    token: str | None = None
    hook_type: str | None = None
    hook_status: str | None = None
    hook_reason: str | None = None
    hook_point: str | None = None
    hook_mode: str | None = None
    hook_id: str | None = None
    made_by: str | None = None  # the stand-in that made the resource where the type has no handlers
    validation: Mapping[str, Any] | None = None  # of a finding of pre-deployment validation: `name` and `path`
    detailed: str | None = None  # DetailedStatus


class EventRecord(Struct, frozen=True, kw_only=True):
    """An event of a stack; `id` is derived from what the event reports."""

    id: str
    stack_id: str
    logical_id: str
    type: str
    status: str
    time: float
    physical_id: str | None = None
    reason: str | None = None
    operation_id: str | None = None
    details: EventDetails = field(default_factory=EventDetails)


class OperationKind(StrEnum):
    """What an operation does to a stack."""

    CREATE = "CREATE_STACK"
    UPDATE = "UPDATE_STACK"
    DELETE = "DELETE_STACK"
    CONTINUE_ROLLBACK = "CONTINUE_ROLLBACK"
    ROLLBACK = "ROLLBACK"
    IMPORT = "IMPORT_STACK"
    REFACTOR = "REFACTOR_STACK"  # a part of a stack refactor, which has a workflow of its own


class OperationOptions(Record, frozen=True):
    """Options of an operation.

    `retain` are logical ids that a delete leaves, `skip` those that a rollback does; `force` has a delete leave what it
    can't remove; `keep_on_failure` leaves resources as they are where one fails (DisableRollback). `undo` are the
    operations whose work a rollback undoes, the oldest first, `rollbacks` those that began to before; without them it
    is its own. `policy` is the stack policy during the operation, `next_policy` the one that the stack has afterwards.
    `imports` are the physical ids of resources that are adopted, by logical id. `held` has an update stop before its
    clean-up until it is settled: a nested stack's, which goes back to what it was where its parent's fails.
    `change_set` is the one that it executes, `skip_stack_hooks` are hooks that have checked it and need not check the
    stack; hooks do not check an `unasked` operation, which no user requested. `problem` is an error of the template's
    macros, with which the operation fails as it begins. `nested` is how many resources of nested stacks it has begun to
    create, update or delete. With `express` it does not wait until resources are ready. `disable_validation` leaves out
    the validation before resources are touched. `live` is the actual state of the resources that have drifted, from a
    drift-aware change set, by logical id: see `ChangeSetRequest`. `cancel_token` is the client request token of its
    cancellation.
    """

    keep_on_failure: bool = False
    retain: list[str] = field(default_factory=list)
    skip: list[str] = field(default_factory=list)
    retain_except_on_create: bool = False
    held: bool = False
    change_set: str | None = None
    skip_stack_hooks: list[str] = field(default_factory=list)
    force: bool = False
    undo: list[str] = field(default_factory=list)
    rollbacks: list[str] = field(default_factory=list)
    policy: str | None = None
    next_policy: str | None = None
    imports: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None
    unasked: bool = False
    nested: int = 0
    disable_validation: bool = False
    express: bool = False
    live: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    cancel_token: str | None = None


class OperationRecord(Struct, frozen=True, kw_only=True):
    """An operation; `target` is what it deploys, None for deletes."""

    id: str
    stack_id: str
    kind: OperationKind
    token: str | None
    started: float
    ended: float | None
    target: Deployment | None
    options: OperationOptions
    cancelled: bool


class ChangeSetRequest(Record, frozen=True):
    """The parameters of a request for a change set that its execution and its description need.

    `hooks` are the answers of hooks, `imports` the physical ids of adopted resources, by logical id. `parent`, `root`
    and, by logical id, `children` are the ARNs of the change sets of the stacks above and of nested stacks. `token` is
    the client's, `digest` that of the request with it. `problems` are findings of pre-deployment validation. With
    `deployment_mode` the change set is aware of drift: `drift_status` is the stack's, and `live` has of each resource
    that has drifted, by logical id, what a `FoundDrift` has, and its `properties` as they were found; null where it was
    deleted.
    """

    description: str | None = None
    capabilities: list[str] = field(default_factory=list)
    notification_arns: list[str] = field(default_factory=list)
    role_arn: str | None = None
    on_failure: str | None = None
    hooks: Mapping[str, Any] = field(default_factory=dict)
    import_existing: bool = False
    imports: Mapping[str, str] = field(default_factory=dict)
    rollback_configuration: Mapping[str, Any] | None = None
    include_nested: bool = False
    parent: str | None = None
    root: str | None = None
    children: Mapping[str, str] = field(default_factory=dict)
    token: str | None = None
    digest: str | None = None
    disable_validation: bool = False
    problems: list[Mapping[str, Any]] = field(default_factory=list)
    deployment_config: Mapping[str, Any] | None = None
    deployment_mode: str | None = None
    drift_status: str | None = None
    live: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class ChangeSetRecord(Struct, frozen=True, kw_only=True):
    """A change set; `changes` is the JSON text of the two lists of changes, `target` what executing it deploys."""

    id: str
    stack_id: str
    name: str
    status: str
    execution_status: str
    reason: str | None
    created: float
    kind: str
    request: ChangeSetRequest
    target: Deployment | None
    changes: str


def change_set_arn(scope: Scope, name: str, identifier: str) -> str:
    """Return the ARN of a change set."""
    return f"arn:{scope.partition}:cloudformation:{scope.region}:{scope.account}:changeSet/{name}/{identifier}"
