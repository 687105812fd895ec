import json

import pytest

from formwork.contract.thinning import thinned
from formwork.documents import parse_document
from formwork.schema import load_resource_schema

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "additionalProperties": False,
    "primaryIdentifier": ["/properties/Name"],
    "createOnlyProperties": ["/properties/Name", "/properties/Fixed"],
    "definitions": {
        "Config": {
            "type": "object",
            "additionalProperties": False,
            "required": ["Must"],
            "properties": {"Must": {"type": "integer"}, "May": {"type": "integer"}},
        }
    },
    "properties": {
        "Name": {"type": "string"},
        "Fixed": {"$ref": "#/definitions/Config"},
        "Config": {"$ref": "#/definitions/Config"},
        "Steps": {"type": "array", "items": {"type": "string"}},
        "Pair": {"type": "array", "items": {"$ref": "#/definitions/Config"}, "minItems": 2},
        "Map": {"type": "object", "additionalProperties": False, "patternProperties": {"^[a-z]$": {"type": "string"}}},
    },
}


@pytest.mark.parametrize(
    ("model", "less"),
    [
        ({"Name": "n", "Config": {"Must": 1, "May": 2}}, {"Name": "n", "Config": {"Must": 1}}),
        ({"Name": "n", "Steps": ["a", "b"]}, {"Name": "n", "Steps": ["a"]}),
        ({"Name": "n", "Map": {"a": "1", "b": "2"}}, {"Name": "n", "Map": {"a": "1"}}),
        ({"Name": "n", "Steps": ["a"]}, None),
        ({"Name": "n", "Config": {"Must": 1}}, None),
        ({"Name": "n", "Fixed": {"Must": 1, "May": 2}}, None),
        ({"Name": "n", "Pair": [{"Must": 1}, {"Must": 2}]}, None),
        (
            {"Name": "n", "Pair": [{"Must": 1}, {"Must": 2}], "Steps": ["a", "b"]},
            {"Name": "n", "Pair": [{"Must": 1}, {"Must": 2}], "Steps": ["a"]},
        ),
    ],
)
def test_thinned(model, less):
    loaded = load_resource_schema(parse_document(json.dumps(SCHEMA), name="s.json"))
    assert thinned(loaded.schema, model) == less
