"""The clauses on permissions: what handlers called, against what the schema declares for each."""

import json

import pytest
from msgspec.structs import replace

from formwork.contract.permissions import judge_permissions, permissions_used, why_not_judged
from formwork.contract.requirements import REQUIREMENTS
from formwork.contract.suite import collect, run_requirement
from formwork.contract_results.findings import ClauseState
from formwork.contract_results.report.html import render_html
from formwork.contract_results.report.junit import render_junit
from formwork.contract_results.report.machine import render_json, result_to_json
from formwork.contract_results.report.text import render_text
from formwork.contract_results.test_result import TestResult
from formwork.egress.iam_actions import action_table, actions_of
from formwork.lambda_host.http_messages import Request
from formwork.lambda_host.outgoing_calls import AnsweredBy, AwsCall, OutgoingCall
from formwork.schema.permissions import grants, is_broad, is_iam_action
from support.corpus import corpus_projects, needs_fixtures
from support.hooks import conforming, hook_subject
from support.permission_runs import ran, subject_with


def called(service, operation, *actions, by=AnsweredBy.STAND_IN):
    aws = AwsCall(service, "us-east-1", operation, actions)
    return OutgoingCall(f"{service}.us-east-1.amazonaws.com", 443, "POST", "/", aws, 200, 1.5, by)


CREATE = called("iam", "CreateRole", "iam:CreateRole")
GET = called("iam", "GetRole", "iam:GetRole")
WHO = called("sts", "GetCallerIdentity")
ODD = called("glue", "CreateThing")


def judged(subject, *tests):
    """Clause → its messages, or why it is open; None where it is kept."""
    found = judge_permissions(subject, tests, complete=True)
    said = dict.fromkeys(found.held) | {clause: each.reason for clause, each in found.open.items()}
    for clause in {each.clause for each in found.findings}:
        said[clause] = [each.message for each in found.findings if each.clause == clause]
    return said


def test_a_handler_with_what_it_uses_is_proved():
    subject = subject_with(create=["iam:CreateRole", "iam:Get*"], read=["iam:GetRole"])
    said = judged(subject, ran(CREATE, GET, WHO), ran(GET, action="READ"))
    assert said["permissions.missing"] is None
    assert said["permissions.broad"] is None
    assert "update, delete, list" in said["permissions.unused"]


def test_an_action_of_another_handlers_list_is_missing():
    said = judged(subject_with(create=["iam:CreateRole"], read=["iam:GetRole"]), ran(CREATE, GET))
    assert said["permissions.missing"] == ["create calls iam GetRole, and its permissions lack iam:GetRole"]


def test_a_refused_call_counts_as_used():
    refused = replace(CREATE, answered_by=AnsweredBy.REFUSED)
    said = judged(subject_with(create=["iam:GetRole"]), ran(refused))
    assert said["permissions.missing"] == ["create calls iam CreateRole, and its permissions lack iam:CreateRole"]
    assert said["permissions.unused"] == "no call of AWS was answered, or the actions of some are not known"


def test_what_no_call_used_is_named_but_not_what_no_call_shows():
    shown = ["iam:CreateRole", "iam:DeleteRole", "monitors_write"]
    unseen = ["kms:Decrypt", "iam:PassRole", "iam:TagRole", "iam:CreateServiceLinkedRole"]
    said = judged(subject_with(create=[*shown, *unseen]), ran(CREATE))
    assert said["permissions.unused"] == [
        "create has permissions that no call of this run used: iam:DeleteRole; a branch may not have run"
    ]


@pytest.mark.parametrize("permission", ["*", "iam:*", "IAM:*"])
def test_a_permission_for_everything_is_broad_where_the_list_is_known(permission):
    said = judged(subject_with(create=[permission]), ran(CREATE, GET))
    message = f"create has the permission {permission}; this run used iam:CreateRole, iam:GetRole"
    assert said["permissions.broad"] == [message]
    assert said["permissions.missing"] is None
    assert judged(subject_with(create=["s3:*", "iam:*Role"]), ran(CREATE))["permissions.broad"] is None


def test_nothing_is_proved_of_what_was_not_seen():
    subject = subject_with(create=["iam:CreateRole", "glue:*"])
    assert judged(subject, ran(CREATE, sealed=False))["permissions.missing"].startswith(
        "the handlers have the machine's"
    )
    assert "create calls glue CreateThing" in judged(subject, ran(CREATE, ODD))["permissions.missing"]
    for test, why in ((ran(), "no handler called AWS"), (TestResult("x", (), (), (), 0.0), "pass no gate")):
        assert judge_permissions(subject, [test], complete=True) is None
        assert why_not_judged([test]).endswith(why)


def test_a_violation_needs_no_seal():
    assert [
        each.clause
        for each in judge_permissions(subject_with(create=[]), [ran(CREATE, sealed=False)], complete=False).findings
    ] == ["permissions.missing"]


def test_hooks_have_permissions_too():
    subject = hook_subject(conforming)
    handler = next(iter(subject.schema.handlers))
    exchange = ran(CREATE, actionInvocationPoint="CREATE_PRE_PROVISION").exchanges[0]
    use = permissions_used(subject, [exchange])["preCreate"]
    assert handler == "preCreate"
    assert use.missing == ["iam:CreateRole"]


def test_a_run_reports_them_with_its_clauses():
    subject = subject_with(create=["iam:GetRole"])
    real = run_requirement(REQUIREMENTS["contract_create_read"], subject)
    seen = tuple(
        replace(each, answer=replace(each.answer, calls=(CREATE,), sealed=True))
        for each in real.exchanges
        if each.request["action"] == "CREATE"
    )
    result = collect(subject, [replace(real, exchanges=seen)])
    states = {each.clause: each.state for each in result.clauses}
    assert states["permissions.missing"] is ClauseState.VIOLATED
    assert not result.passed
    text = render_text(result, width=118)
    assert "create calls iam CreateRole, and its permissions lack iam:CreateRole" in text
    assert "    > iam CreateRole: 200 in 2 ms (stand-in)" in text
    assert "-k contract_permissions" not in text
    assert "not sealed" not in text
    (finding,) = [each for each in result_to_json(result)["findings"] if each["clause"] == "permissions.missing"]
    assert finding["exchanges"][0]["calls"] == [
        {
            "call": "iam CreateRole",
            "host": "iam.us-east-1.amazonaws.com",
            "service": "iam",
            "operation": "CreateRole",
            "status": 200,
            "milliseconds": 1.5,
            "answeredBy": "stand-in",
        }
    ]


@pytest.mark.parametrize(
    ("permission", "action", "contained"),
    [
        ("s3:GetObject", "s3:GetObject", True),
        ("s3:getobject", "s3:GetObject", True),
        ("s3:Get*", "s3:GetObjectAcl", True),
        ("s3:*Object", "s3:GetObjectAcl", False),
        ("s3:?etObject", "s3:GetObject", True),
        ("s3.GetObject", "s3:GetObject", False),
        ("*", "s3:GetObject", True),
        ("*:*", "s3:GetObject", True),
    ],
)
def test_permissions_contain_actions_as_iam_compares_them(permission, action, contained):
    assert grants(permission, action) is contained
    assert not is_broad("s3:Get*")


def listed_actions(project):
    """Handler → its actions without wildcards, of a schema of the corpus; {} where none has any."""
    try:
        handlers = json.loads(project.schema_path.read_text(encoding="utf-8"))["handlers"]
    except (OSError, ValueError, KeyError):
        return {}
    listed = {
        name: sorted({each for each in handler.get("permissions", ()) if is_iam_action(each) and "*" not in each})
        for name, handler in handlers.items()
    }
    return {name: actions for name, actions in listed.items() if actions and name in ("create", "read", "update")}


def call_for(action):
    """A call that needs the action, by the gate's table of operations whose action has another name."""
    prefix, _, name = action.partition(":")
    renamed = [operation for operation, names in action_table().operations.get(prefix, {}).items() if names == [name]]
    call = AwsCall(prefix, "us-east-1", (renamed or [name])[0])
    actions = actions_of(call, Request("POST", "/", "", {}, b""))
    return called(prefix, call.operation, *(actions if action in actions else (action,)))


SCHEMAS = [(each, found) for each in corpus_projects("RESOURCE") if (found := listed_actions(each))]


@needs_fixtures
def test_there_are_schemas_enough():
    assert len(SCHEMAS) >= 40


@needs_fixtures
@pytest.mark.parametrize(("project", "listed"), SCHEMAS, ids=[each.id for each, _ in SCHEMAS])
def test_what_is_removed_from_a_real_schema_or_added_to_it_is_named(project, listed):
    del project
    handler, actions = max(listed.items(), key=lambda each: len(each[1]))
    calls = [call_for(action) for action in actions]
    run = ran(*calls, action=handler.upper())
    whole = judged(subject_with(**{handler: actions}), run)
    assert whole["permissions.missing"] is None
    assert not isinstance(whole["permissions.unused"], list)
    removed, kept = actions[len(actions) // 2], [each for each in actions if each != actions[len(actions) // 2]]
    assert judged(subject_with(**{handler: kept}), run)["permissions.missing"] == [
        f"{handler} calls {call_for(removed).name}, and its permissions lack {removed}"
    ]
    more = judged(subject_with(**{handler: [*actions, "acme:Nothing"]}), run)
    assert more["permissions.unused"] == [
        f"{handler} has permissions that no call of this run used: acme:Nothing; a branch may not have run"
    ]


def test_a_part_of_the_tests_calls_nothing_unused():
    found = judge_permissions(subject_with(create=["iam:CreateRole", "s3:GetObject"]), [ran(CREATE)], complete=False)
    assert found.findings == ()
    assert found.open["permissions.unused"].reason == "not all tests ran, so that some calls may be missing"


@pytest.mark.parametrize(("sealed", "calls"), [(True, ()), (False, ()), (False, None)])
def test_each_report_says_where_handlers_were_not_sealed(sealed, calls):
    subject = subject_with()
    real = run_requirement(REQUIREMENTS["contract_create_read"], subject)
    answered = [replace(each, answer=replace(each.answer, calls=calls, sealed=sealed)) for each in real.exchanges]
    result = collect(subject, [replace(real, exchanges=tuple(answered))])
    reports = [render(result) for render in (render_text, render_json, render_html, render_junit)]
    unsealed = calls is not None and not sealed
    assert [unsealed] * 4 == ["not sealed: what can call other hosts unseen: Python" in each for each in reports]
