"""What the threads do that keep workers apart and delete old workflows, and what is stored of results."""

from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

from formwork.durable import heartbeat, open_database, pruning
from formwork.durable.heartbeat import Heartbeat, others_work
from formwork.durable.outcomes import RecordedOutcome, dump_json
from formwork.durable.pruning import Pruning
from support.durable_fakes import Rows, Stop

AWAY = OperationalError("SELECT 1", {}, ValueError("away"))


@pytest.fixture
def database(tmp_path):
    opened = open_database(tmp_path)
    opened.migrate()
    yield opened
    opened.close()


def heart(database, *, waits=0, **methods):
    found = Heartbeat(database, "me", beat_seconds=2.5, dead_seconds=15.0)
    found._stop = Stop(waits)
    for name, method in methods.items():
        setattr(found, name, method)
    return found


@pytest.mark.parametrize(("shared", "dead", "revived"), [(True, True, 3), (True, False, 0), (False, True, 0)])
def test_a_heart_beats_and_looks_for_the_dead(shared, dead, revived):
    calls = []
    found = heart(SimpleNamespace(shared=shared), waits=3, beat=lambda: calls.append("beat"), take_over=lambda: dead)
    found._revive = lambda: calls.append("revive")
    found._live()
    assert found._stop.waited == [2.5] * 4
    assert (calls.count("beat"), calls.count("revive")) == (3, revived)


def test_a_heart_beats_on_while_the_database_is_away():
    beats = []

    def beat():
        beats.append(1)
        raise AWAY

    found = heart(SimpleNamespace(shared=True), waits=3, beat=beat)
    found._live()
    assert len(beats) == 3


def test_a_heart_starts_after_the_first_look(database):
    calls = []
    found = heart(database, take_over=lambda: calls.append("look"))
    found._thread = SimpleNamespace(start=lambda: calls.append("thread"))
    found.start(print)
    assert (calls, found._revive) == (["look", "thread"], print)
    assert Heartbeat(database, "me", beat_seconds=1.0, dead_seconds=2.0)._revive() is None


@pytest.mark.parametrize(("leaves_work", "left"), [(True, [("me", 0.0)]), (False, [])])
def test_how_a_heart_stops(database, leaves_work, left):
    found = heart(database)
    found.beat()
    joined = []
    found._thread = SimpleNamespace(is_alive=lambda: True, join=joined.append)
    found.stop(leaves_work=leaves_work)
    assert (joined, found._stop.is_set()) == ([10], True)
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT id, seen FROM worker").all() == left


def test_a_heart_stops_without_a_database():
    class Gone:
        def begin(self):
            raise AWAY

    found = heart(Gone())
    found._thread = SimpleNamespace(is_alive=lambda: False)
    found.stop(leaves_work=False)


def test_a_beat_changes_when_an_executor_was_seen_and_not_its_start(database, monkeypatch):
    found = heart(database)
    for now in (100.0, 200.0):
        monkeypatch.setattr(heartbeat, "time", SimpleNamespace(time=lambda now=now: now))
        found.beat()
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT * FROM worker").all() == [("me", 100.0, 200.0)]


def test_on_a_database_of_one_process_all_others_are_dead(database):
    found = heart(database)
    found.beat()
    assert not found.take_over()
    with database.begin() as connection:
        connection.exec_driver_sql("INSERT INTO worker (id, started, seen) VALUES ('other', 0, 9e12)")
    assert found.take_over()
    assert not found.take_over()
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT id FROM worker").scalars().all() == ["me"]


def test_only_those_are_dead_whose_heartbeat_is_overdue(make_database, tmp_path):
    shared = open_database(make_database(), state=tmp_path)
    shared.migrate()
    assert not others_work(shared)
    with shared.begin() as connection:
        for name, ago in (("late", 20), ("here", 5), ("ended", None)):
            seen = "0" if ago is None else f"extract(epoch FROM clock_timestamp()) - {ago}"
            connection.exec_driver_sql(f"INSERT INTO worker (id, started, seen) VALUES ('{name}', 0, {seen})")
    assert others_work(shared)
    found = heart(shared)
    assert found.take_over()
    assert not found.take_over()
    with shared.begin() as connection:
        assert connection.exec_driver_sql("SELECT id FROM worker").scalars().all() == ["here"]
        connection.exec_driver_sql("UPDATE worker SET seen = 0")
    assert not others_work(shared)
    shared.close()


def test_on_a_database_of_one_process_no_others_work(database):
    with database.begin() as connection:
        connection.exec_driver_sql("INSERT INTO worker (id, started, seen) VALUES ('other', 0, 9e12)")
    assert others_work(database) is False


def test_workflows_are_forgotten_in_small_numbers(monkeypatch):
    monkeypatch.setattr(pruning, "time", SimpleNamespace(time=lambda: 100_000.0))
    rows = Rows(forget=[200, 150, 0])
    assert Pruning(rows).prune() == 350
    assert rows.calls == [("forget", 100_000.0 - 86_400.0, 200)] * 3
    stopped = Pruning(Rows(forget=[5, 5, 0]))
    stopped._stop.set()
    assert stopped.prune() == 0


def test_pruning_goes_on_while_the_database_is_away():
    found = Pruning(Rows(forget=[0, AWAY, 0]))
    found._stop = Stop(3)
    found._live()
    assert found._stop.waited == [20.0, 600.0, 600.0, 600.0]
    assert len(found._rows.calls) == 3


def test_pruning_has_a_thread_until_it_stops():
    found = Pruning(Rows(forget=0))
    found.stop()
    found = Pruning(Rows(forget=0))
    found.start()
    assert found._thread.is_alive()
    found.stop()
    assert not found._thread.is_alive()


def test_only_json_values_are_stored():
    assert dump_json({"a": [1, None, "ü"]}) == '{"a": [1, null, "\\u00fc"]}'
    with pytest.raises(TypeError) as refused:
        dump_json([object()])
    assert str(refused.value) == "object is not a JSON value: workflows and steps take and return nothing else"
    assert RecordedOutcome(None, None).unwrap() is None
    assert RecordedOutcome.of_error(KeyError("x")) == RecordedOutcome(None, "KeyError: 'x'")
