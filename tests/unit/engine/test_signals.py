"""Resources with a creation policy: what their stack shows while signals come, and when it looks for them."""

import json

import pytest

from formwork.stacks.store.signals import SignalRecord, write_signal
from support.engines import HERE

POLICY = {"ResourceSignal": {"Count": 2, "Timeout": "PT10M"}}


def template(name="one", policy=POLICY):
    thing = {"Type": "Acme::Web::Thing", "CreationPolicy": policy, "Properties": {"Name": name}}
    return json.dumps({"Resources": {"A": thing}})


def signal_after(bench, monkeypatch, **expected):
    """Send signals, `<unique id>=(sleeps before it, status)`; returns how long each sleep was."""
    sleeps, waiting, sleep = [], dict(expected), bench.clock.sleep

    def sleeping(seconds):
        sleep(seconds)
        sleeps.append(seconds)
        for unique_id, (after, status) in list(waiting.items()):
            if len(sleeps) >= after:
                del waiting[unique_id]
                signal = SignalRecord(bench.stack().id, "A", unique_id, status, bench.clock.now())
                with bench.engine.database.begin() as connection:
                    write_signal(connection, signal)

    monkeypatch.setattr(bench.clock, "sleep", sleeping)
    return sleeps


def events(bench):
    found = [event for _, event in reversed(bench.engine.lookups.list_events(HERE, "shop"))]
    return [event for event in found if event.logical_id == "A"]


def test_each_signal_is_an_event_once(bench, monkeypatch):
    signal_after(bench, monkeypatch, u1=(2, "SUCCESS"), u2=(5, "SUCCESS"))
    bench.create(template())
    assert bench.stack().status == "CREATE_COMPLETE"
    physical_id = bench.resources()["A"].physical_id
    assert [(event.status, event.reason, event.physical_id) for event in events(bench)] == [
        ("CREATE_IN_PROGRESS", None, None),
        ("CREATE_IN_PROGRESS", "Resource creation Initiated", physical_id),
        ("CREATE_IN_PROGRESS", "Received SUCCESS signal with UniqueId u1", physical_id),
        ("CREATE_IN_PROGRESS", "Received SUCCESS signal with UniqueId u2", physical_id),
        ("CREATE_COMPLETE", None, physical_id),
    ]
    assert {event.details.properties for event in events(bench)} == {'{"Name": "one"}'}


def test_signals_are_looked_for_soon_and_then_once_a_second(bench, monkeypatch):
    sleeps = signal_after(bench, monkeypatch, u1=(1, "SUCCESS"), u2=(8, "SUCCESS"))
    bench.create(template())
    # after 0.05, 0.1, 0.2, 0.4, 0.8 and 1 s; no sleep is longer than 0.5 s, so that a cancellation is noticed
    assert sleeps == pytest.approx([0.05, 0.1, 0.2, 0.4, 0.5, 0.3, 0.5, 0.5], abs=0.02)


def test_a_failure_is_an_event_and_the_reason(bench, monkeypatch):
    signal_after(bench, monkeypatch, u1=(1, "FAILURE"))
    bench.create(template())
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    told = [(event.status, event.reason) for event in events(bench)]
    failed = "Received 1 FAILURE signal(s) out of 2. Unable to satisfy 100% MinSuccessfulInstancesPercent requirement"
    assert ("CREATE_IN_PROGRESS", "Received FAILURE signal with UniqueId u1") in told
    assert ("CREATE_FAILED", failed) in told
    assert bench.things.stored == []


def test_signals_that_do_not_come_in_time(bench, monkeypatch):
    signal_after(bench, monkeypatch, u1=(1, "SUCCESS"))
    began = bench.clock.time
    bench.create(template())
    reason = next(event.reason for event in events(bench) if event.status == "CREATE_FAILED")
    assert reason == "Failed to receive 1 resource signal(s) within the specified duration"
    assert 600 <= bench.clock.time - began < 620


def test_a_replacement_waits_as_an_update_does(bench, monkeypatch):
    bench.create(template(policy={}))
    signal_after(bench, monkeypatch, u1=(1, "SUCCESS"), u2=(2, "SUCCESS"))
    bench.update(template("two"))
    assert bench.stack().status == "UPDATE_COMPLETE"
    told = [event.status for event in events(bench) if (event.reason or "").startswith("Received SUCCESS")]
    assert told == ["UPDATE_IN_PROGRESS", "UPDATE_IN_PROGRESS"]


def test_an_update_in_place_waits_for_no_signals(bench, monkeypatch):
    signal_after(bench, monkeypatch, u1=(1, "SUCCESS"), u2=(1, "SUCCESS"))
    bench.create(template())
    sleeps = signal_after(bench, monkeypatch)
    changed = json.loads(template())
    changed["Resources"]["A"]["Properties"]["Color"] = "blue"
    bench.update(json.dumps(changed))
    assert (bench.stack().status, sleeps) == ("UPDATE_COMPLETE", [])
