"""What migrations do to what is there already."""

import contextlib
import importlib
import sqlite3

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations

from formwork.durable import open_database, workflow_tables
from formwork.durable.sealed_text import SealedText
from formwork.durable.sealing import Sealer
from formwork.iac_generator import tables as generator_tables
from formwork.registry.tables import metadata as registry_tables
from formwork.stack_refactors import tables as refactor_tables
from formwork.stack_sets.tables import metadata as engine_tables  # with the engine's own
from support.states.stored import load

# The tables that newer migrations make, whose columns are sealed from the start, those first that refer to others.
NEWER = (
    "engine_stack_alias",
    refactor_tables.refactors.name,
    *(each.name for each in (generator_tables.scanned, generator_tables.scans, generator_tables.templates)),
)
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
    older = [each for each in tables if each.name not in NEWER]
    return {(each.name, column.name) for each in older for column in each.columns if is_sealed(column)}


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
        for name in ("durable_step", "durable_workflow", *NEWER):
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


DBOS_TABLES = (
    *("application_versions", "dbos_migrations", "notifications", "operation_outputs", "queues", "streams"),
    *("workflow_events", "workflow_events_history", "workflow_input", "workflow_output", "workflow_schedules"),
    "workflow_status",
)
PICKLE = "gARjYnVpbHRpbnMKZXhlYwo="


@pytest.fixture(params=["sqlite", "postgresql"])
def of_dbos(request, tmp_path):
    """A database of the version before, with DBOS's tables: its URL, if it is PostgreSQL's, and the prefix of these."""
    url = None if request.param == "sqlite" else request.getfixturevalue("make_database")()
    load("create-noted", tmp_path, url)
    return url, "" if url is None else "dbos."


def plant(connection, prefix, *, application="formwork"):
    """Workflows in every state and with every kind of label; `broken` has arguments that are not JSON."""

    def add(table, **values):
        names, marks = ", ".join(values), ", ".join(f":{each}" for each in values)
        connection.execute(sa.text(f"INSERT INTO {prefix}{table} ({names}) VALUES ({marks})"), values)

    def workflow(name, status="PENDING", label="formwork_json", inputs='{"args": ["a", 1], "kwargs": {}}', **more):
        values = {"name": "count", "status": status, "serialization": label, "created_at": 5000, "updated_at": 5000}
        add("workflow_status", workflow_uuid=name, application_name=application, **values, **more)
        add("workflow_input", workflow_uuid=name, inputs=inputs)

    def step(name, position, label="formwork_json", **values):
        of = {"workflow_uuid": name, "function_id": position, "function_name": f"step {position}"}
        add("operation_outputs", **of, serialization=label, completed_at_epoch_ms=7000, **values)

    workflow("pending", executor_id="dead")
    step("pending", 1, output='{"kept": "SECRET-SECRET"}')
    step("pending", 2, error='{"$error": ["ValueError", "no paper"]}')
    step("pending", 3, label="py_pickle", output=PICKLE)
    workflow("queued", status="ENQUEUED", queue_name="formwork")
    workflow("ended", status="SUCCESS")
    step("ended", 1, output="1")
    workflow("failed", status="ERROR")
    workflow("pickled", label="py_pickle", inputs=PICKLE)
    step("pickled", 1, output="1")
    workflow("unlabelled", label=None)
    workflow("broken", inputs="not JSON")


def remaining(connection, prefix):
    names = sa.inspect(connection).get_table_names(schema=prefix.rstrip(".") or None)
    return sorted(set(names) & set(DBOS_TABLES))


def migrated(folder, url):
    database = open_database(url or folder, state=folder)
    database.migrate()
    with database.read() as connection:
        workflows = connection.execute(
            sa.select(workflow_tables.workflows).where(workflow_tables.workflows.c.name == "count")
        )
        steps = connection.execute(sa.select(workflow_tables.steps))
        found = [tuple(each) for each in workflows], [tuple(each) for each in steps]
    return database, found


def test_unfinished_work_of_dbos_is_copied_and_its_tables_are_dropped(tmp_path, of_dbos):
    url, prefix = of_dbos
    database = open_database(url or tmp_path, state=tmp_path)
    with database.begin() as connection:
        assert remaining(connection, prefix) == sorted(DBOS_TABLES)
        plant(connection, prefix)
    database.close()
    database, (workflows, steps) = migrated(tmp_path, url)
    with database.read() as connection:
        sealed = connection.exec_driver_sql("SELECT arguments_json FROM durable_workflow").scalars().all()
        assert remaining(connection, prefix) == []
        assert "dbos" not in sa.inspect(connection).get_schema_names()
    database.close()
    assert sorted(workflows) == [
        ("pending", "count", '["a", 1]', "dead", 5.0, None, None, None),
        ("queued", "count", '["a", 1]', None, 5.0, None, None, None),
    ]
    assert sorted(steps) == [
        ("pending", 1, "step 1", 7.0, '{"kept": "SECRET-SECRET"}', None),
        ("pending", 2, "step 2", 7.0, None, "ValueError: no paper"),
    ]
    assert all(Sealer.is_sealed(each) for each in sealed)
    assert not any(b"SECRET-" in each.read_bytes() for each in tmp_path.iterdir() if each.is_file())


def test_workflows_that_another_application_has_in_dbos_stay(tmp_path, make_database):
    url = make_database()
    load("create-noted", tmp_path, url)
    database = open_database(url, state=tmp_path)
    with database.begin() as connection:
        plant(connection, "dbos.", application="other")
    database.close()
    database, _found = migrated(tmp_path, url)
    with database.read() as connection:
        assert remaining(connection, "dbos.") == sorted(DBOS_TABLES)
        left = connection.exec_driver_sql("SELECT DISTINCT application_name FROM dbos.workflow_status").scalars().all()
    database.close()
    assert left == ["other"]


def test_a_migration_that_is_cut_off_changes_nothing(tmp_path, of_dbos, monkeypatch):
    url, prefix = of_dbos
    script = importlib.import_module("alembic.op")
    database = open_database(url or tmp_path, state=tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(script, "create_index", lambda *_arguments, **_options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            database.migrate()
    with database.read() as connection:
        assert not sa.inspect(connection).has_table("durable_workflow")
        assert remaining(connection, prefix) == sorted(DBOS_TABLES)
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == "0011"
    database.close()
