"""models.py files that the CloudFormation CLI's own generator wrote keep working, and what failed there works here."""

import json

import pytest

from cloudformation_cli_python_lib import exceptions
from cloudformation_cli_python_lib.utils import deserialize_list

from .dataclass_models import Memo, ResourceModel, Tag


def round_trip(value):
    return json.loads(json.dumps(ResourceModel._deserialize(json.loads(json.dumps(value)))._serialize()))


@pytest.mark.parametrize(
    "value",
    [
        {"Title": "t", "Count": 0, "Ratio": 0.5, "Enabled": False},
        {"Memo": {"Heading": "h", "Marks": [{"Key": "k", "Value": "v"}]}},
        {"Tags": [{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}]},
        {"Tags": [{}]},
        {"Tags": [], "Memo": {}, "Labels": {}, "Rules": [], "Zones": [], "Title": ""},
        {"Memo": {"Marks": []}},
        {"Zones": ["a", "b"]},
        {"Authors": []},
        {"Rules": [{"Key": "k"}, {}]},
        {"Labels": {"a": 1}},
        {"Limits": [{"a": 1}]},
        {"Nested": {"a": [{"Key": "k"}]}},
        {"Blobs": [["x"], {"any": ["thing"]}]},
        {"Policy": {"a": "true", "b": None}},
    ],
    ids=str,
)
def test_round_trip(value):
    assert round_trip(value) == value


def test_scalars_are_cast_at_every_depth():
    model = ResourceModel._deserialize(
        {
            "Count": "5",
            "Ratio": "0.5",
            "Enabled": "true",
            "Title": 5,
            "Labels": {"a": "1"},
            "Limits": [{"a": "1"}],
            "Zones": [1],
            "Policy": {"a": "5"},
            "Memo": {"Marks": [{"Key": 1}]},
        }
    )
    assert (model.Count, model.Ratio, model.Enabled, model.Title) == (5, 0.5, True, "5")
    assert (model.Labels, model.Limits, model.Zones, model.Policy) == ({"a": 1}, [{"a": 1}], {"1"}, {"a": "5"})
    assert model.Memo.Marks == {Tag("1", None)}


def test_items_of_a_set_are_models():
    model = ResourceModel._deserialize({"Tags": [{"Key": "a", "Value": "1"}, {"Key": "a", "Value": "1"}]})
    assert model.Tags == {Tag("a", "1")}


def test_the_same_json_can_be_read_twice():
    value = {"Tags": [{"Key": "a"}], "Memo": {"Marks": [{"Key": "b"}]}, "Blobs": [{}]}
    assert ResourceModel._deserialize(value) == ResourceModel._deserialize(value)


def test_empty_containers_are_false_where_handlers_see_them():
    model = ResourceModel._deserialize({"Tags": [], "Memo": {}, "Labels": {}, "Authors": [], "Zones": [], "Rules": []})
    assert model.Memo == Memo(None, None)
    assert not any((model.Tags, model.Labels, model.Authors, model.Zones, model.Rules))


def test_null_is_tolerated():
    model = ResourceModel._deserialize({"Title": None, "Tags": None, "Memo": None, "Count": 1, "Zones": None})
    assert model._serialize() == {"Count": 1}


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({"Nope": 1}, "ResourceModel: unknown property at /Nope"),
        ({"Memo": {"Nope": 1}}, "ResourceModel: unknown property at /Memo/Nope"),
        ({"Memo": 1}, "ResourceModel: expected an object, found a number at /Memo"),
        ({"Tags": [{"Nope": 1}]}, "ResourceModel: unknown property at /Tags/0/Nope"),
        ({"Count": "five"}, "ResourceModel: expected an integer, found a string at /Count"),
    ],
)
def test_a_misfit_is_an_invalid_request_that_names_the_property(value, complaint):
    with pytest.raises(exceptions.InvalidRequest) as raised:
        ResourceModel._deserialize(value)
    assert str(raised.value) == complaint


def test_deserialize_list():
    assert deserialize_list(None, Tag) is None
    assert deserialize_list([], Tag) == []
    assert deserialize_list([{"Key": "k"}, {}, None], Tag) == [Tag("k", None), Tag(None, None), None]
    assert deserialize_list([[{"Heading": "h"}]], Memo) == [[Memo("h", None)]]
