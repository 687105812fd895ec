"""Deletion of stacks.

Source: the service's model (DeleteStack); CloudFormation user guide, "Delete stack fails". The texts are the service's.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.documents.copied import as_json_value
from formwork.engine.deployed.exports import exported_names, list_importers
from formwork.engine.deployment_config import is_express
from formwork.engine.engine import Engine
from formwork.engine.planning.requests import StackRequest, digest
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.operations import cancel_operation
from formwork.stacks.store.records import OperationKind, OperationOptions, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import find_stack


class DeleteRequest(Struct, frozen=True, kw_only=True):
    """A request for DeleteStack; with `force`, resources that can't be deleted are left."""

    name: str
    token: str | None = None
    retain: tuple[str, ...] = ()
    force: bool = False
    role_arn: str | None = None
    deployment_config: Mapping[str, Any] | None = None


def delete_stack(engine: Engine, scope: Scope, request: DeleteRequest) -> None:
    """Start to delete a stack; do nothing if it is not found.

    Raises:
        StackError: its status, its protection or an option of the request forbids it.
    """
    with engine.database.read() as connection:
        stack = find_stack(connection, scope, request.name)
        if stack is None or stack.status in {StackStatus.DELETE_COMPLETE, StackStatus.DELETE_IN_PROGRESS}:
            return
        asked = digest(as_json_value(request))
        if engine.begun_before(connection, stack, request.token, asked) is not None:
            return
        resources = list_resources(connection, stack.id)
        root = None if stack.settings.root_id is None else find_stack(connection, scope, stack.settings.root_id)
    if root is not None and root.settings.termination_protection:
        raise StackError(f"Stack [{root.name}] cannot be deleted while TerminationProtection is enabled")
    _check(stack, request, resources)
    if stack.status is StackStatus.CREATE_IN_PROGRESS:
        if not _abandon(engine, stack):  # the creation has ended meanwhile
            delete_stack(engine, scope, request)
        return
    config = request.deployment_config
    options = OperationOptions(retain=list(request.retain), force=request.force, express=is_express(config))
    begun = StackRequest(name=stack.name, template=None, token=request.token, options=options)
    settings = replace(stack.settings, role_arn=request.role_arn or stack.settings.role_arn, deployment_config=config)
    begin_deletion(engine, replace(stack, settings=settings), begun, asked)


def _abandon(engine: Engine, stack: StackRecord) -> bool:
    """Cancel a creation, so that the stack is deleted; return False if the creation has ended meanwhile."""
    assert stack.operation_id is not None
    with engine.database.begin() as connection:
        return cancel_operation(connection, stack.operation_id)


def begin_deletion(  # noqa: PLR0913 - what is begun, and what belongs to the beginning
    engine: Engine,
    stack: StackRecord,
    request: StackRequest,
    asked: str = "",
    *,
    identifier: str | None = None,
    before: Callable[[Connection], None] = lambda _connection: None,
) -> None:
    """Start to delete an idle stack; `identifier` is the operation's, `before` as in `Engine.begin`.

    Raises:
        StackError: another stack imports what it exports.
    """
    _refuse_used_exports(engine, stack)
    operation = engine.new_operation(stack, OperationKind.DELETE, request, None, identifier=identifier)
    engine.begin(stack, StackStatus.DELETE_IN_PROGRESS, operation, asked, before)


def _check(stack: StackRecord, request: DeleteRequest, present: Iterable[str]) -> None:
    if stack.settings.termination_protection:
        raise StackError(f"Stack [{stack.name}] cannot be deleted while TerminationProtection is enabled")
    if stack.status.busy and stack.status is not StackStatus.CREATE_IN_PROGRESS:
        raise StackError(f"Stack [{stack.name}] cannot be deleted while in status {stack.status}")
    failed = stack.status is StackStatus.DELETE_FAILED
    if request.retain and not failed:
        raise StackError(
            f"Invalid operation on stack [{stack.arn}]. When you delete a stack, specify which resources to retain "
            "only when the stack is in the DELETE_FAILED state."
        )
    if request.force and not failed:
        raise StackError(
            f"Invalid operation on stack [{stack.arn}]. You can activate DeletionMode FORCE_DELETE_STACK in a delete "
            "stack operation only when the stack is in the DELETE_FAILED state."
        )
    if set(request.retain) - set(present):
        raise StackError(
            "The specified resources to retain must be in a valid state. "
            "Do not specify resources that are in the DELETE_COMPLETE state."
        )


def _refuse_used_exports(engine: Engine, stack: StackRecord) -> None:
    with engine.database.read() as connection:
        for name in sorted(exported_names(stack)):
            if users := list_importers(connection, stack.scope, name):
                raise StackError(f"Export {name} cannot be deleted as it is in use by {' and '.join(users)}")
