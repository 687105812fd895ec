"""Findings with one root cause are told together, the cause first; those of many targets are one."""

import json

from formwork.contract_results.causes import group_findings, merge_findings
from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import ABSENT, Finding, ModelDifference
from formwork.invoke import Exchange
from formwork.invoke.answer import Answer, AnswerProblem, ProblemKind

TRACE = 'Traceback (most recent call last):\n  File "/p/src/h.py", line {line}, in {name}\n    x()\n{error}\n'


def raised(action, error="KeyError: 'a'", line=3, code="InternalFailure"):
    event = {"status": "FAILED", "errorCode": code, "message": error}
    log = TRACE.format(line=line, name="update", error=error)
    return Exchange({"action": action, "requestData": {}}, Answer(json.dumps(event).encode(), log=log), event, None)


def finding(clause, *exchanges, message="wrong", level=Level.MUST, **more):
    return Finding(clause, level, message, exchanges, **more)


def shape(groups):
    return [(group.cause and group.cause.text, [each.clause for each in group.findings]) for group in groups]


def test_one_exception_is_one_cause_and_another_line_is_another():
    groups = group_findings(
        [
            finding("update.applied", raised("UPDATE")),
            finding("create.applied", raised("CREATE", line=9)),
            finding("update.missing", raised("UPDATE")),
        ],
        root="/p",
    )
    assert shape(groups) == [
        ("KeyError: 'a' at src/h.py:3 in update", ["update.applied", "update.missing"]),
        ("KeyError: 'a' at src/h.py:9 in update", ["create.applied"]),
    ]


def test_an_exception_that_was_logged_and_answered_is_no_cause():
    (group,) = group_findings([finding("update.applied", raised("UPDATE", code="NotFound"))])
    assert group.cause is None


def test_a_process_that_gives_no_answer_is_a_cause_whatever_the_request_id():
    def late(number):
        text = f"RequestId: {number}-x Error: Task timed out after {number}.00 seconds"
        problem = AnswerProblem(ProblemKind.FUNCTION_ERROR, text)
        return Exchange({"action": "READ", "requestData": {}}, Answer(b"", "Unhandled"), None, problem)

    groups = group_findings([finding("event.time.rl", late(1)), finding("read.complete", late(2))])
    assert shape(groups) == [
        ("READ gives no answer: Task timed out after 1.00 seconds", ["event.time.rl", "read.complete"])
    ]


def test_a_property_that_is_left_out_is_a_cause_of_several_findings_only():
    event = {"status": "SUCCESS", "resourceModel": {}}
    read = Exchange({"action": "READ", "requestData": {}}, Answer(b"{}"), event, None)
    lost = (ModelDifference("/resourceModel/Title", "x", ABSENT),)
    one = finding("read.complete", read, differences=lost)
    assert shape(group_findings([one])) == [(None, ["read.complete"])]
    two = finding("create.applied", read, differences=(ModelDifference("/Title", "x", ABSENT),))
    assert shape(group_findings([one, two])) == [("READ leaves out Title", ["read.complete", "create.applied"])]


def test_warnings_stay_apart_from_violations():
    groups = group_findings(
        [finding("update.applied", raised("UPDATE")), finding("update.list", raised("UPDATE"), level=Level.SHOULD)]
    )
    assert len(groups) == 2


def test_one_finding_about_many_targets_names_how_many():
    def about(target, line=3):
        message = f"preCreate for {target} is FAILED"
        return finding("hook.success", raised("CREATE", line=line), message=message, targets=(target,))

    merged = merge_findings([about("A::B::C"), about("D::E::F", line=8), about("G::H::I"), about("A::B::C")])
    assert [each.targets for each in merged] == [("A::B::C", "G::H::I"), ("D::E::F",)]
    assert [each.text for each in merged] == ["preCreate for 2 targets is FAILED", "preCreate for D::E::F is FAILED"]
