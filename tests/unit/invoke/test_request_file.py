"""Request files: the three forms, and whatever else stands in a file."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.invoke.request_file import read_request_file


def read(value, *, hook=False):
    return read_request_file(parse_document(json.dumps(value, indent=1), name="request.json"), hook=hook)


def test_a_resources_request():
    asked = read(
        {"desiredResourceState": {"A": 1}, "previousResourceState": None, "nextToken": "t", "typeConfiguration": {}}
    )
    assert asked.members == {"desired": {"A": 1}, "next_token": "t"}
    assert asked.type_configuration == {}
    assert asked.event is None


def test_a_hooks_request():
    asked = read(
        {"targetName": "A::B::C", "targetModel": {"resourceProperties": {}}, "targetLogicalId": "X"}, hook=True
    )
    assert asked.members == {
        "target_name": "A::B::C",
        "target_model": {"resourceProperties": {}},
        "target_logical_id": "X",
    }


@pytest.mark.parametrize(("key", "action"), [("action", "CREATE"), ("actionInvocationPoint", "CREATE_PRE_PROVISION")])
def test_a_whole_event(key, action):
    event = {key: action, "request": {"anything": 1}, "credentials": None}
    asked = read(event, hook=key != "action")
    assert asked.event == event
    assert asked.action == action


def test_every_problem_is_named_at_once_with_its_place():
    with pytest.raises(BadInputError) as refused:
        read({"desiredResourceState": [], "nextTokn": "x", "callbackContext": True})
    found = {each.message: each.location.start.line for each in refused.value.diagnostics}
    assert found == {
        'the request has no "desiredResourceState"': 1,
        '"desiredResourceState" is an array': 2,
        '"nextTokn" is not a member of a request': 3,
        '"callbackContext" is a boolean': 4,
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: (
        st.lists(each)
        | st.dictionaries(
            st.text() | st.sampled_from(["request", "action", "targetName", "desiredResourceState"]), each
        )
    ),
)


@given(JSON, st.booleans())
def test_any_document_is_a_request_or_refused(value, hook):
    try:
        asked = read(value, hook=hook)
    except BadInputError:
        return
    assert asked.event is not None or asked.members
