"""Every readOnly property at the top is asked for, one at a time: refusing the first says nothing of the next."""

import copy

import pytest

from formwork.contract.suite import run_suite
from formwork.simulate import Simulator
from support.contract_subjects import subject_of
from support.shapes import SHAPES


@pytest.mark.parametrize("ignored", ["Id", "Arn"])
def test_one_read_only_property_that_is_taken_is_told(ignored):
    schema = SHAPES["generated"]()
    simulator = Simulator(schema)

    def handler(event, _context=None):
        event = copy.deepcopy(event)
        if event["action"] == "CREATE":
            event["requestData"]["resourceProperties"].pop(ignored, None)
        return simulator(event)

    result = run_suite(subject_of(handler, schema), names=["contract_create_readonly"])
    assert result.warned == {"create.readonly"}
    assert f"/{ignored} is SUCCESS" in result.findings[0].message
    assert simulator.store.resources == {}


def test_refusing_all_of_them_keeps_the_clause():
    schema = SHAPES["generated"]()
    result = run_suite(subject_of(Simulator(schema), schema), names=["contract_create_readonly"])
    assert result.findings == []
    assert [len(each.exchanges) for each in result.tests] == [2]
