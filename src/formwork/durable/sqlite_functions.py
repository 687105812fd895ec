"""The SQL functions that DBOS calls and older SQLite libraries lack.

On Python 3.12 and newer, DBOS's tables and queries call `unixepoch('subsec')`, which SQLite has since 3.42. Python uses
the library of the system, 3.40 on Debian 12, where the call gives NULL. The function is registered on each connection
of such a library, on every version of Python, since the tables may have been made by another one
(docs/decisions/0004).
"""

import sqlite3
import time
from datetime import UTC, datetime

from formwork.diagnostics import EnvironmentProblemError

# The oldest library that the tests run on, and the oldest that has all of SQL that is used (RETURNING).
TESTED = (3, 40)
OLDEST = (3, 35)
_SUBSEC = (3, 42)


def check_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> None:
    """See that the SQLite library of this Python can be used.

    Raises:
        EnvironmentProblemError: it is too old.
    """
    if version < OLDEST:
        raise EnvironmentProblemError(
            f"SQLite {'.'.join(map(str, version))} is too old: {'.'.join(map(str, OLDEST))} or newer is needed",
            hint="use a Python with a newer SQLite library, or --database postgresql://…",
        )


def add_functions(connection: sqlite3.Connection) -> None:
    """Register what the SQLite library of this Python lacks."""
    if sqlite3.sqlite_version_info < _SUBSEC:
        # Defaults of tables may call registered functions only where the schema is trusted, which is SQLite's default,
        # but not that of every build.
        connection.execute("PRAGMA trusted_schema=ON")
        connection.create_function("unixepoch", 1, unixepoch)


def unixepoch(moment: object) -> float | int | None:
    """SQLite's function of one argument: seconds since 1970 for a time or "now", with milliseconds for "subsec"."""
    if moment in ("subsec", "subsecond"):
        return int(time.time() * 1000) / 1000
    if moment == "now":
        return int(time.time())
    try:
        parsed = datetime.fromisoformat(str(moment))
    except ValueError:
        return None
    return int((parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp())
