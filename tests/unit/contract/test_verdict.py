"""A clause is proved only where its requirement ran on a live resource and held; a handler that fails violates."""

import copy
import json
import re

import pytest

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.inputs import GivenInputs
from formwork.contract.patience import Patience
from formwork.contract.subject import ResourceSubject
from formwork.contract.suite import run_suite
from formwork.contract_results.findings import ClauseState
from formwork.contract_results.proof import RequiredProof, little_proved, missing_proof
from formwork.contract_results.report.text import render_text
from formwork.documents import DocumentFormat, parse_document
from formwork.invoke import HandlerSession
from formwork.project.inputs import InputKind
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Behaviour, Simulator
from support.contract_subjects import Transport, subject_of
from support.hooks import BOX, conforming, hook_schema, hook_subject, pair
from support.shapes import SHAPES, generated, named


def failing(code="InternalFailure", message="not implemented"):
    return {"status": "FAILED", "errorCode": code, "message": message}


def result_of(change, schema=None, behaviour=None):
    schema = schema or named()
    simulator = Simulator(schema, behaviour or Behaviour(page_size=2), seed=5)
    return run_suite(subject_of(lambda event, _context: change(simulator, event), schema))


def always_failing(*actions, code="InternalFailure"):
    return lambda simulator, event: failing(code) if event["action"] in actions else simulator(event)


def in_state(result, state):
    return {each.clause for each in result.clauses if each.state is state}


def reasons(result):
    return {each.clause: each.reason for each in result.clauses}


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_is_proved_where_no_create_succeeds(shape):
    result = result_of(lambda _simulator, _event: failing(), SHAPES[shape]())
    missing = {"read.missing", "update.missing", "delete.missing"}
    assert result.violated == {"create.applied", "list.array", *missing}
    assert in_state(result, ClauseState.PROVED) == set()
    assert in_state(result, ClauseState.NOT_PROVABLE) == {"delete.billing"}


@pytest.mark.parametrize("handlers", [(), ("read",), ("list",), ("read", "list")])
def test_nothing_is_proved_of_a_type_whose_handlers_make_nothing(handlers):
    value = {**named().value, "handlers": {name: {"permissions": []} for name in handlers}}
    document = parse_document(json.dumps(value), name="named.json", format=DocumentFormat.JSON)
    result = result_of(lambda simulator, event: simulator(event), build_resource_schema(document))
    assert in_state(result, ClauseState.PROVED) == set()
    assert result.violated == set()
    if not handlers:
        assert not any(test.exchanges for test in result.tests)


def test_a_list_that_always_fails_violates_what_demands_a_list():
    result = result_of(always_failing("LIST"))
    assert result.violated == {"list.array", "create.list", "update.list", "delete.list"}
    assert in_state(result, ClauseState.NOT_PROVABLE) == {"delete.billing"}
    assert not in_state(result, ClauseState.PROVED) & {"create.one", "delete.leak", "update.one", "list.token"}
    assert "LIST ended FAILED with InternalFailure" in reasons(result)["create.one"]


def test_a_list_that_fails_on_later_pages_violates_the_token():
    def change(simulator, event):
        return failing() if event["action"] == "LIST" and event.get("nextToken") else simulator(event)

    result = result_of(change, behaviour=Behaviour(page_size=1))
    assert result.violated == {"list.token"}
    assert "list.ends" not in in_state(result, ClauseState.PROVED)


@pytest.mark.parametrize("make", [named, generated])
def test_a_list_that_fails_where_nothing_exists(make):
    def change(simulator, event):
        empty = event["action"] == "LIST" and not simulator.store.resources
        return failing("NotFound") if empty else simulator(event)

    result = result_of(change, make())
    assert "list.array" in result.violated
    assert result.violated <= {"list.array", "delete.list"}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_empty_account_must_list_where_no_create_succeeds(shape):
    result = result_of(always_failing("CREATE", "LIST"), SHAPES[shape]())
    assert "list.array" in result.violated
    (finding,) = [each for each in result.findings if each.clause == "list.array"]
    assert "LIST is FAILED with InternalFailure where nothing exists" in finding.message
    assert "list.array" not in result_of(always_failing("CREATE"), SHAPES[shape]()).violated


def test_a_list_that_asks_for_what_exists_is_not_accused_of_an_empty_account():
    handlers = {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")}
    handlers["list"]["handlerSchema"] = {"properties": {"Parent": {"type": "string"}}, "required": ["Parent"]}
    value = {**json.loads(json.dumps(dict(SHAPES["composite"]().value))), "handlers": handlers}
    schema = build_resource_schema(parse_document(json.dumps(value), name="it.json", format=DocumentFormat.JSON))
    result = result_of(always_failing("CREATE", "LIST", code="NotFound"), schema)
    assert "list.array" not in result.violated
    (skipped,) = [each.skipped for each in result.tests if each.name == "contract_list_empty"]
    assert "LIST asks for /Parent of something that exists" in skipped


def test_a_list_that_wants_a_model_is_not_accused():
    def change(simulator, event):
        wants = event["action"] == "LIST" and not event["requestData"]["resourceProperties"]
        return failing("InvalidRequest") if wants else simulator(event)

    result = result_of(change)
    assert result.violated == set()
    assert {"create.list", "create.one", "delete.leak", "list.array"} <= in_state(result, ClauseState.PROVED)


# What a handler that answers everything with its refusal keeps without having shown anything.
HOLLOW = [
    ("READ", "NotFound", {"delete.read", "read.missing", "read.complete", "list.readable", "create.applied"}),
    ("UPDATE", "NotFound", {"delete.update", "update.missing", "update.createonly", "update.identity"}),
    ("DELETE", "NotFound", {"delete.missing", "delete.read", "delete.list", "delete.leak", "delete.create"}),
    ("LIST", "NotFound", {"delete.list", "create.one", "update.one", "delete.leak", "list.ends", "list.readable"}),
    ("CREATE", "AlreadyExists", {"create.exists", "create.readonly", "practice.invalid", "read.missing"}),
]


@pytest.mark.parametrize(("action", "code", "hollow"), HOLLOW)
def test_refusals_of_a_handler_that_only_refuses_prove_nothing(action, code, hollow):
    result = result_of(always_failing(action, code=code))
    assert result.violated
    assert in_state(result, ClauseState.PROVED) & hollow == set()


def test_a_create_that_fails_after_a_delete_does_not_prove_that_names_can_be_used_again():
    gone = set()

    def change(simulator, event):
        data = event["requestData"]["resourceProperties"] or {}
        if event["action"] == "DELETE":
            gone.add(data.get("Name"))
        again = event["action"] == "CREATE" and data.get("Name") in gone
        return failing("GeneralServiceException") if again else simulator(event)

    result = result_of(change)
    assert "create.applied" in result.violated
    assert "delete.create" not in in_state(result, ClauseState.PROVED)


def test_a_synchronous_handler_has_nothing_to_do_with_progress():
    result = result_of(lambda simulator, event: simulator(event))
    found = {each.clause: each.state for each in result.clauses}
    for clause in ("create.partial", "update.partial", "delete.progress", "event.delay", "event.progress.quiet"):
        assert found[clause] is ClauseState.NOT_APPLICABLE


def test_the_report_names_what_was_not_tested_and_every_test_that_stopped():
    result = result_of(always_failing("DELETE"))
    text = render_text(result)
    untested = in_state(result, ClauseState.NOT_TESTED)
    assert untested
    assert all(clause in text for clause in untested)
    said = " ".join(text.partition("Tests that did not run to their end:")[2].split())
    skipped = [test for test in result.tests if test.skipped is not None]
    assert skipped
    assert all(test.skipped in said and test.name in said for test in skipped)


def test_a_hook_that_fails_always_proves_nothing():
    def handler(event, context):
        return {"hookStatus": "FAILED", "errorCode": "InternalFailure", "message": "not implemented"}

    result = run_suite(hook_subject(handler))
    assert "hook.targets" in result.violated
    assert in_state(result, ClauseState.PROVED) == set()


def test_a_hook_that_refuses_always_refuses_nothing_in_particular():
    def handler(event, context):
        return {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "never"}

    result = run_suite(hook_subject(handler))
    assert result.violated == {"hook.success"}
    assert not in_state(result, ClauseState.PROVED) & {"hook.failed", "hook.unknown", "hook.success"}
    assert "passed nothing" in reasons(result)["hook.failed"]


def test_a_target_that_gets_no_answer_leaves_its_clauses_without_proof():
    def handler(event, context):
        if event["requestData"]["targetName"] == BOX:
            return {**conforming(event), "_seconds": 0.1} if event["actionInvocationPoint"][0] != "C" else "crash"
        return conforming(event)

    result = run_suite(hook_subject(handler))
    assert {"event.object", "hook.targets"} <= result.violated
    assert "hook.success" not in in_state(result, ClauseState.PROVED)


def test_inputs_of_one_target_do_not_prove_the_other():
    bad = HookInputs({InputKind.INVALID: {BOX: pair({"Name": "abc", "Locked": False})}}, seed=1)
    result = run_suite(hook_subject(conforming, schema=hook_schema(handlers=("preCreate",)), inputs=bad))
    assert "hook.failed" in in_state(result, ClauseState.NOT_PROVABLE)
    assert "Acme::Post::" in reasons(result)["hook.failed"]


def test_two_resources_live_behind_the_verdict():
    """The handlers that the tests above break keep everything when they are left alone."""
    result = result_of(lambda simulator, event: copy.deepcopy(simulator(event)))
    assert result.violated == set()
    assert in_state(result, ClauseState.NOT_TESTED) == set()


def unsatisfiable():
    """A type with an identifier that no text can be: nothing can be created."""
    schema = {
        "typeName": "Acme::No::Name",
        "description": "Nothing fits",
        "properties": {"Name": {"type": "string", "pattern": "^(?=a)b$"}, "Size": {"type": "integer"}},
        "required": ["Name"],
        "primaryIdentifier": ["/properties/Name"],
        "tagging": {"taggable": False},
        "handlers": {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")},
        "additionalProperties": False,
    }
    return build_resource_schema(parse_document(json.dumps(schema), name="no.json", format=DocumentFormat.JSON))


def test_a_run_whose_inputs_can_show_nothing_says_so_and_is_no_proof():
    result = result_of(lambda simulator, event: simulator(event), unsatisfiable())
    assert result.passed  # nothing is violated
    assert in_state(result, ClauseState.PROVED) == set()
    assert re.search(r"^little was proved: 0 of the \d+ clauses that must be kept", render_text(result), re.MULTILINE)
    assert missing_proof(result, RequiredProof.MOST)
    assert any("create.applied" in line for line in missing_proof(result, RequiredProof.ALL))


def test_proof_is_required_of_what_must_be_kept_and_applies():
    result = result_of(lambda simulator, event: simulator(event), behaviour=Behaviour(page_size=100))
    assert missing_proof(result, RequiredProof.MOST) == ()
    (line,) = missing_proof(result, RequiredProof.ALL)
    assert "no proof of list.token: " in line
    assert missing_proof(result, RequiredProof.ALL, allowed=["list.token"]) == ()
    assert "little was proved" not in render_text(result)
    paged = result_of(lambda simulator, event: simulator(event), behaviour=Behaviour(page_size=2))
    assert missing_proof(paged, RequiredProof.ALL) == ()


def test_selected_tests_need_not_prove_much():
    simulator = Simulator(named(), seed=5)
    result = run_suite(subject_of(simulator, named()), names=["contract_delete_update"])
    assert little_proved(result) is None
    assert "delete.update" in result.proved
    assert missing_proof(result, RequiredProof.ALL)


def test_an_identifier_that_no_answer_tells_is_not_a_matter_of_the_inputs():
    def change(simulator, event):
        answer = copy.deepcopy(simulator(event))
        for model in [answer.get("resourceModel"), *(answer.get("resourceModels") or [])]:
            (model or {}).pop("Arn", None)
        return answer

    result = result_of(change, SHAPES["composite"]())
    found = {each.clause: each for each in result.clauses}
    assert "create.read.additional" in result.violated
    for clause in ("update.additional", "delete.additional"):  # by /Alias both succeed
        assert found[clause].state is ClauseState.NOT_TESTED
        assert found[clause].reason == "no answer tells the additional identifier /Arn, which the service gives"


def test_a_secret_that_no_request_with_it_got_through_is_not_a_matter_of_the_inputs():
    def change(simulator, event):
        given = (event["requestData"]["resourceProperties"] or {}).get("Password")
        return failing() if given and event["action"] in {"CREATE", "UPDATE"} else simulator(event)

    result = result_of(change)
    found = {each.clause: each for each in result.clauses}
    assert found["event.writeonly"].state is ClauseState.NOT_TESTED
    assert found["event.writeonly"].reason == "no request with a value for a writeOnly property succeeded"


def test_what_a_delete_left_behind_is_not_a_matter_of_the_inputs():
    """Each create meets the title of a resource that the delete handler did not delete."""
    schema = generated()
    inputs = GivenInputs(schema, create={"Title": "one"}, update={"Title": "two"})
    simulator = Simulator(schema, seed=5)

    def function(event, _context):
        taken = any(
            each.model["Title"] == "one" and each.token != event["bearerToken"]
            for each in simulator.store.resources.values()
        )
        if event["action"] == "DELETE":
            return failing()
        return failing("AlreadyExists") if event["action"] == "CREATE" and taken else simulator(event)

    session = HandlerSession(Transport(function), schema.type_name)
    result = run_suite(ResourceSubject(schema, session, inputs, patience=Patience(0), examples=2))
    assert "delete.minimal" in result.violated
    assert "create.idempotent" not in in_state(result, ClauseState.NOT_PROVABLE)
    assert "an earlier test could not delete the resource with the same value for /Title" in reasons(result).values()


def test_an_update_that_the_schema_lets_a_handler_refuse_is_given_up_once():
    value = {**dict(generated().value), "conditionalCreateOnlyProperties": ["/properties/Size"]}
    text = json.dumps(value, default=dict)
    schema = build_resource_schema(parse_document(text, name="it.json", format=DocumentFormat.JSON))

    def change(simulator, event):
        data = event["requestData"]
        before, after = (data.get(f"{each}esourceProperties") or {} for each in ("previousR", "r"))
        if event["action"] == "UPDATE" and after.get("Size", before.get("Size")) != before.get("Size"):
            return failing("NotUpdatable")
        return simulator(event)

    result = result_of(change, schema)
    assert result.violated == set()
    clauses = {"update.applied", "update.echo", "update.list", "update.dropped", "update.identity"}
    assert clauses <= in_state(result, ClauseState.PROVED)
