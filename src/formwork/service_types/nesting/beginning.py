"""Beginning to make or to update a nested stack, and the change set that is executed by that."""

from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.engine.engine import Engine
from formwork.engine.planning.deployments import new_deployment
from formwork.engine.planning.requests import StackRequest
from formwork.service_types.nesting.bounds import count_changed, expect_resources
from formwork.service_types.nesting.children import Above
from formwork.stacks.statuses import UPDATABLE, StackStatus
from formwork.stacks.store.change_sets import get_change_set, write_change_set
from formwork.stacks.store.records import (
    ChangeSetRecord,
    OperationKind,
    OperationRecord,
    StackRecord,
    change_set_arn,
)


def find_reviewed(engine: Engine, operation: OperationRecord, logical_id: str) -> ChangeSetRecord | None:
    """Return the change set of the nested stack if the parent's operation executes one that includes it."""
    executed = operation.options.change_set
    if executed is None:
        return None
    with engine.database.read() as connection:
        above = get_change_set(connection, executed.rpartition("/")[2])
        arn = None if above is None else above.request.children.get(logical_id)
        return None if arn is None else get_change_set(connection, arn.rpartition("/")[2])


def begin_child(  # noqa: PLR0913 - what is begun, by what, and what was reviewed
    engine: Engine,
    child: StackRecord,
    request: StackRequest,
    operation_id: str,
    reviewed: ChangeSetRecord | None,
    *,
    above: Above,
) -> bool:
    """Begin to create a stack under review, or to update one; False if nothing of it changes.

    Raises:
        StackError: the template can't be deployed, or would have the operation `above` deal with too many resources.
    """
    prepared = engine.planner.prepare(child.scope, request, child.arn, request.template or "", previous=None)
    target = new_deployment(prepared, request, {})
    creating = child.status is StackStatus.REVIEW_IN_PROGRESS
    live = {} if reviewed is None else reviewed.request.live
    if child.status in UPDATABLE and not live and not engine.planner.has_changes(child, target):
        return False
    kind, status = OperationKind.UPDATE, StackStatus.UPDATE_IN_PROGRESS
    if creating:
        kind, status = OperationKind.CREATE, StackStatus.CREATE_IN_PROGRESS
    given, settings = request.settings, child.settings
    settings = replace(settings, notification_arns=given.notification_arns, role_arn=given.role_arn)
    if reviewed is not None:
        arn = change_set_arn(child.scope, reviewed.name, reviewed.id)
        settings = replace(settings, change_set_id=arn)
        request = replace(request, options=replace(request.options, change_set=arn, live=live))
    operation = engine.new_operation(child, kind, request, target, identifier=operation_id)
    count = count_changed(engine.planner, child, target)

    def execute(connection: Connection) -> None:
        expect_resources(connection, above, count)
        if reviewed is not None:
            write_change_set(connection, replace(reviewed, execution_status="EXECUTE_IN_PROGRESS"))

    engine.begin(replace(child, settings=settings), status, operation, "", execute)
    return True
