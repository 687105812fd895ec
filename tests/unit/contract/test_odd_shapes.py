"""Types that are built otherwise than most: the suite is quiet about handlers that keep the contract, and names no
neighbour of the clause that is broken."""

import copy
import functools
import json

import pytest

from formwork.contract.inputs import GivenInputs
from formwork.contract.patience import Patience
from formwork.contract.subject import ResourceSubject
from formwork.contract.suite import run_suite
from formwork.contract_results.findings import ClauseState
from formwork.documents import DocumentFormat, parse_document
from formwork.invoke import HandlerSession, InProcessTransport
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Behaviour, Simulator
from support.contract_subjects import subject_of
from support.shapes import SHAPES

_HANDLERS = {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")}


def _schema(properties, **members):
    value = {
        "typeName": "Acme::Odd::Shape",
        "description": "A shape to prove the suite on",
        "properties": {"Name": {"type": "string", "pattern": "^[a-z]{12}$"}, **properties},
        "additionalProperties": False,
        "required": ["Name"],
        "primaryIdentifier": ["/properties/Name"],
        "createOnlyProperties": ["/properties/Name"],
        "tagging": {"taggable": False},
        "handlers": _HANDLERS,
        **members,
    }
    return build_resource_schema(parse_document(json.dumps(value), name="odd.json", format=DocumentFormat.JSON))


@functools.cache
def nested_defaults():
    step = {"type": "object", "properties": {"Hop": {"type": "string"}, "Cost": {"type": "integer", "default": 10}}}
    settings = {
        "type": "object",
        "properties": {
            "Mode": {"type": "string", "enum": ["fast", "safe"], "default": "safe"},
            "Limit": {"type": "integer"},
        },
        "additionalProperties": False,
    }
    return _schema({"Settings": settings, "Route": {"type": "array", "items": {**step, "required": ["Hop"]}}})


def _tagged(**tagging):
    tags = {"type": "object", "patternProperties": {"^[a-z]{3,8}$": {"type": "string"}}, "additionalProperties": False}
    says = {"taggable": True, "tagProperty": "/properties/Labels", "cloudFormationSystemTags": False, **tagging}
    return _schema({"Labels": tags, "Size": {"type": "integer"}}, tagging=says)


def _found(handler, schema, **options):
    result = run_suite(subject_of(handler, schema, **options))
    return result, {each.clause for each in result.findings}


def _deaf_to_tags(simulator, action):
    """The handlers, for which an action leaves the tags of the resource as they are."""

    def handler(event, context=None):
        data = event["requestData"]
        if event["action"] == action and data.get("resourceProperties"):
            event = {**event, "requestData": {**data, "resourceProperties": dict(data["resourceProperties"])}}
            desired = event["requestData"]["resourceProperties"]
            before = next(
                (each.model for each in simulator.store.resources.values() if each.model["Name"] == desired["Name"]),
                {},
            )
            desired.pop("Labels", None)
            if "Labels" in before:
                desired["Labels"] = before["Labels"]
        return simulator(event)

    return handler


@pytest.mark.parametrize("seed", range(4))
def test_a_nested_default_that_comes_back_is_no_merge(seed):
    schema = nested_defaults()
    result, found = _found(Simulator(schema, Behaviour(page_size=2), seed=seed), schema, seed=seed, examples=20)
    assert found == set(), [each.message for each in result.findings]


@pytest.mark.parametrize(("place", "at"), [(("Settings", "Mode"), "/Settings/Mode"), (("Route", 0, "Cost"), "/Cost")])
def test_a_nested_default_that_nobody_shows_is_missing(place, at):
    schema = nested_defaults()
    simulator = Simulator(schema, seed=1)

    def handler(event, context=None):
        answer = copy.deepcopy(simulator(event))
        model = answer.get("resourceModel") or {}
        for step in place[:-1]:
            model = model[step] if isinstance(model, list) and model else model.get(step, {}) if model else {}
        asked = json.dumps(event["requestData"]["resourceProperties"])
        if event["action"] == "CREATE" and model and f'"{place[-1]}"' not in asked:
            model.pop(place[-1], None)
        return answer

    result, found = _found(handler, schema)
    assert found == {"create.complete"}
    assert any(each.pointer.endswith(at) for one in result.findings for each in one.differences)


def test_tags_that_create_does_not_take_are_not_asked_of_it():
    schema = _tagged(tagOnCreate=False)
    result, found = _found(_deaf_to_tags(Simulator(schema, seed=2), "CREATE"), schema, examples=10)
    assert found <= {"practice.invalid"}, [each.message for each in result.findings]


def test_tags_that_update_does_not_take_are_not_asked_of_it():
    schema = _tagged(tagUpdatable=False)
    simulator = Simulator(schema, seed=2)
    asked = []

    def handler(event, context=None):
        if event["action"] == "UPDATE":
            data = event["requestData"]
            asked.append((data["resourceProperties"].get("Labels"), data["previousResourceProperties"].get("Labels")))
        return _deaf_to_tags(simulator, "UPDATE")(event)

    result, found = _found(handler, schema, examples=10)
    assert found <= {"practice.invalid"}, [each.message for each in result.findings]
    assert asked
    assert all(now == before for now, before in asked)


@pytest.mark.parametrize("action", ["READ", "LIST"])
def test_what_the_runtime_makes_of_an_unfinished_read_is_named_as_that(action):
    schema = SHAPES["generated"]()
    simulator = Simulator(schema, seed=1)

    def handler(event, context=None):
        if event["action"] != action:
            return simulator(event)
        text = "READ and LIST handlers must return synchronously."
        return {"status": "FAILED", "errorCode": "InternalFailure", "message": text}

    _, found = _found(handler, schema)
    assert found == {f"{action.lower()}.final"}


def test_two_resources_of_one_create_are_not_blamed_on_the_token():
    schema = SHAPES["generated"]()
    simulator = Simulator(schema, seed=1)

    def handler(event, context=None):
        if event["action"] == "CREATE" and not event.get("callbackContext"):
            simulator(copy.deepcopy({**event, "bearerToken": f"{event['bearerToken']}-2"}))
        return simulator(event)

    _, found = _found(handler, schema)
    assert "create.one" in found
    assert "create.idempotent" not in found


def test_an_undeclared_property_is_no_fault_of_delete_and_update():
    """Handlers that refuse undeclared properties, as generated models do, are not asked with what create made up."""
    schema = SHAPES["named"]()
    simulator = Simulator(schema, seed=1)

    def handler(event, context=None):
        data = event["requestData"]
        for each in (data.get("resourceProperties"), data.get("previousResourceProperties")):
            if "Undeclared" in (each or {}):
                return {"status": "FAILED", "errorCode": "InvalidRequest", "message": "no such property"}
        answer = copy.deepcopy(simulator(event))
        if event["action"] == "CREATE" and answer.get("resourceModel"):
            answer["resourceModel"]["Undeclared"] = 1
        return answer

    _, found = _found(handler, schema)
    assert "event.shape" in found
    assert not found & {"delete.minimal", "delete.update", "update.applied"}


def test_inputs_that_break_the_schema_are_no_fault_of_handlers_that_take_them():
    """Nor are requests without the identifier made of them."""
    lenient = _schema({"Name": {"type": "string"}, "Size": {"type": "integer"}})
    strict = _schema({"Size": {"type": "integer", "minimum": 5}})
    inputs = GivenInputs(strict, create={"Name": "Not As Told", "Size": 1}, update={"Name": "Not As Told", "Size": 7})
    handlers = HandlerSession(InProcessTransport(Simulator(lenient, seed=1)), type_name=strict.type_name)
    result = run_suite(ResourceSubject(strict, handlers, inputs))
    assert {each.clause for each in result.findings} <= {"event.shape"}
    shown = {each.exchanges[-1].request["action"] for each in result.findings}
    assert shown <= {"READ", "LIST"}, "where the request doesn't hold the value"


def _create_without(name, simulator):
    """Its handlers, whose create answers leave a property out."""

    def handler(event, context=None):
        answer = copy.deepcopy(simulator(event))
        if event["action"] == "CREATE":
            (answer.get("resourceModel") or {}).pop(name, None)
        return answer

    return handler


def test_what_an_answer_does_not_name_is_deleted_by_the_name_in_the_request():
    schema = SHAPES["named"]()
    simulator = Simulator(schema, seed=1)

    result, found = _found(_create_without("Name", simulator), schema)
    assert found == {"event.identifier"}
    assert simulator.store.resources == {}
    assert (result.leftovers, result.finished.nameless) == ([], 0)


def test_what_nothing_names_is_told():
    schema = SHAPES["generated"]()
    simulator = Simulator(schema, seed=1)

    result, found = _found(_create_without("Id", simulator), schema)
    assert found == {"event.identifier"}
    assert 0 < result.finished.nameless <= len(simulator.store.resources)


def test_a_merged_list_of_objects_with_secrets_is_a_merge():
    """What is kept of an earlier list comes back without its secrets, and with its defaults."""
    user = {
        "type": "object",
        "properties": {
            "Login": {"type": "string", "pattern": "^[a-z]{4,9}$"},
            "Password": {"type": "string", "minLength": 8},
            "Active": {"type": "boolean", "default": True},
        },
        "required": ["Login", "Password"],
        "additionalProperties": False,
    }
    users = {"type": "array", "insertionOrder": False, "minItems": 1, "items": user}
    schema = _schema({"People": users}, writeOnlyProperties=["/properties/People/*/Password"])
    simulator = Simulator(schema, seed=4)

    def handler(event, context=None):
        data = event["requestData"]
        if event["action"] == "UPDATE" and (data["resourceProperties"] or {}).get("People"):
            known = simulator.store.resources.get(simulator.store.key_of(data["resourceProperties"]))
            wanted = copy.deepcopy(data["resourceProperties"])
            kept = [each for each in (known.model.get("People", []) if known else []) if each not in wanted["People"]]
            wanted["People"] += kept
            event = {**event, "requestData": {**data, "resourceProperties": wanted}}
        return simulator(event)

    result, _ = _found(handler, schema)
    assert "update.replace" in result.violated


def test_a_delete_that_takes_others_along_is_found_without_an_update_handler():
    handlers = {name: {"permissions": []} for name in ("create", "read", "delete")}
    schema = _schema({"Size": {"type": "integer"}}, handlers=handlers)
    simulator = Simulator(schema, seed=4)

    def handler(event, context=None):
        answer = simulator(event)
        if event["action"] == "DELETE" and answer["status"] == "SUCCESS":
            simulator.store.resources.clear()
        return answer

    result, _ = _found(handler, schema)
    assert "create.read.primary" in result.violated
    assert _found(Simulator(schema, seed=4), schema)[1] == set()


def test_a_create_only_object_gets_its_defaults_once():
    source = {
        "type": "object",
        "properties": {"Host": {"type": "string"}, "Port": {"type": "integer", "default": 80}},
        "required": ["Host"],
        "additionalProperties": False,
    }
    schema = _schema(
        {"Source": source, "Size": {"type": "integer"}},
        createOnlyProperties=["/properties/Name", "/properties/Source"],
    )
    assert _found(Simulator(schema, seed=4), schema, examples=20)[1] == set()


def test_a_create_only_property_that_does_not_exist_proves_nothing():
    schema = _schema({"Size": {"type": "integer"}}, createOnlyProperties=["/properties/Name", "/properties/Gone"])
    result = run_suite(subject_of(Simulator(schema, seed=2), schema), names=["contract_update_createonly"])
    (test,) = result.tests
    assert "update.createonly" not in test.held
    assert test.open["update.createonly"].state is ClauseState.NOT_APPLICABLE


def test_a_create_only_property_without_a_value_proves_nothing():
    schema = _schema({"Size": {"type": "integer"}}, createOnlyProperties=["/properties/Name", "/properties/Size"])
    inputs = GivenInputs(schema, create={"Name": "abcdefghijkl"}, update={"Name": "abcdefghijkl"})
    patience = Patience(0)
    session = HandlerSession(
        InProcessTransport(Simulator(schema, seed=2)), schema.type_name, sleep=patience.sleep, clock=patience.clock
    )
    result = run_suite(
        ResourceSubject(schema, session, inputs, patience=patience), names=["contract_update_createonly"]
    )
    (test,) = result.tests
    assert "update.createonly" not in test.held
    assert "/Size" in test.open["update.createonly"].reason
