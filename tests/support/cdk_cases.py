"""Schemas whose constructs are golden files: each feature of the generator, and texts that try to be code."""

import json

from formwork.cdk import module_construct, resource_construct
from formwork.documents import parse_document
from formwork.schema.module import build_module_schema
from formwork.schema.resource import build_resource_schema

SHELF = {
    "typeName": "Acme::Store::Shelf",
    "description": "A shelf. */ throw 1; /* \"\"\" ''' \\",
    "definitions": {
        "Tag": {
            "type": "object",
            "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}},
            "required": ["Key", "Value"],
            "additionalProperties": False,
        },
        "Board": {
            "type": "object",
            "description": "One board.",
            "properties": {
                "WidthMBs": {"type": "integer", "minimum": 1},
                "Inner": {"$ref": "#/definitions/Board"},
                "Kind": {"type": "string", "enum": ["oak", "it's"]},
            },
            "required": ["WidthMBs"],
            "additionalProperties": False,
        },
        "Place": {
            "oneOf": [
                {"type": "object", "properties": {"Room": {"type": "string"}}, "required": ["Room"]},
                {"type": "object", "properties": {"Rack": {"type": "integer"}}, "required": ["Rack"]},
            ]
        },
    },
    "properties": {
        "ShelfId": {"type": "string", "description": "Its id."},
        "Endpoint": {
            "type": "object",
            "properties": {"Address": {"type": "string"}, "Port": {"type": "integer"}, "Hosts": {"type": "array"}},
            "additionalProperties": False,
        },
        "DBName": {"type": "string", "description": "A name. */ alert(1)\nTwo lines.", "maxLength": 64},
        "Boards": {"type": "array", "items": {"$ref": "#/definitions/Board"}, "maxItems": 3},
        "Place": {"$ref": "#/definitions/Place"},
        "SubnetARNs": {"type": "array", "insertionOrder": False, "uniqueItems": True, "items": {"type": "string"}},
        "Labels": {"type": "object", "patternProperties": {"^[a-z]+$": {"type": "string"}}},
        "Policy": {"type": ["object", "string"]},
        "Locked": {"type": "boolean", "default": True},
        "Weight": {"type": "number"},
        "Stack": {"type": "string"},
        "scope": {"type": "string"},
        "class": {"type": "string"},
        "Secret": {"type": "string"},
        "Tags": {"type": "array", "insertionOrder": False, "items": {"$ref": "#/definitions/Tag"}},
    },
    "required": ["DBName"],
    "additionalProperties": False,
    "readOnlyProperties": [
        "/properties/ShelfId",
        "/properties/Endpoint/Address",
        "/properties/Endpoint/Port",
        "/properties/Endpoint/Hosts",
    ],
    "writeOnlyProperties": ["/properties/Secret"],
    "createOnlyProperties": ["/properties/DBName"],
    "primaryIdentifier": ["/properties/ShelfId"],
}
PLAIN = {
    "typeName": "Acme::Store::Bin",
    "description": "",
    "properties": {
        "Id": {"type": "string"},
        "Tags": {"type": "object", "patternProperties": {".*": {"type": "string"}}},
    },
    "primaryIdentifier": ["/properties/Id"],
    "additionalProperties": False,
}
MODULE = {
    "typeName": "Acme::Store::Depot::MODULE",
    "description": "A depot.",
    "properties": {
        "Parameters": {
            "type": "object",
            "properties": {"ShelfName": {"type": "object", "properties": {}, "description": "The first shelf."}},
        },
        "Resources": {
            "properties": {"Shelf": {"type": "object", "properties": {"Type": {"const": "Acme::Store::Shelf"}}}},
            "type": "object",
            "additionalProperties": False,
        },
    },
    "additionalProperties": True,
}


def shelf_schema(document=None):
    """The schema of `SHELF`, or of another document."""
    document = document or SHELF
    return build_resource_schema(parse_document(json.dumps(document), name=f"{document['typeName']}.json"))


def cases():
    """The constructs whose modules are golden files."""
    module = build_module_schema(parse_document(json.dumps(MODULE), name="module.json"))
    return [
        resource_construct(shelf_schema()),
        resource_construct(shelf_schema(PLAIN)),
        module_construct(module),
    ]
