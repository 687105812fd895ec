"""Target: what shapes lead to exists and is of the type it must be."""

from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.selectors.neighbors import Relation
from formwork.smithy.shape_ids import namespace_of
from formwork.smithy.shapes import LIFECYCLES, SERVICE_TYPES, MemberShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, described, error

_STRUCTURES = ("input", "output", "error")
_STRINGS = (ShapeType.STRING, ShapeType.ENUM)
_NAMES_OF_MEMBER_RELATION = ""


def targets(validation: Validation) -> Iterator[Event]:
    """Check every relation of every shape."""
    for shape in validation.model.everything():
        for relation in validation.neighbors.relations(shape):
            target = validation.model.get(relation.target)
            if target is None:
                yield _unresolved(validation, relation)
                continue
            yield from (error("Target", shape, problem) for problem in _problems(validation, relation, target))
        for mixin in shape.mixins if not isinstance(shape, MemberShape) else ():
            found = validation.model.get(mixin)
            if found is not None and not found.has_trait("mixin"):
                message = f"Attempted to use {mixin} as a mixin, but it is not marked with the mixin trait"
                yield error("Target", shape, message)


def _unresolved(validation: Validation, relation: Relation) -> Event:
    shape = relation.source
    if isinstance(shape, MemberShape):
        what = "member shape targets an unresolved shape"
    else:
        article = "an" if relation.name[0] in "aeiou" else "a"
        what = f"{shape.type} shape has {article} `{relation.name}` relationship to an unresolved shape"
    similar = _similar(validation, relation.target)
    suggestion = f". Did you mean {', '.join(similar)}?" if similar else ""
    message = f"{what} `{relation.target}`{suggestion}"
    return Event("Target.UnresolvedShape", EventSeverity.ERROR, message, shape.id, shape.place)


def _similar(validation: Validation, missing: str) -> list[str]:
    """Ids of the namespace that are at most two edits away, the nearest ones only."""
    namespace = namespace_of(missing)
    found: dict[int, list[str]] = {}
    for shape_id in validation.model.shapes:
        if namespace_of(shape_id) == namespace and abs(len(shape_id) - len(missing)) <= 2:
            distance = _distance(missing, shape_id, 2)
            if distance <= 2:
                found.setdefault(distance, []).append(shape_id)
    return sorted(found[min(found)]) if found else []


def _distance(left: str, right: str, limit: int) -> int:
    """Return the edits that make one text from the other; `limit` + 1 for more than that."""
    row = list(range(len(right) + 1))
    for line, one in enumerate(left, 1):
        previous, row[0] = row[0], line
        for column, other in enumerate(right, 1):
            previous, row[column] = (
                row[column],
                min(row[column] + 1, row[column - 1] + 1, previous + (one != other)),
            )
        if min(row) > limit:
            return limit + 1
    return row[-1]


def _problems(validation: Validation, relation: Relation, target: Shape) -> Iterator[str]:
    shape, name = relation.source, relation.name
    if isinstance(shape, MemberShape):
        yield from _member_problems(validation, shape, target)
    elif name in _STRUCTURES:
        yield from _structure_problems(shape, name, target)
    elif name in LIFECYCLES and shape.type is ShapeType.RESOURCE:
        if target.type is not ShapeType.OPERATION:
            yield f"Resource {name} lifecycle operation must target an operation, but found {described(target)}"
    elif name in ("operation", "collectionOperation") and target.type is not ShapeType.OPERATION:
        yield f"{shape.type} shape `{name}` relationships must target a operation shape, but found {described(target)}"
    elif name == "resource" and target.type is not ShapeType.RESOURCE:
        yield f"{shape.type} shape `resource` relationships must target a resource shape, but found {described(target)}"
    elif name == "identifier" and target.type not in _STRINGS:
        yield f"{shape.type} shape `identifier` relationships must target a string shape, but found {described(target)}"
    elif name == "property" and (target.type in SERVICE_TYPES or target.type is ShapeType.MEMBER):
        yield f"Resource properties cannot target {target.type} shapes, but found {described(target)}"


def _structure_problems(shape: Shape, name: str, target: Shape) -> Iterator[str]:
    if target.type is not ShapeType.STRUCTURE:
        yield f"{shape.type} shape `{name}` relationships must target a structure shape, but found {described(target)}"
    elif name == "error" and not target.has_trait("error"):
        yield f"`{target.id}` cannot be bound as an error because it is not marked with the `error` trait."
    elif name != "error" and target.has_trait("error"):
        yield f"Operation {name} targets an invalid structure `{target.id}` that is marked with the `error` trait."


def _member_problems(validation: Validation, member: MemberShape, target: Shape) -> Iterator[str]:
    if target.type in SERVICE_TYPES or target.type is ShapeType.MEMBER:
        yield f"Members cannot target {target.type} shapes, but found {described(target)}"
        return
    if target.has_trait("mixin"):
        yield (
            f"Illegal MEMBER_TARGET reference to mixin `{target.id}`; shapes marked with the mixin trait can only be "
            "referenced to apply them as a mixin."
        )
    container = validation.model.get(member.container)
    if target.has_trait("trait") and not (container is not None and container.has_trait("trait")):
        yield (
            f"Found a MEMBER_TARGET reference to trait definition `{target.id}`. Trait definitions cannot be targeted "
            "by members or referenced by shapes in any other context other than applying them as traits."
        )


def map_keys(validation: Validation) -> Iterator[Event]:
    """Check that keys of maps are strings."""
    for shape in validation.model.of_type(ShapeType.MAP):
        key = shape.members.get("key")
        target = validation.model.target(key) if key is not None else None
        if target is not None and target.type not in _STRINGS:
            message = f"Map key member targets {described(target)}, but is expected to target a string"
            yield error("Target", shape, message)


def private_access(validation: Validation) -> Iterator[Event]:
    """Check PrivateAccess: private shapes stay in their namespace."""
    marked = validation.model.with_trait("private")
    private = {each.id: each for each in marked if not isinstance(each, MemberShape)}
    for shape in validation.model.everything():
        related = (relation.target for relation in validation.neighbors.relations(shape))
        for target_id in (*related, *shape.traits):
            target = private.get(target_id)
            if target is None or target.namespace == shape.namespace:
                continue
            message = (
                "This shape has an invalid relationship that targets a private shape, "
                f"`{target.id}`, in another namespace."
            )
            yield Event("PrivateAccess", EventSeverity.ERROR, message, shape.id, shape.place)
