"""The stack's tags on resources: CloudFormation propagates them to every type that takes tags.

Source: CloudFormation user guide, "Resource tag"; user guide (seed 002), `tagging` of resource type schemas.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from formwork.schema import ResourceSchema


def with_stack_tags(schema: ResourceSchema, model: Mapping[str, Any], tags: Mapping[str, str]) -> dict[str, Any]:
    """Return a model with the stack's tags in its tag property; a tag of the model itself wins.

    Types without tags, and those whose tag property is neither a list of `Key` and `Value` nor a map, stay as they are.
    """
    found = dict(model)
    form = _tag_form(schema) if tags else None
    if form is None:
        return found
    name = schema.tagging.tag_property[0]
    own = found.get(name) or form()
    if isinstance(own, dict) and form is dict:
        found[name] = {**tags, **own}
    elif isinstance(own, list) and form is list:
        keys = {key for key, _ in _pairs(own)}
        found[name] = [*own, *({"Key": key, "Value": value} for key, value in tags.items() if key not in keys)]
    return found


def without_stack_tags(
    schema: ResourceSchema, model: Mapping[str, Any], tags: Mapping[str, str], declared: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a model without the tags that it has from its stack: those that the `declared` properties do not set."""
    found = dict(model)
    name = schema.tagging.tag_property[0]
    own, before = found.get(name), declared.get(name) or []
    if not tags or len(schema.tagging.tag_property) != 1:
        return found
    if isinstance(own, dict):
        found[name] = {key: value for key, value in own.items() if key in before or tags.get(key) != value}
    elif isinstance(own, list):
        keys = {key for key, _ in _pairs(before)}
        found[name] = [each for each in own if not _is_stack_tag(each, tags, keys)]
    return found


def without_undeclared_tags(
    schema: ResourceSchema, model: Mapping[str, Any], declared: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a model without tags that the `declared` properties do not contain."""
    found = dict(model)
    path = schema.tagging.tag_property
    if len(path) != 1 or path[0] not in found:
        return found
    own, before = found[path[0]], declared.get(path[0]) or []
    if isinstance(own, dict):
        found[path[0]] = {key: value for key, value in own.items() if key in before}
    elif isinstance(own, list):
        keys = {key for key, _ in _pairs(before)}
        found[path[0]] = [each for each in own if any(key in keys for key, _ in _pairs([each]))]
    return found


def _is_stack_tag(item: Any, tags: Mapping[str, str], declared: set[str]) -> bool:
    return any(key not in declared and tags.get(key) == value for key, value in _pairs([item]))


def _pairs(items: Any) -> Iterator[tuple[str, Any]]:
    for each in items if isinstance(items, list) else ():
        if isinstance(each, dict) and isinstance(each.get("Key"), str):
            yield each["Key"], each.get("Value")


def _tag_form(schema: ResourceSchema) -> type[list[Any]] | type[dict[str, Any]] | None:
    """Return the type of the tag property's value; None where the type takes no tags, or in another form."""
    path = schema.tagging.tag_property
    declared = schema.subschema_at(path) if schema.tagging.taggable and len(path) == 1 else None
    if declared is None:
        return None
    if "object" in declared.target.types:
        return dict
    parts = (schema.subschema_at((*path, "*", each)) for each in ("Key", "Value"))
    return list if "array" in declared.target.types and None not in set(parts) else None
