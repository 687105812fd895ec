"""Which failures are those of the storage of state, and what is said of them."""

import errno
import os
import sys

import pytest
from sqlalchemy import exc

from formwork.durable.failing import storage_problem


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG])
def test_failures_of_disks(number):
    error = OSError(number, os.strerror(number), "/state/formwork.db")
    assert storage_problem(error) == f"the state folder can't be used: {os.strerror(number)}"


@pytest.mark.parametrize("error", [OSError(errno.ENOENT, "x"), OSError("x"), ValueError("x"), KeyboardInterrupt()])
def test_other_failures_are_bugs(error):
    assert storage_problem(error) is None


@pytest.mark.parametrize("kind", [exc.OperationalError, exc.DatabaseError, exc.InterfaceError])
def test_failures_of_databases(kind):
    error = kind("SELECT 1", {"secret": "my-secret"}, ValueError("\n disk I/O error\nmore\n"))
    assert storage_problem(error) == "the database can't be used: disk I/O error"


@pytest.mark.parametrize("kind", [exc.IntegrityError, exc.ProgrammingError, exc.DataError, exc.InternalError])
def test_wrong_statements_and_rows_are_bugs(kind):
    assert storage_problem(kind("SELECT 1", {}, ValueError("wrong"))) is None
    assert storage_problem(exc.InvalidRequestError("x")) is None


def test_where_the_library_is_not_imported_it_has_raised_nothing(monkeypatch):
    monkeypatch.delitem(sys.modules, "sqlalchemy.exc")
    assert storage_problem(exc.OperationalError("SELECT 1", {}, ValueError("x"))) is None
