"""Delays are pure functions of the attempt; the figures are those of the framework in the user guide."""

import pytest

from cloudformation_cli_python_lib.chain import (
    Blended,
    CappedExponential,
    Constant,
    Exponential,
    MultipleOf,
    ShiftBy,
)

SCHEDULES = [
    (Constant(5, timeout=20), [5, 5, 5, 5]),
    (Exponential(timeout=30), [2, 4, 8, 16]),
    (Exponential(timeout=30, minimum=5), [5, 5, 8]),
    (Exponential(timeout=12, power=3), [3, 9]),
    (CappedExponential(timeout=70, maximum=20), [2, 4, 8, 16, 20, 20]),
    (MultipleOf(5, timeout=70), [5, 10, 20, 30]),
    (ShiftBy(5, timeout=70), [5, 15, 35, 65]),
    (Blended(Constant(5, timeout=20), ShiftBy(5, timeout=220)), [5, 5, 5, 5, 40, 90, 150, 220]),
    (Blended(Constant(1, timeout=2), Constant(3, timeout=6)), [1, 1, 3, 3]),
]


@pytest.mark.parametrize(("delay", "waits"), SCHEDULES, ids=lambda value: type(value).__name__)
def test_schedule(delay, waits):
    assert [delay.seconds(attempt) for attempt in range(1, len(waits) + 2)] == [*waits, None]


@pytest.mark.parametrize(("delay", "waits"), SCHEDULES, ids=lambda value: type(value).__name__)
def test_it_holds_no_state(delay, waits):
    backwards = [delay.seconds(attempt) for attempt in range(len(waits), 0, -1)]
    assert backwards == waits[::-1]
    assert delay.horizon >= sum(waits)


def test_late_attempts_do_not_overflow():
    assert Exponential(timeout=60).seconds(5000) is None
    assert CappedExponential(timeout=10**9).seconds(2000) == 20


@pytest.mark.parametrize(
    "make",
    [
        lambda: Constant(0, timeout=5),
        lambda: Constant(5, timeout=-1),
        lambda: MultipleOf(5, timeout=5, multiple=0),
        lambda: CappedExponential(timeout=5, maximum=float("nan")),
        Blended,
    ],
)
def test_nonsense_is_refused(make):
    with pytest.raises(ValueError):
        make()
