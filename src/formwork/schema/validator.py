"""Extension schemas as jsonschema-rs validators.

A real schema's patterns are Java's: jsonschema-rs would refuse or misread them, so `pattern` is moved to a keyword of
our own that the `regex` package runs, translated and with a time limit. The keys of `patternProperties` are
translated for jsonschema-rs; one that it cannot run is left to a keyword that judges names only.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema_rs

from formwork.documents.refs import ReferenceError_, split_local_ref
from formwork.patterns.compiled import PatternTimeoutError, compile_pattern, to_ecma
from formwork.patterns.literal_form import escape_literals
from formwork.patterns.syntax import PatternError

PATTERN_KEYWORD = "x-java-pattern"
NAMES_KEYWORD = "x-java-names"

_MAPS = frozenset({"properties", "definitions", "dependencies", "remote"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf"})
_NODES = frozenset(
    {"items", "contains", "additionalProperties", "not", "propertyNames", "if", "then", "else", "typeConfiguration"}
)
# What `shape_only` leaves out: the clause judges neither these nor anything under them.
_NOT_SHAPE = frozenset(
    {"required", "dependencies", "propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
)
_NOTES = frozenset({"default", "examples", "description", "title", "$comment", "$id", "$schema", "format"})
_CLOSED = {"type": "object", "additionalProperties": False}
_TOP = ("properties", "definitions", "required", "remote", "typeConfiguration", *sorted(_LISTS))


def compile_validator(schema: Mapping[str, Any], *, shape_only: bool = False) -> Any:
    """Return a jsonschema-rs draft-07 validator of models under a resource type's `schema`.

    Raises:
        jsonschema_rs.ValidationError: the schema has a `$ref` that leads nowhere, or another fault; load it first.
    """
    return _compile({**_kept(schema), **_CLOSED}, shape_only=shape_only)


def compile_configuration_validator(schema: Mapping[str, Any], *, shape_only: bool = False) -> Any:
    """Return a validator of type configurations under the `typeConfiguration` of a type's whole `schema`.

    References in it lead into the whole schema, wherever they point. Patterns that Java refuses are read as
    `patterns.literal_form` says.

    Raises:
        jsonschema_rs.ValidationError: as `compile_validator`.
    """
    configuration = schema["typeConfiguration"]
    reference = {"$ref": configuration["$ref"]} if "$ref" in configuration else {}
    closed = {**_kept(configuration), **_CLOSED, **reference}
    whole = {**_kept(schema), "typeConfiguration": closed, "$ref": "#/typeConfiguration"}
    return _compile(_with_readable_patterns(whole), shape_only=shape_only)


def _with_readable_patterns(node: Any) -> Any:
    match node:
        case dict():
            return {
                key: _readable(each) if key == "pattern" and isinstance(each, str) else _with_readable_patterns(each)
                for key, each in node.items()
            }
        case list():
            return [_with_readable_patterns(each) for each in node]
        case _:
            return node


def _readable(pattern: str) -> str:
    return escape_literals(pattern) or pattern


def _kept(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: schema[key] for key in _TOP if key in schema}


def _compile(schema: Mapping[str, Any], *, shape_only: bool) -> Any:
    prepared = _prepare(schema, shape_only=shape_only)
    keywords = {PATTERN_KEYWORD: _Pattern, NAMES_KEYWORD: _Names}
    return jsonschema_rs.Draft7Validator(prepared, keywords=keywords, validate_formats=False, offline=True)


class _Pattern:
    """The validator keyword that replaces `pattern`."""

    __slots__ = ("_pattern",)

    def __init__(self, _parent: dict[str, Any], text: str, _path: list[Any]) -> None:
        self._pattern = compile_pattern(text)

    def validate(self, instance: Any) -> None:
        """Refuse a string that the pattern does not match, or not in time; the error's text says which."""
        if not isinstance(instance, str):
            return
        try:
            found = self._pattern.is_found_in(instance)
        except PatternTimeoutError:
            raise ValueError(f"slow:{self._pattern.text}") from None
        if not found:
            raise ValueError(f"unmatched:{self._pattern.text}")


class _Names:
    """The keyword that checks names by `patternProperties` if jsonschema-rs can't run one of its patterns."""

    def __init__(self, _parent: dict[str, Any], value: dict[str, Any], _path: list[Any]) -> None:
        self._declared = frozenset(value["declared"])
        self._patterns = [compile_pattern(text) for text in value["patterns"]]

    def validate(self, instance: Any) -> None:
        """Refuse an object with a member that is neither declared nor fits a pattern."""
        for name in instance if isinstance(instance, dict) else ():
            if name not in self._declared and not any(each.is_found_in(name) for each in self._patterns):
                raise ValueError(f"name:{name}")


def _prepare(node: Any, *, shape_only: bool) -> Any:
    if not isinstance(node, dict):
        return node
    prepared: dict[str, Any] = {}
    for key, value in node.items():
        if key in _NOTES or key == "patternProperties" or (shape_only and key in _NOT_SHAPE):
            continue
        match key, value:
            case "pattern", _:
                _prepare_pattern(prepared, value)
            case "$ref", _:
                prepared |= _prepare_ref(str(value))
            case _, dict() if key in _MAPS:
                prepared[key] = {name: _prepare(each, shape_only=shape_only) for name, each in value.items()}
            case _, list() if key in _LISTS:
                prepared[key] = [_prepare(each, shape_only=shape_only) for each in value]
            case _, _:
                prepared[key] = _prepare(value, shape_only=shape_only) if key in _NODES else value
    if isinstance(node.get("patternProperties"), dict):
        _prepare_names(prepared, node["patternProperties"], shape_only=shape_only)
    return prepared


def _prepare_pattern(prepared: dict[str, Any], text: Any) -> None:
    try:
        compile_pattern(text)
    except (PatternError, TypeError):
        return  # the rules have said so; what cannot be read constrains nothing
    prepared[PATTERN_KEYWORD] = text


@lru_cache(maxsize=4096)
def _prepare_ref(ref: str) -> dict[str, Any]:
    """Return a local reference in the form that jsonschema-rs follows; {} for one into another document."""
    try:
        tokens = split_local_ref(ref)
    except ReferenceError_:
        tokens = None
    return {"$ref": ref[ref.index("#") :] if "#" in ref else "#"} if tokens is not None else {}


def _prepare_names(prepared: dict[str, Any], patterns: dict[str, Any], *, shape_only: bool) -> None:
    written = {text: _runnable(text) for text in patterns}
    if all(written.values()):
        prepared["patternProperties"] = {
            str(written[text]): _prepare(each, shape_only=shape_only) for text, each in patterns.items()
        }
        return
    readable = [text for text in patterns if _is_readable(text)]
    if prepared.get("additionalProperties") is False:
        del prepared["additionalProperties"]
        if len(readable) == len(patterns):
            prepared[NAMES_KEYWORD] = {"declared": list(prepared.get("properties", {})), "patterns": readable}


def _is_readable(text: str) -> bool:
    try:
        compile_pattern(text)
    except PatternError:
        return False
    return True


@lru_cache(maxsize=1024)
def _runnable(text: str) -> str | None:
    """Return the Java pattern `text` as jsonschema-rs takes it for a key, or None."""
    try:
        written = to_ecma(text)
        if written is not None:
            jsonschema_rs.Draft7Validator({"patternProperties": {written: True}}, offline=True)
    except (PatternError, jsonschema_rs.ValidationError):
        return None
    return written
