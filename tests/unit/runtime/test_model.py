"""Models: typed attributes on one side, the JSON of the wire on the other."""

import copy
import dataclasses
import json
import pickle

import pytest

from cloudformation_cli_python_lib import BaseModel, exceptions
from cloudformation_cli_python_lib.model import RESERVED_NAMES
from cloudformation_cli_python_lib.values import ValueSet

from .sample_models import Memo, ResourceModel, Tag

FULL = {
    "Name": "n",
    "Count": 5,
    "Ratio": 0.5,
    "Enabled": False,
    "Policy": {"a": [True, "true", None, 5]},
    "Memo": {"Heading": "h", "Anything": [1]},
    "Tags": [{"Key": "b", "Value": "2"}, {"Key": "a", "Value": "1"}],
    "Zones": ["z", "a"],
    "Rules": [{"Key": "k"}],
    "Grid": [[{"Key": "k"}], []],
    "Labels": {"x": 1},
    "Limits": [{"x": 1}, {}],
    "Parent": {"Parent": {"Tags": [{"Key": "deep"}]}},
    "None": {},
}


def test_a_full_model_round_trips_typed():
    model = ResourceModel._deserialize(FULL)
    assert model._serialize() == FULL
    assert json.loads(json.dumps(model._serialize())) == FULL


def test_nested_values_have_their_types():
    model = ResourceModel._deserialize(FULL)
    assert isinstance(model.Memo, Memo)
    assert all(isinstance(tag, Tag) for tag in model.Tags)
    assert isinstance(model.Grid[0][0], Tag)
    assert isinstance(model.Parent.Parent, ResourceModel)
    assert isinstance(model.None_, Memo)


def test_stringified_scalars_become_what_the_schema_declares():
    model = ResourceModel._deserialize(
        {"Count": "5", "Ratio": "0.5", "Enabled": "TRUE", "Labels": {"x": "1"}, "Policy": {"a": "5"}, "Name": 5}
    )
    assert (model.Count, model.Ratio, model.Enabled, model.Labels, model.Name) == (5, 0.5, True, {"x": 1}, "5")
    assert model.Policy == {"a": "5"}, "strings inside a union stay strings"


@pytest.mark.parametrize("value", [{"Name": ""}, {"Count": 0}, {"Enabled": False}, {"Rules": []}, {"Labels": {}}, {}])
def test_empty_is_not_absent(value):
    assert ResourceModel._deserialize(value)._serialize() == value


@pytest.mark.parametrize("value", [{"Tags": []}, {"Memo": {}}, {"Grid": [[]]}, {"None": {}}, {"Parent": {}}])
def test_empty_containers_and_nested_models_are_not_absent(value):
    assert ResourceModel._deserialize(value)._serialize() == value


def test_null_is_read_as_absent():
    model = ResourceModel._deserialize({"Name": None, "Tags": None, "Memo": None, "Count": None})
    assert model._serialize() == {}
    assert ResourceModel._deserialize(None) is None


def test_attributes_default_to_absent():
    assert ResourceModel(Name="n")._serialize() == {"Name": "n"}
    assert ResourceModel("n", 5)._serialize() == {"Name": "n", "Count": 5}


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({"Nope": 1}, "ResourceModel: unknown property at /Nope"),
        ({"Tags": [{"Key": "k"}, {"Nope": 1}]}, "ResourceModel: unknown property at /Tags/1/Nope"),
        ({"Tags": {"Key": "k"}}, "ResourceModel: expected an array, found an object at /Tags"),
        ({"Memo": "m"}, "ResourceModel: expected an object, found a string at /Memo"),
        ({"Labels": {"a/b": "x"}}, "ResourceModel: expected an integer, found a string at /Labels/a~1b"),
        ({"Count": 5.5}, "ResourceModel: expected an integer, found a number with a fraction at /Count"),
        ({"Count": True}, "ResourceModel: expected an integer, found a boolean at /Count"),
        ({"Count": "1_000"}, "ResourceModel: expected an integer, found a string at /Count"),
        ({"Ratio": "nan"}, "ResourceModel: expected a number, found one that JSON cannot write at /Ratio"),
        ({"Name": ["n"]}, "ResourceModel: expected a string, found an array at /Name"),
        (
            {"Enabled": "s3cr3t"},
            'ResourceModel: expected a boolean, found a string that is neither "true" nor "false" at /Enabled',
        ),
    ],
)
def test_a_misfit_is_an_invalid_request_that_names_the_property_and_no_value(value, complaint):
    with pytest.raises(exceptions.InvalidRequest) as raised:
        ResourceModel._deserialize(value)
    assert str(raised.value) == complaint


def test_undeclared_properties_are_kept_where_the_schema_allows_them():
    memo = Memo._deserialize({"Heading": "h", "More": {"x": 1}})
    assert memo._additional == {"More": {"x": 1}}
    assert memo._serialize() == {"Heading": "h", "More": {"x": 1}}


@pytest.mark.parametrize(
    ("text", "number"), [("5", 5), ("5.0", 5), ("1e3", 1000), (5.0, 5), ("-3", -3), (str(2**80), 2**80)]
)
def test_integers(text, number):
    assert ResourceModel._deserialize({"Count": text}).Count == number


def test_a_number_keeps_every_digit():
    assert ResourceModel._deserialize({"Ratio": str(2**60 + 1)}).Ratio == 2**60 + 1
    assert ResourceModel._deserialize({"Ratio": "1e300"}).Ratio == 1e300


def test_models_compare_by_value_and_sets_without_order():
    one = ResourceModel._deserialize({"Tags": [{"Key": "a"}, {"Key": "b"}]})
    other = ResourceModel._deserialize({"Tags": [{"Key": "b"}, {"Key": "a"}]})
    assert one == other
    assert hash(one) == hash(other)
    assert one != ResourceModel._deserialize({"Tags": [{"Key": "b"}]})
    assert Tag(Key="a") != Memo(Heading="a")


def test_a_set_is_duplicate_free_and_keeps_its_order():
    model = ResourceModel._deserialize({"Tags": [{"Key": "b"}, {"Key": "a"}, {"Key": "b"}], "Zones": ["z", "a", "z"]})
    assert model._serialize() == {"Tags": [{"Key": "b"}, {"Key": "a"}], "Zones": ["z", "a"]}
    assert Tag(Key="a") in model.Tags


def test_a_python_set_is_written_in_the_same_order_in_every_process():
    model = ResourceModel(Tags={Tag(Key="b"), Tag(Key="a")}, Zones={"z", "a", "m"})
    assert model._serialize() == {"Tags": [{"Key": "a"}, {"Key": "b"}], "Zones": ["a", "m", "z"]}


def test_value_set_is_a_set_of_json_values():
    items = ValueSet([1, True, 1.0, {"a": [1]}, {"a": [1]}, [1], "1"])
    assert list(items) == [1, True, {"a": [1]}, [1], "1"]
    items.discard({"a": [1]})
    assert {"a": [1]} not in items
    assert ValueSet(["a", "b"]) == {"b", "a"}
    assert list(ValueSet(["a", "b"]) | {"c"}) == ["a", "b", "c"]


def test_the_representation_names_what_is_present():
    assert repr(ResourceModel(Name="n", Tags=ValueSet([Tag(Key="k")]))) == (
        "ResourceModel(Name='n', Tags=ValueSet([Tag(Key='k')]))"
    )


def test_generators_know_which_attribute_names_are_taken():
    assert {"_serialize", "_deserialize", "_fields", "_additional", "self"} <= RESERVED_NAMES


def test_models_are_dataclasses_to_whoever_asks():
    model = ResourceModel._deserialize({"Name": "n", "Memo": {"Heading": "h"}, "Zones": ["a"], "None": {}})
    assert dataclasses.is_dataclass(model)
    assert [field.name for field in dataclasses.fields(ResourceModel)][-2:] == ["Parent", "None_"]
    assert dataclasses.asdict(model)["Memo"] == {"Heading": "h"}
    changed = dataclasses.replace(model, Name="m")
    assert changed == ResourceModel._deserialize({"Name": "m", "Memo": {"Heading": "h"}, "Zones": ["a"], "None": {}})
    assert not dataclasses.is_dataclass(BaseModel)


def test_a_dataclass_may_extend_a_generated_model():
    @dataclasses.dataclass
    class Extended(Tag):
        Extra: str = "x"

    assert Extended(Key="k", Extra="y")._serialize() == {"Key": "k"}
    assert [field.name for field in dataclasses.fields(Extended)] == ["Key", "Value", "Extra"]


def test_models_can_be_copied():
    model = ResourceModel._deserialize(FULL)
    other = copy.deepcopy(model)
    assert other == model
    other.Tags.add(Tag(Key="new"))
    assert other != model
    assert pickle.loads(pickle.dumps(model)) == model
