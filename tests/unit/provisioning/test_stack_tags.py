"""Stack tags on resources."""

import pytest

from formwork.engine.drift.detection import DriftDetection
from formwork.provisioning.stack_tags import with_stack_tags, without_stack_tags
from support.engines import HERE, Bench, thing_schema

ITEM = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}},
}
LIST = {"type": "array", "items": ITEM}
MAP = {"type": "object", "patternProperties": {".*": {"type": "string"}}, "additionalProperties": False}


def tagged(form, **tagging):
    own = thing_schema().value["properties"]
    return thing_schema(properties={**own, "Tags": form}, tagging={"taggable": True, **tagging})


@pytest.mark.parametrize(
    ("form", "model", "expected"),
    [
        (LIST, {}, [{"Key": "a", "Value": "b"}]),
        (LIST, {"Tags": [{"Key": "a", "Value": "own"}]}, [{"Key": "a", "Value": "own"}]),
        (LIST, {"Tags": [{"Key": "x", "Value": "y"}]}, [{"Key": "x", "Value": "y"}, {"Key": "a", "Value": "b"}]),
        (MAP, {}, {"a": "b"}),
        (MAP, {"Tags": {"a": "own", "x": "y"}}, {"a": "own", "x": "y"}),
    ],
)
def test_tags_are_merged(form, model, expected):
    schema = tagged(form)
    found = with_stack_tags(schema, model, {"a": "b"})
    assert found["Tags"] == expected
    assert without_stack_tags(schema, found, {"a": "b"}, model).get("Tags") == model.get("Tags", type(expected)())


@pytest.mark.parametrize(
    "schema", [thing_schema(), tagged({"type": "array", "items": {"type": "string"}}), tagged(LIST, taggable=False)]
)
def test_types_without_tags_stay_as_they_are(schema):
    assert with_stack_tags(schema, {"Color": "red"}, {"a": "b"}) == {"Color": "red"}


def test_simulated_resources_have_the_tags_of_their_stack(database):
    bench = Bench(database, tagged(LIST))
    bench.create("Resources: {A: {Type: Acme::Web::Thing, Properties: {Tags: [{Key: x, Value: y}]}}}", tags={"a": "b"})
    own, of_stack = {"Key": "x", "Value": "y"}, {"Key": "a", "Value": "b"}
    assert [each["Tags"] for each in bench.things.stored] == [[own, of_stack]]
    drift = DriftDetection(bench.engine, bench.work)
    detection = drift.detect_stack(HERE, "shop")
    assert drift.describe(detection)[0].drift_status == "IN_SYNC"
    bench.update(None, tags={"a": "c"})
    assert [each["Tags"] for each in bench.things.stored] == [[own, {"Key": "a", "Value": "c"}]]
    bench.update(None, tags={})
    assert [each["Tags"] for each in bench.things.stored] == [[own]]
