"""Mixins flattened into the shapes that use them."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.smithy.model import Model
from formwork.smithy.shapes import OperationShape, ServiceShape, Shape


def flatten(model: Model, _arguments: Mapping[str, Any]) -> Model:
    """Return a model that means the same without mixins."""
    return model.with_shapes(_flatten(shape) for shape in model.shapes.values() if not shape.has_trait("mixin"))


def _flatten(shape: Shape) -> Shape:
    if not shape.mixins:
        return shape
    members = {name: replace(each, own_traits=each.traits, mixins=()) for name, each in shape.members.items()}
    flat = replace(shape, own_traits=shape.traits, mixins=(), members=members)
    match flat:
        case OperationShape():
            return replace(flat, own_errors=flat.errors)
        case ServiceShape():
            own = {
                "version": flat.version,
                "operations": list(flat.operations),
                "resources": list(flat.resources),
                "errors": list(flat.errors),
                "rename": dict(flat.rename),
            }
            return replace(flat, own=own)
        case _:
            return flat
