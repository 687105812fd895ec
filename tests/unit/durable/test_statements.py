"""What is done on the database, in order: by workflows of a process, by heartbeats, by another's take-over."""

import re

import pytest
from sqlalchemy import event

from formwork.durable import open_database
from formwork.durable.outcomes import RecordedOutcome, WorkflowFailedError
from formwork.durable.sqlite_connections import writes
from formwork.durable.workflow_rows import StartedWorkflow, WorkflowRows
from formwork.durable.workflows import Workflows


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    return tmp_path if request.param == "sqlite" else request.getfixturevalue("make_database")()


@pytest.fixture
def database(place, tmp_path):
    opened = open_database(place, state=tmp_path)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def said(database):
    """Each statement in one line, with its parameters where they are the same in every run."""
    lines = []

    def note(_connection, _cursor, statement, parameters, _context, _many):
        values = parameters.values() if isinstance(parameters, dict) else parameters
        lines.append(f"{re.sub(chr(10) + '? +', ' ', statement)} [{', '.join(map(plain, values))}]")

    def plain(value):
        if isinstance(value, str) and value.startswith("sealed:"):
            return f"sealed {database._sealer.open(value)}"
        return (
            "(a time)"
            if isinstance(value, float) and value > 1e9
            else "(an executor)"
            if is_executor(value)
            else repr(value)
        )

    event.listen(database.engine, "before_cursor_execute", note)
    if not database.shared:
        begun = {True: "BEGIN IMMEDIATE []", False: "BEGIN []"}
        event.listen(database.engine, "begin", lambda connection: lines.append(begun[writes(connection)]))
    return lines


def is_executor(value):
    return isinstance(value, str) and re.fullmatch(r"\d+-[0-9a-f]{12}", value) is not None


def check(said, database, name, golden):
    golden(f"durable/{name}-{database.engine.dialect.name}.txt", "\n".join(said) + "\n")


def test_workflows_of_one_process(database, said, golden):
    workflows = Workflows(database, works=False, beat_seconds=3600.0)
    workflows.register(
        "adds", lambda a, b: [workflows.step("one", lambda x: x + 1, a), workflows.step("two", max, a, b)]
    )
    workflows.register("fails", lambda: workflows.step("fail", lambda: int("x")))
    workflows.launch()
    for name, arguments in (("adds", (1, 5)), ("fails", ())):
        workflows.start(name, f"{name}-id", *arguments)
        if database.shared:
            said.append("-- claimed")
            workflows._claim(4)
        for thread in list(workflows._running):
            thread.join(30)
        said.append("-- result")
        with_result(workflows, f"{name}-id", said)
        said.append("-- started again")
        workflows.start(name, f"{name}-id", *arguments)
    said.append("-- closed")
    workflows.close()
    check(said, database, "workflows", golden)


def with_result(workflows, workflow_id, said):
    try:
        said.append(f"-- {workflows.result(workflow_id)}")
    except WorkflowFailedError as error:
        said.append(f"-- {error}")


def test_what_the_next_process_finds(database, said, golden):
    earlier = Workflows(database, works=False, beat_seconds=3600.0)
    earlier.register("adds", print)
    earlier._heart.beat()
    rows = earlier._rows
    for number in range(3):
        rows.add(StartedWorkflow(f"w{number}", "adds"), f"[{number}]", owned=number > 0)
    rows.add(StartedWorkflow("other", "unknown"), "[]", owned=True)
    said.append("-- stopped with work")
    earlier._launched = True
    earlier.close()
    said.append("-- the next process")
    later = Workflows(database, works=False, beat_seconds=3600.0)
    later.register("adds", lambda number: later.step("one", lambda: number * 10))
    later.launch(revive=lambda: said.append("-- revived"))
    if database.shared:
        later._claim(10)
    for thread in sorted(later._running, key=lambda each: each.name):
        thread.join(30)
    found = [later.result(f"w{number}") for number in range(3)]
    later.close()
    assert found == [0, 10, 20]
    steps = [each for each in said if "durable_step" in each or each.startswith("UPDATE durable_workflow SET ended")]
    others = [each for each in said if each not in steps and not each.startswith(("SELECT", "BEGIN"))]
    golden(f"durable/next-process-{database.engine.dialect.name}.txt", "\n".join([*others, *sorted(steps)]) + "\n")


def test_rows_belong_to_one_executor(database, said, golden):
    ours, others = WorkflowRows(database, "ours"), WorkflowRows(database, "others")
    with database.begin() as connection:
        connection.exec_driver_sql("INSERT INTO worker (id, started, seen) VALUES ('others', 1.5, 2.5)")
    workflow = StartedWorkflow("w", "adds")
    done = RecordedOutcome.of_result({"a": 1})
    failed = RecordedOutcome.of_error(ValueError("no paper"))
    said.append(f"-- {[ours.add(workflow, '[]', owned=False), ours.add(workflow, '[]', owned=True)]}")
    said.append(f"-- no row of the executor: {ours.claim(['adds'], 5)}")
    said.append(f"-- no such name: {others.claim(['subtracts'], 5)}")
    said.append(f"-- claimed: {others.claim(['adds', 'subtracts'], 5)}")
    said.append(f"-- work: {ours.has_work()} {others.has_work()}")
    said.append(f"-- steps: {ours.add_step('w', 1, 'one', done)} {others.add_step('w', 1, 'one', done)}")
    said.append(f"-- failed step: {others.add_step('w', 2, 'two', failed)} {others.add_step('w', 2, 'two', failed)}")
    said.append(f"-- {ours.steps('w')} {ours.arguments('w')} {ours.outcome('w')}")
    said.append(f"-- end: {ours.finish('w', done)} {others.finish('w', failed)} {others.finish('w', done)}")
    said.append(f"-- {ours.outcome('w')} {others.has_work()}")
    said.append(f"-- forgotten: {ours.forget(1.0, 5)} {ours.forget(9e12, 5)} {ours.steps('w')}")
    check(said, database, "rows", golden)
