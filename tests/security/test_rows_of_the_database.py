"""Whoever can write the database executes nothing: rows that are labelled as pickles are refused by name.

Every table and column that DBOS reads by a row's label gets a payload that would touch a file.
"""

import base64
import contextlib
import importlib.util
import os
import pickle
import re
import signal
import time
import uuid
from pathlib import Path

import pytest
import sqlalchemy as sa

import formwork
from formwork.durable import open_database
from formwork.durable.pickles import LABEL, PickledRowError
from formwork.durable.workflows import STATE_FORMAT, Workflows
from support.forked import processes

UNSAFE = {"pickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "pickletools"}
TABLES = {
    *("workflow_status", "operation_outputs", "workflow_events", "workflow_events_history"),
    *("notifications", "streams"),
}


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    return tmp_path / "state" if request.param == "sqlite" else request.getfixturevalue("make_database")()


class Payload:
    """Unpickling one executes `touch` on a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)

    @property
    def text(self):
        return base64.b64encode(pickle.dumps(self)).decode()


def workflows_of(place, folder, *, die_in=None, said=None):
    database = open_database(place, state=folder / "state")
    database.migrate()
    report = (lambda _line: None) if said is None else said.append
    workflows = Workflows(database, beat_seconds=0.2, dead_seconds=2.0, on_problem=report)

    def step(number):
        if number == die_in:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    workflows.register("count", lambda: [workflows.step(f"step {n}", step, n) for n in range(4)])
    return database, workflows


def die(place, folder):
    _database, workflows = workflows_of(place, folder, die_in=2)
    workflows.launch()
    workflows.start("count", "counting")
    time.sleep(30)


def plant(database, text, identifier, *, queue=None):
    """Rows with the payload in every column that has values; those of workflows by every state they can be in."""
    schema = "dbos" if database.shared else None
    tables = sa.MetaData()
    tables.reflect(database.engine, schema=schema)
    by_name = {table.name: table for table in tables.sorted_tables}
    assert {name for name, table in by_name.items() if "serialization" in table.c} == TABLES
    now = int(time.time() * 1000)
    workflow = {"workflow_uuid": identifier, "serialization": LABEL, "created_at": now, "updated_at": now}
    more = {"name": "count", "application_version": STATE_FORMAT, "priority": 0, "application_name": "formwork"}
    values = {"inputs": text, "output": text, "error": text}
    rows = [
        ("workflow_status", {**workflow, **more, **values, "status": status, "workflow_uuid": f"{identifier}-{status}"})
        for status in ("SUCCESS", "ERROR", "CANCELLED")
    ]
    waiting = {"status": "ENQUEUED", "queue_name": queue} if queue else {"status": "PENDING", "executor_id": "dead"}
    rows.append(("workflow_status", {**workflow, **more, **values, **waiting}))
    rows += [
        ("workflow_input", {"workflow_uuid": identifier, "inputs": text}),
        ("workflow_output", {"workflow_uuid": f"{identifier}-SUCCESS", "output": text}),
        ("workflow_output", {"workflow_uuid": f"{identifier}-ERROR", "error": text}),
    ]
    of = {"workflow_uuid": f"{identifier}-SUCCESS", "serialization": LABEL, "key": "key", "value": text}
    rows += [
        ("operation_outputs", {**of, "function_id": 1, "function_name": "step 0", "output": text}),
        ("operation_outputs", {**of, "function_id": 2, "function_name": "step 1", "error": text}),
        ("workflow_events", of),
        ("workflow_events_history", {**of, "function_id": 1}),
        ("streams", {**of, "offset": 0, "function_id": 1}),
    ]
    message = {"destination_uuid": f"{identifier}-SUCCESS", "topic": "topic", "message": text, "serialization": LABEL}
    rows.append(("notifications", {**message, "message_uuid": str(uuid.uuid4()), "created_at_epoch_ms": now}))
    with database.begin() as connection:
        for name, row in rows:
            table = by_name[name]
            connection.execute(table.insert().values({key: row[key] for key in row if key in table.c}))
    return by_name


def test_rows_of_every_table_are_refused_at_the_start_and_what_ran_goes_on(tmp_path, place):
    touched = tmp_path / "touched"
    process = processes().Process(target=die, args=(place, tmp_path))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    said = []
    database, workflows = workflows_of(place, tmp_path, said=said)
    by_name = plant(database, Payload(touched).text, "planted")
    forged = {"workflow_uuid": "counting", "function_id": 3, "function_name": "step 2", "serialization": LABEL}
    with database.begin() as connection:
        connection.exec_driver_sql("INSERT INTO worker (id, started, seen) VALUES ('dead', 0, 0)")
        forged["output"] = Payload(touched).text
        connection.execute(by_name["operation_outputs"].insert().values(forged))
    with workflows:
        workflows.launch()
        assert workflows.result("counting") == [0, 1, 2, 3]
        with database.read() as connection:
            for name in TABLES:
                table = by_name[name]
                found = sa.select(sa.func.count()).select_from(table).where(table.c.serialization == LABEL)
                assert connection.execute(found).scalar() == 0, name
    told = "\n".join(said)
    assert {name for name in TABLES if f'{name} "planted' in told} == TABLES
    assert 'operation_outputs "counting" is labelled py_pickle' in told
    assert not touched.exists()
    database.close()


def test_rows_that_are_planted_while_it_runs_are_refused_wherever_they_are_read(tmp_path, place):
    touched = tmp_path / "touched"
    said = []
    database, workflows = workflows_of(place, tmp_path, said=said)
    reads, received = [], []
    workflows.register("reads", lambda: received.append(reads[0]()))
    with workflows:
        workflows.launch()
        dbos = workflows._dbos
        queue = "formwork" if database.shared else "_dbos_internal_queue"
        plant(database, Payload(touched).text, "planted", queue=queue)
        identifier = "planted-SUCCESS"
        refused = [
            lambda: dbos.retrieve_workflow(identifier).get_result(),
            lambda: dbos.retrieve_workflow("planted-ERROR").get_result(),
            lambda: dbos.get_event(identifier, "key", timeout_seconds=0),
            lambda: dbos.get_all_events(identifier),
            lambda: next(dbos.read_stream(identifier, "key")),
        ]
        for read in refused:
            with pytest.raises(PickledRowError, match='labelled "py_pickle" was refused'):
                read()
        for workflow in dbos.list_workflows(load_input=True, load_output=True):
            assert isinstance(workflow.input, str | dict)
        assert [isinstance(step["output"], str | None) for step in dbos.list_workflow_steps(identifier)] == [True, True]
        # A message is read by the workflow it is for, and here that is one that runs.
        reads.append(lambda: dbos.recv("topic", timeout_seconds=5))
        workflows.start("reads", "reading")
        with database.begin() as connection:
            table = "dbos.notifications" if database.shared else "notifications"
            connection.exec_driver_sql(f"UPDATE {table} SET destination_uuid = 'reading'")
        with pytest.raises(Exception, match="PickledRowError"):
            workflows.result("reading")
        assert received == []
        # The one that waits in the queue ends, and another one runs as ever.
        ends = time.monotonic() + 30
        while (status := dbos.get_workflow_status("planted").status) != "ERROR":
            assert status in {"ENQUEUED", "PENDING"}
            assert time.monotonic() < ends
            time.sleep(0.05)
        workflows.start("count", "other")
        assert workflows.result("other") == [0, 1, 2, 3]
    assert any('workflow_status "planted" is labelled py_pickle' in line for line in said)
    assert len(said) == len(set(said))
    assert not touched.exists()
    database.close()


def test_a_workflow_whose_row_was_overwritten_is_started_again(tmp_path):
    touched = tmp_path / "touched"
    said = []
    database, workflows = workflows_of(tmp_path / "state", tmp_path, said=said)
    with workflows:
        workflows.launch()
        workflows.start("count", "counting")
        workflows.result("counting")
        with database.begin() as connection:
            connection.exec_driver_sql(
                "UPDATE workflow_status SET serialization = ?, status = 'PENDING', inputs = ?, output = NULL",
                (LABEL, Payload(touched).text),
            )
    database.close()
    database, workflows = workflows_of(tmp_path / "state", tmp_path, said=said)
    with workflows:
        workflows.launch()
        workflows.start("count", "counting")  # as the engine does with operations that have not ended
        assert workflows.result("counting") == [0, 1, 2, 3]
    assert len(said) == 1
    assert 'workflow_status "counting" is labelled py_pickle' in said[0]
    assert not touched.exists()
    database.close()


def test_what_formwork_writes_is_labelled_as_json(tmp_path, place):
    database, workflows = workflows_of(place, tmp_path)
    with workflows:
        workflows.launch()
        workflows.start("count", "counting")
        workflows.result("counting")
        prefix = "dbos." if database.shared else ""
        with database.read() as connection:
            for name in TABLES:
                labels = connection.exec_driver_sql(f"SELECT DISTINCT serialization FROM {prefix}{name}").scalars()
                assert set(labels) <= {"formwork_json"}, name
    database.close()


def test_the_payload_of_these_tests_works(tmp_path):
    pickle.loads(base64.b64decode(Payload(tmp_path / "touched").text))
    assert (tmp_path / "touched").exists()


def _unsafe_imports(root):
    found = re.compile(rf"^\s*(?:import|from)\s+(?:{'|'.join(UNSAFE)})\b", re.MULTILINE)
    return [path.name for path in sorted(root.rglob("*.py")) if found.search(path.read_text(encoding="utf-8"))]


def test_formwork_itself_loads_no_code_from_data():
    library = importlib.util.find_spec("cloudformation_cli_python_lib")
    for package in (formwork.__path__[0], library.submodule_search_locations[0]):
        assert _unsafe_imports(Path(package)) == []


def test_dbos_imports_pickle_in_the_one_module_that_it_is_taken_from():
    root = Path(importlib.util.find_spec("dbos").submodule_search_locations[0])
    assert _unsafe_imports(root) == ["_serialization.py"]
    types = [path.name for path in root.rglob("*.py") if "PickleType" in path.read_text(encoding="utf-8")]
    assert types == []


def test_dbos_that_reads_pickles_all_the_same_is_not_launched(tmp_path, monkeypatch):
    from dbos import _serialization

    from formwork.diagnostics import EnvironmentProblemError

    monkeypatch.setattr(_serialization, "deserialize_value", lambda *_arguments: None)
    database, workflows = workflows_of(tmp_path / "state", tmp_path)
    with (
        pytest.raises(EnvironmentProblemError, match="can't be kept from reading pickles"),
        contextlib.closing(workflows),
    ):
        workflows.launch()
    database.close()
