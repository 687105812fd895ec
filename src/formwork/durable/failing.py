"""Failures of what state is kept in: a full, read-only or damaged disk, a database that is away. None is a bug."""

import errno
import sys

_OF_DISKS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG})


def storage_problem(error: BaseException) -> str | None:
    """Why the state can't be read or written, if that is what `error` says; None where it says something else."""
    if isinstance(error, OSError):
        return f"the state folder can't be used: {error.strerror}" if error.errno in _OF_DISKS else None
    raised = sys.modules.get("sqlalchemy.exc")  # where it is not imported, it has raised nothing
    if raised is None or not isinstance(error, raised.DBAPIError):
        return None
    # A statement that is wrong is a bug; and so is a row that is.
    if type(error) not in {raised.OperationalError, raised.DatabaseError, raised.InterfaceError}:
        return None
    return f"the database can't be used: {str(error.orig).strip().splitlines()[0]}"
