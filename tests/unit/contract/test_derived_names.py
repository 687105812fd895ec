"""A second resource under a name that is derived from the first one's is caught, also where the inputs fix the name."""

import copy

import pytest

from formwork.contract.inputs import GivenInputs
from formwork.contract.patience import Patience
from formwork.contract.subject import ResourceSubject
from formwork.contract.suite import run_suite
from formwork.invoke import HandlerSession, InProcessTransport
from formwork.simulate import Behaviour, Simulator
from formwork.simulate.resources import SimulatedResource
from support.contract_subjects import subject_of
from support.shapes import named

CREATE = {"Name": "abcdefghij", "Title": "one", "Size": 4}


def copying(simulator, action, derive):
    """Handlers that make a second resource with each create or update."""

    def function(event, _context=None):
        answer = copy.deepcopy(simulator(event))
        if event["action"] == action and answer["status"] == "SUCCESS":
            model = copy.deepcopy(simulator.store.find(answer["resourceModel"]).model)
            model["Name"] = derive(model["Name"])
            key = simulator.store.key_of(model)
            simulator.store.resources[key] = SimulatedResource(key, model, "another token")
        return answer

    return function


def run(function, *, given):
    schema = named()
    if not given:
        return run_suite(subject_of(function, schema))
    patience = Patience(0)
    session = HandlerSession(InProcessTransport(function), schema.type_name, sleep=patience.sleep, clock=patience.clock)
    inputs = GivenInputs(schema, create=CREATE, update={**CREATE, "Title": "two"})
    return run_suite(ResourceSubject(schema, session, inputs, patience=patience, examples=2))


@pytest.mark.parametrize("given", [True, False], ids=["given", "generated"])
@pytest.mark.parametrize("derive", [lambda name: f"{name}copy", lambda name: f"old{name}"], ids=["after", "before"])
@pytest.mark.parametrize(("action", "clause"), [("CREATE", "create.one"), ("UPDATE", "update.one")])
def test_a_resource_with_a_derived_name_is_caught(action, clause, derive, given):
    simulator = Simulator(named(), Behaviour(page_size=2), seed=1)
    result = run(copying(simulator, action, derive), given=given)
    assert clause in result.violated, [f"{each.clause}: {each.message}" for each in result.findings]


def test_resources_of_others_whose_names_hold_the_name_were_there_before():
    simulator = Simulator(named(), Behaviour(page_size=2), seed=1)
    model = {**CREATE, "Name": "abcdefghijold"}
    simulator.store.resources["other"] = SimulatedResource("other", model, "another token")
    result = run(simulator, given=True)
    assert {"create.one", "update.one"}.isdisjoint(result.violated)
    assert "other" in simulator.store.resources
