"""Workflows and steps get tables of their own; unfinished ones of DBOS are copied, and its tables are dropped."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from formwork.durable.sealed_text import SealedText

revision = "0012"
down_revision = "0011"

_SCHEMA = "dbos"  # on PostgreSQL; SQLite has none
_APPLICATION = "formwork"
# What Formwork wrote. DBOS reads rows with other labels too, pickles among them: another application wrote those.
_LABEL = "formwork_json"
_COPIED = f"s.status IN ('PENDING', 'ENQUEUED', 'DELAYED') AND s.serialization = '{_LABEL}'"
# All tables of DBOS 3.4, those that refer to others first.
_TABLES = (
    *("streams", "workflow_events_history", "workflow_events", "notifications", "operation_outputs"),
    *("workflow_input", "workflow_output", "workflow_schedules", "queues", "application_versions"),
    *("workflow_status", "dbos_migrations"),
)


def upgrade() -> None:
    """Make the tables, copy what has not ended, drop DBOS's."""
    workflow = op.create_table(
        "durable_workflow",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("arguments_json", SealedText(), nullable=False),
        sa.Column("owner", sa.String(64)),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float()),
        sa.Column("result_json", SealedText()),
        sa.Column("error", SealedText()),
    )
    unfinished = sa.text("ended IS NULL")
    op.create_index(
        "durable_workflow_unfinished",
        "durable_workflow",
        ["created"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )
    step = op.create_table(
        "durable_step",
        sa.Column("workflow_id", sa.Text(), sa.ForeignKey("durable_workflow.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=False),
        sa.Column("result_json", SealedText()),
        sa.Column("error", SealedText()),
    )
    connection = op.get_bind()
    schema = _SCHEMA if connection.dialect.name == "postgresql" else None
    if not sa.inspect(connection).has_table("dbos_migrations", schema=schema):
        return
    prefix = "" if schema is None else f"{schema}."
    if workflows := list(_workflows(connection, prefix)):
        connection.execute(workflow.insert(), workflows)
        if steps := list(_steps(connection, prefix, {found["id"] for found in workflows})):
            connection.execute(step.insert(), steps)
    _drop(connection, prefix)


def _workflows(connection: sa.Connection, prefix: str) -> Iterator[dict[str, Any]]:
    statement = (
        "SELECT s.workflow_uuid AS id, s.name AS name, COALESCE(i.inputs, s.inputs) AS inputs, s.status AS status,"
        " s.executor_id AS owner, s.created_at AS created FROM {dbos}workflow_status s"
        " LEFT JOIN {dbos}workflow_input i ON i.workflow_uuid = s.workflow_uuid WHERE {copied}"
    )
    rows = connection.exec_driver_sql(statement.format(dbos=prefix, copied=_COPIED))
    for row in rows.mappings():
        arguments = _read(row["inputs"])
        if row["name"] and isinstance(arguments, dict) and isinstance(arguments.get("args"), list):
            yield {
                "id": row["id"],
                "name": row["name"],
                "arguments_json": json.dumps(arguments["args"]),
                "owner": row["owner"] if row["status"] == "PENDING" else None,
                "created": row["created"] / 1000,
            }


def _steps(connection: sa.Connection, prefix: str, copied: set[str]) -> Iterator[dict[str, Any]]:
    statement = (
        "SELECT o.workflow_uuid AS id, o.function_id AS position, o.function_name AS name, o.output AS output,"
        " o.error AS error, o.completed_at_epoch_ms AS ended FROM {dbos}operation_outputs o"
        " JOIN {dbos}workflow_status s ON s.workflow_uuid = o.workflow_uuid"
        " WHERE {copied} AND o.serialization = '{label}'"
    )
    rows = connection.exec_driver_sql(statement.format(dbos=prefix, copied=_COPIED, label=_LABEL))
    for row in rows.mappings():
        if row["id"] in copied:
            error = None if row["error"] is None else _error(row["error"])
            yield {
                "workflow_id": row["id"],
                "position": row["position"],
                "name": row["name"],
                "ended": (row["ended"] or 0) / 1000,
                "result_json": None if error is not None else row["output"] or "null",
                "error": error,
            }


def _error(stored: str) -> str:
    """Return the text of an exception that was stored as {"$error": [type, message]}."""
    match _read(stored):
        case {"$error": [str(kind), str(message)]}:
            return f"{kind}: {message}"
        case _:
            return stored


def _read(text: str | None) -> Any:
    try:
        return json.loads(text or "null")
    except ValueError:
        return None


def _drop(connection: sa.Connection, prefix: str) -> None:
    if prefix:
        others = connection.exec_driver_sql(
            f"SELECT 1 FROM {prefix}workflow_status WHERE application_name <> '{_APPLICATION}' LIMIT 1"  # noqa: S608
        )
        if others.first() is None:
            connection.exec_driver_sql(f"DROP SCHEMA {_SCHEMA} CASCADE")  # with DBOS's functions
            return
        # Another application that uses DBOS shares the database.
        for table in ("workflow_status", "operation_outputs", "queues", "application_versions"):
            connection.exec_driver_sql(f"DELETE FROM {prefix}{table} WHERE application_name = '{_APPLICATION}'")  # noqa: S608
        return
    for table in _TABLES:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")
