"""What migrations do to what is there already."""

import contextlib
import importlib
import sqlite3

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations

from formwork.durable import open_database
from formwork.durable.sealed_text import SealedText
from formwork.registry.tables import metadata as registry_tables
from formwork.stack_sets.tables import metadata as engine_tables  # with the engine's own

VALUES = {str: "x", int: 1, float: 1.0, bool: True}


def test_old_events_get_times_of_their_own():
    migration = importlib.import_module("formwork.durable.migrations.versions.0007_event_times")
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE engine_event (number INTEGER PRIMARY KEY, stack_id TEXT, time FLOAT)")
        connection.exec_driver_sql("CREATE INDEX engine_event_stack ON engine_event (stack_id, number)")
        for stack_id, time in (("a", 1.0), ("b", 1.0), ("a", 1.0), ("a", 0.5), ("a", 2.00049), ("b", 1.2)):
            connection.execute(
                sa.text("INSERT INTO engine_event (stack_id, time) VALUES (:s, :t)"), {"s": stack_id, "t": time}
            )
        with Operations.context(MigrationContext.configure(connection)):
            migration.upgrade()
        rows = connection.exec_driver_sql("SELECT stack_id, time FROM engine_event ORDER BY number").all()
    engine.dispose()
    assert rows == [("a", 1.0), ("b", 1.0), ("a", 1.001), ("a", 1.002), ("a", 2.0), ("b", 1.2)]


def sealed_columns():
    tables = [*engine_tables.tables.values(), *registry_tables.tables.values()]
    return {(each.name, column.name) for each in tables for column in each.columns if is_sealed(column)}


def is_sealed(column):
    return isinstance(column.type, SealedText)


def test_what_older_versions_wrote_in_clear_is_sealed_and_nowhere_in_the_file(tmp_path):
    names = ("0010_sealed", "0011_sealed_options")
    migrations = [importlib.import_module(f"formwork.durable.migrations.versions.{each}")._SEALED for each in names]
    tables = {**engine_tables.tables, **registry_tables.tables}
    found = [(name, keys, columns) for each in migrations for name, (keys, columns) in each.items()]
    assert {(name, each) for name, _, columns in found for each in columns} == sealed_columns()
    assert all(set(keys) == {key.name for key in tables[name].primary_key} for name, keys, _ in found)
    database = open_database(tmp_path)
    database.migrate()
    database.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "formwork.db")) as connection, connection:
        for name in migrations[0]:
            row = {
                each.name: "SECRET-" * 9 if is_sealed(each) else VALUES[each.type.python_type]
                for each in tables[name].columns
            }
            marks = ", ".join(f":{each}" for each in row)
            connection.execute(f"INSERT INTO {name} ({', '.join(row)}) VALUES ({marks})", row)
        connection.execute("UPDATE alembic_version SET version_num = '0009'")
        for name in ("durable_step", "durable_workflow"):
            connection.execute(f"DROP TABLE {name}")
    assert b"SECRET-SECRET-" in (tmp_path / "formwork.db").read_bytes()

    database = open_database(tmp_path)
    database.migrate()
    with database.read() as connection:
        rows = connection.execute(sa.select(engine_tables.tables["engine_event"])).all()
    database.close()
    assert [(each.reason, each.more_json) for each in rows] == [("SECRET-" * 9, "SECRET-" * 9)]
    assert not any(b"SECRET-" in each.read_bytes() for each in tmp_path.iterdir())


def test_no_error_of_the_database_shows_what_was_to_be_written(tmp_path):
    database = open_database(tmp_path)
    database.migrate()
    with pytest.raises(sa.exc.DatabaseError) as refused, database.begin() as connection:
        connection.execute(sa.text("INSERT INTO nowhere VALUES (:secret)"), {"secret": "my-secret"})
    database.close()
    assert "my-secret" not in f"{refused.value} {refused.value!r}"
    assert "nowhere" in str(refused.value)
