"""Whatever the resources of a model: they convert the same from every form of the model, to schemas that hold together."""

import json

from hypothesis import example, given, settings

from formwork.convert.converter import convert
from formwork.convert.options import read_cfn_options
from formwork.convert.traits import cfn_library
from formwork.diagnostics import BadInputError, get_at, parse_pointer
from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.idl.printing import print_idl
from formwork.smithy.load import load_texts
from support.smithy import assert_same
from support.smithy_models import cfn_settings, resource_models

LIBRARY = frozenset(shape.namespace for shape in cfn_library().shapes.values())


def load(texts):
    loaded = load_texts(texts, base=cfn_library())
    assert [str(event) for event in loaded.events if event.severity == "ERROR"] == []
    return loaded.model


def converted(model, config):
    try:
        return convert(model, read_cfn_options(config))
    except BadInputError as error:
        return {"refused": sorted(each.message for each in error.diagnostics)}  # they come by their places in the text


TAGGED_NOWHERE = {
    "type": "resource",
    "identifiers": {"id": {"target": "smithy.api#String"}},
    "traits": {"aws.cloudformation#cfnResource": {}, "aws.api#taggable": {}},
}
TWO_REFUSED = {
    "smithy": "2.0",
    "shapes": {
        "ex.other#A": TAGGED_NOWHERE,
        "ex.other#B": TAGGED_NOWHERE,
        "ex.cloud#Cloud": {
            "type": "service",
            "version": "1",
            "resources": [{"target": "ex.other#A"}, {"target": "ex.other#B"}],
        },
    },
}


@given(resource_models(), cfn_settings())
@example(TWO_REFUSED, {"service": "ex.cloud#Cloud", "organizationName": "Ex"})
@settings(max_examples=25, deadline=None)
def test_every_form_of_a_model_converts_the_same(ast, config):
    model = load([("model.json", json.dumps(ast))])
    schemas = converted(model, config)
    assert_same(converted(load(print_idl(model, exclude=LIBRARY).items()), config), schemas)
    own = {key: each for key, each in ast_of(model)["shapes"].items() if key.partition("#")[0] not in LIBRARY}
    backwards = {"smithy": "2.0", "shapes": dict(reversed(own.items()))}
    assert_same(converted(load([("model.json", json.dumps(backwards))]), config), schemas)


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


@given(resource_models(), cfn_settings())
@settings(max_examples=25, deadline=None)
def test_what_a_schema_points_at_is_there(ast, config):
    schemas = converted(load([("model.json", json.dumps(ast))]), config)
    if "refused" in schemas:
        return
    missing = object()
    for schema in schemas.values():
        for reference in references(schema):
            assert get_at(schema, parse_pointer(reference.removeprefix("#")), missing) is not missing
        for key in ("readOnlyProperties", "writeOnlyProperties", "createOnlyProperties", "primaryIdentifier"):
            for pointer in schema.get(key, ()):
                assert pointer.removeprefix("/properties/") in schema["properties"]
        assert set(schema.get("required", ())) <= schema["properties"].keys()
