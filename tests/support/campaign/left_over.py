"""What is left once everything has ended and the server has stopped: rows that say otherwise, and processes."""

import contextlib
import os
import time
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

# Rows that none may be left of, by what they are.
_QUERIES = {
    "a live stack": "SELECT name FROM engine_stack WHERE deleted IS NULL",
    "an operation without end": "SELECT id FROM engine_operation WHERE ended IS NULL",
    "a simulated resource": "SELECT identifier FROM engine_simulated",
    "a request without end": "SELECT token FROM engine_request WHERE status IN ('PENDING', 'IN_PROGRESS')",
    "a stack set": "SELECT name FROM engine_stack_set WHERE deleted IS NULL",
    "a stack set's operation without end": "SELECT id FROM engine_stack_set_operation WHERE ended IS NULL",
    "a registration without end": "SELECT token FROM registry_registration WHERE status = 'IN_PROGRESS'",
    "a contract test without end": "SELECT id FROM registry_test WHERE status = 'IN_PROGRESS'",
    "a change set without end": "SELECT id FROM engine_change_set WHERE status IN ('CREATE_PENDING',"
    " 'CREATE_IN_PROGRESS') OR execution_status = 'EXECUTE_IN_PROGRESS'",
    "a workflow without end": "SELECT id FROM durable_workflow WHERE ended IS NULL",
}
_GOING_SECONDS = 15


def unfinished_rows(state, database=None):
    """What the tables of a stopped server still have of work."""
    url = f"sqlite:///{state / 'formwork.db'}"
    if database is not None:
        url = make_url(database).set(drivername="postgresql+psycopg")
    engine = create_engine(url)
    with engine.connect() as connection:
        found = [
            f"{what} is left: {value}"
            for what, query in _QUERIES.items()
            for value in connection.execute(text(query)).scalars()
        ]
    engine.dispose()
    return found


def processes_of(temporary):
    """Processes that were started below this folder for temporary files, after some time to end."""
    ends = time.monotonic() + _GOING_SECONDS
    while (found := _processes_of(temporary)) and time.monotonic() < ends:
        time.sleep(0.2)
    return found


def _processes_of(temporary):
    found = []
    for each in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if each.name.isdigit() and int(each.name) != os.getpid():
                command = (each / "cmdline").read_bytes()
                if os.fsencode(temporary) in (each / "environ").read_bytes() + command:
                    found.append(f"{each.name}: {command.replace(bytes(1), b' ').decode(errors='replace')}")
    return found
