"""How invocations and clauses read on a terminal."""

import itertools
import json

from formwork.contract_results.findings import ClauseResult, ClauseState
from formwork.contract_results.report.exchange_text import MOST_COLUMNS, exchange_lines
from formwork.contract_results.report.finding_text import named_tests
from formwork.contract_results.report.shown import Shown
from formwork.contract_results.report.text import _clause_lines
from formwork.invoke import Exchange
from formwork.invoke.answer import Answer, AnswerProblem, ProblemKind
from formwork.invoke.masking import Masker

MODEL = {"Name": "a", "Key": "secret"}


def exchange(event, *, action="CREATE", model=None, context=None, token="t1"):
    request = {
        "action": action,
        "requestData": {"resourceProperties": MODEL if model is None else model},
        "callbackContext": context,
        "bearerToken": token,
    }
    if isinstance(event, str):
        problem = AnswerProblem(ProblemKind.FUNCTION_ERROR, event)
        return Exchange(request, Answer(b"", "Unhandled", 0.012), None, problem)
    return Exchange(request, Answer(json.dumps(event).encode(), seconds=0.012), event, None)


def lines(*exchanges):
    return list(exchange_lines(exchanges, Shown(Masker([("Key",)]))))


def in_progress(model, context):
    answer = {"status": "IN_PROGRESS", "message": "", "callbackDelaySeconds": 0}
    return {**answer, "resourceModel": model, "callbackContext": context}


def test_a_status_stands_first_and_what_says_nothing_is_left_out():
    assert lines(exchange({"status": "SUCCESS", "message": "", "callbackDelaySeconds": 0, "nextToken": None})) == [
        "  → CREATE",
        '      desired: {"Name": "a", "Key": "********"}',
        "      token: t1",
        "  ← SUCCESS  (12 ms)",
        "      nextToken: null",
    ]


def test_a_callback_is_told_in_one_line():
    model, context = {"Name": "a"}, {"step": 1}
    told = lines(
        exchange(in_progress(model, context)),
        exchange({"status": "SUCCESS", "resourceModel": model}, model=model, context=context),
    )
    assert told[-3:] == [
        "  → CREATE again, with that model and callbackContext",
        "  ← SUCCESS  (12 ms)",
        '      resourceModel: {"Name": "a"}',
    ]


def test_polls_that_follow_each_other_share_a_line():
    model, contexts = {"Name": "a"}, [{"step": each} for each in range(9)]
    polls = [
        exchange(in_progress(model, after), model=model, context=before)
        for before, after in itertools.pairwise(contexts)
    ]
    first, end = exchange(in_progress(model, contexts[0])), {"status": "SUCCESS", "resourceModel": model}
    told = lines(first, *polls, exchange(end, model=model, context=contexts[-1]))
    assert [line for line in told if line.startswith("  ") and not line.startswith("   ")] == [
        "  → CREATE",
        "  ← IN_PROGRESS  (12 ms)",
        "  → CREATE again, 8 times; each answer is IN_PROGRESS  (96 ms)",
        "  → CREATE again, with that model and callbackContext",
        "  ← SUCCESS  (12 ms)",
    ]


def test_a_single_poll_and_polls_that_others_part_are_told_as_they_were():
    model = {"Name": "a"}
    first = exchange(in_progress(model, {"step": 0}))
    poll = exchange(in_progress(model, {"step": 1}), model=model, context={"step": 0})
    assert not any("times" in line for line in lines(first, poll))
    other = exchange({"status": "SUCCESS"}, action="READ")
    told = lines(first, poll, other, first, poll)
    assert sum("again, with that model" in line for line in told) == 2
    assert not any("times" in line for line in told)


def test_a_call_that_is_no_plain_callback_is_told_whole():
    model, context = {"Name": "a"}, {"step": 1}
    for changed in ({"model": {"Name": "b"}}, {"context": {"step": 2}}, {"token": "t2"}, {"action": "UPDATE"}):
        second = exchange({"status": "SUCCESS"}, **{"model": model, "context": context, **changed})
        told = lines(exchange(in_progress(model, context)), second)
        assert not any("again" in line for line in told), changed
    assert "      token: the same" in lines(exchange({"status": "SUCCESS"}), exchange({"status": "FAILED"}))


def test_answers_without_a_status_and_without_an_event():
    assert lines(exchange({"status": 7, "message": "7"}))[-3:] == [
        "  ← no status  (12 ms)",
        "      status: 7",
        '      message: "7"',
    ]
    assert lines(exchange("it died"))[-1] == "  ← (it died)  (12 ms)"
    assert lines(exchange({"hookStatus": "SUCCESS", "status": "SUCCESS"}))[-2:] == [
        "  ← SUCCESS  (12 ms)",
        '      status: "SUCCESS"',
    ]


def test_long_values_are_wrapped_and_very_many_invocations_thinned():
    model = {f"Property{number}": "some words" for number in range(30)}
    told = lines(*[exchange({"status": "SUCCESS", "resourceModel": model}) for _ in range(9)])
    assert told[0] == "  (the first and the last of 9 invocations)"
    assert sum(line.startswith("  ←") for line in told) == 6
    assert max(map(len, told)) <= MOST_COLUMNS
    assert "".join(line.strip() for line in told).count("Property29") == 6


def test_clauses_that_are_not_provable_for_one_reason_share_a_line():
    def of(names, state, reason):
        return [ClauseResult(name, state, reason) for name in names]

    alike = of(["create.applied", "create.list", "read.model", "list.token"], ClauseState.NOT_PROVABLE, "it died")
    alone = of(["delete.billing"], ClauseState.NOT_PROVABLE, "costs")
    proved = of(["event.status"], ClauseState.PROVED, None)
    assert list(_clause_lines([*proved, *alike, *alone], 118, colour=False)) == [
        "✓ event.status             proved",
        "? 4 clauses                not provable: it died",
        "  create.applied, create.list, read.model, list.token",
        "? delete.billing           not provable: costs",
    ]


def test_tests_are_named_with_their_input_sets_and_not_all_of_very_many():
    names = ["contract_create_read[inputs_1]", "contract_create_read[inputs_3]", "contract_list_empty"]
    assert named_tests(names) == "contract_create_read[inputs_1, inputs_3], contract_list_empty"
    assert named_tests([f"contract_{each}" for each in "abcdef"]).endswith("contract_d and 2 more")


def test_a_difference_shows_no_copy_of_a_secret():
    shown = Shown(Masker([("Key",)]))
    shown.learn([exchange({"status": "SUCCESS"}, model={"Name": "a", "Key": "hunter2-hunter2"})])
    assert shown.difference("/Name", "it is hunter2-hunter2") == "it is ********"
    assert shown.difference("/Key", "anything") == "********"
