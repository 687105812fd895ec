"""The rows of a stack's events: each has a time of its own, whatever the clock says."""

import pytest
from msgspec.structs import replace

from formwork.stacks.store import events as module
from formwork.stacks.store.events import add_event, list_events, list_operation_events, search_events
from formwork.stacks.store.records import EventDetails, EventRecord

NOON = 1_700_000_000.0
STACK = "Resources: {A: {Type: Acme::Web::Thing}}"


@pytest.fixture
def stack_id(bench):
    """A stack whose events were all told long before."""
    bench.create(STACK)
    return bench.stack().id


def told(number, stack_id, time):
    return EventRecord(
        id=f"event-{number}",
        stack_id=stack_id,
        logical_id="A",
        type="Acme::Web::Thing",
        status="CREATE_IN_PROGRESS",
        time=time,
        physical_id=None,
        operation_id="one" if number % 2 else "two",
        details=EventDetails(),
    )


def times(found):
    return [round(event.time - NOON - 1000, 4) for _, event in found]


@pytest.mark.parametrize(
    "clock", [[0, 0, 0, 0], [0.0004, 0.0001, 0.0014, 0.0012], [0.5, 0.2, 0.1, 0.4]], ids=["stands", "fine", "goes back"]
)
def test_no_two_events_share_a_millisecond(database, stack_id, clock):
    with database.begin() as connection:
        for number, seconds in enumerate(clock):
            assert add_event(connection, told(number, stack_id, NOON + 1000 + seconds))
        found = list_events(connection, stack_id, limit=len(clock))
    assert [event.id for _, event in found] == [f"event-{number}" for number in reversed(range(len(clock)))]
    first = round(clock[0], 3)
    assert times(found) == [round(first + number / 1000, 4) for number in reversed(range(len(clock)))]


def test_telling_twice_is_telling_once(database, stack_id):
    with database.begin() as connection:
        assert [add_event(connection, told(1, stack_id, NOON + seconds)) for seconds in (1000, 1001)] == [True, False]


def test_pages_go_on_where_the_last_one_ended(database, stack_id):
    with database.begin() as connection:
        for number in range(7):
            add_event(connection, told(number, stack_id, NOON + 1000))
        pages, before = [], None
        for _ in range(3):
            found = list_events(connection, stack_id, before=before, limit=3)
            pages.append([event.id for _, event in found])
            before = found[-1][0]
        assert pages[:2] == [["event-6", "event-5", "event-4"], ["event-3", "event-2", "event-1"]]
        ours = list_operation_events(connection, stack_id, "two", before=found[-1][0] + 1_000_000, limit=2)
        assert [event.id for _, event in ours] == ["event-6", "event-4"]


def test_events_are_searched_in_all_that_they_say(database, stack_id, monkeypatch):
    def found(text="", *, failed=False):
        with database.read() as connection:
            rows = search_events(connection, stack_id, text, failed=failed)
        return [event.id for _, event in rows if event.id.startswith("event")]

    hook = EventDetails(hook_type="Acme::Web::Guard", hook_status="HOOK_COMPLETE_FAILED", hook_reason="100 % black")
    checked = EventDetails(validation={"name": "NAME", "path": "/Resources/A"})
    varied = [
        replace(told(1, stack_id, NOON + 1000), reason="Resource creation Initiated"),
        replace(told(2, stack_id, NOON + 1001), status="CREATE_FAILED", reason="a_b"),
        replace(told(3, stack_id, NOON + 1002), details=hook),
        replace(told(4, stack_id, NOON + 1003), status="", details=checked),
    ]
    with database.begin() as connection:
        for each in varied:
            add_event(connection, each)
    assert found() == ["event-4", "event-3", "event-2", "event-1"]
    assert found(failed=True) == ["event-4", "event-3", "event-2"]
    assert found("INITIATED") == ["event-1"]
    assert found("a_b") == ["event-2"]
    assert found("100 %") == ["event-3"]
    assert found("%") == ["event-3"]
    assert found("guard", failed=True) == ["event-3"]
    monkeypatch.setattr(module, "_SEARCHED", 2)
    assert found("a_b") == ["event-2"]
