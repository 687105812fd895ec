"""A server or a worker is told to end at any moment, and hears it."""

import os
import signal
import sys

import pytest

from formwork.cli.long_lived import stop_requests


@pytest.mark.skipif(os.name != "posix", reason="timers that interrupt are POSIX's")
@pytest.mark.parametrize("line", range(40))
def test_a_request_is_heard_wherever_it_interrupts_the_waiting(line):
    """`threading.Event` waits for ever for a lock of its own where it is set amid its `wait`."""
    lines = 0

    def count(_frame, event, _argument):
        nonlocal lines
        if event == "line":
            if lines == line:
                os.kill(os.getpid(), signal.SIGTERM)
            lines += 1
        return count

    def give_up(_number, _frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    traced = sys.gettrace()
    try:
        with stop_requests() as stop:
            signal.setitimer(signal.ITIMER_REAL, 20)
            sys.settrace(count)
            try:
                heard = stop.wait(0.05)
                heard = heard or stop.wait(0.05)
            finally:
                sys.settrace(traced)
            assert heard == (line < lines)
            assert stop.made == (line < lines)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_signals_are_handled_as_before_afterwards():
    before = signal.getsignal(signal.SIGTERM)
    with stop_requests() as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(20)
        assert stop.wait(0)
    assert signal.getsignal(signal.SIGTERM) is before
