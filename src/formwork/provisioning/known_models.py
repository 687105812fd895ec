"""What is known of a resource without asking its handlers: what they answered last, and what its template says.

A stack's reads and deletes are given that, read-only values included and write-only ones left out; see
docs/decisions/1280-stacks-send-the-last-known-model-on-delete-and-read.md.
"""

from collections.abc import Callable, Mapping
from typing import Any

from formwork.provisioning.physical_ids import identifying_model
from formwork.schema import ResourceSchema
from formwork.schema.coercion import coerce_properties
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import ResourceRecord

Resolve = Callable[[Any], Any]


def last_known_model(
    schema: ResourceSchema, resource: ResourceRecord, resolve: Resolve, *, answered: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the resource's last known model, its primary identifier as the physical id says.

    `answered` is what a handler has answered since `resource` was stored. `resolve` fills in dynamic references and
    raises StackError for one that can't be; a property with such a reference is left out: the resource can still be
    read and deleted when its secrets are gone.
    """
    model = resource.model if answered is None else answered
    identifier = identifying_model(schema, resource.physical_id, model)
    known = schema.without_write_only({**resource.properties, **model})
    return {**coerce_properties(schema, resolve_each(known, resolve)), **identifier}


def resolve_each(model: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    """Return the properties of `model` with references resolved; those that can't be resolved are left out."""
    resolved = {}
    for name, value in model.items():
        try:
            resolved[name] = resolve(value)
        except StackError:
            continue
    return resolved
