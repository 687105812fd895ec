"""Handlers that know no types, and answer the texts that they were sent."""

from formwork.contract.inputs import GivenInputs
from formwork.contract.suite import run_suite
from formwork.simulate import Simulator
from support.contract_subjects import subject_of
from support.engines import thing_schema


def test_a_handler_that_echoes_texts_raises_no_alarm():
    scalars = {"Size": {"type": "integer"}, "Rate": {"type": "number"}, "On": {"type": "boolean"}}
    texts_only = {name: {"type": "string"} for name in ("Id", "Arn", "Name", "Secret")}
    schema = thing_schema(properties={**texts_only, **scalars, "Any": {"type": "object"}})
    simulator = Simulator(schema, seed=1)

    def texts(value):
        match value:
            case dict():
                return {name: texts(each) for name, each in value.items()}
            case list():
                return [texts(each) for each in value]
            case bool():
                return str(value).lower()
            case int() | float():
                return str(int(value)) if value == int(value) else str(value)
            case _:
                return value

    def handler(event, context):
        answer = dict(simulator(event, context))
        for member in ("resourceModel", "resourceModels"):
            if member in answer:
                answer[member] = texts(answer[member])
        return answer

    result = run_suite(subject_of(handler, schema))
    assert [each for test in result.tests for each in test.findings if each.clause != "practice.invalid"] == []


def test_inputs_that_write_numbers_as_texts_raise_no_alarm_over_what_applies_them():
    """As CloudFormation reads them: the handler has the number, and answers the number."""
    texts_only = {name: {"type": "string"} for name in ("Id", "Arn", "Name", "Secret")}
    schema = thing_schema(properties={**texts_only, "Size": {"type": "integer"}, "On": {"type": "boolean"}})
    inputs = GivenInputs(
        schema, create={"Name": "a", "Size": "9", "On": "true"}, update={"Size": "10"}, invalid={"Size": "many"}
    )
    assert inputs.create() == {"Name": "a", "Size": 9, "On": True}
    assert inputs.invalid()[0].model == {"Size": "many"}
    subject = subject_of(Simulator(schema, seed=1), schema)
    subject.inputs = inputs
    result = run_suite(subject)
    judged = ("create.applied", "update.applied", "update.echo", "read.complete", "event.shape")
    assert [each for test in result.tests for each in test.findings if each.clause in judged] == []
