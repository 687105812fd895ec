"""The statuses with which an operation can end, and its timeouts.

Source: CloudFormation user guide, "Stack status codes" and "Stack failure options".
"""

from typing import Self

from msgspec import Struct

from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.records import OperationKind, OperationRecord, StackRecord

_HOURS, _HOURS_WITH_ROLE = 36, 48  # for a resource to stabilize: user guide (seed 002), document history


class Ends(Struct, frozen=True):
    """The statuses with which an operation on a stack can end.

    `failed` is the status without a rollback, `cleaning_up` None if nothing is cleaned up after a rollback.
    `from_nothing` says that the stack had no resources before, so that a rollback deletes all. `verb` names the action.
    """

    complete: StackStatus
    failed: StackStatus
    rolling_back: StackStatus
    rolled_back: StackStatus
    rollback_failed: StackStatus
    cleaning_up: StackStatus | None = None
    from_nothing: bool = False
    verb: str = "update"

    @classmethod
    def of(cls, operation: OperationRecord, stack: StackRecord, *, cancelled: bool = False) -> Self:
        """Return the statuses for an operation on a stack, whose record is from the operation's beginning.

        A creation is `cancelled` when its stack is deleted meanwhile.
        """
        match operation.kind:
            case OperationKind.DELETE:
                return cls(*_DELETED, from_nothing=True, verb="delete")
            case OperationKind.CREATE if cancelled or stack.settings.on_failure == "DELETE":
                return cls(*_CREATED_OR_DELETED, from_nothing=True, verb="create")
            case OperationKind.CREATE:
                return cls(*_CREATED, from_nothing=True, verb="create")
            case OperationKind.ROLLBACK if stack.settings.stable is None:
                return cls(*_CREATED, from_nothing=True, verb="create")
            case OperationKind.IMPORT:
                return cls(*_IMPORTED, verb="import")
            case (
                OperationKind.UPDATE | OperationKind.ROLLBACK | OperationKind.CONTINUE_ROLLBACK | OperationKind.REFACTOR
            ):
                return cls(*_UPDATED, StackStatus.UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS)
        raise AssertionError(operation.kind)


def bounded_timeout(minutes: int, stack: StackRecord) -> int:
    """Return a handler's timeout in minutes: its schema's, limited by how long its credentials last."""
    hours = _HOURS if stack.settings.role_arn is None else _HOURS_WITH_ROLE
    return min(minutes, hours * 60)


def timed_out(operation: OperationRecord, stack: StackRecord, now: float) -> bool:
    """Return whether a creation has exceeded its TimeoutInMinutes."""
    minutes = stack.settings.timeout_minutes
    return operation.kind is OperationKind.CREATE and minutes is not None and now >= operation.started + minutes * 60


_CREATED = (
    StackStatus.CREATE_COMPLETE,
    StackStatus.CREATE_FAILED,
    StackStatus.ROLLBACK_IN_PROGRESS,
    StackStatus.ROLLBACK_COMPLETE,
    StackStatus.ROLLBACK_FAILED,
)
_CREATED_OR_DELETED = (
    StackStatus.CREATE_COMPLETE,
    StackStatus.CREATE_FAILED,
    StackStatus.DELETE_IN_PROGRESS,
    StackStatus.DELETE_COMPLETE,
    StackStatus.DELETE_FAILED,
)
_DELETED = (
    StackStatus.DELETE_COMPLETE,
    StackStatus.DELETE_FAILED,
    StackStatus.DELETE_IN_PROGRESS,
    StackStatus.DELETE_COMPLETE,
    StackStatus.DELETE_FAILED,
)
_UPDATED = (
    StackStatus.UPDATE_COMPLETE,
    StackStatus.UPDATE_FAILED,
    StackStatus.UPDATE_ROLLBACK_IN_PROGRESS,
    StackStatus.UPDATE_ROLLBACK_COMPLETE,
    StackStatus.UPDATE_ROLLBACK_FAILED,
)
_IMPORTED = (
    StackStatus.IMPORT_COMPLETE,
    StackStatus.IMPORT_ROLLBACK_FAILED,  # a failed import is always rolled back
    StackStatus.IMPORT_ROLLBACK_IN_PROGRESS,
    StackStatus.IMPORT_ROLLBACK_COMPLETE,
    StackStatus.IMPORT_ROLLBACK_FAILED,
)
