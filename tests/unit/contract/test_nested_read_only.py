"""What the service decides inside objects and lists, lists of attributes, and transforms around them."""

import copy

import pytest

from formwork.contract.suite import run_suite
from formwork.simulate import Simulator
from support.contract_subjects import subject_of
from support.shapes import NESTED_ITEM, nested


def found(function, schema, **options):
    result = run_suite(subject_of(function, schema, **options))
    return result, [f"{each.clause}: {each.message} {each.differences}" for each in result.findings]


@pytest.mark.parametrize("seed", range(3))
def test_nested_read_only_values_that_are_returned_are_quiet(seed):
    schema = nested()
    _, said = found(Simulator(schema, seed=seed), schema, examples=8)
    assert said == []


@pytest.mark.parametrize(("name", "pointer"), [("Hosts", "/Hosts/*/Id"), ("Home", "/Home/Id")])
def test_nested_read_only_values_that_no_answer_has_are_a_violation(name, pointer):
    schema = nested()
    simulator = Simulator(schema, seed=2)

    def forgets(event, _context=None):
        answer = copy.deepcopy(simulator(event))
        value = (answer.get("resourceModel") or {}).get(name, [])
        for each in value if isinstance(value, list) else [value]:
            each.pop("Id", None)
        return answer

    result, _ = found(forgets, schema)
    assert result.violated == {"read.complete"}
    assert {one.pointer for each in result.findings for one in each.differences} == {pointer}


@pytest.mark.parametrize("dropped", ["never", "without a size", "always"])
def test_a_read_only_value_at_the_top_is_a_must_unless_some_state_has_it(dropped):
    """Seed 003: the model holds any readOnlyProperties; one without a value in a state is left out there."""
    plain = nested()
    properties = {**plain.value["properties"], "Url": {"type": "string", "minLength": 4}, "Size": {"type": "string"}}
    read_only = [*plain.value["readOnlyProperties"], "/properties/Url"]
    schema = nested(properties=properties, readOnlyProperties=read_only)
    simulator = Simulator(schema, seed=2)

    def drops(event, _context=None):
        answer = copy.deepcopy(simulator(event))
        model = answer.get("resourceModel") or {}
        if dropped == "always" or (dropped == "without a size" and "Size" not in model):
            model.pop("Url", None)
        return answer

    result, said = found(drops, schema)
    assert result.violated == ({"read.complete"} if dropped == "always" else set()), said
    if dropped == "always":
        assert {one.pointer for each in result.findings for one in each.differences} == {"/Url"}


def test_an_attribute_list_that_is_merged_on_update_is_seen():
    schema = nested()
    simulator = Simulator(schema, seed=2)

    def merges(event, _context=None):
        if event["action"] != "UPDATE":
            return simulator(event)
        data = event["requestData"]
        before = simulator.store.find(data["resourceProperties"]).model["Attributes"]
        wanted = data["resourceProperties"]["Attributes"]
        kept = [each for each in before if each["Key"] not in {one["Key"] for one in wanted}]
        desired = {**data["resourceProperties"], "Attributes": (wanted + kept)[:4]}
        return simulator({**event, "requestData": {**data, "resourceProperties": desired}})

    result, said = found(merges, schema)
    assert "update.replace" in result.violated, said


def test_attributes_that_the_service_adds_are_no_merge():
    schema = nested()
    simulator = Simulator(schema, seed=2)

    def adds(event, _context=None):
        answer = copy.deepcopy(simulator(event))
        model = answer.get("resourceModel") or {}
        if "Attributes" in model and len(model["Attributes"]) < 4:
            model["Attributes"].append({"Key": "from-the-service", "Value": "always"})
        return answer

    _, said = found(adds, schema, examples=8)
    assert said == []


def test_a_transform_on_a_list_whose_items_hold_read_only_values():
    """The service reports hosts in upper case, with an Id of its own in each."""
    transform = {"/properties/Hosts": 'Hosts.{"Host": $uppercase(Host)}[]'}
    item = {
        **NESTED_ITEM,
        "properties": {**NESTED_ITEM["properties"], "Host": {"type": "string", "pattern": "^[a-zA-Z]{3,8}$"}},
    }
    plain = nested()
    properties = {**plain.value["properties"], "Hosts": {**plain.value["properties"]["Hosts"], "items": item}}
    schema = nested(properties=properties, propertyTransform=transform)
    simulator = Simulator(schema, seed=2)

    def shouts(event, _context=None):
        answer = copy.deepcopy(simulator(event))
        for each in (answer.get("resourceModel") or {}).get("Hosts", []):
            each["Host"] = each["Host"].upper()
        return answer

    _, said = found(shouts, schema, examples=8)
    assert said == []


def test_creating_what_exists_is_a_must_where_an_additional_identifier_is_read_only():
    schema = nested(additionalIdentifiers=[["/properties/Home/Id"]])
    simulator = Simulator(schema, seed=2)

    def overwrites(event, _context=None):
        if event["action"] == "CREATE":
            key = simulator.store.key_of(event["requestData"]["resourceProperties"])
            known = simulator.store.resources.get(key)
            if known is not None and known.token != event["bearerToken"]:
                del simulator.store.resources[key]
        return simulator(event)

    result, said = found(overwrites, schema)
    assert "create.exists" in result.violated, said


def test_a_read_only_property_that_the_schema_does_not_declare_is_expected_of_no_answer():
    """Real schemas have such pointers, which are faults of theirs (`schema.pointer-not-found`)."""
    read_only = [*nested().value["readOnlyProperties"], "/properties/State", "/properties/Hosts/*/State"]
    schema = nested(readOnlyProperties=read_only)
    _, said = found(Simulator(schema, seed=2), schema, examples=8)
    assert said == []
