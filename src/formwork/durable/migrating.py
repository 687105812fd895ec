"""Upgrades the tables to this version's schema, with alembic's scripts in `migrations/versions`.

A new SQLite database gets them from `migrations/new.sql`, which a test compares with what the scripts make.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from formwork.diagnostics import EnvironmentProblemError

if TYPE_CHECKING:
    from sqlalchemy import Connection

# The newest of the scripts; kept here so that new databases and those of this version need no alembic (160 ms).
HEAD = "0014"
_TABLE = "alembic_version"
_MIGRATIONS = Path(__file__).with_name("migrations")
NEW = _MIGRATIONS / "new.sql"
# Two processes that start together must not both migrate; the number is arbitrary.
_ADVISORY_LOCK = 7_133_208_001


def migrate(connection: "Connection") -> bool:
    """Run the scripts that this database lacks, in the transaction of `connection`; return whether it had tables.

    Raises:
        EnvironmentProblemError: a newer version has written it.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
    current = current_revision(connection)
    if current == HEAD:
        return False
    if current is not None and current > HEAD:
        raise EnvironmentProblemError(
            f"the database was written by a newer Formwork ({current}, and this one knows {HEAD})",
            hint="install that version, or use another state folder",
        )
    if connection.dialect.name == "sqlite" and _is_new(connection):
        for statement in NEW.read_text(encoding="utf-8").split(";\n"):
            connection.exec_driver_sql(statement)
        return False
    from alembic import command  # noqa: PLC0415 - only where something is to do
    from alembic.config import Config  # noqa: PLC0415 - the same

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    return current is not None


def current_revision(connection: "Connection") -> str | None:
    """Return the revision that the database has; None for an empty one."""
    from sqlalchemy import inspect  # noqa: PLC0415 - see the module

    if not inspect(connection).has_table(_TABLE):
        return None
    found = connection.exec_driver_sql(f"SELECT version_num FROM {_TABLE}").scalar()  # noqa: S608 - a constant
    return None if found is None else str(found)


def _is_new(connection: "Connection") -> bool:
    return connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar() == 0
