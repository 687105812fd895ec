"""Durable workflows: what was done is not done again, and a dead worker's work goes on elsewhere."""

import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from formwork.durable import WorkStopped, open_database
from formwork.durable.outcomes import RecordedOutcome, WorkflowFailedError
from formwork.durable.sealing import Sealer
from formwork.durable.workflow_rows import StartedWorkflow
from formwork.durable.workflows import Workflows


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
            for column in ("id FROM durable_workflow", "workflow_id FROM durable_step"):
                found = connection.exec_driver_sql(f"SELECT DISTINCT {column}").scalars().all()
                assert found == ["waiting"], column
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
        until(lambda: workflows._running)
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


def test_what_is_stored_is_sealed_json(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)

    def fail():
        raise ValueError("no paper")

    workflows.register("fails", lambda: workflows.step("fails", fail))
    workflows.register("objects", lambda: workflows.step("objects", object))
    with workflows:
        workflows.launch()
        workflows.start("count", "a", 1)
        workflows.result("a")
        workflows.start("fails", "f")
        with pytest.raises(WorkflowFailedError, match="ValueError: no paper"):
            workflows.result("f")
        workflows.start("objects", "o")
        with pytest.raises(WorkflowFailedError, match="object is not a JSON value"):
            workflows.result("o")
        with pytest.raises(TypeError, match="object is not a JSON value"):
            workflows.start("count", "b", object())
    with database.read() as connection:
        rows = connection.exec_driver_sql(
            "SELECT w.id, w.arguments_json, w.result_json, w.error, s.result_json, s.error FROM durable_workflow w"
            " JOIN durable_step s ON s.workflow_id = w.id WHERE s.position = 1"
        ).all()
    assert all(Sealer.is_sealed(each) for row in rows for each in row[1:] if each is not None)
    stored = {row[0]: [each and database._sealer.open(each) for each in row[1:]] for row in rows}
    database.close()
    refused = "TypeError: object is not a JSON value: workflows and steps take and return nothing else"
    assert stored == {
        "a": ["[1]", "[10, 20, 30]", None, "10", None],
        "f": ["[]", None, "ValueError: no paper", None, "ValueError: no paper"],
        "o": ["[]", None, refused, None, refused],
    }


def test_workflows_are_registered_before_the_launch(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    with workflows:
        workflows.launch()
        with pytest.raises(RuntimeError, match="before the launch"):
            workflows.register("late", print)
    database.close()


def test_a_recorded_error_is_raised_again_without_the_step(tmp_path, notes):
    def lives(body):
        database, workflows = work(tmp_path / "state", tmp_path, notes.path)
        workflows.register("tries", lambda: body(workflows))
        workflows.launch()
        return database, workflows

    def fail():
        notes.add("failed")
        raise ValueError("no paper")

    def tries(workflows):
        try:
            workflows.step("try", fail)
        except (ValueError, WorkflowFailedError) as error:
            notes.add(f"{type(error).__name__} {error}")
        return workflows.step("wait", lambda: workflows.sleep(0 if len(notes.lines) > 2 else 3600))

    database, workflows = lives(tries)
    workflows.start("tries", "t")
    until(lambda: len(notes.lines) == 2)
    workflows.close()
    database.close()
    database, workflows = lives(tries)
    assert workflows.result("t") is None
    workflows.close()
    database.close()
    assert notes.lines == ["failed", "ValueError no paper", "WorkflowFailedError ValueError: no paper"]


def test_a_step_that_is_not_the_recorded_one_is_an_error_of_its_own(tmp_path, notes):
    killed(tmp_path / "state", tmp_path, notes.path, 2)
    said = []
    database, workflows = work(tmp_path / "state", tmp_path, notes.path, options={"on_problem": said.append})
    workflows.register("count", lambda _first: workflows.step("other step", notes.add, "other"))
    mismatch = 'step 1 of workflow "counting" is "other step" and was recorded as "step 0"'
    with workflows:
        workflows.launch()
        with pytest.raises(WorkflowFailedError, match=f"StepMismatchError: {mismatch}"):
            workflows.result("counting")
    assert said == [mismatch]
    assert notes.lines == ["1", "2"]
    database.close()


def test_a_workflow_that_is_not_registered_waits_for_a_process_that_knows_it(tmp_path, notes):
    killed(tmp_path / "state", tmp_path, notes.path, 2)
    database = open_database(tmp_path / "state")
    database.migrate()
    with Workflows(database) as workflows:
        workflows.launch()
        assert workflows._rows.outcome("counting") is None
    database.close()
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    with workflows:
        workflows.launch()
        assert workflows.result("counting") == [10, 20, 30]
    database.close()


def test_steps_within_a_step_and_on_its_threads_are_part_of_it(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)

    def outer():
        with workflows.threads(2) as pool:
            return [workflows.step("inner", lambda: 1), pool.submit(workflows.step, "threaded", lambda: 2).result()]

    workflows.register("nests", lambda: [workflows.step("outer", outer), workflows.step("last", lambda: 3)])
    with workflows:
        workflows.launch()
        workflows.start("nests", "n")
        assert workflows.result("n") == [[1, 2], 3]
        assert {position: each.name for position, each in workflows._rows.steps("n").items()} == {1: "outer", 2: "last"}
    database.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    return tmp_path / "state" if request.param == "sqlite" else request.getfixturevalue("make_database")()


def test_who_lost_a_workflow_records_nothing_of_it(tmp_path, notes, place):
    database, workflows = work(place, tmp_path, notes.path)
    taken, seen = threading.Event(), []

    def step():
        seen.append("began")
        taken.wait(30)
        return 1

    def body():
        try:
            workflows.step("one", step)
        except WorkStopped:
            seen.append("stopped")
            raise

    workflows.register("loses", body)
    with workflows:
        workflows.launch()
        workflows.start("loses", "l")
        until(lambda: seen == ["began"])
        with database.begin() as connection:
            connection.exec_driver_sql("INSERT INTO worker (id, started, seen) VALUES ('other', 0, 9e12)")
            connection.exec_driver_sql("UPDATE durable_workflow SET owner = 'other'")
        taken.set()
        until(lambda: seen == ["began", "stopped"])
        until(lambda: not workflows._running)
        assert not workflows._rows.finish("l", RecordedOutcome.of_result(1))
        assert not workflows._rows.add_step("l", 1, "one", RecordedOutcome.of_result(1))
        assert workflows._rows.steps("l") == {}
        assert workflows._rows.claim(["loses"], 10) == []
        assert workflows._rows.outcome("l") is None
    database.close()


def test_new_work_can_be_left_for_a_while_whatever_the_clocks_say(tmp_path, notes, place):
    database, workflows = work(place, tmp_path, notes.path)
    rows = workflows._rows
    workflows._heart.beat()
    for name, age in (("new", 0), ("old", 11), ("of the future", -3600)):
        rows.add(StartedWorkflow(name, "x"), "[]", owned=False)
        with database.begin() as connection:
            connection.execute(
                text("UPDATE durable_workflow SET created = created - :age WHERE id = :id"), {"id": name, "age": age}
            )
    assert {each.id for each in rows.claim(["x"], 9, waiting=10)} == {"old", "of the future"}
    assert [each.id for each in rows.claim(["x"], 9)] == ["new"]
    database.close()


def test_a_record_that_is_repeated_is_the_same_record(tmp_path, notes, place):
    """A connection may be lost after the commit and before its answer."""
    database, workflows = work(place, tmp_path, notes.path)
    record = workflows._rows.add_step

    def add_twice(*values):
        assert record(*values)
        return record(*values)

    workflows._rows.add_step = add_twice
    with workflows:
        workflows.launch()
        workflows.start("count", "a", 1)
        assert workflows.result("a") == [10, 20, 30]
    database.close()


def test_what_the_executor_of_no_row_left_is_claimed(tmp_path, notes, place):
    killed(place, tmp_path, notes.path, 2)
    database, workflows = work(place, tmp_path, notes.path, options={"beat_seconds": 0.1})
    with database.begin() as connection:
        connection.exec_driver_sql("DELETE FROM worker")
    with workflows:
        workflows.launch()
        assert workflows.result("counting") == [10, 20, 30]
    database.close()


def test_a_process_that_does_not_work_leaves_it_to_others(tmp_path, notes, make_database):
    url = make_database()
    database, workflows = work(url, tmp_path, notes.path, options={"works": False})
    other_database, other = work(url, tmp_path, notes.path)
    with workflows, other:
        workflows.launch()
        workflows.start("count", "a", 1)
        time.sleep(0.5)
        assert workflows._rows.outcome("a") is None
        other.launch()
        assert workflows.result("a") == [10, 20, 30]
        workflows.start("count", "b", 1)
        assert workflows.result("b") == [10, 20, 30]
    database.close()
    other_database.close()


def test_workflows_are_shared_among_workers_and_each_runs_once(tmp_path, notes, make_database):
    url = make_database()
    opened = [work(url, tmp_path, notes.path) for _ in range(3)]
    for _, workflows in opened:
        workflows.launch()
    for number in range(30):
        opened[number % 3][1].start("count", f"w{number}", number * 10)
    for number in range(30):
        opened[0][1].result(f"w{number}")
    with opened[0][0].read() as connection:
        owners = connection.exec_driver_sql("SELECT DISTINCT owner FROM durable_workflow").all()
    for database, workflows in opened:
        workflows.close()
        database.close()
    assert sorted(map(int, notes.lines)) == sorted(n * 10 + step for n in range(30) for step in range(3))
    assert len(owners) > 1


def test_work_waits_for_a_database_that_is_away(tmp_path, notes, make_database, monkeypatch):
    monkeypatch.setattr("formwork.durable.workflows._AWAY_SECONDS", 0.1)
    database, workflows = work(make_database(), tmp_path, notes.path)
    go = threading.Event()
    workflows.register("waits", lambda: [workflows.step("one", lambda: go.wait(30)), workflows.step("two", lambda: 2)])
    with workflows:
        workflows.launch()
        workflows.start("waits", "w")
        until(lambda: workflows._running)
        with database.engine.connect() as connection:
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        go.set()
        assert workflows.result("w") == [True, 2]
    database.close()


def test_a_step_costs_little(tmp_path, notes):
    database, workflows = work(tmp_path / "state", tmp_path, notes.path)
    workflows.register("long", lambda: [workflows.step("n", lambda: 1) for _ in range(100)] and None)
    with workflows:
        workflows.launch()
        started = time.process_time()
        workflows.start("long", "l")
        workflows.result("l")
        assert time.process_time() - started < 100 * 0.01
    database.close()
