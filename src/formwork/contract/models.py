"""Looking into models by property path, and the identifiers of a resource."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formwork.contract_results.findings import ABSENT
from formwork.documents.copied import copied
from formwork.schema import PropertyPath, ResourceSchema, paths

Model = Mapping[str, Any]
Identity = str
_SORTED = json.JSONEncoder(sort_keys=True)  # `json.dumps` makes one a call


def value_at(model: Any, path: Sequence[str]) -> Any:
    """Return the value at a property path without `*`, or ABSENT."""
    return paths.value_at(model, path, ABSENT)


def has_value(model: Any, path: Sequence[str]) -> bool:
    """Return whether the value at `path` is neither absent, null nor an empty string, as identifiers require."""
    value = value_at(model, path)
    return value is not ABSENT and value is not None and value != ""


def with_value(model: Model, path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return a copy of `model` with `value` at `path`; objects on the way are made."""
    result = copied(dict(model))
    parent = result
    for step in path[:-1]:
        if not isinstance(parent.get(step), dict):
            parent[step] = {}
        parent = parent[step]
    parent[path[-1]] = value
    return result


def without(model: Model, path: Sequence[str]) -> dict[str, Any]:
    """Return a copy of `model` without the value at `path`, and without objects that this leaves empty."""
    result = copied(dict(model))
    parents = [result]
    for step in path[:-1]:
        inner = parents[-1].get(step)
        if not isinstance(inner, dict):
            return result
        parents.append(inner)
    parents[-1].pop(path[-1], None)
    for depth in range(len(parents) - 1, 0, -1):
        if not parents[depth]:
            parents[depth - 1].pop(path[depth - 1], None)
    return result


def only(model: Model, paths: Iterable[PropertyPath]) -> dict[str, Any]:
    """Return a model that contains only the values at `paths`; absent ones are skipped."""
    result: dict[str, Any] = {}
    for path in paths:
        value = value_at(model, path)
        if value is not ABSENT:
            result = with_value(result, path, value)
    return result


def has_identifier(schema: ResourceSchema, model: Any) -> bool:
    """Return whether `model` is an object with every part of the primary identifier."""
    return isinstance(model, Mapping) and all(has_value(model, path) for path in schema.primary_identifier)


def identity_of(schema: ResourceSchema, model: Any) -> Identity | None:
    """Return the primary identifier as one comparable text; None where the model lacks a part of it."""
    return identity_by(schema.primary_identifier, model)


def identity_by(paths: Sequence[PropertyPath], model: Any) -> Identity | None:
    """Return the values at `paths` as one comparable text; None where one is missing or there are none."""
    if not paths or not isinstance(model, Mapping) or not all(has_value(model, path) for path in paths):
        return None
    return _SORTED.encode([value_at(model, path) for path in paths])


def below_any(path: Sequence[str], paths: Iterable[PropertyPath]) -> bool:
    """Return whether `path` is one of `paths` or inside one."""
    path = tuple(path)
    return any(path[: len(each)] == each for each in paths if each)


def is_read_only(schema: ResourceSchema, path: PropertyPath) -> bool:
    """Return whether the service decides the value at `path`."""
    return below_any(path, schema.read_only)
