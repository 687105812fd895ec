"""Records what a failed operation leaves for later operations to undo or continue."""

from msgspec.structs import replace

from formwork.documents.copied import as_json_value
from formwork.engine.operations.outlook import Ends
from formwork.engine.operations.services import OperationContext
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.records import Deployment, OperationKind, StackRecord


def with_aftermath(stack: StackRecord, context: OperationContext, ends: Ends) -> StackRecord:
    """Return the stack (in its final status) with what later operations need to undo or continue this one."""
    operation, before, settings = context.operation, context.stack, stack.settings
    options, deployed = operation.options, stack.deployed
    if stack.status is ends.failed and operation.kind is not OperationKind.DELETE:
        stable = settings.stable
        if not settings.unsettled and before.deployed is not None:
            stable = as_json_value(before.deployed)
        settings = replace(settings, unsettled=[*settings.unsettled, operation.id], stable=stable)
    elif stack.status is ends.rollback_failed and not ends.from_nothing:
        undone = options.undo or [operation.id]
        settings = replace(settings, unsettled=list(undone), rollbacks=[*options.rollbacks, operation.id])
    else:
        if stack.status is StackStatus.UPDATE_ROLLBACK_COMPLETE and settings.stable is not None:
            deployed = Deployment(**settings.stable)
        settings = replace(settings, unsettled=[], rollbacks=[], stable=None)
    if options.live and stack.status is ends.complete:
        stack = replace(stack, drift_status="IN_SYNC", drift_checked=operation.started)
    return replace(stack, settings=settings, deployed=deployed)
