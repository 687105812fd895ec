"""What the threads of workflows do: how long they wait, what they try again, how they stop."""

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import WorkStopped, open_database, workflows
from formwork.durable.outcomes import RecordedOutcome, WorkflowFailedError
from formwork.durable.workflow_rows import RecordedStep, StartedWorkflow
from formwork.durable.workflows import StepMismatchError, Workflows, _is_away, _Run
from support.durable_fakes import Rows, Stop

AWAY = OperationalError("SELECT 1", {}, ValueError("away"))


@pytest.fixture
def database(tmp_path):
    opened = open_database(tmp_path)
    opened.migrate()
    yield opened
    opened.close()


def made(database, *, shared=False, rows=None, waits=10**6, **options):
    """Workflows whose rows and waits are noted."""
    found = Workflows(database, **options)
    if shared:
        found._database = SimpleNamespace(shared=True)
    found._rows = rows or Rows()
    found._stop = Stop(waits)
    return found


def test_a_worker_looks_less_often_while_there_is_nothing(database):
    found = made(database, waits=8)
    answers = [True, False, False, False, False, ValueError("away"), True, False]

    def claim(most):
        assert most == 4
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    found._claim = claim
    found._look()
    assert found._stop.waited == pytest.approx([0.05, 0.05, 0.075, 0.1125, 0.16875, 0.2, 1.0, 0.05, 0.075])
    assert answers == []


def test_what_is_claimed_is_run(database):
    claimed = [StartedWorkflow("a", "x"), StartedWorkflow("b", "x")]
    rows = Rows(claim=[claimed, []])
    found = made(database, rows=rows)
    found.register("x", print)
    spawned = []
    found._spawn = lambda *given: spawned.append(given)
    assert found._claim(7)
    assert not found._claim(7)
    assert spawned == [(each,) for each in claimed]
    assert rows.calls == [("claim", {"x": print}, 7, ("waiting", 0.0))] * 2


@pytest.mark.parametrize(
    ("shared", "running", "waiting"), [(True, 0, 0.0), (True, 5, 0.1), (True, 400, 0.5), (False, 5, 0.0)]
)
def test_a_worker_leaves_new_work_to_those_that_do_less(database, shared, running, waiting):
    rows = Rows(claim=[[]])
    found = made(database, rows=rows, shared=shared)
    found._running = set(range(running))
    assert not found._claim(4)
    assert rows.calls == [("claim", {}, 4, ("waiting", pytest.approx(waiting)))]


def test_a_workflow_that_waits_for_a_worker_is_added_again_while_the_database_is_away(database):
    workflow = StartedWorkflow("w", "x")
    rows = Rows(add=[AWAY] * 4 + [True])
    found = made(database, shared=True, rows=rows)
    found.start("x", "w", 1, "two")
    assert rows.calls == [("add", workflow, '[1, "two"]', ("owned", False))] * 5
    assert found._stop.waited == [1.0] * 4
    rows = Rows(add=[True])
    found = made(database, shared=True, rows=rows)
    found.start("x", "w")
    assert (len(rows.calls), found._stop.waited) == (1, [])


@pytest.mark.parametrize(
    ("errors", "waits", "tries"),
    [([AWAY] * 5, 9, 5), ([AWAY] * 5, 1, 2), ([DBAPIError("x", {}, ValueError("wrong"))], 9, 1)],
    ids=["always away", "stopped", "another error"],
)
def test_a_workflow_that_cannot_be_added_is_an_error(database, errors, waits, tries):
    rows = Rows(add=errors)
    with pytest.raises(DBAPIError):
        made(database, shared=True, rows=rows, waits=waits).start("x", "w")
    assert len(rows.calls) == tries


def test_on_a_database_of_one_process_a_workflow_runs_here_unless_it_exists(database):
    rows, spawned = Rows(add=[True, False]), []
    found = made(database, rows=rows)
    found._spawn = lambda *given: spawned.append(given)
    found.start("x", "w", 1)
    found.start("x", "w", 1)
    workflow = StartedWorkflow("w", "x")
    assert spawned == [(workflow, "[1]")]
    assert rows.calls == [("add", workflow, "[1]", ("owned", True))] * 2


def test_which_errors_are_those_of_a_database_that_is_away():
    lost = InterfaceError("x", {}, ValueError(), connection_invalidated=True)
    assert [_is_away(each) for each in (AWAY, lost, InterfaceError("x", {}, ValueError()))] == [True, True, False]


def test_a_step_outside_of_workflows_runs_as_it_is(database):
    found = made(database)
    assert found.step("add", lambda a, b: a + b, 1, 2) == 3
    assert found._rows.calls == []
    away = [AWAY, AWAY]

    def function(number):
        if away:
            raise away.pop()
        return number

    assert found.step("add", function, 5) == 5
    assert found._stop.waited == [1.0, 1.0]
    found._stop.set()
    with pytest.raises(WorkStopped):
        found.step("add", print)


def in_workflow(found, steps, body):
    """Run the body as the workflow `w` with recorded steps, in a thread of its own."""

    def run():
        workflows._RUN.set(_Run("w", steps))
        return body()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result(30)


def test_recorded_steps_are_not_run_again(database):
    rows = Rows(add_step=True)
    found = made(database, rows=rows)
    steps = {
        1: RecordedStep("one", RecordedOutcome("11", None)),
        2: RecordedStep("two", RecordedOutcome(None, "ValueError: no")),
    }

    def body():
        first = found.step("one", lambda: 99)
        with pytest.raises(WorkflowFailedError, match="ValueError: no"):
            found.step("two", lambda: 99)
        return first, found.step("three", lambda a: a, 33)

    assert in_workflow(found, steps, body) == (11, 33)
    assert rows.calls == [("add_step", "w", 3, "three", RecordedOutcome("33", None))]


def test_a_step_with_another_name_is_refused(database):
    found = made(database)
    with pytest.raises(StepMismatchError) as refused:
        in_workflow(found, {1: RecordedStep("one", RecordedOutcome("1", None))}, lambda: found.step("two", int))
    assert str(refused.value) == 'step 1 of workflow "w" is "two" and was recorded as "one"'


def test_the_outcome_of_a_step_whose_workflow_another_executor_has_is_not_used(database):
    for function in (int, lambda: 1 / 0):
        with pytest.raises(WorkStopped):
            in_workflow(
                made(database, rows=Rows(add_step=False)),
                {},
                lambda function=function: made(database, rows=Rows(add_step=False)).step("one", function),
            )


@pytest.mark.parametrize("fails", [False, True])
def test_a_step_that_ended_because_the_process_ends_is_not_recorded(database, fails):
    rows = Rows(add_step=True)
    found = made(database, rows=rows)

    def step():
        found._stop.set()
        return 1 / 0 if fails else 1

    with pytest.raises(WorkStopped):
        in_workflow(found, {}, lambda: found.step("one", step))
    assert rows.calls == []


def test_a_sleep_ends_with_the_process(database):
    found = made(database)
    found.sleep(5.5)
    assert found._stop.waited == [5.5]
    found._stop.set()
    with pytest.raises(WorkStopped):
        found.sleep(1.0)


def test_threads_are_not_waited_for_when_the_work_ends(database):
    go, seen = threading.Event(), []
    with made(database).threads(1) as pool:
        pool.submit(go.wait, 30)
        later = pool.submit(seen.append, 1)
        (thread,) = pool._threads
        assert thread.name.startswith("work")
        assert pool._max_workers == 1
    assert later.cancelled()
    go.set()
    thread.join(30)
    assert seen == []


def test_a_result_is_waited_for(database, monkeypatch):
    waited = []
    monkeypatch.setattr(workflows.time, "sleep", waited.append)
    rows = Rows(outcome=[None, None, RecordedOutcome('{"a": 1}', None)])
    assert made(database, rows=rows).result("w") == {"a": 1}
    assert (waited, rows.calls) == ([0.02] * 2, [("outcome", "w")] * 3)


def runs(found, workflow, given=None):
    found._spawn(workflow, given)
    for thread in list(found._running):
        assert thread.daemon
        assert thread.name == f"workflow {workflow.name}"
        thread.join(30)
    assert found._running == set()


def test_a_workflow_that_was_started_earlier_reads_its_arguments_and_steps(database):
    rows = Rows(arguments='[1, "two"]', steps={}, finish=True)
    found, seen = made(database, rows=rows), []
    found.register("x", lambda *given: seen.append(given))
    runs(found, StartedWorkflow("w", "x"))
    assert seen == [(1, "two")]
    ended = ("finish", "w", RecordedOutcome("null", None))
    assert rows.calls == [("arguments", "w"), ("steps", "w"), ended]
    rows.calls.clear()
    runs(found, StartedWorkflow("w", "x"), "[3]")
    assert (seen[1:], rows.calls) == ([(3,)], [ended])


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (EnvironmentProblemError("the disk is full"), "the disk is full"),
        (KeyError("odd"), "KeyError"),
        (WorkStopped(), None),
    ],
)
def test_a_workflow_that_is_interrupted_is_reported(database, error, words):
    said = []
    found = made(database, rows=Rows(arguments=error), on_problem=said.append)
    runs(found, StartedWorkflow("w", "x"))
    assert len(said) == (words is not None)
    for line in said:
        assert line.startswith('workflow "w" is interrupted until the next start: ')
        assert words in line


def test_a_mismatch_is_reported_and_recorded(database):
    said, rows = [], Rows(finish=True)
    found = made(database, rows=rows, on_problem=said.append)

    def body():
        raise StepMismatchError("another step")

    found.register("x", body)
    runs(found, StartedWorkflow("w", "x"), "[]")
    assert said == ["another step"]
    assert rows.calls == [("finish", "w", RecordedOutcome(None, "StepMismatchError: another step"))]


def closed(database, *, running=None, has_work=False, looking=True):
    """Workflows that are closed, and what was called in which order."""
    found, calls = made(database, rows=Rows(has_work=has_work)), []
    found._launched = True
    found._heart = SimpleNamespace(stop=lambda **given: calls.append(("heart", given)))
    found._pruning = SimpleNamespace(stop=lambda: calls.append("pruning"))
    found._looking = SimpleNamespace(is_alive=lambda: looking, join=lambda seconds: calls.append(("look", seconds)))
    found._database = SimpleNamespace(hold_to_the_end=lambda: calls.append("held"))
    found._running = {running} if running else set()
    found.close()
    assert found._stop.is_set()
    return calls


def test_what_happens_at_the_end(database):
    leaves = [("heart", {"leaves_work": True}), "pruning"]
    assert closed(database) == [("look", 10), ("heart", {"leaves_work": False}), "pruning"]
    assert closed(database, looking=False, has_work=True) == leaves
    assert closed(database, looking=False, has_work=AWAY) == leaves


def test_a_workflow_that_does_not_stop_keeps_the_folder_locked(database, monkeypatch):
    now = iter([100.0, 101.0])
    monkeypatch.setattr(workflows, "time", SimpleNamespace(monotonic=lambda: next(now)))
    joined = []
    thread = type("Hanging", (), {"join": staticmethod(joined.append), "is_alive": staticmethod(lambda: True)})()
    assert closed(database, looking=False, running=thread)[0] == "held"
    assert joined == [2.0]


def test_workflows_that_were_never_launched_have_nothing_to_stop(database):
    found = made(database)
    found.close()
    assert not found._stop.is_set()


@pytest.mark.parametrize(
    ("shared", "works", "expected"), [(False, True, "claim"), (True, True, "look"), (True, False, "")]
)
def test_how_work_begins(database, shared, works, expected):
    found, calls = made(database, shared=shared, works=works), []
    revive = print
    found._heart = SimpleNamespace(beat=lambda: calls.append("beat"), start=calls.append)
    found._pruning = SimpleNamespace(start=lambda: calls.append("prune"))
    found._claim = lambda most: calls.append(("claim", most))
    found._looking = SimpleNamespace(start=lambda: calls.append("look"))
    found.launch(revive)
    step = {"claim": [("claim", 1_000_000)], "look": ["look"], "": []}[expected]
    assert calls == ["beat", revive, *step, "prune"]
    with pytest.raises(RuntimeError) as refused:
        found.register("late", print)
    assert str(refused.value) == "workflows are registered before the launch"


def test_the_threads_end_with_the_process(database):
    found = Workflows(database, beat_seconds=7.0, dead_seconds=8.0, keep_seconds=9.0)
    named = {"workflows": found._looking, "heartbeat": found._heart._thread, "pruning": found._pruning._thread}
    assert {name: (each.name, each.daemon) for name, each in named.items()} == {name: (name, True) for name in named}
    assert (found._heart._beat_seconds, found._heart._dead_seconds, found._pruning._keep_seconds) == (7.0, 8.0, 9.0)
    assert found._heart._executor == found._rows._owner == found.executor
    default = Workflows(database)
    assert (default._heart._beat_seconds, default._heart._dead_seconds) == (2.0, 15.0)
    assert (default._pruning._keep_seconds, default._works) == (24 * 3600.0, True)
    assert default._on_problem("x") is None
    assert default.executor != found.executor
