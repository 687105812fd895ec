"""Less of a model: what a merge would bring back, and a replacement would not.

An update that only adds or changes looks the same whether a handler replaces a nested object or merges into it. Taking
something away inside it is what tells them apart.
"""

from typing import Any

from formwork.contract.models import Model
from formwork.documents.copied import copied
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.view import UNKNOWN


def thinned(schema: ResourceSchema, model: Model) -> dict[str, Any] | None:
    """`model` with a member less in every nested object and an item less in every collection, as the schema allows.

    Properties of the root stay, and so does whatever is createOnly; None where nothing can be taken away.
    """
    fixed = {path[0] for path in (*schema.create_only, *schema.read_only, *schema.primary_identifier)}
    result: dict[str, Any] = copied(dict(model))
    changed = False
    for name, value in result.items():
        if name in fixed:
            continue
        for slimmer in (_thin(schema, (name,), value, deep=True), _thin(schema, (name,), value, deep=False)):
            candidate = {**result, name: slimmer}
            if slimmer != value and not schema.validate_model(candidate):
                result, changed = candidate, True
                break
    return result if changed else None


def _thin(schema: ResourceSchema, path: PropertyPath, value: Any, *, deep: bool) -> Any:
    if isinstance(value, dict) and len(value) > 1:
        return _thin_object(schema, path, value, deep=deep)
    if isinstance(value, list) and len(value) > 1:
        return [_thin(schema, (*path, "*"), each, deep=True) if deep else each for each in value[:-1]]
    if isinstance(value, list) and deep:
        return [_thin(schema, (*path, "*"), each, deep=True) for each in value]
    return value


def _thin_object(schema: ResourceSchema, path: PropertyPath, value: dict[str, Any], *, deep: bool) -> dict[str, Any]:
    node = schema.subschema_at(path) or UNKNOWN
    required = node.required
    optional = [name for name in value if name not in required]
    dropped = optional[-1] if optional else None
    return {
        name: _thin(schema, (*path, name), each, deep=True) if deep else each
        for name, each in value.items()
        if name != dropped
    }
