"""Change sets: the changes that an operation would make, stored until it is executed.

Source: the service's model; texts and statuses as recorded.
"""

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.diagnostics.secrets import NO_ECHO_MASK, mask_copies
from formwork.documents.copied import as_json_value
from formwork.engine.changes import Changes, LiveState, ResourceChange
from formwork.engine.deployed.view import DeploymentView
from formwork.engine.deployment_config import is_express, refuse_other_mode
from formwork.engine.drift.live_states import LiveStates, with_live_states
from formwork.engine.engine import Engine
from formwork.engine.planning.deployments import expect_updatable, new_deployment, refuse_other_types
from formwork.engine.planning.imports import Importer, ImportPlan, ResourceToImport
from formwork.engine.planning.requests import StackRequest, changes_settings, digest
from formwork.engine.quotas import expect_room
from formwork.engine.rollback_configuration import updated_configuration
from formwork.engine.validation import ValidationProblem, change_set_reason, find_problems
from formwork.stacks.errors import ProcessingError, StackError
from formwork.stacks.statuses import KEPT, UPDATABLE, StackStatus
from formwork.stacks.store.change_sets import delete_change_set, find_change_set, list_change_sets, write_change_set
from formwork.stacks.store.events import add_event
from formwork.stacks.store.records import (
    STACK_TYPE,
    ChangeSetRecord,
    ChangeSetRequest,
    Deployment,
    EventRecord,
    OperationKind,
    OperationOptions,
    StackRecord,
    change_set_arn,
    stack_arn,
)
from formwork.stacks.store.resources import find_owner, list_resources
from formwork.stacks.store.stacks import find_stack, insert_stack
from formwork.template.evaluation import EvaluationError

_EXECUTED = frozenset({"EXECUTE_COMPLETE", "EXECUTE_FAILED"})
_LISTED = frozenset({"AVAILABLE", "UNAVAILABLE", "OBSOLETE"})
NO_CHANGES = "The submitted information didn't contain changes. Submit different information to create a change set."

INCOMPLETE = (
    "[WARN] --include-property-values option can return incomplete ChangeSet data because: "
    "ChangeSet creation failed for resource"
)


class NewChangeSet(Struct, frozen=True, kw_only=True):
    """A request for CreateChangeSet; `kind` is CREATE, UPDATE or IMPORT, `imports` the resources to import."""

    name: str
    kind: str
    stack: StackRequest
    request: ChangeSetRequest
    imports: tuple[ResourceToImport, ...] = ()

    def digest(self) -> str:
        """A digest of the request."""
        return digest([self.name, self.kind, self.stack.digest(), [as_json_value(each) for each in self.imports]])


class FoundChangeSet(Struct, frozen=True):
    """A change set with its stack."""

    record: ChangeSetRecord
    stack: StackRecord

    @property
    def arn(self) -> str:
        """The ARN of the change set."""
        return change_set_arn(self.stack.scope, self.record.name, self.record.id)

    def changes(self, *, values: bool) -> list[dict[str, Any]]:
        """Return the changes as JSON values, with property values or without."""
        found: Mapping[str, list[dict[str, Any]]] = json.loads(self.record.changes)
        return found["with_values" if values else "plain"]

    @property
    def warning(self) -> str | None:
        """Why the property values are not complete; None where they are."""
        gaps: list[list[str]] = json.loads(self.record.changes).get("gaps", [])
        return f"{INCOMPLETE} [{gaps[0][0]}] because: {gaps[0][1]}" if gaps else None


class ChangeSets:
    """The change sets of an engine's stacks. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._live = LiveStates(engine)

    def create(self, scope: Scope, asked: NewChangeSet) -> FoundChangeSet:
        """Compute the changes and store the change set; a request with a token used before returns the earlier one."""
        if asked.request.token is None:
            return self.make(scope, asked)
        asked = replace(asked, request=replace(asked.request, digest=asked.digest()))
        return self._made_before(scope, asked) or self.make(scope, asked)

    def _made_before(self, scope: Scope, asked: NewChangeSet) -> FoundChangeSet | None:
        with self._engine.database.read() as connection:
            stack = find_stack(connection, scope, asked.stack.name)
            record = None if stack is None else find_change_set(connection, asked.name, stack.id)
        if stack is None or record is None or record.request.token != asked.request.token:
            return None
        return FoundChangeSet(record, stack) if record.request.digest == asked.request.digest else None

    def make(self, scope: Scope, asked: NewChangeSet) -> FoundChangeSet:
        """Compute the changes and store the change set."""
        engine = self._engine
        if asked.kind == "IMPORT" and asked.request.deployment_mode is not None:
            raise StackError("DeploymentMode is not supported for change sets of type IMPORT")
        with engine.database.read() as connection:
            known = find_stack(connection, scope, asked.stack.name)
        stack = self._stack(scope, asked, known)
        previous = None if stack.deployed is None else stack.deployed.given
        text = asked.stack.template
        if text is None:
            assert stack.deployed is not None
            text = stack.deployed.original
        try:
            prepared = engine.planner.prepare(scope, _reviewed(asked.stack), stack.arn, text, previous=previous)
        except ProcessingError as error:
            record = self._failed(asked, stack, error.message)
        else:
            tags = {} if stack.deployed is None else stack.deployed.tags
            record = self._record(asked, stack, new_deployment(prepared, asked.stack, tags))
            record = engine.await_hooks(stack, record)
        try:
            with engine.database.begin() as connection:
                if known is None:
                    expect_room(connection, scope)
                    insert_stack(connection, stack)
                    add_event(connection, review_event(stack))
                known_set = find_change_set(connection, record.name, stack.id)
                if known_set is not None and known_set.execution_status in _EXECUTED:
                    delete_change_set(connection, known_set.id)  # the name of an executed change set can be used again
                write_change_set(connection, record)
        except IntegrityError as error:
            raise StackError(f"ChangeSet [{asked.name}] already exists", code="AlreadyExistsException") from error
        engine.ask_hooks(record)
        return FoundChangeSet(record, stack)

    def _stack(self, scope: Scope, asked: NewChangeSet, known: StackRecord | None) -> StackRecord:
        name = asked.stack.name
        if asked.kind == "CREATE" or (asked.kind == "IMPORT" and (known is None or known.deployed is None)):
            if known is None:
                identifier = str(uuid.uuid4())
                request = replace(asked.stack, name=name)
                return self._engine.new_stack(scope, request, identifier, StackStatus.REVIEW_IN_PROGRESS)
            if known.status is not StackStatus.REVIEW_IN_PROGRESS:
                raise StackError(
                    f"Stack [{name}] already exists and cannot be created again with the changeSet [{asked.name}]."
                )
            return known
        if known is None:
            raise StackError(f"Stack [{name}] does not exist")
        if known.status not in (UPDATABLE if asked.kind == "IMPORT" else UPDATABLE | KEPT) or known.deployed is None:
            raise StackError(f"Stack:{known.arn} is in {known.status} state and can not be updated.")
        return known

    def _record(self, asked: NewChangeSet, stack: StackRecord, target: Deployment) -> ChangeSetRecord:
        live = {} if asked.request.deployment_mode is None else self._live.of_stack(stack)
        changes, plan = self._plan(asked, stack, target, live)
        problem = plan.problem
        # A new stack may have no resources, because of conditions.
        settings = asked.stack.updated_settings(stack.settings)
        idle = asked.kind != "CREATE" and not changes_settings(stack.settings, settings)
        if problem is None and idle and not self._does_something(stack, target, changes):
            problem = NO_CHANGES
        failed = self._failed(asked, stack, problem or "")
        request = with_live_states(asked.request, live, changes)
        found = replace(failed, target=target, request=replace(request, imports=dict(plan.physical_ids)))
        if problem is not None:
            return found
        secrets = self._secrets(stack, target)
        found = replace(found, changes=_render(plan.apply(changes), secrets))
        if wrong := self._wrong(asked, self._engine.planner.view(stack, target), changes, secrets, plan):
            request = replace(found.request, problems=[each.to_value() for each in wrong])
            return replace(found, request=request, reason=change_set_reason(wrong))
        return replace(found, status="CREATE_COMPLETE", execution_status="AVAILABLE", reason=None)

    def _wrong(
        self, asked: NewChangeSet, view: DeploymentView, changes: Changes, secrets: Sequence[str], plan: ImportPlan
    ) -> list[ValidationProblem]:
        """Return the problems that pre-deployment validation finds."""
        if asked.request.disable_validation:
            return []
        types, scope = self._engine.settings.types, view.scope
        return find_problems(
            view, changes, lambda name: types.find(scope, name), hidden=secrets, adopted=plan.physical_ids
        )

    def _secrets(self, stack: StackRecord, target: Deployment) -> list[str]:
        """Return the secret values of the stack, before and after."""
        deployments = [target] if stack.deployed is None else [target, stack.deployed]
        return [value for each in deployments for value in self._engine.planner.view(stack, each).no_echo_values()]

    def _failed(self, asked: NewChangeSet, stack: StackRecord, reason: str) -> ChangeSetRecord:
        return ChangeSetRecord(
            id=str(uuid.uuid4()),
            stack_id=stack.id,
            name=asked.name,
            status="FAILED",
            execution_status="UNAVAILABLE",
            reason=reason,
            created=self._engine.settings.now(),
            kind=asked.kind,
            request=asked.request,
            target=None,
            changes=_render(Changes((), ())),
        )

    def _plan(
        self, asked: NewChangeSet, stack: StackRecord, target: Deployment, live: Mapping[str, LiveState]
    ) -> tuple[Changes, ImportPlan]:
        """Return the changes, and which of them are imports."""
        try:
            if stack.deployed is not None:
                refuse_other_types(stack.deployed, target)
            changes = self._engine.planner.find_changes(stack, target, live)
        except (EvaluationError, StackError) as error:
            return Changes((), ()), ImportPlan(problem=error.message)
        importing = asked.kind == "IMPORT"
        if not importing and not asked.request.import_existing:
            return changes, ImportPlan()
        importer = self._importer(stack, target)
        return changes, importer.plan(asked.imports, changes) if importing else importer.plan_existing(changes)

    def _importer(self, stack: StackRecord, target: Deployment) -> Importer:
        engine = self._engine

        def owner(type_name: str, physical_id: str) -> str | None:
            with engine.database.read() as connection:
                return find_owner(connection, stack.scope, type_name, physical_id)

        with engine.database.read() as connection:
            present = list_resources(connection, stack.id)
        find = engine.settings.types.find
        view = engine.planner.view(stack, target)
        return Importer(stack, view, present, provisioner=lambda name: find(stack.scope, name), owner=owner)

    @staticmethod
    def _does_something(stack: StackRecord, target: Deployment, changes: Changes) -> bool:
        if changes.plain or stack.deployed is None or stack.status in KEPT:
            return bool(changes.plain) or stack.status in KEPT
        return bool(stack.deployed.template.get("Outputs") != target.template.get("Outputs"))

    def expect(self, scope: Scope, name: str, stack_name: str | None) -> FoundChangeSet:
        """Return a change set by its ARN, or by its name and its stack's name."""
        if stack_name is None and not name.startswith("arn:"):
            raise StackError("StackName must be specified if ChangeSetName is not specified as an ARN.")
        with self._engine.database.read() as connection:
            stack = None if stack_name is None else find_stack(connection, scope, stack_name)
            if stack is None and not name.startswith("arn:"):
                raise StackError(f"Stack [{stack_name}] does not exist")
            record = find_change_set(connection, name, None if stack is None else stack.id)
            if record is None:
                raise StackError(f"ChangeSet [{name}] does not exist", code="ChangeSetNotFound", status=404)
            arn = stack_arn(scope, "-", record.stack_id)
            return FoundChangeSet(record, self._engine.lookups.expect(connection, scope, arn))

    def list(self, scope: Scope, stack_name: str) -> "list[FoundChangeSet]":
        """Return the change sets of a stack, executed ones excepted."""
        with self._engine.database.read() as connection:
            stack = find_stack(connection, scope, stack_name)
            if stack is None:
                raise StackError(f"Stack [{stack_name}] does not exist")
            found = list_change_sets(connection, stack.id)
        return [FoundChangeSet(each, stack) for each in found if each.execution_status in _LISTED]

    def execute(
        self, scope: Scope, name: str, stack_name: str | None, *, token: str | None, options: OperationOptions
    ) -> None:
        """Start the operation, and delete the stack's other change sets, which are obsolete."""
        found = self.expect(scope, name, stack_name)
        record, stack = found.record, found.stack
        with self._engine.database.read() as connection:
            if self._engine.begun_before(connection, stack, token, record.id) is not None:
                return
        if record.execution_status != "AVAILABLE":
            raise StackError(
                f"ChangeSet [{found.arn}] cannot be executed in its current {_hindrance(record)}",
                code="InvalidChangeSetStatus",
            )
        kind, status = _operation(record, stack)
        if record.request.on_failure is not None and options.keep_on_failure:
            raise StackError("You cannot specify DisableRollback for a change set that has OnStackFailure")
        if record.request.on_failure == "DO_NOTHING":
            options = replace(options, keep_on_failure=True)
        express = is_express(record.request.deployment_config)
        if kind is OperationKind.UPDATE:
            refuse_other_mode(stack, express=express)
            expect_updatable(stack, keeps=options.keep_on_failure)
        skipped = [name for name, each in record.request.hooks.items() if each["skips_stack"]]
        imports = dict(record.request.imports)
        options = replace(options, change_set=found.arn, skip_stack_hooks=skipped, imports=imports, express=express)
        options = replace(options, live=record.request.live)
        request = StackRequest(name=stack.name, template=None, token=token, options=options)
        assert record.target is not None
        operation = self._engine.new_operation(stack, kind, request, record.target)
        given, settings = record.request, stack.settings
        settings = replace(
            settings,
            change_set_id=found.arn,
            deployment_config=given.deployment_config,
            on_failure=(given.on_failure if kind is OperationKind.CREATE else None) or settings.on_failure,
            disable_rollback=options.keep_on_failure,
            role_arn=given.role_arn or settings.role_arn,
            notification_arns=given.notification_arns or settings.notification_arns,
            rollback_configuration=updated_configuration(settings.rollback_configuration, given.rollback_configuration),
        )
        executed = replace(record, execution_status="EXECUTE_IN_PROGRESS")
        begun = replace(stack, settings=settings)
        self._engine.begin(begun, status, operation, record.id, lambda connection: _settle(connection, executed))

    def delete(self, scope: Scope, name: str, stack_name: str | None) -> None:
        """Delete a change set; do nothing if it is not found, as clients rely on."""
        try:
            found = self.expect(scope, name, stack_name)
        except StackError as error:
            if error.code == "ChangeSetNotFound":
                return
            raise
        if found.record.execution_status == "EXECUTE_IN_PROGRESS":
            raise StackError(
                f"ChangeSet [{found.arn}] cannot be deleted in its current {_hindrance(found.record)}",
                code="InvalidChangeSetStatus",
            )
        with self._engine.database.begin() as connection:
            delete_change_set(connection, found.record.id)


def _reviewed(request: StackRequest) -> StackRequest:
    """Return the request with macros acknowledged: their result can be reviewed before the execution."""
    return replace(request, capabilities=(*request.capabilities, "CAPABILITY_AUTO_EXPAND"))


def _hindrance(record: ChangeSetRecord) -> str:
    """Return the status in which a change set cannot be executed."""
    if record.execution_status == "UNAVAILABLE":
        return f"status of [{record.status}]"
    return f"execution status of [{record.execution_status}]"


def _operation(record: ChangeSetRecord, stack: StackRecord) -> tuple[OperationKind, StackStatus]:
    """Return the kind of operation that executes a change set, and the stack's status meanwhile."""
    if record.kind == "IMPORT":
        return OperationKind.IMPORT, StackStatus.IMPORT_IN_PROGRESS
    if stack.status is StackStatus.REVIEW_IN_PROGRESS:
        return OperationKind.CREATE, StackStatus.CREATE_IN_PROGRESS
    return OperationKind.UPDATE, StackStatus.UPDATE_IN_PROGRESS


def _settle(connection: Any, executed: ChangeSetRecord) -> None:
    for each in list_change_sets(connection, executed.stack_id):
        if each.id != executed.id:
            delete_change_set(connection, each.id)
    write_change_set(connection, executed)


def review_event(stack: StackRecord) -> EventRecord:
    """Return the event of a stack that has only change sets so far."""
    return EventRecord(
        id=f"{stack.id}/review",
        stack_id=stack.id,
        logical_id=stack.name,
        type=STACK_TYPE,
        status=str(stack.status),
        time=stack.created,
        physical_id=stack.arn,
        reason=stack.reason,
    )


def _render(changes: Changes, secrets: Sequence[str] = ()) -> str:
    def values(found: Iterable[ResourceChange]) -> "list[dict[str, Any]]":
        return [mask_copies(as_json_value(each), secrets, NO_ECHO_MASK) for each in found]

    found = {"plain": values(changes.plain), "with_values": values(changes.with_values)}
    return json.dumps({**found, "gaps": changes.gaps})
