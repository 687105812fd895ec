"""ShapeRecursion: shapes of which no value can exist."""

from collections.abc import Callable, Iterator

from formwork.smithy.events import Event
from formwork.smithy.shapes import MemberShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error

_COLLECTIONS = (ShapeType.LIST, ShapeType.SET, ShapeType.MAP)


def recursion(validation: Validation) -> Iterator[Event]:
    """Report lists and maps through nothing but themselves, required members and unions that never end."""
    for shape in validation.model.shapes.values():
        if shape.type in _COLLECTIONS:
            path = _path_back(validation, shape, _collection_members)
            if path:
                message = (
                    f"Found invalid shape recursion: {' > '.join(path)}. A recursive list, set, or map shape is only "
                    "valid if an intermediate reference is through a union or structure."
                )
                yield error("ShapeRecursion", shape, message)
        elif shape.type is ShapeType.STRUCTURE:
            path = _path_back(validation, shape, _required_members)
            if path:
                message = (
                    f"Found invalid shape recursion: {' > '.join(path)}. A structure cannot be mutually recursive "
                    "through all required members."
                )
                yield error("ShapeRecursion", shape, message)
    yield from _endless_unions(validation)


def _collection_members(shape: Shape) -> list[MemberShape]:
    if shape.type not in _COLLECTIONS:
        return []
    return [shape.members[name] for name in ("member", "value") if name in shape.members]


def _required_members(shape: Shape) -> list[MemberShape]:
    if shape.type is not ShapeType.STRUCTURE:
        return []
    return [member for member in shape.members.values() if member.has_trait("required")]


def _path_back(validation: Validation, start: Shape, members_of: Callable[[Shape], list[MemberShape]]) -> list[str]:
    todo: list[tuple[Shape, list[str]]] = [(start, [])]
    seen: set[str] = set()
    while todo:
        shape, path = todo.pop()
        for member in members_of(shape):
            target = validation.model.target(member)
            if target is None:
                continue
            way = [*path, member.id, target.id]
            if target is start:
                return way
            if target.id not in seen:
                seen.add(target.id)
                todo.append((target, way))
    return []


def _endless_unions(validation: Validation) -> Iterator[Event]:
    finite: set[str] = set()
    unions = list(validation.model.of_type(ShapeType.UNION))
    changed = True
    while changed:
        changed = False
        for union in unions:
            if union.id not in finite and any(
                _ends(validation, member, finite, frozenset()) for member in union.members.values()
            ):
                finite.add(union.id)
                changed = True
    for union in unions:
        if union.members and union.id not in finite:
            yield error("ShapeRecursion", union, "It is impossible to create instances of this recursive union")


def _ends(validation: Validation, member: MemberShape, finite: set[str], seen: frozenset[str]) -> bool:
    target = validation.model.target(member)
    if target is None or target.id in finite:
        return True
    if target.type is ShapeType.UNION or target.id in seen:
        return False
    if target.type is ShapeType.STRUCTURE:
        inside = seen | {target.id}
        return all(_ends(validation, each, finite, inside) for each in _required_members(target))
    return True
