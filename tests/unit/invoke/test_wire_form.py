"""Requests as CloudFormation sends them: scalars of properties are texts, what a handler answered goes back as it is."""

import pytest

from formwork.invoke import HandlerSession, InProcessTransport
from formwork.invoke.wire_form import as_wire


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (True, "true"),
        (False, "false"),
        (5, "5"),
        (5.0, "5"),
        (0.25, "0.25"),
        ("5", "5"),
        (None, None),
        ({"A": [1, {"B": False}], "C": None}, {"A": ["1", {"B": "false"}], "C": None}),
    ],
)
def test_scalars_are_texts(value, sent):
    assert as_wire(value) == sent


def test_properties_of_resources_and_hooks_are_texts_and_configurations_are_not():
    session = HandlerSession(InProcessTransport(lambda _e, _c: {}), "A::B::C", type_configuration={"Most": 5})
    data = session.request("UPDATE", {"Size": 5}, {"Size": 4})["requestData"]
    assert (data["resourceProperties"], data["previousResourceProperties"]) == ({"Size": "5"}, {"Size": "4"})
    assert data["typeConfiguration"] == {"Most": 5}
    asked = session.hook_request("CREATE_PRE_PROVISION", "A::B::D", {"resourceProperties": {"Locked": True}})
    assert asked["requestData"]["targetModel"] == {"resourceProperties": {"Locked": "true"}}
    assert asked["hookModel"] == {"Most": 5}


def test_a_model_that_a_handler_answered_goes_back_as_it_is():
    got = []

    def handler(event, _context):
        got.append(event["requestData"]["resourceProperties"])
        status = "SUCCESS" if len(got) > 1 else "IN_PROGRESS"
        return {"status": status, "resourceModel": {"Size": 6}, "callbackContext": {}}

    HandlerSession(InProcessTransport(handler), "A::B::C").run("CREATE", {"Size": 5})
    assert got == [{"Size": "5"}, {"Size": 6}]
