"""Calls of handlers by operation."""

import json

from formwork.console.exchanges import RecordedExchange
from formwork.console.views.handler_calls import combined_log, handler_operations


def exchange(number, action, status, *, token="t", request=None, answer=None, log="", problem=None):
    return RecordedExchange(
        number=number, time=1000.0 + number, seconds=0.5, stack_id="x", logical_id="A", action=action, token=token,
        status=status, problem=problem, request=json.dumps(request or {}),
        answer=None if problem else json.dumps({"status": status, **(answer or {})}), log=log, calls=None,
    )  # fmt: skip


def operations(*exchanges):
    return [
        (each.action, [one.number for one in each.exchanges]) for each in handler_operations(list(reversed(exchanges)))
    ]


def test_calls_of_an_action_with_a_token_are_one_operation():
    found = operations(
        exchange(1, "CREATE", "IN_PROGRESS"),
        exchange(2, "CREATE", "SUCCESS"),
        exchange(3, "READ", "SUCCESS"),
        exchange(4, "UPDATE", "FAILED", token="u"),
    )
    assert found == [("UPDATE", [4]), ("READ", [3]), ("CREATE", [1, 2])]


def test_the_same_action_after_its_end_is_another_operation():
    assert operations(exchange(1, "CREATE", "FAILED"), exchange(2, "CREATE", "SUCCESS")) == [
        ("CREATE", [2]),
        ("CREATE", [1]),
    ]


def test_callback_contexts_are_shown_at_the_calls():
    context = {"n": 1}
    answered = exchange(1, "CREATE", "IN_PROGRESS", answer={"callbackContext": context, "callbackDelaySeconds": 5})
    again = exchange(3, "CREATE", "FAILED", request={"callbackContext": context}, answer={"errorCode": "NotFound"})
    (operation,) = handler_operations([again, answered])
    first, second = operation.calls
    assert (first.context, first.next_context, first.delay) == (None, '{"n": 1}', 5)
    assert (second.context, second.delay, second.error_code) == ('{"n": 1}', None, "NotFound")
    assert (first.left, first.width) == (0, 20)
    assert (second.left, second.width) == (80, 20)
    assert (operation.status, operation.seconds) == ("FAILED", 2.5)


def test_the_context_of_a_hook_is_in_its_request_context():
    asked = {"requestContext": {"callbackContext": {"seen": True}}}
    (operation,) = handler_operations([exchange(1, "CREATE_PRE_PROVISION", "SUCCESS", request=asked)])
    assert operation.calls[0].context == '{"seen": true}'


def test_a_call_without_an_answer_shows_the_problem():
    (operation,) = handler_operations([exchange(1, "CREATE", None, problem="timed out")])
    assert (operation.status, operation.calls[0].message) == ("no answer", "timed out")


def test_the_log_has_what_each_call_wrote_in_their_order():
    found = combined_log([exchange(3, "READ", "SUCCESS", log="c\n"), exchange(2, "READ", "SUCCESS"),
                          exchange(1, "CREATE", "SUCCESS", log="a\nb\n")])  # fmt: skip
    assert [(each.number, text) for each, text in found] == [(1, "a\nb"), (3, "c")]
