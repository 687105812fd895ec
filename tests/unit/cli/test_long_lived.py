"""A server or a worker is told to end at any moment, and hears it."""

import os
import signal
import sys

import pytest

from formwork.cli.long_lived import stop_requests


@pytest.mark.skipif(os.name != "posix", reason="timers that interrupt are POSIX's")
def test_a_request_is_heard_wherever_it_interrupts_the_waiting():
    """`threading.Event` waits for ever for a lock of its own where it is set amid its `wait`."""
    before = signal.signal(signal.SIGALRM, give_up)
    try:
        signal.setitimer(signal.ITIMER_REAL, 60)
        ran = interrupted_at(None)
        assert ran > 5
        assert [interrupted_at(line) for line in range(ran)] == [None] * ran
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def give_up(_number, _frame):
    raise TimeoutError


def interrupted_at(line):
    """Wait, interrupted at the line of that number if there is one; the lines that ran if it was not heard."""
    lines = 0

    def count(_frame, event, _argument):
        nonlocal lines
        if event == "line":
            if lines == line:
                os.kill(os.getpid(), signal.SIGTERM)
            lines += 1
        return count

    traced = sys.gettrace()
    with stop_requests() as stop:
        sys.settrace(count)
        try:
            heard = stop.wait(0.05)
        finally:
            sys.settrace(traced)
        assert heard == stop.made
    return None if heard else lines


def test_signals_are_handled_as_before_afterwards():
    before = signal.getsignal(signal.SIGTERM)
    with stop_requests() as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(20)
        assert stop.wait(0)
    assert signal.getsignal(signal.SIGTERM) is before
