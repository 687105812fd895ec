"""How members of operations relate to the identifiers and properties of resources."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from formwork.smithy.model import Model
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, Shape


def identifier_bindings(resource: ResourceShape, structure: Shape | None) -> Mapping[str, str]:
    """Identifier name → name of the member of an input or output that it is bound to.

    `@resourceIdentifier` binds explicitly and wins; a required member with an identifier's name and target binds too.
    """
    explicit: dict[str, str] = {}
    implicit: dict[str, str] = {}
    for name, member in (structure.members if structure is not None else {}).items():
        bound = member.trait("resourceIdentifier")
        if isinstance(bound, str):
            explicit[bound] = name
        elif member.has_trait("required") and resource.identifiers.get(name) == member.target:
            implicit[name] = name
    return implicit | explicit


class Bindings:
    """The bindings of every resource of one model."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def input_of(self, operation: OperationShape) -> Shape | None:
        """Return the input structure."""
        return self.model.get(operation.input)

    def output_of(self, operation: OperationShape) -> Shape | None:
        """Return the output structure."""
        return self.model.get(operation.output)

    def properties_in(self, structure: Shape | None) -> Shape | None:
        """The structure that holds properties: the one nested with `@nestedProperties`, else `structure` itself."""
        for member in structure.members.values() if structure is not None else ():
            if member.has_trait("nestedProperties"):
                return self.model.target(member)
        return structure

    def operations_of(self, resource: ResourceShape) -> Iterator[OperationShape]:
        """Yield the operations bound to a resource that are in the model."""
        for operation_id in resource.all_operations:
            operation = self.model.get(operation_id)
            if isinstance(operation, OperationShape):
                yield operation

    @cached_property
    def _no_property_traits(self) -> frozenset[str]:
        return frozenset(
            trait for trait, shape in self.model.trait_definitions.items() if shape.has_trait("notProperty")
        )

    @cached_property
    def _judged(self) -> tuple[Mapping[str, bool], Mapping[str, str]]:
        """Of members of the inputs and outputs of resources' operations: whether they need no property, and which name.

        Where operations share a structure the last one decides. Members elsewhere are not looked at: traits that say
        "no property" mean nothing on them.
        """
        without: dict[str, bool] = {}
        names: dict[str, str] = {}
        for resource in self.model.resources:
            for operation in self.operations_of(resource):
                for structure in (self.input_of(operation), self.output_of(operation)):
                    for member, needless in self._judge(resource, structure):
                        without[member.id] = needless
                        if not needless or member.member_name in resource.properties:
                            names[member.id] = self.property_name(member)
                    if structure is not None and self.properties_in(structure) is not structure:
                        without |= dict.fromkeys((member.id for member in structure.members.values()), True)
        return without, names

    def _judge(self, resource: ResourceShape, structure: Shape | None) -> Iterator[tuple[MemberShape, bool]]:
        holder = self.properties_in(structure)
        if structure is None or holder is None:
            return
        bound = set(identifier_bindings(resource, structure).values())
        for member in holder.members.values():
            yield member, member.member_name in bound or not self._no_property_traits.isdisjoint(member.traits)

    def is_no_property(self, member: MemberShape) -> bool:
        """Return whether a member does not have to correspond to a resource property."""
        return self._judged[0].get(member.id, False)

    def bound_property(self, member: MemberShape) -> str | None:
        """The resource property that a member of an operation's input or output is taken for; None for no property."""
        return self._judged[1].get(member.id)

    @cached_property
    def parents(self) -> Mapping[str, tuple[ResourceShape, ...]]:
        """Resource id → the resources it is bound to."""
        found: dict[str, tuple[ResourceShape, ...]] = {}
        for resource in self.model.resources:
            for child in resource.resources:
                found[child] = (*found.get(child, ()), resource)
        return found

    def property_name(self, member: MemberShape) -> str:
        """Return the resource property that a member stands for."""
        value = member.trait("property")
        name = value.get("name") if isinstance(value, dict) else None
        return name or member.member_name
