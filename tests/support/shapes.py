"""Resource types to prove things on: three ways of naming a resource, over the same kinds of properties."""

import functools
import json

from formwork.documents import DocumentFormat, parse_document
from formwork.schema.resource import build_resource_schema

_PROPERTIES = {
    "Title": {"type": "string", "minLength": 1, "maxLength": 40},
    "Size": {"type": "integer", "minimum": 1, "maximum": 50, "default": 3},
    "Kind": {"type": "string", "enum": ["small", "large", "huge"]},
    "Password": {"type": "string", "minLength": 8},
    "Colors": {
        "type": "array",
        "insertionOrder": False,
        "uniqueItems": True,
        "minItems": 1,
        "maxItems": 12,
        "items": {"type": "string", "pattern": "^[a-z]{3,8}$"},
    },
    "Steps": {"type": "array", "minItems": 1, "maxItems": 12, "items": {"type": "string", "minLength": 2}},
    "Labels": {
        "type": "object",
        "minProperties": 1,
        "patternProperties": {"^[a-z]{4,9}$": {"type": "string"}},
        "additionalProperties": False,
    },
    "Settings": {
        "type": "object",
        "properties": {
            "Mode": {"type": "string", "enum": ["fast", "safe"]},
            "Limit": {"type": "integer", "minimum": 0},
            "Note": {"type": "string"},
        },
        "additionalProperties": False,
    },
    "Tags": {
        "type": "array",
        "insertionOrder": False,
        "uniqueItems": True,
        "minItems": 1,
        "items": {
            "type": "object",
            "properties": {"Key": {"type": "string", "minLength": 1}, "Value": {"type": "string"}},
            "required": ["Key", "Value"],
            "additionalProperties": False,
        },
    },
    "Arn": {"type": "string", "pattern": "^arn:aws:acme:[a-z]{8}/[0-9]{8}$"},
}
_HANDLERS = {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")}


def shape(name, properties, **members):
    value = {
        "typeName": f"Acme::Shapes::{name}",
        "description": "A shape to prove the suite on",
        "properties": {**_PROPERTIES, **properties},
        "additionalProperties": False,
        "writeOnlyProperties": ["/properties/Password"],
        "handlers": _HANDLERS,
        "tagging": {
            "taggable": True,
            "tagOnCreate": True,
            "tagUpdatable": True,
            "cloudFormationSystemTags": True,
            "tagProperty": "/properties/Tags",
        },
        **members,
    }
    return build_resource_schema(parse_document(json.dumps(value), name=f"{name}.json", format=DocumentFormat.JSON))


@functools.cache
def named():
    """The author names the resource."""
    return shape(
        "Named",
        {"Name": {"type": "string", "pattern": "^[a-z]{8,20}$"}},
        required=["Name"],
        primaryIdentifier=["/properties/Name"],
        createOnlyProperties=["/properties/Name", "/properties/Kind"],
        readOnlyProperties=["/properties/Arn"],
    )


@functools.cache
def generated():
    """The service names the resource."""
    return shape(
        "Generated",
        {"Id": {"type": "string", "pattern": "^[a-z0-9]{12}$"}},
        required=["Title"],
        primaryIdentifier=["/properties/Id"],
        createOnlyProperties=["/properties/Kind"],
        readOnlyProperties=["/properties/Id", "/properties/Arn"],
    )


@functools.cache
def composite():
    """Two names make the identifier, and an Arn and an alias identify the resource as well."""
    return shape(
        "Composite",
        {
            "Parent": {"type": "string", "pattern": "^[a-z]{6}$"},
            "Name": {"type": "string", "pattern": "^[a-z]{8,20}$"},
            "Alias": {"type": "string", "pattern": "^[a-z]{10}$"},
        },
        primaryIdentifier=["/properties/Parent", "/properties/Name"],
        additionalIdentifiers=[["/properties/Arn"], ["/properties/Alias"]],
        createOnlyProperties=["/properties/Parent", "/properties/Name", "/properties/Alias", "/properties/Kind"],
        readOnlyProperties=["/properties/Arn"],
    )


NESTED_ITEM = {
    "type": "object",
    "properties": {"Host": {"type": "string", "pattern": "^[a-z]{3,8}$"}, "Id": {"type": "string", "minLength": 6}},
    "required": ["Host"],
    "additionalProperties": False,
}
NESTED_ATTRIBUTE = {
    "type": "object",
    "properties": {"Key": {"type": "string", "minLength": 4}, "Value": {"type": "string", "minLength": 4}},
    "required": ["Key", "Value"],
    "additionalProperties": False,
}


def nested(**members):
    """The service decides values inside an object and the items of a list; one list is of attributes."""
    properties = {
        "Name": {"type": "string", "pattern": "^[a-z]{12}$"},
        "Hosts": {"type": "array", "minItems": 1, "maxItems": 4, "items": NESTED_ITEM},
        "Home": NESTED_ITEM,
        "Attributes": {
            "type": "array",
            "arrayType": "AttributeList",
            "insertionOrder": False,
            "minItems": 1,
            "maxItems": 4,
            "items": NESTED_ATTRIBUTE,
        },
    }
    value = {
        "typeName": "Acme::Odd::Nested",
        "description": "A shape to prove the suite on",
        "properties": properties,
        "additionalProperties": False,
        "required": ["Name", "Hosts", "Home", "Attributes"],
        "primaryIdentifier": ["/properties/Name"],
        "createOnlyProperties": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Hosts/*/Id", "/properties/Home/Id"],
        "tagging": {"taggable": False},
        "handlers": {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")},
        **members,
    }
    return build_resource_schema(parse_document(json.dumps(value), name="nested.json", format=DocumentFormat.JSON))


SHAPES = {"named": named, "generated": generated, "composite": composite}
