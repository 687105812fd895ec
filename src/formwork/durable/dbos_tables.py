"""The version of DBOS's tables that state folders and databases have (docs/decisions/1285)."""

from formwork.diagnostics import EnvironmentProblemError

# How many migrations DBOS 3.4 has, for SQLite and PostgreSQL alike. It writes the number into `dbos_migrations`.
TABLES_VERSION = 125


def expect_known_tables() -> None:
    """Check that the installed DBOS makes the tables that Formwork was tested with, before it changes a database.

    Raises:
        EnvironmentProblemError: it makes others; an older Formwork could not use the state folder any more.
    """
    from dbos import _migration  # noqa: PLC0415 - 0.5 s, where work is done

    found = len(_migration.sqlite_migrations)
    if found != TABLES_VERSION:
        raise EnvironmentProblemError(
            f"the installed DBOS makes tables of version {found}, and Formwork's state has version {TABLES_VERSION}",
            hint="install the version of dbos that Formwork's constraints.txt names",
        )
