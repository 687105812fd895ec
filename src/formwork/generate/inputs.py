"""Inputs of the contract tests: valid models that can be used as they are, and deliberately invalid ones.

There are three sets with different identifiers, enough resources for paginated lists. The inputs of the example schemas
are written by hand (`formwork.project.sample_inputs`); others are derived from the schema, and authors replace values
that must exist in the service (the id of a subnet).
"""

import json
from collections.abc import Mapping
from typing import Any

from formwork.documents import parse_document
from formwork.instances import InstanceGenerator, UnsatisfiableError
from formwork.schema import HookSchema, ResourceSchema, load_resource_schema

_SETS = 3
_HOOK_KINDS = {"preCreate": "pre_create", "preUpdate": "pre_update", "preDelete": "pre_delete"}


def derived_resource_inputs(schema: ResourceSchema) -> Mapping[str, Any]:
    """Return inputs for a schema; none if no valid model is found."""
    files: dict[str, Any] = {}
    for number in range(1, _SETS + 1):
        generator = InstanceGenerator(schema, seed=number)
        try:
            create = generator.maximal() if number == 1 else generator.random()
            files[f"inputs_{number}_create.json"] = create
            files[f"inputs_{number}_update.json"] = _with_tags(schema, create, generator.changed(create))
            broken = generator.invalid(limit=number)
        except UnsatisfiableError:
            continue
        if broken:
            files[f"inputs_{number}_invalid.json"] = broken[-1].value
    return files


def _with_tags(schema: ResourceSchema, create: Mapping[str, Any], update: dict[str, Any]) -> dict[str, Any]:
    """Return the update, with the create's tags if it has none: AWS's suite requires tags in every input."""
    match schema.tagging.tag_property:
        case (str(name),) if schema.tagging.taggable and name in create and name not in update:
            return {**update, name: create[name]}
        case _:
            return update


def derived_hook_inputs(schema: HookSchema, targets: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return a valid model of each known target for each handler; a schema does not say what hooks refuse."""
    files: dict[str, Any] = {}
    for handler, kind in _HOOK_KINDS.items():
        names = schema.handlers[handler].target_names if handler in schema.handlers else ()
        asked = {name: _target_input(targets[name], kind) for name in names if name in targets}
        if asked and all(asked.values()):
            files[f"inputs_1_{kind}.json"] = asked
    return files


def _target_input(target: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    loaded = load_resource_schema(parse_document(json.dumps(target), name=str(target.get("typeName"))))
    if loaded.schema is None:
        return {}
    generator = InstanceGenerator(loaded.schema)
    try:
        model = generator.maximal()
        previous = {"previousResourceProperties": generator.changed(model)} if kind == "pre_update" else {}
    except UnsatisfiableError:
        return {}
    return {"resourceProperties": model, **previous}
