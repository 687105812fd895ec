"""The properties of a CloudFormation resource and who may set and see them, derived from its lifecycle."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.convert.naming import CFN_RESOURCE
from formwork.smithy.bindings import Bindings, identifier_bindings
from formwork.smithy.hash_order import hash_set_order
from formwork.smithy.shape_ids import sort_key
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, Shape, ShapeType

_MUTABILITY = "aws.cloudformation#cfnMutability"
_EXCLUDE = "aws.cloudformation#cfnExcludeProperty"
_ADDITIONAL = "aws.cloudformation#cfnAdditionalIdentifier"


class SmithyMutability(StrEnum):
    """The operations (create, read, update) in which a property may occur."""

    CREATE = "CREATE"
    READ = "READ"
    WRITE = "WRITE"


Mutabilities = frozenset[SmithyMutability]
_NONE: Mutabilities = frozenset()
_READ = frozenset((SmithyMutability.READ,))
_CREATE = frozenset((SmithyMutability.CREATE,))
_WRITE = frozenset((SmithyMutability.WRITE,))
_EXPLICIT: Mapping[str, Mutabilities] = {
    "full": frozenset(SmithyMutability),
    "create-and-read": _CREATE | _READ,
    "create": _CREATE,
    "read": _READ,
    "write": _WRITE,
}


class ResourceProperty(Struct, frozen=True):
    """One property: the members (or for identifiers the target) it comes from, and its mutability.

    A locked property is an identifier or one with an explicit mutability; later members don't change it.
    """

    shape_ids: tuple[str, ...]
    mutabilities: Mutabilities
    locked: bool = False

    @property
    def representative(self) -> str:
        """The shape id that all facts about the property are taken from."""
        return min(self.shape_ids, key=sort_key)

    @property
    def is_create_only(self) -> bool:
        """Whether it can be set when creating and not later."""
        return SmithyMutability.CREATE in self.mutabilities and SmithyMutability.WRITE not in self.mutabilities

    @property
    def is_read_only(self) -> bool:
        """Whether it can only be read."""
        return self.mutabilities == _READ

    @property
    def is_write_only(self) -> bool:
        """Whether it can be set and never read."""
        return self.mutabilities == _CREATE or (
            SmithyMutability.WRITE in self.mutabilities and SmithyMutability.READ not in self.mutabilities
        )


class CfnResource(Struct, frozen=True):
    """A resource as CloudFormation sees it; everything goes by member name, before any renaming."""

    shape: ResourceShape
    properties: Mapping[str, ResourceProperty]
    primary_identifiers: tuple[str, ...]
    additional_identifiers: tuple[tuple[str, ...], ...] = ()
    # Names that more than one shape is targeted under, with those shapes.
    conflicts: Mapping[str, frozenset[str]] = field(default_factory=dict)


# Lifecycle, whether its input or its output, mutability of a new property, mutability added to a known one.
_STEPS: tuple[tuple[str, str, Mutabilities], ...] = (
    ("read", "output", _READ),
    ("put", "input", _CREATE | _WRITE),
    ("create", "input", _CREATE),
    ("update", "input", _WRITE),
)


class _Collector:
    """Collects the properties of one resource, step by step; the order of the steps decides."""

    def __init__(self, bindings: Bindings, resource: ResourceShape) -> None:
        self.bindings = bindings
        self.model = bindings.model
        self.resource = resource
        self.properties: dict[str, ResourceProperty] = {}
        self.additional: list[tuple[str, ...]] = []
        self.excluded: set[str] = set()

    def collect(self) -> CfnResource:
        self._identifiers()
        read = self._operation("read")
        if read is not None:
            self._additional_identifiers(self.bindings.input_of(read))
        for lifecycle, side, mutabilities in _STEPS:
            operation = self._operation(lifecycle)
            if operation is None:
                continue
            whole = self.bindings.input_of(operation) if side == "input" else self.bindings.output_of(operation)
            self._members(self.bindings.properties_in(whole), mutabilities, operation)
        trait = self.resource.trait(CFN_RESOURCE) or {}
        for schema_id in trait.get("additionalSchemas", ()):
            structure = self.model.get(schema_id)
            self._additional_identifiers(structure)
            self._members(structure, _NONE, None)
        return self._result(trait.get("primaryIdentifier"))

    def _operation(self, lifecycle: str) -> OperationShape | None:
        operation = self.model.get(self.resource.lifecycle.get(lifecycle, ""))
        return operation if isinstance(operation, OperationShape) else None

    def _identifiers(self) -> None:
        parents = self.bindings.parents.get(self.resource.id, ())
        inherited = {name for parent in parents for name in parent.identifiers}
        for name, target in self.resource.identifiers.items():
            set_by_user = name in inherited or "put" in self.resource.lifecycle
            mutabilities = _CREATE | _READ if set_by_user else _READ
            self.properties[name] = ResourceProperty((target,), mutabilities, locked=True)

    def _additional_identifiers(self, structure: Shape | None) -> None:
        for name, member in (structure.members if structure is not None else {}).items():
            if member.has_trait(_ADDITIONAL):
                self.additional.append((name,))
                self.properties[name] = ResourceProperty((member.id,), _READ)

    def _members(self, structure: Shape | None, mutabilities: Mutabilities, operation: OperationShape | None) -> None:
        if structure is None:
            return
        bound: Iterable[str] = ()
        if operation is not None:
            bound = set(identifier_bindings(self.resource, self.bindings.input_of(operation)).values())
        for name, member in structure.members.items():
            if name not in bound:
                self._member(name, member, mutabilities)
        self.excluded.update(_excluded_members(self.bindings, structure))

    def _member(self, name: str, member: MemberShape, mutabilities: Mutabilities) -> None:
        explicit = self._explicit(member)
        known = self.properties.get(name)
        if known is None:
            derived = mutabilities if explicit is None else explicit
            self.properties[name] = ResourceProperty((member.id,), derived, locked=explicit is not None)
        elif not known.locked:
            self.properties[name] = replace(
                known,
                shape_ids=tuple(dict.fromkeys((*known.shape_ids, member.id))),
                mutabilities=known.mutabilities | mutabilities if explicit is None else explicit,
                locked=explicit is not None,
            )

    def _explicit(self, member: MemberShape) -> Mutabilities | None:
        value = member.trait(_MUTABILITY)
        if value is None:
            target = self.model.target(member)
            value = target.trait(_MUTABILITY) if target is not None else None
        return _EXPLICIT.get(value) if isinstance(value, str) else None

    def _result(self, primary: str | None) -> CfnResource:
        kept = {
            name: replace(each, shape_ids=shape_ids)
            for name, each in self.properties.items()
            if (shape_ids := tuple(shape_id for shape_id in each.shape_ids if shape_id not in self.excluded))
        }
        identifiers = tuple(self.resource.identifiers)
        additional = self.additional
        if primary is not None:
            additional = [*additional, tuple(hash_set_order(identifiers))]
            identifiers = (primary,)
        targets = {name: frozenset(map(self._target, each.shape_ids)) for name, each in kept.items()}
        conflicts = {name: each for name, each in targets.items() if len(each) > 1}
        return CfnResource(self.resource, kept, identifiers, tuple(additional), conflicts)

    def _target(self, shape_id: str) -> str:
        shape = self.model.get(shape_id)
        return shape.target if isinstance(shape, MemberShape) else shape_id


def _excluded_members(bindings: Bindings, structure: Shape) -> Iterator[str]:
    """Yield ids of members of a structure, nested ones included, that do not become properties."""
    todo, seen = [structure], {structure.id}
    while todo:
        for member in todo.pop().members.values():
            if member.has_trait(_EXCLUDE) or bindings.is_no_property(member):
                yield member.id
            target = bindings.model.target(member)
            if target is not None and target.type is ShapeType.STRUCTURE and target.id not in seen:
                seen.add(target.id)
                todo.append(target)


def cfn_resource(bindings: Bindings, resource: ResourceShape) -> CfnResource:
    """Return the resource as CloudFormation sees it."""
    return _Collector(bindings, resource).collect()
