"""No row of the database is ever unpickled: to load a pickle is to execute what its writer put into it.

DBOS reads a row by the row's own label, and one that is labelled `py_pickle` with Python's pickle, whatever serializer
it was given. Formwork has always written JSON under a label of its own, so a row with that label is from someone else.
The guard takes pickle away from DBOS and removes such rows: what they stood in for in a workflow is missing then,
instead of forged, and is done again (docs/decisions/1287).
"""

import base64
import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from formwork.diagnostics import EnvironmentProblemError

if TYPE_CHECKING:
    from dbos import Serializer
    from sqlalchemy import Connection

    from formwork.durable.database import Database

LABEL = "py_pickle"
_PROBE = base64.b64encode(b"\x80\x04N.").decode()  # a pickle of None
_SCHEMA = "dbos"  # on PostgreSQL; SQLite has none


class PickledRowError(Exception):
    """A row of the database is labelled as a pickle, and was not read."""

    def __init__(self) -> None:
        super().__init__(f'a row that is labelled "{LABEL}" was refused: it could execute code')


class PickleGuard:
    """Keeps pickles in `database` from being loaded; `on_problem` receives a line for each row that is refused."""

    def __init__(self, database: "Database", on_problem: Callable[[str], None]) -> None:
        self._database = database
        self._on_problem = on_problem
        self._reported: set[str] = set()

    def install(self, serializer: "Serializer") -> None:
        """Have DBOS refuse pickles in this process; what it would write as one, it writes with `serializer`.

        Raises:
            EnvironmentProblemError: the installed version of DBOS can't be kept from reading them.
        """
        from dbos import _serialization  # noqa: PLC0415 - 0.5 s, where work is done

        def deserialize(_self: Any, _text: str) -> Any:
            raise PickledRowError

        def deserialize_and_report(_self: Any, _text: str) -> Any:
            with contextlib.suppress(Exception):  # the refusal holds all the same
                self._report(self._rows())
            raise PickledRowError

        def serialize(_self: Any, value: Any) -> str:
            return serializer.serialize(value)

        changed: Any = _serialization
        changed.pickle = None
        changed.DefaultSerializer.serialize = serialize
        changed.DefaultSerializer.deserialize = deserialize
        readers = (changed.deserialize_value, changed.deserialize_args, changed.deserialize_exception)
        if not all(_refuses(reader, serializer) for reader in readers):
            raise EnvironmentProblemError(
                "the installed version of DBOS can't be kept from reading pickles",
                hint="install the version that Formwork's constraints.txt names",
            )
        changed.DefaultSerializer.deserialize = deserialize_and_report

    def remove_rows(self) -> None:
        """Remove the rows that are labelled as pickles, and report them."""
        rows = self._rows()
        if rows:
            with self._database.begin() as connection:
                for table, _identifier in _labelled_tables(connection):
                    connection.exec_driver_sql(f"DELETE FROM {table} WHERE {_IS_PICKLE}")  # noqa: S608 - DBOS's own name
            self._report(rows)

    def _rows(self) -> list[str]:
        with self._database.read() as connection:
            return [
                f'{table} "{row}"'
                for table, identifier in _labelled_tables(connection)
                for row in connection.exec_driver_sql(
                    f"SELECT DISTINCT {identifier} FROM {table} WHERE {_IS_PICKLE}"  # noqa: S608 - the same
                ).scalars()
            ]

    def _report(self, rows: list[str]) -> None:
        for row in rows:
            if row not in self._reported:
                self._reported.add(row)
                self._on_problem(
                    f"refused a row of the database: {row} is labelled {LABEL}, which Formwork never writes, "
                    "and could execute code; check who can write the database"
                )


_IS_PICKLE = f"serialization = '{LABEL}'"


def _refuses(reader: Callable[..., Any], serializer: "Serializer") -> bool:
    try:
        reader(_PROBE, LABEL, serializer)
    except PickledRowError:
        return True
    return False


def _labelled_tables(connection: "Connection") -> Iterator[tuple[str, str]]:
    """DBOS's tables whose rows have labels, as SQL names them, with the column that names the workflow."""
    from sqlalchemy import inspect  # noqa: PLC0415 - 150 ms, for those who use a database

    schema = _SCHEMA if connection.dialect.name == "postgresql" else None
    inspector = inspect(connection)
    for name in sorted(inspector.get_table_names(schema=schema)):
        columns = {column["name"] for column in inspector.get_columns(name, schema=schema)}
        if "serialization" in columns:
            identifier = "workflow_uuid" if "workflow_uuid" in columns else "destination_uuid"
            yield (name if schema is None else f"{schema}.{name}"), identifier
