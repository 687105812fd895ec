"""Records of steps: one phase of an operation for one resource, and the stage that it has reached.

A running step is in one of the stages of `Progress`. The record of a stage has all that is needed to resume the
step in this stage, so that a process can be killed at any moment (docs/decisions/1291).
"""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Self, TypeAlias, assert_never

from msgspec import Struct, field

from formwork.stacks.store.records import Record, ResourceRecord
from formwork.stacks.store.untyped_steps import typed_form

_FORM_VERSION = 2  # version 1 was a dict without types, see `untyped_steps`


class Phase(StrEnum):
    """A part of an operation with at most one step per resource; hooks check the stack before the first phase."""

    HOOKS = "hooks"
    DEPLOY = "deploy"
    ROLLBACK = "rollback"
    CLEANUP = "cleanup"
    DELETE = "delete"


class StepState(StrEnum):
    """Whether a step still runs, and how it has ended."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Decision(StrEnum):
    """What a step does to its resource, as decided before its first call."""

    LEAVE = "leave"
    CREATE = "create"
    RECREATE = "recreate"  # the resource was left incomplete by a failed operation
    UPDATE = "update"
    UPDATE_OR_REPLACE = "update-or-replace"  # replaced where its handler answers NotUpdatable
    REPLACE = "replace"
    IMPORT = "import"


class HandlerAction(StrEnum):
    """What a handler is called with; an import only reads the resource."""

    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    IMPORT = "IMPORT"


class ExpectedSignals(Record, frozen=True):
    """The signals of a CreationPolicy: those after `since` count."""

    count: int
    seconds: int
    percent: int
    since: float


class Plan(Record, frozen=True, kw_only=True):
    """The decision about a resource, made before its first handler is called and kept through all stages of the step.

    `decision` is None for removals. `shown` are its properties as events show them, a JSON text. `before` is the
    resource that the step found and changes or replaces, None where a deployment found none. A replacement that
    deletes the old resource first has the new one in `replacement` until then, and `old_deleted` from then on. `live`
    is the actual state of a resource that has drifted, see `ChangeSetRequest`; None where it has not.
    """

    decision: Decision | None
    shown: str | None
    before: ResourceRecord | None = None
    replacement: ResourceRecord | None = None
    old_deleted: bool = False
    signals: ExpectedSignals | None = None
    live: Mapping[str, Any] | None = None

    @property
    def replaces(self) -> bool:
        """Whether there is a physical resource that the step changes or replaces."""
        return self.before is not None and not is_gone(self.live)

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Self:
        """See Record."""
        signals = value["signals"]
        return cls(
            **{
                **value,
                "decision": _decision(value["decision"]),
                "before": _resource(value["before"]),
                "replacement": _resource(value["replacement"]),
                "signals": None if signals is None else ExpectedSignals.from_value(signals),
            }
        )


class HandlerOperation(Record, frozen=True, kw_only=True):
    """An operation of a handler on a resource, from its first call to its end.

    `resource` is what the handler works on, `token` the client request token of every call, `deadline` the time until
    which callbacks are made. `renamed_from` is the physical id before an update that returned another one.
    """

    action: HandlerAction
    resource: ResourceRecord
    plan: Plan
    token: str
    deadline: float
    renamed_from: str | None = None

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Self:
        """See Record."""
        return cls(
            **{
                **value,
                "action": HandlerAction(value["action"]),
                "resource": ResourceRecord.from_value(value["resource"]),
                "plan": Plan.from_value(value["plan"]),
            }
        )


class _Doing(Record, frozen=True):
    """A stage in which a handler's operation is under way."""

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Self:
        return cls(**{**value, "doing": HandlerOperation.from_value(value["doing"])})


class NotStarted(Record, frozen=True):
    """The first stage: nothing is decided yet."""


class AskingHooks(_Doing, frozen=True, kw_only=True):
    """Hooks are asked before the handler is called; `answers` are theirs so far, as `hooks` stores them."""

    doing: HandlerOperation
    answers: Mapping[str, Any] = field(default_factory=dict)
    due: float = 0.0


class Calling(_Doing, frozen=True, kw_only=True):
    """The handler is called next, at `due` the earliest.

    `tries` counts retries of one call. `context` and `model` are what the handler answered to the call before; with
    `model_was_read` the model is what a read found.
    """

    doing: HandlerOperation
    tries: int = 0
    context: Mapping[str, Any] | None = None
    model: Mapping[str, Any] | None = None
    model_was_read: bool = False
    due: float = 0.0


class Reading(_Doing, frozen=True, kw_only=True):
    """The resource is read next: its handler has ended, or it is imported. `model` is what the handler returned."""

    doing: HandlerOperation
    tries: int = 0
    model: Mapping[str, Any] | None = None
    due: float = 0.0


class AwaitingSignals(_Doing, frozen=True, kw_only=True):
    """The resource was created and waits for signals until `deadline`; events report those with the ids `told`."""

    doing: HandlerOperation
    model: Mapping[str, Any]
    deadline: float
    told: Sequence[str] = ()
    looks: int = 0
    due: float = 0.0


class Ended(Record, frozen=True, kw_only=True):
    """The step has ended; has what a rollback or a clean-up needs.

    `decision`, `before`, `old_deleted` and `live` are those of its plan. `left_behind` says that a rollback leaves the
    removal of what the operation created to the clean-up, `stabilizing` that the resource is configured but may not be
    ready.
    """

    decision: Decision | None = None
    before: ResourceRecord | None = None
    old_deleted: bool = False
    left_behind: bool = False
    stabilizing: bool = False
    live: Mapping[str, Any] | None = None

    @classmethod
    def after(cls, plan: Plan) -> Self:
        """Return the end of a step with this plan."""
        return cls(decision=plan.decision, before=plan.before, old_deleted=plan.old_deleted, live=plan.live)

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Self:
        """See Record."""
        decided = {"decision": _decision(value["decision"]), "before": _resource(value["before"])}
        return cls(**{**value, **decided})


class StackHooks(Record, frozen=True, kw_only=True):
    """Hooks are asked about the whole stack; the only stage of the phase HOOKS."""

    token: str
    answers: Mapping[str, Any] = field(default_factory=dict)


Progress: TypeAlias = NotStarted | AskingHooks | Calling | Reading | AwaitingSignals | Ended | StackHooks
_STAGES: Mapping[str, type[Progress]] = {
    "not-started": NotStarted,
    "asking-hooks": AskingHooks,
    "calling": Calling,
    "reading": Reading,
    "awaiting-signals": AwaitingSignals,
    "ended": Ended,
    "stack-hooks": StackHooks,
}
_NAMES = {each: name for name, each in _STAGES.items()}


class StepRecord(Struct, frozen=True, kw_only=True):
    """A step: one phase of an operation for one resource."""

    operation_id: str
    phase: Phase
    logical_id: str
    state: StepState
    reason: str | None
    progress: Progress

    @property
    def doing(self) -> HandlerOperation | None:
        """The handler's operation that is under way; None before the first one and after the last."""
        match self.progress:
            case AskingHooks() | Calling() | Reading() | AwaitingSignals():
                return self.progress.doing
            case NotStarted() | Ended() | StackHooks():
                return None
            case _:
                assert_never(self.progress)

    @property
    def due(self) -> float:
        """When the step is to be continued, in seconds since the epoch."""
        match self.progress:
            case AskingHooks() | Calling() | Reading() | AwaitingSignals():
                return self.progress.due
            case NotStarted() | Ended() | StackHooks():
                return 0.0
            case _:
                assert_never(self.progress)

    @property
    def end(self) -> Ended:
        """The end of the step as a rollback needs it, also of a step that was interrupted."""
        if isinstance(self.progress, Ended):
            return self.progress
        return Ended() if self.doing is None else Ended.after(self.doing.plan)


def progress_to_json(progress: Progress) -> str:
    """Return the stored form of a stage."""
    value = {"form_version": _FORM_VERSION, "stage": _NAMES[type(progress)], **progress.to_value()}
    return json.dumps(value, separators=(",", ":"))


def progress_from_json(text: str) -> Progress:
    """Return the stage of a stored form, of this version or of an earlier one."""
    value = json.loads(text)
    if value.pop("form_version", 1) == 1:
        value = typed_form(value)
    return _STAGES[value.pop("stage")].from_value(value)


def is_gone(live: Mapping[str, Any] | None) -> bool:
    """Return whether a resource was found to be deleted outside its stack."""
    return live is not None and live["status"] == "DELETED"


def _decision(value: str | None) -> Decision | None:
    return None if value is None else Decision(value)


def _resource(value: Mapping[str, Any] | None) -> ResourceRecord | None:
    return None if value is None else ResourceRecord.from_value(value)
