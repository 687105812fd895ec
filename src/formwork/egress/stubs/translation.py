"""Schemas of OpenAPI 3.0 and 3.1 to JSON Schema 2020-12, as requests and as responses must satisfy them.

In requests a readOnly property is not required; in responses a writeOnly one does not exist. Keywords with values that
they cannot have are left out: published documents have them.
"""

import functools
import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

import jsonschema_rs

from formwork.diagnostics import BadInputError
from formwork.egress.stubs.references import LinkedDocuments, Located

_TYPES = frozenset({"string", "object", "array", "integer", "number", "boolean", "null"})
# Keywords whose members are schemas by name, and those whose values are not schemas.
MAPS = ("properties", "patternProperties", "dependentSchemas")
VALUES = ("const", "default", "enum", "example", "examples")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_NODES = (
    *("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"),
    *("unevaluatedProperties", "unevaluatedItems"),
)


# Marks what is made of a discriminator, which a schema's relaxed form does without.
DISCRIMINATOR = "x-discriminator"


class Direction(StrEnum):
    """The direction of the messages that a schema describes."""

    REQUEST = "request"
    RESPONSE = "response"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


@functools.lru_cache(maxsize=4096)
def _is_pattern(text: Any) -> bool:
    if not isinstance(text, str):
        return False
    try:
        jsonschema_rs.Draft202012Validator({"pattern": text})
    except (jsonschema_rs.ValidationError, ValueError):
        return False
    return True


def _anything(value: Any) -> bool:  # noqa: ARG001 - one signature
    return True


# Keyword that is kept as it is → whether it may have a value.
_KEPT: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("minContains", "maxContains"), _is_count),
    **dict.fromkeys(("readOnly", "writeOnly", "uniqueItems", "x-unique"), lambda value: isinstance(value, bool)),
    **dict.fromkeys(("const", "default", "example"), _anything),
    "examples": lambda value: isinstance(value, list),
    "multipleOf": lambda value: _is_number(value) and value > 0,
    "pattern": lambda value: isinstance(value, str) and _is_pattern(value),
    "format": lambda value: isinstance(value, str),
    "dependentRequired": lambda value: isinstance(value, dict) and all(map(_is_names, value.values())),
}


def _named(name: str, keys: list[str]) -> dict[str, Any]:
    """Return the schema of objects whose discriminator is one of `keys`."""
    return {"properties": {name: {"enum": keys}}, DISCRIMINATOR: True}


class Translator:
    """Translates the schemas of one document.

    `refer` gives the text of `$ref` for the place that a reference leads to.
    """

    def __init__(self, documents: LinkedDocuments, direction: Direction, *, is_30: bool) -> None:
        self._documents = documents
        self._hidden = "readOnly" if direction is Direction.REQUEST else "writeOnly"
        self._drops = direction is Direction.RESPONSE
        self._is_request = direction is Direction.REQUEST
        self._is_30 = is_30

    def translate(self, at: Located, refer: Callable[[Located], str]) -> Any:
        """Return the schema at a place in JSON Schema 2020-12; `true` for what is not a schema."""
        return self._schema(at, refer, frozenset())

    def _schema(self, at: Located, refer: Callable[[Located], str], hidden: frozenset[str]) -> Any:
        node = at.value
        if not isinstance(node, dict):
            return node is not False
        if isinstance(node.get("$ref"), str) and (self._is_30 or len(node) == 1):
            return self._reference(at, refer)
        hidden |= self._hidden_names(at)
        made: dict[str, Any] = {key: node[key] for key in _KEPT if key in node and _KEPT[key](node[key])}
        if isinstance(node.get("$ref"), str):
            made |= self._reference(at, refer)
        self._add_parts(made, at, refer, hidden)
        self._add_type(made, node)
        names = [name for name in node["required"] if name not in hidden] if _is_names(node.get("required")) else []
        if names:
            made["required"] = list(dict.fromkeys(names))
        if self._is_30:
            self._read_as_30(made, node)
        return self._nullable(made) if self._is_30 and node.get("nullable") is True else made

    def _reference(self, at: Located, refer: Callable[[Located], str]) -> dict[str, Any]:
        try:
            return {"$ref": refer(self._documents.follow(at))}
        except BadInputError:  # reported where the document is opened, but for places that are read as values there
            return {}

    def _add_parts(
        self, made: dict[str, Any], at: Located, refer: Callable[[Located], str], hidden: frozenset[str]
    ) -> None:
        for key in MAPS:
            members = {name: self._schema(each, refer, frozenset()) for name, each in at.child(key).members()}
            if key == "properties" and self._drops:
                members = {name: each for name, each in members.items() if name not in hidden}
            if key == "patternProperties":
                members = {name: each for name, each in members.items() if _is_pattern(name)}
            if members:
                made[key] = members
        for key in _LISTS:
            inner = hidden if key == "allOf" else frozenset[str]()
            parts = [self._schema(each, refer, inner) for each in at.child(key).items()]
            if parts:
                made["anyOf" if key == "oneOf" and self._is_loose(at) else key] = parts
        for key in _NODES:
            if isinstance(at.value.get(key), dict | bool):
                made[key] = self._schema(at.child(key), refer, frozenset())
        if self._drops and isinstance(at.child("discriminator", "propertyName").value, str):
            self._add_discriminator(made, at)

    @staticmethod
    def _add_discriminator(made: dict[str, Any], at: Located) -> None:
        """Let the discriminator of a response name the branch, or the schema, that the value is valid against."""
        name = at.value["discriminator"]["propertyName"]
        mapping = {key: ref.value for key, ref in at.child("discriminator", "mapping").members() if ref.value}
        branches = at.value.get("oneOf") or at.value.get("anyOf")
        keyword = "oneOf" if "oneOf" in made else "anyOf"
        if not branches and mapping:
            made["allOf"] = [*made.get("allOf", ()), _named(name, list(mapping))]
        elif isinstance(branches, list) and keyword in made and len(branches) == len(made[keyword]):
            for index, branch in enumerate(branches):
                reference = branch.get("$ref") if isinstance(branch, dict) else None
                if isinstance(reference, str):
                    own = reference.rpartition("/")[2]
                    keys = [key for key, ref in mapping.items() if ref in (reference, own)] or [own]
                    made[keyword][index] = {"allOf": [made[keyword][index], _named(name, keys)]}

    def _is_loose(self, at: Located) -> bool:
        """Whether a oneOf has a discriminator: its branches often accept each other's requests."""
        return self._is_request and "discriminator" in at.value and "anyOf" not in at.value

    @staticmethod
    def _add_type(made: dict[str, Any], node: Mapping[str, Any]) -> None:
        written = node.get("type")
        named = [written] if isinstance(written, str) else written if isinstance(written, list) else []
        types = [each for each in dict.fromkeys(map(str, named)) if each in _TYPES]
        if types:
            made["type"] = types[0] if len(types) == 1 else types
        members = node.get("enum")
        if isinstance(members, list) and members:
            if types == ["string"]:  # `enum: [1.0, 2.0]`, which YAML reads as numbers
                members = [each if isinstance(each, str) or each is None else json.dumps(each) for each in members]
            made["enum"] = members

    @staticmethod
    def _read_as_30(made: dict[str, Any], node: Mapping[str, Any]) -> None:
        for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if node.get(exclusive) is True and limit in made:
                made[exclusive] = made.pop(limit)
        if "type" not in made and "items" in made:
            made["type"] = "array"

    def _nullable(self, made: dict[str, Any]) -> dict[str, Any]:
        """Return a schema that also accepts null in requests; responses avoid null where they can."""
        if isinstance(made.get("type"), str) and not {"allOf", "oneOf", "anyOf", "not"} & made.keys():
            enum = {"enum": [*made["enum"], None]} if "enum" in made and None not in made["enum"] else {}
            return {**made, "type": [made["type"], "null"], **enum}
        return {"anyOf": [made, {"type": "null"}]} if self._is_request else made

    def _hidden_names(self, at: Located) -> frozenset[str]:
        """Return the properties that are absent in this direction, of the schema and of its allOf parts."""
        names, pending, seen = set[str](), [at], set[tuple[Any, ...]]()
        while pending:
            here = self._followed(pending.pop())
            if here is None or (here.file, here.tokens) in seen:
                continue
            seen.add((here.file, here.tokens))
            for name, member in here.child("properties").members():
                if self._is_hidden(member):
                    names.add(name)
            pending += here.child("allOf").items()
        return frozenset(names)

    def _is_hidden(self, at: Located) -> bool:
        if isinstance(at.value, dict) and at.value.get(self._hidden) is True:
            return True
        target = self._followed(at)
        return target is not None and isinstance(target.value, dict) and target.value.get(self._hidden) is True

    def _followed(self, at: Located) -> Located | None:
        try:
            return self._documents.follow(at)
        except BadInputError:
            return None
