"""Bars of an operation's timeline."""

import itertools

import pytest

from formwork.console.exchanges import RecordedExchange
from formwork.console.running_calls import RunningCall
from formwork.console.views.timeline import axis_ticks, operation_timeline
from formwork.stacks.store.records import EventDetails, EventRecord

STACK = "orders"


def events(*what):
    """Events a second apart: (logical id, status), or with details."""
    return [
        EventRecord(
            id=str(at), stack_id="1", logical_id=name, type="A::B::C", status=status, time=1000.0 + at, details=details
        )
        for at, (name, status, details) in enumerate(
            each if len(each) == 3 else (*each, EventDetails()) for each in what
        )
    ]


def timeline(found, *, graph=None, now=None, exchanges=None, running=()):
    return operation_timeline(found, STACK, exchanges=exchanges or {}, graph=graph or {}, now=now, running=running)


def segments(row):
    return [(each.kind, each.start - 1000, each.end - 1000) for each in row.segments]


def phases(row):
    return [(each.kind, each.start - 1000, each.end - 1000) for each in row.phases]


def call(number, end, status, *, action="CREATE", seconds=0.25):
    return RecordedExchange(
        number=number, time=1000 + end, seconds=seconds, stack_id="x", logical_id="A", action=action, token="",
        status=status, problem=None, request="{}", answer="{}", log="", calls=None,
    )  # fmt: skip


def test_a_bar_waits_runs_and_ends():
    shown = timeline(
        events(
            (STACK, "CREATE_IN_PROGRESS"),
            ("A", "CREATE_IN_PROGRESS"),
            ("A", "CREATE_IN_PROGRESS"),
            ("A", "CREATE_COMPLETE"),
            ("B", "CREATE_IN_PROGRESS"),
            ("B", "CREATE_FAILED"),
        )
    )
    a, b = shown.rows
    assert segments(a) == [("wait", 0, 1), ("good", 1, 3)]
    assert segments(b) == [("wait", 0, 4), ("bad", 4, 5)]
    assert (a.status, a.seconds, b.status) == ("CREATE_COMPLETE", 2, "CREATE_FAILED")
    assert (a.segments[1].left, a.segments[1].width) == (20, 40)


def test_a_rollback_is_a_segment_of_its_own():
    shown = timeline(
        events(
            (STACK, "CREATE_IN_PROGRESS"),
            ("A", "CREATE_IN_PROGRESS"),
            ("A", "CREATE_COMPLETE"),
            (STACK, "ROLLBACK_IN_PROGRESS"),
            ("A", "DELETE_IN_PROGRESS"),
            ("A", "DELETE_COMPLETE"),
        )
    )
    assert segments(shown.rows[0]) == [("wait", 0, 1), ("good", 1, 2), ("undone", 4, 5)]


def test_hooks_have_segments_of_their_own():
    def hook(status):
        return EventDetails(hook_type="A::Hook::H", hook_status=status, hook_reason="because")

    shown = timeline(
        events(
            ("A", "CREATE_IN_PROGRESS", hook("HOOK_IN_PROGRESS")),
            ("A", "CREATE_IN_PROGRESS", hook("HOOK_COMPLETE_FAILED")),
            ("A", "CREATE_FAILED"),
        )
    )
    assert [each[0] for each in segments(shown.rows[0])] == ["hook bad"]
    assert shown.rows[0].reason == "because"


def test_a_running_operation_extends_to_now():
    shown = timeline(events((STACK, "CREATE_IN_PROGRESS"), ("A", "CREATE_IN_PROGRESS")), now=1011.0)
    assert segments(shown.rows[0]) == [("wait", 0, 1), ("busy", 1, 11)]
    assert shown.seconds == 11


def test_an_operation_that_ended_leaves_no_bar_open():
    shown = timeline(events((STACK, "CREATE_IN_PROGRESS"), ("A", "CREATE_IN_PROGRESS")))
    assert segments(shown.rows[0])[-1] == ("busy", 1, 1)


def test_the_critical_path_ends_with_what_was_ready_last():
    order = ["A", "B", "C", "D"]
    found = events(*itertools.chain.from_iterable(((x, "CREATE_IN_PROGRESS"), (x, "CREATE_COMPLETE")) for x in order))
    shown = timeline(found, graph={"A": (), "B": (), "C": ("A",), "D": ("A", "C")})
    assert [each.logical_id for each in shown.rows if each.critical] == ["A", "C", "D"]


def test_calls_of_handlers_are_marked():
    shown = timeline(
        events((STACK, "CREATE_IN_PROGRESS"), ("A", "CREATE_IN_PROGRESS"), ("A", "CREATE_COMPLETE")),
        exchanges={"A": [call(1, 1.5, "SUCCESS", seconds=0.5)]},
    )
    assert phases(shown.rows[0]) == [("call", 1.0, 1.5), ("stable", 1.5, 2.0)]
    assert shown.rows[0].breakdown == [("waiting", 1.0), ("handler calls", 0.5), ("stabilization", 0.5)]


def test_without_events_there_is_no_timeline():
    assert timeline([]) is None


def test_after_an_answer_in_progress_the_resource_waits_for_its_callback():
    found = events((STACK, "CREATE_IN_PROGRESS"), ("A", "CREATE_IN_PROGRESS"), ("A", "CREATE_COMPLETE"))
    answers = [call(2, 2.0, "SUCCESS"), call(1, 1.25, "IN_PROGRESS")]
    shown = timeline(found, exchanges={"A": answers})
    assert phases(shown.rows[0]) == [("call", 1.0, 1.25), ("call", 1.75, 2.0), ("callback", 1.25, 1.75)]
    shown = timeline(found[:2], exchanges={"A": answers[1:]}, now=1005.0)
    assert phases(shown.rows[0]) == [("call", 1.0, 1.25), ("callback", 1.25, 5.0)]


def test_a_resource_that_is_configured_becomes_stable():
    configured = EventDetails(detailed="CONFIGURATION_COMPLETE")
    shown = timeline(
        events(("A", "CREATE_IN_PROGRESS"), ("A", "CREATE_IN_PROGRESS", configured), ("A", "CREATE_COMPLETE"))
    )
    assert phases(shown.rows[0]) == [("stable", 1.0, 2.0)]


def test_the_stack_has_a_bar_with_its_rollback():
    shown = timeline(
        events(
            (STACK, "CREATE_IN_PROGRESS"),
            ("A", "CREATE_IN_PROGRESS"),
            ("A", "CREATE_FAILED"),
            (STACK, "ROLLBACK_IN_PROGRESS"),
            (STACK, "ROLLBACK_COMPLETE"),
        )
    )
    assert segments(shown.stack) == [("bad", 0, 3), ("undone", 3, 4)]


def test_resources_that_have_not_begun_name_what_they_wait_for():
    found = events((STACK, "CREATE_IN_PROGRESS"), ("A", "CREATE_IN_PROGRESS"))
    graph = {"A": (), "B": ("A",), "C": ("A", "B"), "D": ()}
    shown = timeline(found, graph=graph, now=1003.0)
    assert shown.pending == [("B", ["A"]), ("C", ["A", "B"]), ("D", [])]
    assert shown.counts == [("busy", 1), ("waiting", 3)]
    assert timeline(found, graph=graph).pending == []


@pytest.mark.parametrize("seconds", [0.001, 0.39, 1.1, 61, 3_600, 130_000])
def test_an_axis_has_a_few_marks_at_round_times(seconds):
    ticks = axis_ticks(seconds)
    assert ticks[0] == (0, 0)
    assert 2 <= len(ticks) <= 9
    assert [left for left, _ in ticks] == pytest.approx([100 * at / seconds for _, at in ticks])
    assert ticks[-1][0] <= 100.0001


def test_a_call_that_runs_is_drawn_up_to_now():
    found = events((STACK, "CREATE_IN_PROGRESS"), ("A", "CREATE_IN_PROGRESS"))
    running = [RunningCall("x", name, "CREATE", 1002.0, str) for name in ("A", "B")]
    (row,) = timeline(found, now=1005.0, running=running).rows
    assert phases(row) == [("call", 2, 5)]
