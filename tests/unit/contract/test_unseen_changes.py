"""What no answer shows proves nothing: a request that sets or changes writeOnly properties alone."""

import json

import pytest

from formwork.contract.inputs import GivenInputs
from formwork.contract.patience import Patience
from formwork.contract.subject import ResourceSubject
from formwork.contract.suite import run_suite
from formwork.contract_results.findings import ClauseState
from formwork.documents import DocumentFormat, parse_document
from formwork.invoke import HandlerSession
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Simulator
from support.contract_subjects import Transport, subject_of


def schema_of(**properties):
    value = {
        "typeName": "Acme::Unseen::Thing",
        "description": "A thing with a secret",
        "properties": {"Id": {"type": "string", "pattern": "^[a-z0-9]{12}$"}, **properties},
        "additionalProperties": False,
        "primaryIdentifier": ["/properties/Id"],
        "readOnlyProperties": ["/properties/Id"],
        "writeOnlyProperties": ["/properties/Secret", "/properties/Login/Word"],
        "handlers": {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")},
        "tagging": {"taggable": False},
    }
    if "Login" not in properties:
        value["writeOnlyProperties"].pop()
    return build_resource_schema(parse_document(json.dumps(value), name="thing.json", format=DocumentFormat.JSON))


SECRET = {"type": "string", "minLength": 4}
TEXT = {"type": "string", "minLength": 1}
LOGIN = {"type": "object", "properties": {"User": TEXT, "Word": SECRET}, "additionalProperties": False}


def states_of(schema, create, update):
    session = HandlerSession(Transport(Simulator(schema, seed=2)), schema.type_name)
    inputs = GivenInputs(schema, create=create, update=update)
    result = run_suite(ResourceSubject(schema, session, inputs, patience=Patience(0), examples=2))
    assert result.findings == []
    return {each.clause: each for each in result.clauses}


@pytest.mark.parametrize(
    ("create", "update"),
    [
        ({"Name": "a", "Secret": "first"}, {"Name": "a", "Secret": "second"}),
        (
            {"Secret": "first", "Login": {"User": "u", "Word": "first"}},
            {"Secret": "first", "Login": {"User": "u", "Word": "second"}},
        ),
    ],
    ids=["at the top", "nested"],
)
def test_an_update_of_secrets_alone_is_not_provable(create, update):
    found = states_of(schema_of(Name=TEXT, Secret=SECRET, Login=LOGIN), create, update)
    assert found["update.applied"].state is ClauseState.NOT_PROVABLE
    assert "the update input changes nothing that answers show" in found["update.applied"].reason
    assert found["create.applied"].state is ClauseState.PROVED


def test_an_update_of_something_readable_is_proved():
    schema = schema_of(Name=TEXT, Secret=SECRET)
    found = states_of(schema, {"Name": "a", "Secret": "first"}, {"Name": "b", "Secret": "second"})
    assert found["update.applied"].state is ClauseState.PROVED


def test_a_create_of_secrets_alone_is_not_provable():
    found = states_of(schema_of(Name=TEXT, Secret=SECRET), {"Secret": "first"}, {"Secret": "second"})
    for clause in ("create.applied", "create.echo", "update.applied"):
        assert found[clause].state is ClauseState.NOT_PROVABLE, clause
    assert "the create input sets nothing that answers show" in found["create.applied"].reason


def test_of_a_type_with_nothing_readable_the_clauses_demand_nothing():
    schema = schema_of(Secret=SECRET)
    result = run_suite(subject_of(Simulator(schema, seed=2), schema))
    found = {each.clause: each for each in result.clauses}
    assert result.findings == []
    for clause in ("create.applied", "update.applied"):
        assert found[clause].state is ClauseState.NOT_APPLICABLE, clause
