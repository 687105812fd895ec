"""Decides what an operation does to a resource: create, update, replace or leave it.

Source: seed 000 (createOnlyProperties, conditionalCreateOnlyProperties, replacementStrategy); CloudFormation user
guide, "Update behaviors of stack resources".
"""

from collections.abc import Mapping
from typing import Any

from formwork.engine.changes import Recreation, TypeTraits
from formwork.engine.changes.differences import find_differences
from formwork.engine.changes.recreation import recreation_of
from formwork.schema import ResourceSchema
from formwork.stacks.store.records import STACK_TYPE
from formwork.stacks.store.steps import Decision


def type_traits(schema: ResourceSchema) -> TypeTraits:
    """Return the traits of a type that decide about changes."""
    return TypeTraits(
        create_only=schema.create_only,
        conditional_create_only=schema.conditional_create_only,
        updatable="update" in schema.handlers,
        taggable=schema.tagging.taggable and schema.tagging.tag_updatable,
        automatic=schema.type_name == STACK_TYPE,
    )


def decide(before: Mapping[str, Any], after: Mapping[str, Any], traits: TypeTraits, *, retagged: bool) -> Decision:
    """Return the decision for changed properties; `retagged` says that the stack's own tags changed."""
    needs = {recreation_of(each.path, traits) for each in find_differences(dict(before), dict(after))}
    if Recreation.ALWAYS in needs:
        return Decision.REPLACE
    if Recreation.CONDITIONALLY in needs:
        return Decision.UPDATE_OR_REPLACE
    if needs or traits.automatic or (retagged and traits.taggable and traits.updatable):
        return Decision.UPDATE
    return Decision.LEAVE


def deletes_first(schema: ResourceSchema) -> bool:
    """Return whether a replacement deletes the old resource before it creates the new one."""
    return bool(schema.value.get("replacementStrategy") == "delete_then_create")
