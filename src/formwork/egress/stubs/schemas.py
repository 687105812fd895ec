"""Schemas of an OpenAPI document with all that they refer to, ready to validate values and to make them."""

import functools
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs

from formwork.egress.stubs.references import LinkedDocuments, Located
from formwork.egress.stubs.translation import DISCRIMINATOR, MAPS, VALUES, Direction, Translator
from formwork.instances.errors import DeadEndError
from formwork.instances.nodes import Nodes
from formwork.instances.shapes import Node
from formwork.instances.values import Extent, ValueMaker
from formwork.patterns import PatternError
from formwork.schema.instance_paths import instance_path
from formwork.schema.view import SchemaView

_MOST_PROPERTIES = 2_000
_ROOT: Mapping[str, Any] = {"$ref": "#/$defs/0"}


class ClosedSchema:
    """A schema in JSON Schema 2020-12 with the schemas that it refers to; nodes in it are dictionaries of keywords."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions
        self._document = {**_ROOT, "$defs": definitions}
        self._nodes = Nodes(SchemaView(self._document))
        self._maker = ValueMaker(self._nodes, Random(0))  # noqa: S311 - values of a stub, the same each time
        self.root: Any = definitions["0"]

    @functools.cached_property
    def _validator(self) -> jsonschema_rs.Draft202012Validator | None:
        try:
            return jsonschema_rs.Draft202012Validator(self._document, validate_formats=False)
        except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
            return None

    @functools.cached_property
    def relaxed(self) -> "ClosedSchema":
        """Return a relaxed copy for unsatisfiable schemas: oneOf becomes anyOf, parts of an allOf are open."""
        closed = {name for each in self._definitions.values() for name in _parts_of_all(each)}
        return ClosedSchema({name: _relax(each, opened=name in closed) for name, each in self._definitions.items()})

    def problem(self, value: Any) -> tuple[tuple[str | int, ...], str] | None:
        """Return place and text of the first thing that is wrong with a value, None where it is valid."""
        if self._validator is None:
            return None
        error = next(iter(self._validator.iter_errors(value)), None)
        return None if error is None else (instance_path(error, value), str(error.message))

    def is_valid(self, value: Any) -> bool:
        """Whether a value is valid; every one is for a schema that no validator can be made of."""
        return self._validator is None or self._validator.is_valid(value)

    def merged(self, node: Any) -> Node:
        """Return a node with its references followed and its allOf merged; {} where nothing satisfies it."""
        return self._nodes.merge(node) or {}

    def alternatives(self, merged: Node) -> list[Node]:
        """Return the alternatives of a merged node with a oneOf or anyOf."""
        return list(self._nodes.alternatives(merged, range))

    def properties(self, node: Any) -> dict[str, Any]:
        """Return the nodes of all properties that a node declares, those of alternatives too."""
        found: dict[str, Any] = {}
        pending, seen = [node], set[int]()
        while pending and len(found) < _MOST_PROPERTIES:
            merged = self.merged(pending.pop())
            if id(merged) in seen:
                continue
            seen.add(id(merged))
            found = {**(merged.get("properties") or {}), **found}
            pending += [branch for _, branches in merged.get("choices", ()) for branch in branches]
        return found

    def make(self, node: Any, seed: str, extent: Extent = Extent.MINIMAL) -> Any:
        """Return a value of a node, the same for the same seed.

        Raises:
            DeadEndError: none was found.
        """
        maker = self._maker.fork(Random(seed))  # noqa: S311 - as above
        try:
            return maker.value(node, extent, ())
        except (PatternError, RecursionError, OverflowError, ValueError, TypeError, ArithmeticError) as error:
            raise DeadEndError(str(error)) from None


class Schemas:
    """The schemas of one document, each translated once for each direction."""

    def __init__(self, documents: LinkedDocuments, *, is_30: bool) -> None:
        self._translators = {each: Translator(documents, each, is_30=is_30) for each in Direction}
        self._translated: dict[tuple[Direction, str], tuple[Any, frozenset[str]]] = {}
        self._names: dict[tuple[Path, tuple[str, ...]], str] = {}
        self._places: dict[str, Located] = {}

    def closed(self, at: Located, direction: Direction) -> ClosedSchema:
        """Return the schema at a place with all that it refers to."""
        own = self._translators[direction].translate(at, self._refer)
        definitions: dict[str, Any] = {"0": own}
        pending = sorted(_references(own))
        while pending:
            name = pending.pop()
            if name not in definitions and name in self._places:
                definitions[name], more = self._definition(name, direction)
                pending += sorted(more)
        return ClosedSchema(definitions)

    def _refer(self, at: Located) -> str:
        name = self._names.setdefault((at.file, at.tokens), str(len(self._names) + 1))
        self._places[name] = at
        return f"#/$defs/{name}"

    def _definition(self, name: str, direction: Direction) -> tuple[Any, frozenset[str]]:
        known = self._translated.get((direction, name))
        if known is None:
            made = self._translators[direction].translate(self._places[name], self._refer)
            known = self._translated[direction, name] = (made, _references(made))
        return known


def _parts_of_all(node: Any) -> frozenset[str]:
    """Return the names of the definitions that are parts of an allOf in a translated schema."""
    if isinstance(node, list):
        return frozenset().union(*map(_parts_of_all, node))
    if not isinstance(node, dict):
        return frozenset()
    parts = node.get("allOf")
    own = (
        _references([{"$ref": part.get("$ref")} for part in parts if isinstance(part, dict)]) if parts else frozenset()
    )
    return own.union(*(_parts_of_all(value) for key, value in node.items() if key not in VALUES))


def _relax(node: Any, *, opened: bool = False) -> Any:
    if isinstance(node, list):
        return [_relax(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {}
    opened = opened or not set(node.get("required") or ()) <= (node.get("properties") or {}).keys()
    for key, value in node.items():
        if key in VALUES:
            made[key] = value
        elif key in MAPS:
            made[key] = {name: _relax(each) for name, each in value.items()}
        elif key == "allOf":
            parts = [each for each in value if not (isinstance(each, dict) and DISCRIMINATOR in each)]
            made[key] = [_relax(each, opened=True) for each in parts]
        elif key == "oneOf" and "anyOf" not in node:
            made["anyOf"] = _relax(value)
        elif not (opened and key == "additionalProperties" and value is False):
            made[key] = _relax(value)
    return made


def _references(node: Any) -> frozenset[str]:
    """Return the names of the definitions that a translated schema refers to."""
    found, pending = set[str](), [node]
    while pending:
        here = pending.pop()
        if isinstance(here, dict):
            reference = here.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/$defs/"):
                found.add(reference.removeprefix("#/$defs/"))
            pending += (value for key, value in here.items() if key not in VALUES)
        elif isinstance(here, list):
            pending += here
    return frozenset(found)
