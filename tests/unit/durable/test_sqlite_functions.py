"""DBOS's SQL runs on SQLite libraries that are older than its functions."""

import sqlite3
import time

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import open_database
from formwork.durable.sqlite_functions import add_functions, check_sqlite, unixepoch

DEFAULT = "CREATE TABLE t (a INTEGER, at INTEGER NOT NULL DEFAULT (unixepoch('subsec') * 1000))"


def test_defaults_of_dbos_on_python_3_12_have_values_on_every_connection(tmp_path):
    database = open_database(tmp_path)
    try:
        for engine in (database.engine, database.workflow_engine()):
            with engine.begin() as connection:
                connection.exec_driver_sql("DROP TABLE IF EXISTS t")
                connection.exec_driver_sql(DEFAULT)
                connection.exec_driver_sql("INSERT INTO t (a) VALUES (1)")
                at = connection.exec_driver_sql("SELECT at FROM t").scalar()
            assert abs(at / 1000 - time.time()) < 60
    finally:
        database.close()


@pytest.mark.parametrize("moment", ["now", "1970-01-02", "1970-01-02 03:04:05", "no time"])
def test_the_function_agrees_with_that_of_the_library(moment):
    connection = sqlite3.connect(":memory:")
    [(expected,)] = connection.execute("SELECT CAST(strftime('%s', ?) AS INTEGER)", (moment,))
    add_functions(connection)
    [(found,)] = connection.execute("SELECT unixepoch(?)", (moment,))
    assert found is None if expected is None else abs(found - expected) <= 1
    assert unixepoch(moment) is None if expected is None else abs(unixepoch(moment) - expected) <= 1


def test_a_library_that_is_too_old_is_refused():
    with pytest.raises(EnvironmentProblemError, match=r"SQLite 3\.34\.1 is too old: 3\.35 or newer"):
        check_sqlite((3, 34, 1))
    check_sqlite((3, 40, 0))
