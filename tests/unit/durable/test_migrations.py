"""What migrations do to what is there already."""

import importlib

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations


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
