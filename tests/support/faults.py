"""Seeded faults: one good resource type, one good hook, and many single changes that each put one fault in.

A row is (changes, code, pointer): `changes` maps JSON pointers to the new value (GONE removes the member), `code` and
`pointer` say what must be reported and where.
"""

import copy
import json

from formwork.diagnostics import parse_pointer

GONE = type("Gone", (), {"__repr__": lambda _: "GONE"})()

RESOURCE = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing in a store",
    "sourceUrl": "https://example.com/things",
    "documentationUrl": "https://example.com/things/docs",
    "additionalProperties": False,
    "definitions": {
        "Tag": {
            "description": "A tag",
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "Key": {"description": "Its name", "type": "string", "minLength": 1, "maxLength": 128},
                "Value": {"description": "Its value", "type": "string", "maxLength": 256},
            },
            "required": ["Key", "Value"],
        },
        "Rule": {
            "description": "A rule",
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "Port": {"description": "The port", "type": "integer", "minimum": 1, "maximum": 65535},
                "Next": {"$ref": "#/definitions/Rule"},
            },
        },
    },
    "properties": {
        "Id": {"description": "Made by the service", "type": "string"},
        "Arn": {"description": "Its ARN", "type": "string", "pattern": "^arn:aws[a-z-]*:"},
        "Name": {"description": "Its name", "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9-]*$", "maxLength": 64},
        "Size": {"description": "How large", "type": "integer", "minimum": 1, "maximum": 100, "default": 3},
        "Mode": {"description": "How it works", "type": "string", "enum": ["fast", "slow"]},
        "Password": {"description": "To open it", "type": "string"},
        "Rules": {
            "description": "Its rules",
            "type": "array",
            "insertionOrder": True,
            "items": {"$ref": "#/definitions/Rule"},
        },
        "Labels": {
            "description": "A map",
            "type": "object",
            "additionalProperties": False,
            "patternProperties": {"^[a-z]+$": {"type": "string"}},
        },
        "Tags": {
            "description": "Its tags",
            "type": "array",
            "insertionOrder": False,
            "uniqueItems": True,
            "items": {"$ref": "#/definitions/Tag"},
        },
    },
    "required": ["Name"],
    "primaryIdentifier": ["/properties/Id"],
    "additionalIdentifiers": [["/properties/Arn"]],
    "readOnlyProperties": ["/properties/Id", "/properties/Arn"],
    "writeOnlyProperties": ["/properties/Password"],
    "createOnlyProperties": ["/properties/Mode"],
    "propertyTransform": {"/properties/Name": "$lowercase(Name)"},
    "resourceLink": {"templateUri": "/things?id=${Id}", "mappings": {"Id": "/Id"}},
    "tagging": {
        "taggable": True,
        "tagOnCreate": True,
        "tagUpdatable": True,
        "cloudFormationSystemTags": False,
        "tagProperty": "/properties/Tags",
        "permissions": ["store:TagThing", "store:UntagThing"],
    },
    "handlers": {
        "create": {"permissions": ["store:CreateThing"], "timeoutInMinutes": 30},
        "read": {"permissions": ["store:GetThing"]},
        "update": {"permissions": ["store:UpdateThing"]},
        "delete": {"permissions": ["store:DeleteThing"]},
        "list": {
            "permissions": ["store:ListThings"],
            "handlerSchema": {"properties": {"Name": {"$ref": "resource-schema.json#/properties/Name"}}},
        },
    },
    "typeConfiguration": {
        "description": "Who we are",
        "additionalProperties": False,
        "properties": {"ApiUrl": {"description": "Where the store is", "type": "string"}},
        "required": ["ApiUrl"],
    },
}

HOOK = {
    "typeName": "Acme::Store::Check",
    "description": "Checks things",
    "documentationUrl": "https://example.com/check",
    "typeConfiguration": {
        "properties": {"limit": {"description": "How many", "type": "integer", "default": 3}},
        "additionalProperties": False,
    },
    "handlers": {"preCreate": {"targetNames": ["Acme::Store::Thing"], "permissions": ["store:GetThing"]}},
    "required": [],
    "additionalProperties": False,
}

N = "/properties/Name"
NEW = "/properties/New"
RESOURCE_FAULTS = [
    # Structure
    ({f"{N}/type": "strin"}, "schema.unknown-type", f"{N}/type"),
    ({f"{N}/type": ["string", "nul"]}, "schema.unknown-type", f"{N}/type/1"),
    ({f"{N}/type": 3}, "schema.wrong-type", f"{N}/type"),
    ({f"{N}/type": []}, "schema.out-of-bounds", f"{N}/type"),
    ({f"{N}/type": ["string", "string"]}, "schema.repeated-item", f"{N}/type/1"),
    ({f"{N}/minLenght": 1}, "schema.unknown-keyword", f"{N}/minLenght"),
    ({f"{N}/minLength": "1"}, "schema.wrong-type", f"{N}/minLength"),
    ({f"{N}/minLength": -1}, "schema.out-of-bounds", f"{N}/minLength"),
    ({f"{N}/maxLength": 1.5}, "schema.wrong-type", f"{N}/maxLength"),
    ({f"{N}/pattern": 3}, "schema.wrong-type", f"{N}/pattern"),
    ({f"{N}/format": True}, "schema.wrong-type", f"{N}/format"),
    ({f"{N}/description": ["a"]}, "schema.wrong-type", f"{N}/description"),
    ({f"{N}/examples": "a"}, "schema.wrong-type", f"{N}/examples"),
    ({f"{N}/required": "Name"}, "schema.wrong-type", f"{N}/required"),
    ({f"{N}/not": {}}, "schema.conditional-keyword", f"{N}/not"),
    ({f"{N}/if": {}, f"{N}/then": {}}, "schema.conditional-keyword", f"{N}/if"),
    ({f"{N}/else": {}}, "schema.conditional-keyword", f"{N}/else"),
    ({"/allOf": [{"if": {}}]}, "schema.conditional-keyword", "/allOf/0/if"),
    ({f"{N}/readOnly": True}, "schema.mutability-keyword", f"{N}/readOnly"),
    ({f"{N}/writeOnly": True}, "schema.mutability-keyword", f"{N}/writeOnly"),
    ({f"{N}/deprecated": True}, "schema.mutability-keyword", f"{N}/deprecated"),
    ({f"{N}/$id": "#a"}, "schema.nested-id", f"{N}/$id"),
    ({f"{N}/$schema": "http://json-schema.org/draft-07/schema#"}, "schema.nested-id", f"{N}/$schema"),
    (
        {"/properties/Labels/propertyNames": {"minLength": 1}},
        "schema.property-names-keyword",
        "/properties/Labels/propertyNames",
    ),
    (
        {"/properties/Labels/additionalProperties": True},
        "schema.open-object",
        "/properties/Labels/additionalProperties",
    ),
    ({"/properties/Labels/additionalProperties": {}}, "schema.open-object", "/properties/Labels/additionalProperties"),
    (
        {"/properties/Labels/patternProperties": {"^[a-z]+$": {"typ": "string"}}},
        "schema.unknown-keyword",
        "/properties/Labels/patternProperties/^[a-z]+$/typ",
    ),
    (
        {"/properties/Labels/patternProperties": {"^[a-z]+$": True}},
        "schema.wrong-type",
        "/properties/Labels/patternProperties/^[a-z]+$",
    ),
    ({"/properties/Rules/items": [{"type": "string"}]}, "schema.tuple-items", "/properties/Rules/items"),
    ({"/properties/Rules/additionalItems": False}, "schema.tuple-items", "/properties/Rules/additionalItems"),
    ({"/properties/Rules/items": "Rule"}, "schema.wrong-type", "/properties/Rules/items"),
    ({"/properties/Rules/insertionOrder": "false"}, "schema.wrong-type", "/properties/Rules/insertionOrder"),
    ({"/properties/Rules/uniqueItems": 1}, "schema.wrong-type", "/properties/Rules/uniqueItems"),
    ({"/properties/Rules/minItems": -3}, "schema.out-of-bounds", "/properties/Rules/minItems"),
    ({"/properties/Rules/arrayType": "List"}, "schema.value-not-allowed", "/properties/Rules/arrayType"),
    (
        {"/definitions/Tag/patternProperties": {"a": {}}},
        "schema.mixed-properties",
        "/definitions/Tag/patternProperties",
    ),
    ({"/definitions/Tag/properties": {}}, "schema.out-of-bounds", "/definitions/Tag/properties"),
    ({"/definitions/Tag/dependencies": {"Key": 1}}, "schema.wrong-type", "/definitions/Tag/dependencies/Key"),
    ({"/definitions/my-tag": {"type": "string"}}, "schema.property-name", "/definitions/my-tag"),
    ({"/properties/my_name": {"type": "string"}}, "schema.property-name", "/properties/my_name"),
    ({"/properties/" + "N" * 65: {"type": "string"}}, "schema.property-name", "/properties/" + "N" * 65),
    ({"/properties/Mode/type": GONE}, "schema.enum-without-type", "/properties/Mode/enum"),
    ({f"{NEW}": {"description": "d", "const": 1}}, "schema.enum-without-type", f"{NEW}/const"),
    ({"/properties/Mode/enum": "fast"}, "schema.wrong-type", "/properties/Mode/enum"),
    ({"/properties/Size/minimum": "1"}, "schema.wrong-type", "/properties/Size/minimum"),
    ({"/properties/Size/multipleOf": 0}, "schema.out-of-bounds", "/properties/Size/multipleOf"),
    ({NEW: True}, "schema.wrong-type", NEW),
    ({NEW: {"description": "d", "$ref": 1}}, "schema.wrong-type", f"{NEW}/$ref"),
    ({NEW: {"description": "d", "oneOf": []}}, "schema.out-of-bounds", f"{NEW}/oneOf"),
    ({NEW: {"description": "d", "anyOf": {}}}, "schema.wrong-type", f"{NEW}/anyOf"),
    ({NEW: {"description": "d", "oneOf": [{"typ": "string"}]}}, "schema.unknown-keyword", f"{NEW}/oneOf/0/typ"),
    (
        {NEW: {"description": "d", "relationshipRef": {"typeName": "Acme::Store::Box"}}},
        "schema.missing-keyword",
        f"{NEW}/relationshipRef",
    ),
    (
        {
            NEW: {
                "description": "d",
                "type": "string",
                "relationshipRef": {"typeName": "A", "propertyPath": "/properties/B"},
            }
        },
        "schema.type-name",
        f"{NEW}/relationshipRef/typeName",
    ),
    (
        {
            NEW: {
                "description": "d",
                "type": "string",
                "relationshipRef": {"typeName": "AWS::S3::Bucket", "propertyPath": "B"},
            }
        },
        "schema.malformed-value",
        f"{NEW}/relationshipRef/propertyPath",
    ),
    (
        {NEW: {"description": "d", "type": "string", "contentEncoding": "base64"}},
        "schema.unknown-keyword",
        f"{NEW}/contentEncoding",
    ),
    ({NEW: {"description": "d", "type": "object", "definitions": {}}}, "schema.unknown-keyword", f"{NEW}/definitions"),
    ({"/typeName": GONE}, "schema.missing-keyword", ""),
    ({"/typeName": "Acme::Thing"}, "schema.type-name", "/typeName"),
    ({"/typeName": "Acme::Sto_re::Thing"}, "schema.type-name", "/typeName"),
    ({"/typeName": "A::Store::Thing"}, "schema.type-name", "/typeName"),
    ({"/typeName": 1}, "schema.wrong-type", "/typeName"),
    ({"/description": GONE}, "schema.missing-keyword", ""),
    ({"/description": 1}, "schema.wrong-type", "/description"),
    ({"/properties": {}}, "schema.out-of-bounds", "/properties"),
    ({"/properties": []}, "schema.wrong-type", "/properties"),
    ({"/additionalProperties": GONE}, "schema.open-object", ""),
    ({"/additionalProperties": True}, "schema.open-object", "/additionalProperties"),
    ({"/primaryIdentifier": GONE}, "schema.missing-keyword", ""),
    ({"/primaryIdentifier": "/properties/Id"}, "schema.wrong-type", "/primaryIdentifier"),
    ({"/primaryIdentifier": []}, "schema.out-of-bounds", "/primaryIdentifier"),
    ({"/primaryIdentifier": [["/properties/Id"]]}, "schema.wrong-type", "/primaryIdentifier/0"),
    ({"/primaryIdentifier": GONE, "/identifiers": [["/properties/Id"]]}, "schema.legacy-identifiers", "/identifiers"),
    ({"/additionalIdentifiers": ["/properties/Arn"]}, "schema.legacy-identifiers", "/additionalIdentifiers/0"),
    ({"/additionalIdentifiers": []}, "schema.out-of-bounds", "/additionalIdentifiers"),
    ({"/readOnlyProperties": "/properties/Id"}, "schema.wrong-type", "/readOnlyProperties"),
    ({"/writeOnlyProperties": []}, "schema.out-of-bounds", "/writeOnlyProperties"),
    ({"/required": ["Name", "Name"]}, "schema.repeated-item", "/required/1"),
    ({"/required": "Name"}, "schema.wrong-type", "/required"),
    ({"/sourceUrl": "http://example.com"}, "schema.malformed-value", "/sourceUrl"),
    ({"/documentationUrl": "example.com"}, "schema.malformed-value", "/documentationUrl"),
    ({"/sourceUrl": "https://example.com/" + "x" * 4100}, "schema.out-of-bounds", "/sourceUrl"),
    ({"/replacementStrategy": "delete_first"}, "schema.value-not-allowed", "/replacementStrategy"),
    ({"/taggable": "yes"}, "schema.wrong-type", "/taggable"),
    ({"/tagging/taggable": GONE}, "schema.missing-keyword", "/tagging"),
    ({"/tagging/taggable": "true"}, "schema.wrong-type", "/tagging/taggable"),
    ({"/tagging/tagOnCrate": True}, "schema.unknown-keyword", "/tagging/tagOnCrate"),
    ({"/tagging/permissions": "a:b"}, "schema.wrong-type", "/tagging/permissions"),
    ({"/handlers/raed": {"permissions": []}}, "schema.unknown-keyword", "/handlers/raed"),
    ({"/handlers/read/permissions": GONE}, "schema.missing-keyword", "/handlers/read"),
    ({"/handlers/read/permissions": "store:GetThing"}, "schema.wrong-type", "/handlers/read/permissions"),
    ({"/handlers/create/timeoutInMinutes": 1}, "schema.out-of-bounds", "/handlers/create/timeoutInMinutes"),
    ({"/handlers/create/timeoutInMinutes": 2161}, "schema.out-of-bounds", "/handlers/create/timeoutInMinutes"),
    ({"/handlers/create/timeoutInMinutes": "30"}, "schema.wrong-type", "/handlers/create/timeoutInMinutes"),
    ({"/handlers/create/timeoutinMinutes": 30}, "schema.unknown-keyword", "/handlers/create/timeoutinMinutes"),
    ({"/handlers/read/handlerSchema": {"properties": {}}}, "schema.unknown-keyword", "/handlers/read/handlerSchema"),
    ({"/handlers/list/handlerSchema/properties": GONE}, "schema.missing-keyword", "/handlers/list/handlerSchema"),
    ({"/resourceLink/mappings": GONE}, "schema.missing-keyword", "/resourceLink"),
    ({"/resourceLink/templateUri": "ftp://a"}, "schema.malformed-value", "/resourceLink/templateUri"),
    ({"/typeConfiguration/additionalProperties": GONE}, "schema.open-object", "/typeConfiguration"),
    (
        {"/typeConfiguration/properties": {}, "/typeConfiguration/required": []},
        "schema.out-of-bounds",
        "/typeConfiguration/properties",
    ),
    (
        {"/typeConfiguration/properties/CloudFormation": {"type": "string"}},
        "schema.property-name",
        "/typeConfiguration/properties/CloudFormation",
    ),
    ({"/typeConfiguration/definitions": {}}, "schema.unknown-keyword", "/typeConfiguration/definitions"),
    ({"/type": "HOOK"}, "schema.value-not-allowed", "/type"),
    ({"/Properties": {}}, "schema.unknown-keyword", "/Properties"),
    ({"/patternProperties": {}}, "schema.unknown-keyword", "/patternProperties"),
    # Meaning: errors
    ({f"{N}/arrayType": "Standard"}, "schema.array-type", f"{N}/arrayType"),
    (
        {"/conditionalCreateOnlyProperties": ["/properties/Mode"]},
        "schema.conflicting-mutability",
        "/conditionalCreateOnlyProperties/0",
    ),
    (
        {"/conditionalCreateOnlyProperties": ["/properties/Id"]},
        "schema.conflicting-mutability",
        "/conditionalCreateOnlyProperties/0",
    ),
    ({"/remote": {"schema0": {}}}, "schema.reserved-remote", "/remote"),
    ({"/properties/Rules/items/$ref": "#/definitions/Ruel"}, "schema.unresolvable-ref", "/properties/Rules/items/$ref"),
    ({"/properties/Rules/items/$ref": "#definitions/Rule"}, "schema.unresolvable-ref", "/properties/Rules/items/$ref"),
    (
        {"/handlers/list/handlerSchema/properties/Name/$ref": "resource-schema.json#/properties/Nmae"},
        "schema.unresolvable-ref",
        "/handlers/list/handlerSchema/properties/Name/$ref",
    ),
    ({NEW: {"description": "d", "$ref": "other.json#/properties/Id"}}, "schema.external-ref", f"{NEW}/$ref"),
    ({NEW: {"$ref": "#/properties/New"}}, "schema.circular-ref", f"{NEW}/$ref"),
    (
        {NEW: {"$ref": "#/definitions/A"}, "/definitions/A": {"$ref": "#/properties/New"}},
        "schema.circular-ref",
        f"{NEW}/$ref",
    ),
    ({"/primaryIdentifier": ["/properties/Ip"]}, "schema.pointer-not-found", "/primaryIdentifier/0"),
    ({"/primaryIdentifier": ["Id"]}, "schema.pointer-not-found", "/primaryIdentifier/0"),
    ({"/primaryIdentifier": ["#/properties/Id"]}, "schema.pointer-not-found", "/primaryIdentifier/0"),
    ({"/typeConfiguration/description": "x" * 62_000}, "schema.configuration-too-large", "/typeConfiguration"),
    ({"/typeName": "Dev::Store::Thing"}, "schema.reserved-organization", "/typeName"),
    ({"/typeName": "CUSTOM::Store::Thing"}, "schema.reserved-organization", "/typeName"),
    (
        {"/propertyTransform": {"/properties/Name": 1}},
        "schema.transform-not-text",
        "/propertyTransform/~1properties~1Name",
    ),
    (
        {"/propertyTransform": {"/properties/Name": "$x("}},
        "schema.transform-syntax",
        "/propertyTransform/~1properties~1Name",
    ),
    (
        {"/propertyTransform": {"/properties/Name": '$join([Name, "T $OR Y"])'}},
        "schema.transform-syntax",
        "/propertyTransform/~1properties~1Name",
    ),
    # Meaning: warnings
    ({"/typeName": "AWSQuickStart::Store::Thing"}, "schema.reserved-organization", "/typeName"),
    (
        {"/readOnlyProperties": ["/properties/Id", "/properties/Arn", "/properties/Gone"]},
        "schema.pointer-not-found",
        "/readOnlyProperties/2",
    ),
    (
        {"/writeOnlyProperties": ["/properties/Password", "/properties/Size/Value"]},
        "schema.pointer-not-found",
        "/writeOnlyProperties/1",
    ),
    ({"/additionalIdentifiers": [["/properties/Gone"]]}, "schema.pointer-not-found", "/additionalIdentifiers/0/0"),
    ({"/deprecatedProperties": ["/properties/Old"]}, "schema.pointer-not-found", "/deprecatedProperties/0"),
    ({"/tagging/tagProperty": "/properties/Labls"}, "schema.pointer-not-found", "/tagging/tagProperty"),
    ({"/properties/mode2": {"description": "d", "type": "string"}}, "schema.property-case", "/properties/mode2"),
    (
        {"/definitions/Tag/properties/note": {"description": "d", "type": "string"}},
        "schema.property-case",
        "/definitions/Tag/properties/note",
    ),
    ({"/properties/Rules/insertionOrder": GONE}, "schema.insertion-order", "/properties/Rules"),
    ({"/properties/Size/maxLength": 3}, "schema.foreign-keyword", "/properties/Size/maxLength"),
    ({f"{N}/maximum": 3}, "schema.foreign-keyword", f"{N}/maximum"),
    ({f"{N}/uniqueItems": True}, "schema.foreign-keyword", f"{N}/uniqueItems"),
    ({"/properties/Arn/pattern": "^arn:aws:store:"}, "schema.hard-coded-partition", "/properties/Arn/pattern"),
    ({f"{N}/pattern": "^{{resolve:.*}}$"}, "schema.pattern-refused", f"{N}/pattern"),
    ({f"{N}/pattern": "^[a-z$"}, "schema.pattern-refused", f"{N}/pattern"),
    (
        {"/properties/Labels/patternProperties": {"^(a$": {"type": "string"}}},
        "schema.pattern-refused",
        "/properties/Labels/patternProperties/^(a$",
    ),
    ({f"{N}/pattern": "^\\p{Alpha}++$"}, "schema.pattern-portability", f"{N}/pattern"),
    ({f"{N}/pattern": "^([a-z]+)*$"}, "schema.pattern-runaway", f"{N}/pattern"),
    ({f"{N}/pattern": "^(\\w|\\d)*$"}, "schema.pattern-runaway", f"{N}/pattern"),
    ({f"{N}/pattern": "^(\\w+-\\w+)*$"}, "schema.pattern-runaway", f"{N}/pattern"),
    ({"/properties/Mode/enum": [f"m{n}" for n in range(16)]}, "schema.long-enum", "/properties/Mode/enum"),
    ({"/properties/Mode/enum": ["fast", 3]}, "schema.enum-value", "/properties/Mode/enum/1"),
    ({"/properties/Mode/enum": ["fast", "fast"]}, "schema.enum-value", "/properties/Mode/enum/1"),
    ({"/description": "A thing\u2019s store"}, "schema.non-ascii", "/description"),
    (
        {"/properties/NextToken": {"description": "d", "type": "string"}},
        "schema.pagination-property",
        "/properties/NextToken",
    ),
    ({"/required": ["Name", "Id"]}, "schema.read-only-overlap", "/readOnlyProperties/0"),
    (
        {"/writeOnlyProperties": ["/properties/Password", "/properties/Arn"]},
        "schema.read-only-overlap",
        "/readOnlyProperties/1",
    ),
    (
        {"/createOnlyProperties": ["/properties/Mode", "/properties/Id"]},
        "schema.read-only-overlap",
        "/readOnlyProperties/0",
    ),
    ({"/handlers/create/permissions": ["store:*"]}, "schema.wildcard-permission", "/handlers/create/permissions/0"),
    ({"/handlers/create/permissions": ["CreateThing"]}, "schema.permission-form", "/handlers/create/permissions/0"),
    ({"/handlers/create/permissions": []}, "schema.handler-permissions", "/handlers/create/permissions"),
    ({"/handlers/read/timeoutInMinutes": 60}, "schema.synchronous-timeout", "/handlers/read/timeoutInMinutes"),
    ({"/definitions/Tag/additionalProperties": GONE}, "schema.undeclared-members", "/definitions/Tag"),
    ({"/properties/Labels/additionalProperties": GONE}, "schema.undeclared-members", "/properties/Labels"),
    ({"/primaryIdentifier": ["/properties/Name"]}, "schema.identifier-updatable", "/primaryIdentifier/0"),
    ({"/tagging": GONE}, "schema.tagging-missing", ""),
    ({"/taggable": True}, "schema.taggable-deprecated", "/taggable"),
    ({"/taggable": False}, "schema.taggable-deprecated", "/taggable"),
    (
        {"/tagging": {"taggable": True, "permissions": ["s:TagIt"]}, "/properties/Tags": GONE},
        "schema.tag-property",
        "/tagging",
    ),
    ({"/tagging/permissions": GONE}, "schema.tagging-permissions", "/tagging"),
    ({"/additionalIdentifiers": [["/properties/Rules"]]}, "schema.identifier-type", "/additionalIdentifiers/0/0"),
    (
        {"/additionalIdentifiers": [["/properties/Password"]]},
        "schema.identifier-write-only",
        "/additionalIdentifiers/0/0",
    ),
    ({"/additionalIdentifiers": [["/properties/Id"]]}, "schema.repeated-pointer", "/additionalIdentifiers/0"),
    (
        {"/readOnlyProperties": ["/properties/Id", "/properties/Arn", "/properties/Id"]},
        "schema.repeated-pointer",
        "/readOnlyProperties/2",
    ),
    (
        {"/writeOnlyProperties": ["/properties/Password", "/properties/Rules/Port"]},
        "schema.pointer-through-array",
        "/writeOnlyProperties/1",
    ),
    ({"/required": ["Nmae"]}, "schema.required-undeclared", "/required/0"),
    ({"/definitions/Tag/required": ["Key", "Vale"]}, "schema.required-undeclared", "/definitions/Tag/required/1"),
    ({"/deprecatedProperties": ["/properties/Name"]}, "schema.deprecated-required", "/deprecatedProperties/0"),
    ({"/handlers": GONE}, "schema.handler-set", ""),
    ({"/handlers/delete": GONE}, "schema.handler-set", "/handlers"),
    ({"/handlers/read": GONE}, "schema.handler-set", "/handlers"),
    (
        {
            "/createOnlyProperties": [
                f"/properties/{p}" for p in ("Name", "Size", "Mode", "Password", "Rules", "Labels", "Tags")
            ]
        },
        "schema.update-without-properties",
        "/handlers/update",
    ),
    (
        {"/replacementStrategy": "delete_then_create", "/createOnlyProperties": GONE},
        "schema.replacement-strategy",
        "/replacementStrategy",
    ),
    ({f"{N}/description": GONE}, "schema.missing-description", N),
    (
        {"/definitions/Unused": {"description": "d", "type": "string"}},
        "schema.unused-definition",
        "/definitions/Unused",
    ),
    ({"/nonPublicProperties": ["/properties/Name"]}, "schema.non-public-leak", "/nonPublicProperties/0"),
    ({"/nonPublicProperties": ["/properties/Id"]}, "schema.non-public-leak", "/nonPublicProperties/0"),
    ({"/nonPublicDefinitions": ["/definitions/Tag"]}, "schema.non-public-leak", "/nonPublicDefinitions/0"),
    ({"/properties/Size/default": "3"}, "schema.default-invalid", "/properties/Size/default"),
    ({"/properties/Size/default": 101}, "schema.default-invalid", "/properties/Size/default"),
    ({"/properties/Mode/default": "medium"}, "schema.default-invalid", "/properties/Mode/default"),
    (
        {"/properties/Size/minimum": 200, "/properties/Size/default": GONE},
        "schema.contradictory-bounds",
        "/properties/Size/minimum",
    ),
    ({f"{N}/minLength": 65}, "schema.contradictory-bounds", f"{N}/minLength"),
    ({"/properties/Rules/items/maxProperties": 3}, "schema.ref-siblings", "/properties/Rules/items/maxProperties"),
    ({f"{N}/format": "^arn:.*$"}, "schema.unknown-format", f"{N}/format"),
    (
        {"/propertyTransform": {"/properties/Nmae": "$lowercase(Nmae)"}},
        "schema.transform-target",
        "/propertyTransform/~1properties~1Nmae",
    ),
    ({"/resourceLink/mappings/Id": "/Ip"}, "schema.resource-link", "/resourceLink/mappings/Id"),
    (
        {"/resourceLink/templateUri": "/things?id=${Id}&name=${Name}"},
        "schema.resource-link",
        "/resourceLink/templateUri",
    ),
    ({"/resourceLink/templateUri": "/things"}, "schema.resource-link", "/resourceLink/mappings/Id"),
    ({f"{N}/$comment": "formwork: ignore long-enum - never"}, "schema.suppression", f"{N}/$comment"),
    ({"/writeOnlyProperties": GONE}, "schema.readable-secret", "/properties/Password"),
]

C = "/handlers/preCreate"
HOOK_FAULTS = [
    ({"/typeConfiguration": GONE}, "schema.missing-keyword", ""),
    ({"/description": GONE}, "schema.missing-keyword", ""),
    ({"/typeName": "Acme-Store"}, "schema.type-name", "/typeName"),
    ({"/additionalProperties": True}, "schema.open-object", "/additionalProperties"),
    ({"/properties": {"A": {"type": "string"}}}, "schema.unknown-keyword", "/properties"),
    (
        {"/handlers/postCreate": {"targetNames": [], "permissions": []}},
        "schema.unknown-keyword",
        "/handlers/postCreate",
    ),
    ({f"{C}/targetNames": GONE}, "schema.missing-keyword", C),
    ({f"{C}/targetNames": "Acme::Store::Thing"}, "schema.wrong-type", f"{C}/targetNames"),
    ({f"{C}/timeoutInMinutes": 3}, "schema.unknown-keyword", f"{C}/timeoutInMinutes"),
    ({"/typeConfiguration/additionalProperties": GONE}, "schema.open-object", "/typeConfiguration"),
    (
        {"/typeConfiguration/properties/limit/type": "int"},
        "schema.unknown-type",
        "/typeConfiguration/properties/limit/type",
    ),
    (
        {"/typeConfiguration/properties/limit/default": "x"},
        "schema.default-invalid",
        "/typeConfiguration/properties/limit/default",
    ),
    ({"/handlers": {}}, "schema.hook-without-handlers", "/handlers"),
    ({"/handlers": GONE}, "schema.hook-without-handlers", ""),
    ({f"{C}/targetNames": []}, "schema.hook-without-handlers", f"{C}/targetNames"),
    ({f"{C}/targetNames": ["S3::Bucket"]}, "schema.hook-target", f"{C}/targetNames/0"),
    ({f"{C}/targetNames": ["AWS::*?::*"]}, "schema.hook-permission", f"{C}/targetNames/0"),
    ({f"{C}/permissions": ["cloudformation:*"]}, "schema.hook-permission", f"{C}/permissions/0"),
    ({f"{C}/permissions": ["cloudformation:RegisterType"]}, "schema.hook-permission", f"{C}/permissions/0"),
    ({"/documentationUrl": GONE}, "schema.hook-documentation", ""),
    ({"/typeName": "Custom::Store::Check"}, "schema.reserved-organization", "/typeName"),
    ({"/remote": {}}, "schema.reserved-remote", "/remote"),
]


def seed_fault(base, changes):
    """A copy of the schema `base` with the changes in it."""
    value = copy.deepcopy(base)
    for pointer, new in changes.items():
        *parents, last = parse_pointer(pointer)
        place = value
        for token in parents:
            place = place[int(token)] if isinstance(place, list) else place[token]
        if new is GONE:
            del place[last]
        else:
            place[last] = new
    return value


def lines_by_pointer(value):
    """For `json.dumps(value, indent=1)`: the line on which the member or item at each pointer begins."""
    lines, line = {}, 1

    def walk(each, tokens):
        nonlocal line
        lines["".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)] = line
        members = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
        for name, child in members:
            line += 1
            walk(child, [*tokens, str(name)])
        if members and len(each):
            line += 1

    walk(value, [])
    assert line == json.dumps(value, indent=1).count("\n") + 1
    return lines
