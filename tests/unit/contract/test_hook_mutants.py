"""The suite reports each deliberate violation by a hook under its clause, and is quiet about hooks that keep it."""

import json

import pytest

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.memory import Limits
from formwork.contract.suite import run_suite
from formwork.contract_results.clauses import CLAUSES
from formwork.contract_results.findings import ClauseState
from formwork.contract_results.report.html import render_html
from formwork.contract_results.report.junit import render_junit
from formwork.contract_results.report.machine import render_json
from formwork.contract_results.report.text import render_text
from formwork.project.inputs import InputKind
from formwork.project.overrides import Override, Overrides
from support.hooks import (
    BOX,
    HOOK_MUTANTS,
    KNOWN,
    POINTS,
    conforming,
    hook_schema,
    hook_subject,
    pair,
    slow,
)


def said(result):
    return [f"{each.clause}: {each.message}" for each in result.findings]


def states(result):
    return {each.clause: each.state for each in result.clauses}


def reasons(result):
    return {each.clause: each.reason for each in result.clauses}


def test_there_are_enough_mutants_on_every_clause():
    assert len(HOOK_MUTANTS) >= 45
    assert len({each.name for each in HOOK_MUTANTS}) == len(HOOK_MUTANTS)
    assert {each.clause for each in HOOK_MUTANTS} >= {each for each in CLAUSES if each.startswith("hook.")}


@pytest.mark.parametrize("handler", [conforming, slow])
@pytest.mark.parametrize("seed", range(3))
def test_conforming_handlers_raise_no_alarm(handler, seed):
    result = run_suite(hook_subject(handler, seed=seed))
    assert said(result) == []
    found = states(result)
    assert {clause for clause in found if clause.startswith("hook.")} == {
        clause for clause in CLAUSES if clause.startswith("hook.")
    }
    open_clauses = {clause for clause, state in found.items() if state is not ClauseState.PROVED}
    unseen = {clause for clause in CLAUSES if clause.startswith("permissions.")}  # in process there is no gate
    assert open_clauses - unseen == (set() if handler is slow else {"event.delay", "hook.progress"})
    assert [test.name for test in result.tests].count("contract_pre_delete_failed") == 1
    assert len(result.tests) == 10  # nine, and the suite's test of itself


def test_only_the_points_of_the_schema_are_asked_about():
    result = run_suite(hook_subject(conforming, schema=hook_schema(handlers=("preUpdate",))))
    asked = {each.request["actionInvocationPoint"] for test in result.tests for each in test.exchanges}
    assert asked == {"UPDATE_PRE_PROVISION"}
    assert len(result.tests) == 4


def test_wildcards_stand_for_the_types_at_hand():
    result = run_suite(hook_subject(conforming), names=["contract_pre_create_success"])
    asked = {each.request["requestData"]["targetName"] for each in result.tests[0].exchanges}
    assert asked == set(KNOWN)


def test_what_nothing_is_known_of_is_not_provable():
    schema = hook_schema(["Acme::Post::*"])
    nothing = run_suite(
        hook_subject(conforming, schema=schema, known={}, inputs=HookInputs()), names=["contract_pre_create_success"]
    )
    assert states(nothing)["hook.targets"] is ClauseState.NOT_PROVABLE
    assert "Acme::Post::*" in reasons(nothing)["hook.targets"]
    plain = hook_subject(conforming, schema=hook_schema([BOX]), known={}, inputs=HookInputs())
    assert BOX in reasons(run_suite(plain, names=["contract_pre_create_success"]))["hook.targets"]


def test_a_hook_of_everything_refuses_nothing():
    result = run_suite(hook_subject(conforming, schema=hook_schema(["*"])))
    assert states(result)["hook.unknown"] is ClauseState.NOT_APPLICABLE
    assert said(result) == []


def test_generated_models_show_what_they_can():
    """Whether a model is compliant, no schema says; that each target is answered, and some pass, is seen."""
    result = run_suite(hook_subject(conforming, inputs=HookInputs(seed=1)))
    assert said(result) == []
    assert states(result)["hook.targets"] is ClauseState.PROVED
    assert states(result)["hook.failed"] is ClauseState.NOT_PROVABLE
    assert "not provable with these inputs" in reasons(result)["hook.failed"]
    models = [each.request["requestData"]["targetModel"] for test in result.tests for each in test.exchanges]
    assert all("previousResourceProperties" in model for model in models if len(model) > 1)


def test_a_hook_that_refuses_all_generated_models_is_not_accused():
    def strict(event, context):
        return {**conforming(event), "hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "never"}

    result = run_suite(hook_subject(strict, inputs=HookInputs(seed=1)))
    assert said(result) == []
    assert states(result)["hook.success"] is ClauseState.NOT_PROVABLE
    assert "inputs_1_pre_create.json" in reasons(result)["hook.success"]


def override(action, value, target=BOX, part="resourceProperties"):
    return Override(action, ("Locked",), value, None, target, part)


def test_overrides_say_what_passes_and_what_does_not():
    points = [override(point, value=True) for point in POINTS[:2]]
    inputs = HookInputs(overrides=Overrides((*points, override("INVALID", value=False)), ()), seed=5)
    schema = hook_schema([BOX], handlers=("preCreate", "preUpdate"))
    result = run_suite(hook_subject(conforming, schema=schema, inputs=inputs))
    assert said(result) == []
    assert states(result)["hook.failed"] is ClauseState.PROVED

    def lenient(event, context):
        return {"hookStatus": "SUCCESS", "message": ""}

    violated = run_suite(hook_subject(lenient, schema=schema, inputs=inputs))
    assert violated.violated == {"hook.failed"}
    assert violated.warned == {"hook.unknown"}


@pytest.mark.parametrize("target", ["STACK", "CHANGE_SET"])
def test_whole_stacks_are_given_their_template(target):
    seen = []

    def handler(event, context):
        seen.append(event["requestData"])
        return {"hookStatus": "SUCCESS" if target == "STACK" else "CHANGE_SET_SUCCESS_SKIP_STACK_HOOK", "message": ""}

    schema = hook_schema([target], handlers=("preCreate", "preUpdate"))
    result = run_suite(hook_subject(handler, schema=schema, inputs=HookInputs()), names=["contract_pre_update_success"])
    assert result.passed, said(result)
    assert {each["targetType"] for each in seen} == {target}
    assert set(seen[0]["targetModel"]) == {"Template", "ResolvedTemplate", "PreviousTemplate", "ChangedResources"}


def test_a_hook_that_hangs_is_not_called_for_ever():
    calls = []

    def hanging(event, context):
        from formwork.invoke import Answer
        from formwork.invoke.answer import UNHANDLED

        calls.append(event)
        return Answer(b'{"errorType": "Sandbox.Timedout", "errorMessage": "timed out"}', UNHANDLED, 31.0)

    result = run_suite(hook_subject(hanging))
    assert result.violated == {"hook.time"}
    assert len(calls) == 3 * 3  # three times for each of the three handlers


def test_the_limit_is_the_one_enforced():
    def late(event, context):
        return {**conforming(event), "_seconds": 6.0}

    assert run_suite(hook_subject(late)).passed
    assert run_suite(hook_subject(late, limits=Limits.enforced(5))).violated == {"hook.time"}


def test_the_configuration_goes_along():
    seen = []

    def handler(event, context):
        seen.append(event["hookModel"])
        return conforming(event)

    run_suite(hook_subject(handler, configuration={"Algorithm": "x"}), names=["contract_pre_create_success"])
    assert seen[0] == {"Algorithm": "x"}


def test_reports_show_the_target_and_no_secret():
    secret = "canary-of-a-secret-thing"
    inputs = HookInputs({InputKind.PRE_CREATE: {BOX: pair({"Name": "abc", "Secret": secret})}})

    def handler(event, context):
        said = event["requestData"]["targetModel"]["resourceProperties"].get("Secret", "")
        return {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": f"bad {said}"}

    schema = hook_schema([BOX], handlers=("preCreate",))
    result = run_suite(hook_subject(handler, schema=schema, inputs=inputs, configuration={"Token": secret}))
    assert result.violated == {"hook.success"}
    texts = [render_text(result), render_json(result), render_junit(result), render_html(result)]
    assert not any(secret in text for text in texts)
    assert BOX in texts[0]
    assert "CREATE_PRE_PROVISION" in texts[0]
    clauses = {each["id"] for each in json.loads(texts[1])["clauses"]}
    assert "hook.unknown" in clauses
    assert not any(each.startswith(("create.", "list.")) for each in clauses)


def test_the_configurations_secrets_and_public_values_are_known_to_reports():
    masker = hook_subject(conforming, schema=hook_schema(Level={"type": "string", "enum": ["high"]})).masker()
    assert masker._configured.public == {"high"}
    assert masker._public == frozenset().union(*(each.public_values for each in KNOWN.values()))
    assert masker.write_only == (("Secret",),)
