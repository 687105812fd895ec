"""Names and pointers of definitions: which shapes have one, how it is named, and what to do when names clash."""

import re
from collections.abc import Callable, Iterable

from formwork.convert.errors import conversion_error
from formwork.convert.options import JsonSchemaOptions
from formwork.smithy.model import Model
from formwork.smithy.reachable import reachable_from
from formwork.smithy.shape_ids import PRELUDE, UNIT, sort_key
from formwork.smithy.shapes import SERVICE_TYPES, SIMPLE_TYPES, ServiceShape, Shape, ShapeType

_NOT_ALPHANUMERIC = re.compile(r"[^A-Za-z0-9]")
_COLLECTIONS = (ShapeType.LIST, ShapeType.SET, ShapeType.MAP)


class DefinitionPointers:
    """Pointers of the definitions of one model under one configuration."""

    def __init__(self, model: Model, options: JsonSchemaOptions) -> None:
        self._options = options
        service = model.get(options.service) if options.service else None
        self._rename = service.rename if isinstance(service, ServiceShape) else {}
        self.uses_unit = any(
            member.target == UNIT for shape in model.of_type(ShapeType.UNION) for member in shape.members.values()
        )
        self._pointers = self._deconflicted(model, service)

    def is_inlined(self, shape: Shape) -> bool:
        """Return whether the schema of `shape` is inlined at each use instead of becoming a definition."""
        match shape.type:
            case ShapeType.LIST | ShapeType.SET:
                return True
            case ShapeType.MAP:
                return self._options.use_inline_maps
            case ShapeType.ENUM:
                return False
            case ShapeType.INT_ENUM:
                return self._options.disable_int_enums
            case ShapeType.STRING:
                return not shape.has_trait("enum")
            case _:
                return shape.type in SIMPLE_TYPES

    def pointer(self, shape: Shape) -> str:
        """`#/definitions/Name` of a shape."""
        return self._pointers.get(shape.id) or self._plain_pointer(shape)

    def name(self, shape: Shape) -> str:
        """Return the key of a shape's definition."""
        return self.pointer(shape).removeprefix(self._options.pointer).removeprefix("/")

    def _plain_pointer(self, shape: Shape) -> str:
        name = self._rename.get(shape.id, shape.name)
        if self._options.alphanumeric_only_refs:
            name = _NOT_ALPHANUMERIC.sub("", name)
        return f"{self._options.pointer}/{name}"

    def _deconflicted(self, model: Model, service: Shape | None) -> dict[str, str]:
        pointers: dict[str, str] = {}
        owners: dict[str, Shape] = {}
        in_traits = _only_in_traits(model)
        for shape in self._considered(model, service):
            pointer = self._plain_pointer(shape)
            owner = owners.get(pointer)
            if owner is None:
                owners[pointer] = shape
            elif shape.type in _COLLECTIONS:
                namespace = "".join(part[:1].upper() + part[1:] for part in shape.namespace.split("."))
                pointer += namespace
                owners.setdefault(pointer, shape)
            elif not in_traits(owner):
                message = (
                    f"Shape ({shape.type}: `{shape.id}`) conflicts with {owner.id} using a JSON schema pointer "
                    f"of {pointer}"
                )
                raise conversion_error(message, hint="rename one of the shapes with `rename` on the service")
            pointers[shape.id] = pointer
        return pointers

    def _considered(self, model: Model, service: Shape | None) -> Iterable[Shape]:
        shapes: Iterable[Shape] = model.shapes.values()
        if service is not None and not self._options.enable_out_of_service_references:
            shapes = [model.shapes[each] for each in reachable_from(model, [service.id]) if each in model.shapes]
        considered = [shape for shape in shapes if _has_definition(shape, uses_unit=self.uses_unit)]
        return sorted(considered, key=lambda shape: sort_key(shape.id))


def _has_definition(shape: Shape, *, uses_unit: bool) -> bool:
    if shape.type in SERVICE_TYPES or shape.has_trait("trait"):
        return False
    if shape.namespace == PRELUDE:
        return shape.id == UNIT and uses_unit
    return shape.type not in SIMPLE_TYPES or shape.type is ShapeType.ENUM or shape.has_trait("enum")


def _only_in_traits(model: Model) -> Callable[[Shape], bool]:
    """Return whether nothing but trait definitions uses a shape; found out only when names clash."""
    known: set[str] | None = None

    def check(shape: Shape) -> bool:
        nonlocal known
        if known is None:
            from_traits = set(reachable_from(model, model.trait_definitions))
            others = (each.id for each in model.shapes.values() if each.id not in from_traits)
            known = from_traits - set(reachable_from(model, others))
        return shape.id in known

    return check
