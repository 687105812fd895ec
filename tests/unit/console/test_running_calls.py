"""The calls of handlers that run, and their logs."""

import itertools

import pytest

from formwork.console import running_calls as module
from formwork.console.running_calls import RunningCalls

ARN = "arn:aws:cloudformation:us-east-1:123456789012:stack/s/1"
REQUEST = {"action": "CREATE", "stackId": ARN, "requestData": {"logicalResourceId": "A"}}


def mask(text):
    return text.replace("two\nlines", "***")


def test_a_call_is_there_while_it_runs_with_what_it_has_written():
    calls = RunningCalls()
    with calls.watch(REQUEST, mask) as write:
        write("first two")
        write("lines of a secret")
        (call,) = calls.of_resource(ARN, "A")
        assert (call.action, call.log) == ("CREATE", "first *** of a secret\n")
        assert calls.of_resource(ARN, "B") == []
    assert calls.of_resource(ARN, "A") == []


def test_a_call_that_fails_has_ended_too():
    calls = RunningCalls()
    with pytest.raises(OSError, match="gone"), calls.watch(REQUEST, mask):
        raise OSError("gone")
    assert calls.of_resource(ARN, "A") == []


def test_lines_are_reported_but_not_each_of_many():
    reported, clock = [], itertools.count(0, 0.1)
    calls = RunningCalls(lambda: next(clock), reported.append)
    with calls.watch(REQUEST, mask) as write:
        for _ in range(20):
            write("x")
    assert 1 < len(reported) < 15
    assert set(reported) == {ARN}


def test_the_end_of_a_long_log_is_kept(monkeypatch):
    monkeypatch.setattr(module, "_LONGEST_LOG", 5)
    calls = RunningCalls()
    with calls.watch({"requestData": None, "stackId": 3}, mask) as write:
        write("0123456789")
        (call,) = calls.of_resource(None, None)
        assert call.log == "6789\n"
