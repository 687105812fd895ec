"""Stored records of stack refactors."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.documents.copied import as_json_value
from formwork.stacks.store.records import Deployment, stack_arn


class CreationStatus(StrEnum):
    """Whether a refactor was validated."""

    IN_PROGRESS = "CREATE_IN_PROGRESS"
    COMPLETE = "CREATE_COMPLETE"
    FAILED = "CREATE_FAILED"


class ExecutionStatus(StrEnum):
    """Whether a refactor can be executed, and the result of its execution."""

    UNAVAILABLE = "UNAVAILABLE"
    AVAILABLE = "AVAILABLE"
    OBSOLETE = "OBSOLETE"
    IN_PROGRESS = "EXECUTE_IN_PROGRESS"
    COMPLETE = "EXECUTE_COMPLETE"
    FAILED = "EXECUTE_FAILED"
    ROLLBACK_IN_PROGRESS = "ROLLBACK_IN_PROGRESS"
    ROLLBACK_COMPLETE = "ROLLBACK_COMPLETE"
    ROLLBACK_FAILED = "ROLLBACK_FAILED"


RUNNING = frozenset({ExecutionStatus.IN_PROGRESS, ExecutionStatus.ROLLBACK_IN_PROGRESS})


class ResourcePlace(Struct, frozen=True, order=True):
    """A logical id in a stack, which is named by the last part of its ARN."""

    stack: str
    logical_id: str


class GivenMapping(Struct, frozen=True):
    """A mapping of the request."""

    source: ResourcePlace
    destination: ResourcePlace


class RefactoredStack(Struct, frozen=True, kw_only=True):
    """A stack of a refactor; `id` is the last part of its ARN, `template` the text that it gets.

    `creates` says that the execution creates it. `operation` is the stack's last operation when the refactor was
    created, `deployment` what it gets, None until that is validated.
    """

    id: str
    name: str
    template: str
    creates: bool
    operation: str | None
    deployment: Deployment | None = None

    def arn(self, scope: Scope) -> str:
        """Return the stack's ARN."""
        return stack_arn(scope, self.name, self.id)


class Move(Struct, frozen=True, kw_only=True):
    """A resource that gets another place; `identifier` is its primary identifier by property.

    `given` says that the request mapped it, `rewritten` that its properties are written otherwise and come to the same.
    `tagged` says that the stack's tags are on the resource, so that its handler is called with the new ones.
    """

    source: ResourcePlace
    destination: ResourcePlace
    physical_id: str
    identifier: Mapping[str, Any]
    given: bool
    rewritten: bool
    tagged: bool


class MoveCall(Struct, frozen=True, kw_only=True):
    """The progress of the calls of handlers: the `number` of the current move, and its handler's last answer.

    `models` are those that handlers answered, by the move's number. `failed` says that one failed to put its
    old tags back.
    """

    number: int = 0
    due: float = 0.0
    deadline: float | None = None
    tries: int = 0
    context: Mapping[str, Any] | None = None
    model: Mapping[str, Any] | None = None
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    failed: bool = False


class StackRefactor(Struct, frozen=True, kw_only=True):
    """A stack refactor. `reason` and `execution_reason` explain the statuses."""

    id: str
    scope: Scope
    created: float
    description: str | None
    stacks: tuple[RefactoredStack, ...]
    mappings: tuple[GivenMapping, ...] = ()
    moves: tuple[Move, ...] = ()
    status: CreationStatus = CreationStatus.IN_PROGRESS
    reason: str | None = None
    execution_status: ExecutionStatus = ExecutionStatus.UNAVAILABLE
    execution_reason: str | None = None
    call: MoveCall = field(default_factory=MoveCall)
    version: int = 1  # of this form

    def to_value(self) -> dict[str, Any]:
        """Return the JSON value that `refactor_from_value` reads."""
        value: dict[str, Any] = as_json_value(self)
        return value

    def stack(self, identifier: str) -> RefactoredStack:
        """Return the stack with this id."""
        return next(each for each in self.stacks if each.id == identifier)

    def operation_id(self, stack: RefactoredStack) -> str:
        """Return the id of the operation that the execution is on a stack: the same after a crash."""
        return f"{self.id[:18]}{stack.id[18:]}"


def refactor_from_value(value: Mapping[str, Any]) -> StackRefactor:
    """Return the refactor that `to_value` gave."""
    return StackRefactor(
        **{
            **value,
            "scope": Scope(**value["scope"]),
            "stacks": tuple(_stack(each) for each in value["stacks"]),
            "mappings": tuple(GivenMapping(**_places(each)) for each in value["mappings"]),
            "moves": tuple(Move(**_places(each)) for each in value["moves"]),
            "status": CreationStatus(value["status"]),
            "execution_status": ExecutionStatus(value["execution_status"]),
            "call": MoveCall(**value["call"]),
        }
    )


def _stack(value: Mapping[str, Any]) -> RefactoredStack:
    deployment = value["deployment"]
    return RefactoredStack(**{**value, "deployment": None if deployment is None else Deployment(**deployment)})


def _places(value: Mapping[str, Any]) -> dict[str, Any]:
    return {**value, **{name: ResourcePlace(**value[name]) for name in ("source", "destination")}}
