"""How an operation can end, and how long it may take.

Source: CloudFormation user guide, "Stack status codes" and "Stack failure options".
"""

from dataclasses import dataclass
from typing import Self

from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.records import OperationKind, OperationRecord, StackRecord

_HOURS, _HOURS_WITH_ROLE = 36, 48  # that a resource may take to stabilize: user guide (seed 002), document history


@dataclass(frozen=True, slots=True)
class Ends:
    """The statuses that an operation can bring its stack to.

    `failed` is where a failure is kept, `cleaning_up` None where nothing is cleaned up after a rollback; `from_nothing`
    says that nothing stood before, so that undoing it is removing everything. `verb` names what was done to resources.
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
        """The ends of an operation on a stack as it was when the operation began.

        A creation that is `cancelled` is one whose stack was deleted meanwhile.
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
    """The minutes that a handler has of those that its schema names; a stack's role makes credentials last longer."""
    hours = _HOURS if stack.settings.role_arn is None else _HOURS_WITH_ROLE
    return min(minutes, hours * 60)


def timed_out(operation: OperationRecord, stack: StackRecord, now: float) -> bool:
    """Whether a creation has taken the minutes that it was given."""
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
    StackStatus.IMPORT_ROLLBACK_FAILED,  # an import is never kept half done
    StackStatus.IMPORT_ROLLBACK_IN_PROGRESS,
    StackStatus.IMPORT_ROLLBACK_COMPLETE,
    StackStatus.IMPORT_ROLLBACK_FAILED,
)
