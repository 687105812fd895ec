"""A run whose every call ends the same way is cut short; one that may still tell something is not."""

import json

from formwork.contract.run import why_hopeless
from formwork.invoke import Answer, Exchange, parse_event


def exchange(action, error_type=None, message="no", *, event=None):
    body = event or {"errorType": error_type, "errorMessage": message}
    answer = Answer(json.dumps(body).encode(), "Unhandled" if error_type else None)
    return Exchange({"action": action}, answer, *parse_event(answer))


def test_handlers_that_do_not_load_are_asked_once():
    assert "no" in why_hopeless([exchange("CREATE", "Runtime.ImportModuleError")])


def test_the_same_failure_of_several_actions_is_enough():
    calls = [exchange(action, "RuntimeError") for action in ("CREATE", "DELETE", "CREATE", "READ")]
    assert why_hopeless(calls) is None
    assert why_hopeless([*calls, exchange("LIST", "RuntimeError")])


def test_an_event_or_another_failure_keeps_the_run_going():
    failed = [exchange(action, "Runtime.ImportModuleError") for action in ("CREATE", "READ")] * 5
    assert why_hopeless([]) is None
    assert why_hopeless([*failed, exchange("READ", event={"status": "SUCCESS"})]) is None
    assert why_hopeless([*failed, exchange("READ", "Runtime.ImportModuleError", "other")]) is None
    assert why_hopeless([exchange("CREATE", "RuntimeError")] * 9) is None
