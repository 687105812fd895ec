"""One account and Region of an operation: the stack there is made, changed, taken over, looked at or removed.

Everything is asked of the engine under a token of the operation's, so that asking again after a crash begins nothing
twice.

The reasons are in docs/decisions/1241.
"""

import uuid
from typing import assert_never

from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.engine.deletion import DeleteRequest, delete_stack
from formwork.engine.drift.detection import DriftDetection
from formwork.engine.engine import Engine
from formwork.engine.planning.requests import StackRequest
from formwork.preparation.parameters import GivenParameter
from formwork.preparation.prepared import parse_template
from formwork.stack_sets.records import (
    DEFAULT_ROLE,
    DetailedStatus,
    Instance,
    InstanceStatus,
    Result,
    ResultStage,
    SetOperation,
    SetOperationAction,
    StackSetRecord,
)
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import UPDATABLE, StackStatus
from formwork.stacks.store.records import StackRecord, StackSettings
from formwork.stacks.store.stacks import get_stack

_NAMES = uuid.UUID("2c1c6f6b-6a0e-4f0f-9b43-0b6a1f9f7a52")  # the namespace of what follows the name of a stack
_MOST = 128  # of a stack's name
_GOOD = frozenset({StackStatus.CREATE_COMPLETE, StackStatus.UPDATE_COMPLETE, StackStatus.IMPORT_COMPLETE})
# A stack in one of these can not be updated: it is deleted and created again.
_LOST = frozenset(
    {
        StackStatus.CREATE_FAILED,
        StackStatus.ROLLBACK_COMPLETE,
        StackStatus.ROLLBACK_FAILED,
        StackStatus.DELETE_FAILED,
        StackStatus.REVIEW_IN_PROGRESS,
    }
)

# A target after some work: its result, and the instance, None if it was deleted.
Worked = tuple[Result, Instance | None]


class Worker:
    """Runs one target of an operation: creates, updates, deletes or checks the instance's stack."""

    def __init__(self, engine: Engine, drift: DriftDetection) -> None:
        self._engine = engine
        self._drift = drift

    def go_on(self, stack_set: StackSetRecord, operation: SetOperation, instance: Instance, result: Result) -> Worked:
        """Begin with a target, or check its progress."""
        try:
            return _Target(self._engine, self._drift, stack_set, operation, instance, result).go_on()
        except StackError as error:
            return _failed(operation, instance, result, error.message)


class _Target:
    def __init__(  # noqa: PLR0913, PLR0917 - what a target is made of
        self,
        engine: Engine,
        drift: DriftDetection,
        stack_set: StackSetRecord,
        operation: SetOperation,
        instance: Instance,
        result: Result,
    ) -> None:
        self._engine = engine
        self._drift = drift
        self._set = stack_set
        self._operation = operation
        self._instance = instance
        self._result = result
        self._scope = Scope(instance.account, instance.region)

    def go_on(self) -> Worked:
        if self._operation.action is SetOperationAction.DETECT_DRIFT:
            return self._detect()
        match self._result.stage:
            case ResultStage.BEGIN if self._operation.action is SetOperationAction.DELETE:
                return self._remove()
            case ResultStage.BEGIN:
                return self._take_over() if self._operation.imports else self._deploy()
            case ResultStage.DEPLOY:
                return self._look_deployed()
            case ResultStage.REPLACE:
                return self._look_replaced()
            case ResultStage.DELETE:
                return self._look_removed()
            case _:
                assert_never(self._result.stage)

    # -- making and changing

    def _deploy(self) -> Worked:
        stack = self._stack()
        if stack is None:
            return self._create()
        if stack.status is StackStatus.DELETE_IN_PROGRESS:  # begun here before a crash, or by a user
            return self._running(ResultStage.REPLACE)
        if stack.status in _LOST:
            self._delete(stack)
            return self._running(ResultStage.REPLACE)
        try:
            self._engine.update_stack(self._scope, self._request(stack.name))
        except StackError as error:
            if error.message != "No updates are to be performed.":
                raise
            return self._succeeded()
        return self._running(ResultStage.DEPLOY)

    def _create(self) -> Worked:
        unique = f"{self._set.id}/{self._instance.account}/{self._instance.region}/{self._operation.number}"
        suffix = str(uuid.uuid5(_NAMES, unique))
        prefix = f"StackSet-{self._set.name}"[: _MOST - len(suffix) - 1]
        arn, _ = self._engine.create_stack(self._scope, self._request(f"{prefix}-{suffix}"))
        return self._running(ResultStage.DEPLOY, replace(self._instance, stack_id=arn))

    def _look_replaced(self) -> Worked:
        stack = self._stack()
        if stack is None:
            return self._create()
        return self._running(ResultStage.REPLACE) if stack.status.busy else self._not_good(stack)

    def _look_deployed(self) -> Worked:
        stack = self._stack()
        if stack is None:
            return _failed(self._operation, self._instance, self._result, "The stack was deleted meanwhile.")
        if stack.status.busy:
            return self._running(ResultStage.DEPLOY)
        return self._succeeded() if stack.status in _GOOD else self._not_good(stack)

    def _request(self, name: str) -> StackRequest:
        definition = self._set.definition
        values = {**definition.parameters, **self._instance.overrides}
        role = definition.execution_role_name or DEFAULT_ROLE
        return StackRequest(
            name=name,
            template=definition.template,
            parameters=tuple(GivenParameter(key, value) for key, value in values.items()),
            tags=dict(definition.tags),
            capabilities=tuple(definition.capabilities),
            token=self._token,
            settings=StackSettings(
                role_arn=f"arn:{self._scope.partition}:iam::{self._scope.account}:role/{role}",
            ),
        )

    # -- taking over

    def _take_over(self) -> Worked:
        stack = self._stack()
        if stack is None or stack.deployed is None:
            return self._not_imported("The stack does not exist.")
        if stack.status not in UPDATABLE:
            return self._not_imported(f"Stack {stack.arn} is in {stack.status} state and can not be imported.")
        definition = self._set.definition
        if parse_template(stack.deployed.original).value != parse_template(definition.template).value:
            return self._not_imported(f"The template of stack {stack.arn} is not the stack set's.")
        own = {key: value for key, value in stack.deployed.given.items() if definition.parameters[key] != value}
        return self._succeeded(replace(self._instance, overrides=own))

    def _not_imported(self, reason: str) -> Worked:
        failed = replace(self._result, status=DetailedStatus.FAILED, reason=reason)
        return failed, replace(self._instance, detailed=DetailedStatus.FAILED_IMPORT, reason=reason)

    # -- removing

    def _remove(self) -> Worked:
        stack = self._stack()
        if stack is None or self._operation.retain:
            return self._gone()
        self._delete(stack)
        return self._running(ResultStage.DELETE)

    def _look_removed(self) -> Worked:
        stack = self._stack()
        if stack is None:
            return self._gone()
        if stack.status.busy:
            return self._running(ResultStage.DELETE)
        return _failed(self._operation, self._instance, self._result, self._reason(stack))

    def _delete(self, stack: StackRecord) -> None:
        delete_stack(self._engine, self._scope, DeleteRequest(name=stack.arn, token=f"{self._token}-delete"))

    # -- looking for drift

    def _detect(self) -> Worked:
        stack = self._stack()
        if stack is None:
            return _failed(self._operation, self._instance, self._result, "The instance has no stack.")
        if self._result.detection is None:
            detection = self._drift.detect_stack(self._scope, stack.arn)
            return replace(self._result, status=DetailedStatus.RUNNING, detection=detection), self._instance
        found, _ = self._drift.describe(self._result.detection)
        if found.status == "DETECTION_IN_PROGRESS":
            return self._result, self._instance
        failed = found.status == "DETECTION_FAILED"
        status = DetailedStatus.FAILED if failed else DetailedStatus.SUCCEEDED
        checked = replace(self._instance, drift_status=found.drift_status, drift_checked=self._engine.settings.now())
        return replace(self._result, status=status, reason=found.reason), checked

    # -- inside

    @property
    def _token(self) -> str:
        return f"StackSet-{self._set.id}-{self._operation.number}"

    def _stack(self) -> StackRecord | None:
        """Return the instance's stack, None if it does not exist."""
        if self._instance.stack_id is None:
            return None
        with self._engine.database.read() as connection:
            stack = get_stack(connection, self._instance.stack_id.rpartition("/")[2])
        return None if stack is None or stack.status is StackStatus.DELETE_COMPLETE else stack

    def _running(self, stage: ResultStage, instance: Instance | None = None) -> Worked:
        result = replace(self._result, status=DetailedStatus.RUNNING, stage=stage)
        return result, replace(instance or self._instance, detailed=DetailedStatus.RUNNING)

    def _succeeded(self, instance: Instance | None = None) -> Worked:
        done = replace(
            instance or self._instance, status=InstanceStatus.CURRENT, detailed=DetailedStatus.SUCCEEDED, reason=None
        )
        return replace(self._result, status=DetailedStatus.SUCCEEDED), done

    def _gone(self) -> Worked:
        return replace(self._result, status=DetailedStatus.SUCCEEDED), None

    def _not_good(self, stack: StackRecord) -> Worked:
        return _failed(self._operation, self._instance, self._result, self._reason(stack))

    def _reason(self, stack: StackRecord) -> str:
        """Return the first failure of the stack's operation, in the form of a stack set's results."""
        events = [each for _, each in self._engine.lookups.list_events(self._scope, stack.arn)]
        for each in reversed(events):
            own = each.operation_id == stack.operation_id and each.logical_id != stack.name
            if own and each.status.endswith("_FAILED"):
                return (
                    f"ResourceLogicalId:{each.logical_id}, ResourceType:{each.type}, "
                    f"ResourceStatusReason:{each.reason}."
                )
        return next(
            (each.reason for each in reversed(events) if each.reason and "ROLLBACK" in each.status),
            stack.reason or f"Stack is in {stack.status} state.",
        )


def _failed(operation: SetOperation, instance: Instance, result: Result, reason: str) -> Worked:
    failed = replace(result, status=DetailedStatus.FAILED, reason=reason)
    match operation.action:
        case SetOperationAction.DETECT_DRIFT:
            return failed, instance
        case SetOperationAction.DELETE:
            inoperable = InstanceStatus.INOPERABLE
            return failed, replace(instance, status=inoperable, detailed=DetailedStatus.INOPERABLE, reason=reason)
        case _:
            return failed, replace(
                instance, status=InstanceStatus.OUTDATED, detailed=DetailedStatus.FAILED, reason=reason
            )
