"""Definitions to shapes: mixins first, then what mixes them in."""

from collections.abc import Iterable, Mapping

from formwork.smithy.definitions import ShapeDefinition
from formwork.smithy.events import Event, EventSeverity, model_error
from formwork.smithy.hash_order import hash_set_order, shape_id_hash
from formwork.smithy.loading.build_services import build_operation, build_resource, build_service
from formwork.smithy.loading.checks import check_definition, is_fatal, known_members
from formwork.smithy.loading.members import build_members, mixed_places, mixed_traits
from formwork.smithy.shape_ids import PRELUDE, namespace_of, sort_key
from formwork.smithy.shapes import ResourceShape, Shape, ShapeType


class ShapeBuilder:
    """Builds every definition, in an order that mixins and bound resources allow."""

    def __init__(self, definitions: Mapping[str, ShapeDefinition], base: Mapping[str, Shape]) -> None:
        self.definitions = definitions
        self.shapes: dict[str, Shape] = dict(base)
        self.events: list[Event] = []
        self._failed: set[str] = set()

    def build(self) -> dict[str, Shape]:
        """Return all shapes, those of the base first, then in the order of their definitions."""
        order = list(self.shapes)
        for shape_id in self._ordered():
            self._build_one(self.definitions[shape_id])
        order += [shape_id for shape_id in self.definitions if shape_id in self.shapes]
        return {shape_id: self.shapes[shape_id] for shape_id in dict.fromkeys(order)}

    def _ordered(self) -> list[str]:
        """Return shape ids sorted so that a shape follows those it needs; cycles are reported and left out."""
        waiting = {
            shape_id: {each for each in self._needs(definition) if each in self.definitions}
            for shape_id, definition in self.definitions.items()
        }
        needed_by: dict[str, list[str]] = {}
        for shape_id, needs in waiting.items():
            for each in needs:
                needed_by.setdefault(each, []).append(shape_id)
        ready = [shape_id for shape_id, needs in waiting.items() if not needs]
        for shape_id in ready:  # grows while it is walked
            for dependent in needed_by.get(shape_id, ()):
                waiting[dependent].discard(shape_id)
                if not waiting[dependent]:
                    ready.append(dependent)
        self._report_cycles({shape_id for shape_id, needs in waiting.items() if needs})
        return ready

    def _needs(self, definition: ShapeDefinition) -> Iterable[str]:
        yield from definition.mixins
        if definition.bound_resource is not None:
            yield definition.bound_resource

    def _report_cycles(self, stuck: set[str]) -> None:
        reported: set[str] = set()
        for first in hash_set_order(sorted(stuck, key=sort_key), hash_of=shape_id_hash):
            if first in reported:
                continue
            group = self._reachable(first, stuck)
            reported |= group
            around = self._way_around(first, group)
            for shape_id in around:
                others = ", ".join(each for each in around if each != shape_id)
                message = f"Unable to resolve mixins; cycles detected between this shape and [{others}]"
                self.events.append(model_error(message, shape=shape_id, place=self.definitions[shape_id].place))

    def _way_around(self, first: str, group: set[str]) -> list[str]:
        """Return the shapes of a group in the order of their mixins, `first` last; those beside the way at the end."""
        way: list[str] = []
        here: str | None = first
        while here is not None:
            following = (each for each in self._needs(self.definitions[here]) if each in group and each not in way)
            here = next(following, None)
            if here is not None:
                way.append(here)
        return [*way, *sorted(group.difference(way), key=sort_key)]

    def _reachable(self, start: str, among: set[str]) -> set[str]:
        """Return every shape of `among` connected with `start` through mixins, in either direction."""
        edges: dict[str, set[str]] = {}
        for shape_id in among:
            for other in self._needs(self.definitions[shape_id]):
                if other in among:
                    edges.setdefault(shape_id, set()).add(other)
                    edges.setdefault(other, set()).add(shape_id)
        found, todo = {start}, [start]
        while todo:
            new = edges.get(todo.pop(), set()) - found
            found |= new
            todo += new
        return found

    def _build_one(self, definition: ShapeDefinition) -> None:
        mixins = None if self._misses_resource(definition) else self._mixins_of(definition)
        if mixins is None:
            return
        resource = self._bound_resource(definition)
        members = build_members(definition, mixins, resource, self.events)
        problems = check_definition(definition, members, mixins)
        self.events += problems
        if is_fatal(definition, problems):
            return
        members = known_members(definition, members)
        traits = mixed_traits(mixins, definition.traits) if mixins else definition.traits
        shape = Shape(
            id=definition.id,
            type=definition.type,
            place=definition.place,
            traits=traits,
            trait_places=mixed_places(mixins, definition.trait_places),
            own_traits=definition.traits,
            members=members,
            mixins=tuple(definition.mixins),
        )
        match definition.type:
            case ShapeType.OPERATION:
                shape = build_operation(shape, definition, mixins)
            case ShapeType.RESOURCE:
                shape = build_resource(shape, definition)
            case ShapeType.SERVICE:
                shape = build_service(shape, definition, mixins)
            case ShapeType.SET:
                shape = _as_unique(shape)
            case _:
                pass
        self.shapes[definition.id] = shape

    def _mixins_of(self, definition: ShapeDefinition) -> list[Shape] | None:
        """Return the mixins' shapes; None if one does not exist, so that the shape can't be built."""
        missing = [each for each in definition.mixins if each not in self.shapes or namespace_of(each) == PRELUDE]
        if not missing:
            return [self.shapes[each] for each in definition.mixins]
        resource = self.shapes.get(definition.bound_resource or "")
        given = {*resource.identifiers, *resource.properties} if isinstance(resource, ResourceShape) else set()
        elided = (each for each in definition.members.values() if each.target is None and each.name not in given)
        first = next(elided, None)
        needy = definition.id if first is None else f"{definition.id}${first.name}"
        message = f"Cannot apply mixin to {needy}: {missing[0]} not found"
        self.events.append(model_error(message, shape=definition.id, place=definition.place))
        return None

    def _misses_resource(self, definition: ShapeDefinition) -> bool:
        """Return whether members take their targets from a resource that isn't there; says so of the first."""
        resource = definition.bound_resource
        elided = next((each for each in definition.members.values() if each.target is None), None)
        if resource is None or elided is None or resource in self.shapes:
            return False
        member_id = f"{definition.id}${elided.name}"
        message = f"Cannot apply resource to elided member {member_id}: {resource} not found"
        self.events.append(model_error(message, shape=definition.id, place=elided.place))
        return True

    def _bound_resource(self, definition: ShapeDefinition) -> ResourceShape | None:
        if definition.bound_resource is None:
            return None
        resource = self.shapes.get(definition.bound_resource)
        if resource is not None and not isinstance(resource, ResourceShape):
            message = (
                "The target of the `for` production must be a resource shape, but found a "
                f"{resource.type} shape: {resource.id}"
            )
            self.events.append(model_error(message, shape=definition.id, place=definition.place))
            return None
        if resource is not None and resource.has_trait("private") and resource.namespace != _namespace(definition):
            message = (
                "This shape has an invalid relationship that targets a private shape, "
                f"`{resource.id}`, in another namespace."
            )
            self.events.append(Event("PrivateAccess", EventSeverity.DANGER, message, definition.id, definition.place))
        return resource


def _namespace(definition: ShapeDefinition) -> str:
    return definition.id.partition("#")[0]


def _as_unique(shape: Shape) -> Shape:
    """Turn a set of version 1.0 into a list of unique items; its type as written is kept."""
    traits = {**shape.traits, "smithy.api#uniqueItems": {}}
    return Shape(
        id=shape.id,
        type=ShapeType.SET,
        place=shape.place,
        traits=traits,
        trait_places=shape.trait_places,
        own_traits={**shape.own_traits, "smithy.api#uniqueItems": {}},
        members=shape.members,
        mixins=shape.mixins,
    )
