"""How the connections to SQLite and PostgreSQL are configured, and what is said where they can't be had."""

import shutil
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import event, text
from sqlalchemy.pool import QueuePool

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import database as databases
from formwork.durable import migrating, open_database
from formwork.durable.database import check_sqlite
from formwork.durable.migrating import HEAD, current_revision
from formwork.durable.sealing import SEALER


def told(refused):
    (found,) = refused.value.diagnostics
    return found.message, found.hint


def check_pool(pool):
    assert type(pool) is QueuePool
    assert (pool.size(), pool._max_overflow, pool._timeout) == (20, 80, 60)


def test_connections_to_sqlite(tmp_path):
    database = open_database(tmp_path)
    check_pool(database.engine.pool)
    assert database.engine.hide_parameters
    with database.read() as connection:
        found = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        }
        assert connection.connection.driver_connection.isolation_level is None
    assert found == {"journal_mode": "wal", "synchronous": 1, "busy_timeout": 30_000, "foreign_keys": 1}
    assert not database.shared
    assert database.state.root == tmp_path
    database.close()


def test_sqlite_waits_for_other_writers_from_its_first_statement(tmp_path, monkeypatch):
    given, connect = {}, sqlite3.dbapi2.connect

    def note(*arguments, **options):
        given.update(options)
        return connect(*arguments, **options)

    monkeypatch.setattr(sqlite3.dbapi2, "connect", note)
    database = open_database(tmp_path)
    with database.read():
        pass
    database.close()
    assert (given["timeout"], given["check_same_thread"]) == (30.0, False)


def test_a_transaction_that_writes_locks_others_out_from_its_start(tmp_path):
    database = open_database(tmp_path)
    other = sqlite3.connect(tmp_path / "formwork.db", timeout=0, isolation_level=None)
    with database.read() as connection:
        connection.execute(text("SELECT 1"))
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    with database.begin(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    other.close()
    database.close()


def test_versions_of_sqlite():
    with pytest.raises(EnvironmentProblemError) as refused:
        check_sqlite((3, 34, 1))
    assert told(refused) == (
        "SQLite 3.34.1 is too old: 3.35 or newer is needed",
        "use a Python with a newer SQLite library, or --database postgresql://…",
    )
    check_sqlite((3, 35))
    check_sqlite()


def test_connections_to_postgresql(tmp_path, make_database):
    database = open_database(make_database(), state=tmp_path / "state")
    check_pool(database.engine.pool)
    assert database.engine.pool._pre_ping
    assert database.engine.hide_parameters
    assert database.engine.driver == "psycopg"
    with database.read() as connection:
        assert connection.execute(text("SHOW idle_in_transaction_session_timeout")).scalar() == "10s"
    assert database.shared
    assert database.lock is None
    assert database.state.root == tmp_path / "state"
    assert database.derive_key("x") is not None
    database.close()
    without_folder = open_database(str(database.engine.url))
    assert without_folder.derive_key("x") is None  # no folder and no key
    without_folder.close()


def test_the_encoding_is_checked_before_anything_is_read(make_database, monkeypatch):
    seen = []
    check = databases._check_encoding

    def note(connection, record):
        seen.append(record.info.get("read"))
        check(connection, record)

    monkeypatch.setattr(databases, "_check_encoding", note)
    listen = event.listen
    monkeypatch.setattr(
        event, "listen", lambda *arguments, **options: seen.append(options) or listen(*arguments, **options)
    )
    open_database(make_database()).close()
    assert {"insert": True} in seen


def test_databases_that_are_not_in_utf_8_are_refused():
    connection = SimpleNamespace(info=SimpleNamespace(parameter_status={"server_encoding": "LATIN1"}.get))
    with pytest.raises(EnvironmentProblemError) as refused:
        databases._check_encoding(connection, None)
    assert told(refused) == (
        "the PostgreSQL database has the encoding LATIN1, UTF8 is needed",
        "create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
    )


def test_a_database_out_of_reach():
    with pytest.raises(EnvironmentProblemError) as refused:
        open_database("postgresql://nobody@127.0.0.1:1/none")
    message, hint = told(refused)
    assert message.startswith("the PostgreSQL database can't be reached: connection failed: ")
    assert "\n" not in message
    assert hint == "see the URL: postgresql://USER@HOST:PORT/DATABASE"


@pytest.mark.parametrize(
    ("error", "reason"), [(ValueError(), "ValueError"), (ValueError("one\ntwo"), "one"), (RuntimeError(" x "), "x")]
)
def test_the_first_line_of_the_drivers_error_is_the_reason(monkeypatch, error, reason):
    def fail(*_arguments, **_options):
        raise error

    monkeypatch.setattr("sqlalchemy.create_engine", fail)
    with pytest.raises(EnvironmentProblemError) as refused:
        open_database("postgres://x/y")
    assert told(refused)[0] == f"the PostgreSQL database can't be reached: {reason}"


def test_without_the_driver_its_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(EnvironmentProblemError) as refused:
        open_database("postgresql://x/y")
    message, hint = told(refused)
    assert message == "the driver of PostgreSQL (psycopg) is missing"
    assert "[postgresql]" in hint


def test_other_kinds_of_databases():
    with pytest.raises(EnvironmentProblemError) as refused:
        open_database("mysql://localhost/x")
    assert told(refused) == ('"mysql" is not a known kind of database', "a folder, or postgresql://…")


def test_a_folder_is_locked_even_if_its_lock_file_is_deleted(tmp_path):
    database = open_database(tmp_path)
    (tmp_path / "lock").unlink()
    with pytest.raises(EnvironmentProblemError, match=r"in use by another Formwork$"):
        open_database(tmp_path)
    database.close()
    open_database(tmp_path).close()


def test_a_folder_that_is_held_to_the_end_stays_locked(tmp_path):
    database = open_database(tmp_path)
    database.hold_to_the_end()
    database.close()
    with pytest.raises(EnvironmentProblemError, match="in use"):
        open_database(tmp_path)
    database.lock.release()
    open_database(tmp_path).close()


def test_a_folder_whose_database_cannot_be_made_is_not_locked(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(databases, "open_private", lambda *_arguments: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            open_database(tmp_path)
    open_database(tmp_path).close()


def test_other_users_cannot_read_the_files_of_sqlite(tmp_path):
    database = open_database(tmp_path / "state")
    database.migrate()
    for path in (tmp_path / "state").iterdir():
        assert path.stat().st_mode & 0o077 == 0, path
    database.close()


def test_keys_of_other_purposes_differ_and_last(tmp_path):
    database = open_database(tmp_path)
    found = [database.derive_key(each) for each in ("a", "b", "a")]
    database.close()
    assert found[0] == found[2] != found[1]
    again = open_database(tmp_path)
    assert again.derive_key("a") == found[0]
    assert getattr(again.engine.dialect, SEALER).derive("a") == found[0]
    again.close()


def test_the_revision_of_a_database(tmp_path):
    database = open_database(tmp_path)
    with database.begin() as connection:
        assert current_revision(connection) is None
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        assert current_revision(connection) is None
        assert migrating.migrate(connection) is False  # it had no tables
    with database.begin() as connection:
        assert current_revision(connection) == HEAD
        assert migrating.migrate(connection) is False
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(EnvironmentProblemError) as refused:
            migrating.migrate(connection)
    assert told(refused) == (
        f"the database was written by a newer Formwork (9999, and this one knows {HEAD})",
        "install that version, or use another state folder",
    )
    database.close()


def test_scripts_are_found_in_a_folder_whose_name_has_a_percent_sign(tmp_path, monkeypatch):
    folder = tmp_path / "100%(x)s" / "durable"
    shutil.copytree(Path(migrating.__file__).with_name("migrations"), folder / "migrations")
    monkeypatch.setattr(migrating, "__file__", str(folder / "migrating.py"))
    database = open_database(tmp_path / "state")
    database.migrate()
    with database.read() as connection:
        assert current_revision(connection) == HEAD
    database.close()


def test_processes_that_start_together_do_not_both_migrate(tmp_path, make_database):
    database, said = open_database(make_database(), state=tmp_path), []
    event.listen(database.engine, "before_cursor_execute", lambda *given: said.append(given[2]))
    database.migrate()
    database.close()
    assert said[0] == "SELECT pg_advisory_xact_lock(7133208001)"


@pytest.mark.parametrize("migrated", [True, False])
def test_a_file_is_rewritten_after_an_upgrade_only(tmp_path, monkeypatch, migrated):
    database, said = open_database(tmp_path), []
    monkeypatch.setattr(migrating, "migrate", lambda _connection: migrated)
    rewritten = []
    monkeypatch.setattr(database, "_rewrite", lambda: rewritten.append(1))
    monkeypatch.setattr(databases, "check_key", lambda _connection, sealer: said.append(sealer))
    database.migrate()
    assert rewritten == [1] * migrated
    assert said == [database._sealer]
    database.close()


def test_sqlalchemy_is_imported_at_the_first_use(tmp_path):
    script = """
import sys
from formwork.durable import open_database
database = open_database(sys.argv[1])
assert database.derive_key("a") and not database.shared
assert "sqlalchemy" not in sys.modules
database.close()
assert "sqlalchemy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)


def test_threads_that_use_a_database_first_share_its_engine(tmp_path):
    database = open_database(tmp_path)
    together = threading.Barrier(4)

    def use(_number):
        together.wait()
        return database.engine

    with ThreadPoolExecutor(4) as pool:
        engines = set(pool.map(use, range(4)))
    assert engines == {database.engine}
    database.close()
