"""Failures of the storage of state, none of them a bug: a full, read-only or damaged disk, a database out of reach."""

import errno
import sys

_OF_DISKS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG})


def storage_problem(error: BaseException) -> str | None:
    """Return why the state can't be read or written if `error` is a failure of its storage, else None."""
    if isinstance(error, OSError):
        return f"the state folder can't be used: {error.strerror}" if error.errno in _OF_DISKS else None
    raised = sys.modules.get("sqlalchemy.exc")  # where it is not imported, it has not raised `error`
    if raised is None or not isinstance(error, raised.DBAPIError):
        return None
    # A wrong statement is a bug, and so is a row that breaks a constraint.
    if type(error) not in {raised.OperationalError, raised.DatabaseError, raised.InterfaceError}:
        return None
    return f"the database can't be used: {str(error.orig).strip().splitlines()[0]}"
