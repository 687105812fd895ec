"""`AWS::CloudFormation::Stack`: a stack made, changed and removed by the operation of the one that it is part of.

An update of a child stops before its clean-up and waits for what becomes of its parent's: until then it can be put
back as it was (`settling`).

Source: CloudFormation user guide, "Nested stacks"; the texts of failures are the service's.
"""

import uuid
from typing import Any

from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.documents.scalar_text import as_text
from formwork.engine.deletion import begin_deletion
from formwork.engine.engine import Engine
from formwork.engine.operations.settling import held_stack
from formwork.engine.operations.step import TOKENS
from formwork.engine.planning.requests import StackRequest
from formwork.engine.recovery import begin_way_back
from formwork.provisioning import HandlerCall, OwnProvisioner
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.own import OwnHandlers, ask_again, load_own_schema
from formwork.service_types.nesting.beginning import begin_child, find_reviewed
from formwork.service_types.nesting.bounds import check_nesting, count_created, expect_resources
from formwork.service_types.nesting.children import Above, child_name, child_request
from formwork.stacks.statuses import UPDATABLE, StackStatus
from formwork.stacks.store.events import find_event
from formwork.stacks.store.operations import cancel_operation, get_operation
from formwork.stacks.store.records import (
    ChangeSetRecord,
    Deployment,
    OperationKind,
    OperationOptions,
    OperationRecord,
    StackRecord,
)
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import get_stack

_UNDOING = frozenset({StackStatus.UPDATE_ROLLBACK_IN_PROGRESS, StackStatus.ROLLBACK_IN_PROGRESS})
_CREATED = frozenset({*UPDATABLE, StackStatus.UPDATE_FAILED})


class NestedStacks:
    """The type `AWS::CloudFormation::Stack` of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def provisioner(self, scope: Scope, type_name: str) -> OwnProvisioner:
        """See `OwnType.provisioner`."""
        return OwnProvisioner(load_own_schema(type_name), _NestedStackHandlers(self._engine, scope), plain=True)


class _NestedStackHandlers(OwnHandlers):
    """The type's handlers, in one account and Region."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._engine = engine
        self._scope = scope

    # -- making

    def create(self, call: HandlerCall) -> Outcome:
        """Create the child stack, and wait for it."""
        reviewed = find_reviewed(self._engine, self._above(call).operation, call.logical_id)
        identifier = str(uuid.uuid5(TOKENS, call.token)) if reviewed is None else reviewed.stack_id
        child = self._find(identifier)
        if child is None or child.status is StackStatus.REVIEW_IN_PROGRESS:
            child = self._begin_creation(call, identifier, reviewed)
            return ask_again(call, {**(call.desired or {}), "StackId": child.arn})
        model = {**(call.desired or {}), "StackId": child.arn}
        if child.status.busy:
            return ask_again(call, model)
        if child.status in _CREATED:
            return Succeeded(model)
        reason = self._reason(child, StackStatus.CREATE_FAILED)
        return Failed(
            "NotStabilized", f"Embedded stack {child.arn} was not successfully created: {reason}", model, plain=True
        )

    def _begin_creation(self, call: HandlerCall, identifier: str, reviewed: ChangeSetRecord | None) -> StackRecord:
        above = self._above(call)
        operation_id = str(uuid.uuid5(TOKENS, f"{call.token}/create"))
        stack = self._find(identifier)
        over = above.operation.options
        options = OperationOptions(
            keep_on_failure=True, express=over.express, disable_validation=over.disable_validation
        )
        if stack is None or reviewed is None:
            name = child_name(above.stack.name, call.logical_id, call.token)
            request = self._request(call, name, above, options)
            check_nesting(self._engine.database, above, request)

            def count(connection: Connection, stack: StackRecord, operation: OperationRecord) -> None:
                expect_resources(connection, above, count_created(stack, operation))

            self._engine.make_stack(self._scope, request, identifier, operation_id, count)
        else:
            request = self._request(call, stack.name, above, options)
            begin_child(self._engine, stack, request, operation_id, reviewed, above=above)
        child = self._find(identifier)
        assert child is not None
        return child

    # -- looking

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the child stack."""
        child = self._find_named(call)
        if child is None or child.status is StackStatus.DELETE_COMPLETE:
            return Failed("NotFound", "Stack does not exist", plain=True)
        parent, deployment = self._find_arn(child.settings.parent_id), child.deployed
        if self._is_held(child) and child.operation_id is not None:
            with self._engine.database.read() as connection:
                deployment = get_operation(connection, child.operation_id).target
        model: dict[str, Any] = {
            "StackId": child.arn,
            "Outputs": {name: value for name, (value, _, _) in child.outputs.items() if value is not None},
            "NotificationARNs": list(child.settings.notification_arns),
        }
        if deployment is not None:
            model["Parameters"] = _shown_parameters(deployment)
            inherited = {} if parent is None or parent.deployed is None else parent.deployed.tags
            own = {key: value for key, value in deployment.tags.items() if inherited.get(key) != value}
            model["Tags"] = [{"Key": key, "Value": value} for key, value in own.items()]
        return Succeeded(model)

    # -- changing

    def update(self, call: HandlerCall) -> Outcome:
        """Update the child stack; put it back if the parent is rolled back."""
        child = self._find_named(call)
        if child is None or child.status is StackStatus.DELETE_COMPLETE:
            return Failed("NotFound", f"Stack [{_named(call)}] does not exist", plain=True)
        above = self._above(call)
        undoing = above.stack.status in _UNDOING
        return self._put_back(call, child, above) if undoing else self._deploy(call, child, above)

    def _deploy(self, call: HandlerCall, child: StackRecord, above: Above) -> Outcome:
        operation_id = str(uuid.uuid5(TOKENS, f"{call.token}/update"))
        model = {"StackId": child.arn}
        if child.operation_id != operation_id:
            return self._begin_deployment(call, child, above, operation_id)
        if child.status is StackStatus.UPDATE_IN_PROGRESS:
            if above.operation.cancelled:
                self._cancel(child)
            return ask_again(call, model)
        if child.status in {StackStatus.UPDATE_COMPLETE, StackStatus.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS}:
            return Succeeded(model)
        status = child.status if child.status is StackStatus.UPDATE_FAILED else StackStatus.UPDATE_ROLLBACK_IN_PROGRESS
        told = f"Currently in {status} with reason: {self._reason(child, status)}"
        return Failed("NotStabilized", f"Embedded stack {child.arn} was not successfully updated. {told}", plain=True)

    def _begin_deployment(self, call: HandlerCall, child: StackRecord, above: Above, operation_id: str) -> Outcome:
        model = {"StackId": child.arn}
        if self._is_unsettled(child):
            return ask_again(call, call.desired)
        if child.status not in _CREATED:
            told = f"Stack:{child.arn} is in {child.status} state and can not be updated."
            return Failed("InvalidRequest", told, plain=True)
        over = above.operation.options
        options = OperationOptions(
            keep_on_failure=over.keep_on_failure,
            held=True,
            express=over.express,
            disable_validation=over.disable_validation,
        )
        reviewed = find_reviewed(self._engine, above.operation, call.logical_id)
        request = self._request(call, child.name, above, options)
        begun = begin_child(self._engine, child, request, operation_id, reviewed, above=above)
        return ask_again(call, model) if begun else Succeeded(model)

    def _is_unsettled(self, child: StackRecord) -> bool:
        """Return whether the child is busy, or still has to be rolled back from an update that its parent kept."""
        if self._is_held(child):
            self._engine.settle(child, rolled_back=True)
            return True
        return child.status.busy

    def _put_back(self, call: HandlerCall, child: StackRecord, above: Above) -> Outcome:
        """Roll the child back; done at once if the parent's operation did not reach it."""
        model = {"StackId": child.arn}
        operation_id = str(uuid.uuid5(TOKENS, f"{call.token}/back"))
        if child.status is StackStatus.UPDATE_IN_PROGRESS:
            self._cancel(child)
        elif self._is_held(child):
            self._engine.settle(child, rolled_back=True)
        elif child.operation_id != operation_id and begin_way_back(
            self._engine, child, above.operation, identifier=operation_id
        ):
            return ask_again(call, model)
        elif child.status is StackStatus.UPDATE_ROLLBACK_FAILED:
            told = f"Currently in {child.status} with reason: {child.reason or ''}"
            return Failed(
                "NotStabilized", f"Embedded stack {child.arn} was not successfully updated. {told}", plain=True
            )
        return ask_again(call, model) if child.status.busy else Succeeded(model)

    # -- removing

    def delete(self, call: HandlerCall) -> Outcome:
        """Delete the child stack, and wait for it."""
        child = self._find_named(call)
        if child is None or child.status is StackStatus.DELETE_COMPLETE:
            return Succeeded(None)
        operation_id = str(uuid.uuid5(TOKENS, f"{call.token}/delete"))
        if child.operation_id == operation_id:
            if child.status is StackStatus.DELETE_FAILED:
                told = f"Embedded stack {child.arn} was not successfully deleted: {child.reason or ''}"
                return Failed("NotStabilized", told, plain=True)
        elif self._is_held(child):
            self._engine.settle(child, rolled_back=False)
        elif child.status.busy:  # what its parent no longer waits for
            self._cancel(child)
        else:
            self._begin_deletion(call, child, operation_id)
        return ask_again(call, call.desired)

    def _begin_deletion(self, call: HandlerCall, child: StackRecord, operation_id: str) -> None:
        above = self._above(call)
        operation = above.operation
        undone = operation.kind is not OperationKind.DELETE or operation.options.unasked  # rolled back, or cleaned up
        request = StackRequest(
            name=child.name, template=None, options=OperationOptions(unasked=undone, express=operation.options.express)
        )

        def count(connection: Connection) -> None:
            if not undone:  # the way back is open whatever it takes
                expect_resources(connection, above, len(list_resources(connection, child.id)))

        begin_deletion(self._engine, child, request, identifier=operation_id, before=count)

    # -- inside

    def _find(self, identifier: str) -> StackRecord | None:
        with self._engine.database.read() as connection:
            return get_stack(connection, identifier)

    def _find_arn(self, arn: str | None) -> StackRecord | None:
        return None if arn is None else self._find(arn.rpartition("/")[2])

    def _find_named(self, call: HandlerCall) -> StackRecord | None:
        return self._find_arn(_named(call))

    def _is_held(self, child: StackRecord) -> bool:
        with self._engine.database.read() as connection:
            return held_stack(connection, child.arn) is not None

    def _above(self, call: HandlerCall) -> Above:
        parent = self._engine.lookups.describe_stack(self._scope, call.stack_id or "")
        assert parent.operation_id is not None
        with self._engine.database.read() as connection:
            operation = get_operation(connection, parent.operation_id)
        deployment = operation.target or parent.deployed
        assert deployment is not None
        return Above(parent, deployment, operation)

    def _request(self, call: HandlerCall, name: str, above: Above, options: OperationOptions) -> StackRequest:
        template = self._engine.settings.templates.fetch_nested(self._scope, (call.desired or {})["TemplateURL"])
        return child_request(name, template, call, above, options)

    def _cancel(self, child: StackRecord) -> None:
        assert child.operation_id is not None
        with self._engine.database.begin() as connection:
            cancel_operation(connection, child.operation_id)

    def _reason(self, child: StackRecord, status: StackStatus) -> str:
        """Return the reason with which the child entered a status, also if it has left it since."""
        if child.status is status:
            return child.reason or ""
        with self._engine.database.read() as connection:
            event = find_event(connection, f"{child.operation_id}/{status}")
        return "" if event is None else event.reason or ""


def _named(call: HandlerCall) -> str:
    return str((call.desired or {}).get("StackId", ""))


def _shown_parameters(deployment: Deployment) -> dict[str, str]:
    """Return the parameters' values without those of NoEcho parameters."""
    declared = deployment.template.get("Parameters", {})
    return {
        name: value
        for name, value in deployment.given.items()
        if as_text(declared.get(name, {}).get("NoEcho", False)) != "true"
    }
