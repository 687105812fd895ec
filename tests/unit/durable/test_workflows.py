"""Workflows on DBOS: what was done is not done again, and a dead worker's work goes on elsewhere."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import open_database
from formwork.durable.workflows import STATE_FORMAT, WorkflowFailedError, Workflows


def until(done, seconds=30):
    ends = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < ends
        time.sleep(0.01)


class Notes:
    """Lines that outlive a process."""

    def __init__(self, path):
        self.path = Path(path)

    def add(self, line):
        with self.path.open("a") as file:
            file.write(f"{line}\n")

    @property
    def lines(self):
        return self.path.read_text().splitlines() if self.path.exists() else []


def work(place, state, notes, *, die_in=None, options=None):
    """Workflows whose workflow `count` notes three steps; the process dies in the step `die_in`."""
    notes = Notes(notes)
    database = open_database(place, state=Path(state))
    database.migrate()
    workflows = Workflows(database, **(options or {}))

    def step(number):
        notes.add(number)
        if number == die_in:
            os.kill(os.getpid(), signal.SIGKILL)
        return number * 10

    def count(first):
        return [workflows.step(f"step {each}", step, first + each) for each in range(3)]

    workflows.register("count", count)
    return database, workflows


def die(place, state, notes, die_in):
    _database, workflows = work(place, state, notes, die_in=die_in)
    workflows.launch()
    workflows.start("count", "counting", 1)
    time.sleep(30)


def killed(*arguments):
    process = multiprocessing.get_context("spawn").Process(target=die, args=arguments)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path / "notes")


def test_a_workflow_runs_once_for_an_id(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    with workflows:
        workflows.launch()
        workflows.start("count", "a", 1)
        assert workflows.result("a") == [10, 20, 30]
        workflows.start("count", "a", 1)
        assert workflows.result("a") == [10, 20, 30]
        workflows.start("count", "b", 5)
        assert workflows.result("b") == [50, 60, 70]
    assert notes.lines == ["1", "2", "3", "5", "6", "7"]
    database.close()


def test_what_ended_long_ago_is_forgotten_and_what_runs_is_not(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path, options={"keep_seconds": 0.0})
    workflows.register("fails", lambda: workflows.step("fail", lambda: 1 / 0))
    waits = threading.Event()
    workflows.register("waits", lambda: [workflows.step("one", lambda: 1), waits.wait(30), workflows.step("two", int)])
    with workflows:
        workflows.launch()
        workflows.start("waits", "waiting")
        for number in range(3):
            workflows.start("count", f"count-{number}", 1)
            workflows.result(f"count-{number}")
        workflows.start("fails", "failing")
        with pytest.raises(WorkflowFailedError):
            workflows.result("failing")
        until(lambda: workflows._pruning.prune() == 0)
        with database.read() as connection:
            for table in ("workflow_status", "workflow_input", "operation_outputs"):
                found = connection.exec_driver_sql(f"SELECT DISTINCT workflow_uuid FROM {table}").scalars().all()
                assert found == ["waiting"], table
        waits.set()
        assert workflows.result("waiting") == [1, True, 0]
    database.close()


def test_a_killed_process_goes_on_in_the_step_it_died_in(tmp_path, notes):
    killed(tmp_path / "state", tmp_path, notes.path, 2)
    assert notes.lines == ["1", "2"]
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    with workflows:
        workflows.launch()
        assert workflows.result("counting") == [10, 20, 30]
    assert notes.lines == ["1", "2", "2", "3"]
    database.close()


def test_another_worker_takes_a_dead_ones_work_over(tmp_path, notes, make_database):
    url = make_database()
    killed(url, tmp_path, notes.path, 2)
    database, workflows = work(url, tmp_path, notes.path, options={"beat_seconds": 0.2, "dead_seconds": 2.0})
    with workflows:
        workflows.launch()
        until(lambda: workflows.result("counting") == [10, 20, 30])
    assert notes.lines == ["1", "2", "2", "3"]
    database.close()


def test_what_runs_when_the_process_ends_goes_on_in_the_next(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    workflows.register("waits", lambda: workflows.step("wait", lambda: workflows.sleep(3600)))
    with workflows:
        workflows.launch()
        workflows.start("waits", "waiting")
        until(lambda: workflows._at_work._number == 1)
    database.close()
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    workflows.register("waits", lambda: notes.add("went on"))
    with workflows:
        workflows.launch()
        until(lambda: notes.lines == ["went on"])
    database.close()


def test_what_fails_because_the_process_ends_has_not_failed(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)

    def broken_off():
        notes.add("begun")
        workflows._stop.wait(30)
        return "broken"

    workflows.register("breaks", lambda: notes.add(str(workflows.step("break", broken_off))))
    with workflows:
        workflows.launch()
        workflows.start("breaks", "b")
        until(lambda: notes.lines == ["begun"])
    database.close()
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    workflows.register("breaks", lambda: notes.add(str(workflows.step("break", lambda: "whole"))))
    with workflows:
        workflows.launch()
        until(lambda: notes.lines == ["begun", "whole"])
    database.close()


def test_what_is_stored_is_json(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)

    def fail():
        raise ValueError("no paper")

    workflows.register("fails", lambda: workflows.step("fails", fail))
    workflows.register("pickles", lambda: workflows.step("pickles", object))
    with workflows:
        workflows.launch()
        workflows.start("count", "a", 1)
        workflows.result("a")
        workflows.start("fails", "f")
        with pytest.raises((ValueError, WorkflowFailedError), match="no paper"):
            workflows.result("f")
        workflows.start("pickles", "p")
        with pytest.raises(Exception, match="no JSON value"):
            workflows.result("p")
    with database.read() as connection:
        rows = connection.exec_driver_sql(
            "SELECT workflow_uuid, application_version, i.inputs, o.output FROM workflow_status"
            " JOIN workflow_input i USING (workflow_uuid) JOIN workflow_output o USING (workflow_uuid)"
        ).all()
    stored = {row[0]: row[1:] for row in rows}
    assert stored["a"][0] == STATE_FORMAT
    assert json.loads(stored["a"][1])["args"] == [1]
    assert json.loads(stored["a"][2]) == [10, 20, 30]
    database.close()


def test_one_a_process(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    with workflows:
        workflows.launch()
        with pytest.raises(EnvironmentProblemError, match="durable workflows already"):
            Workflows(database).launch()
        with pytest.raises(RuntimeError, match="before the launch"):
            workflows.register("late", print)
    database.close()


def test_a_step_costs_little(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    workflows.register("long", lambda: [workflows.step("n", lambda: 1) for _ in range(100)] and None)
    with workflows:
        workflows.launch()
        started = time.process_time()
        workflows.start("long", "l")
        workflows.result("l")
        assert time.process_time() - started < 100 * 0.02
    database.close()


def test_only_three_modules_import_dbos():
    import formwork

    root = Path(formwork.__file__).parent
    importing = sorted(
        path.relative_to(root).as_posix() for path in root.rglob("*.py") if "dbos import" in path.read_text()
    )
    assert importing == ["durable/dbos_tables.py", "durable/pickles.py", "durable/workflows.py"]
    program = "import sys, formwork.registry, formwork.durable; print('dbos' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
