"""One entry of an AST's `shapes`: the JSON object to a definition and its trait applications."""

from typing import Any

from formwork.smithy.definitions import MemberDefinition, ModelFile, ShapeDefinition, TraitApplication
from formwork.smithy.events import describe_unknown_properties, model_warning
from formwork.smithy.nodes import Node, type_name
from formwork.smithy.places import SourcePlace
from formwork.smithy.shape_ids import is_absolute, member_of
from formwork.smithy.shapes import LIFECYCLES, SIMPLE_TYPES, ShapeType

_TYPES = {str(each): each for each in ShapeType if each is not ShapeType.MEMBER}
_FIXED_MEMBERS = {ShapeType.LIST: ("member",), ShapeType.SET: ("member",), ShapeType.MAP: ("key", "value")}
_NAMED_MEMBERS = frozenset((ShapeType.STRUCTURE, ShapeType.UNION, ShapeType.ENUM, ShapeType.INT_ENUM))
_ID_LISTS = ("operations", "collectionOperations", "resources", "errors")

_KNOWN: dict[ShapeType, frozenset[str]] = {
    **dict.fromkeys(SIMPLE_TYPES, frozenset(("mixins", "traits", "type"))),
    **dict.fromkeys(_NAMED_MEMBERS, frozenset(("members", "mixins", "traits", "type"))),
    **{each: frozenset((*names, "mixins", "traits", "type")) for each, names in _FIXED_MEMBERS.items()},
    ShapeType.OPERATION: frozenset(("errors", "input", "mixins", "output", "traits", "type")),
    ShapeType.RESOURCE: frozenset(
        (*LIFECYCLES, "collectionOperations", "identifiers", "mixins", "operations", "properties", "resources",
         "traits", "type")
    ),
    ShapeType.SERVICE: frozenset(
        ("errors", "mixins", "operations", "rename", "resources", "traits", "type", "version")
    ),
}  # fmt: skip


class UnusableShapeError(Exception):
    """Something that makes one shape unusable; `pointer` leads to it inside the shape."""

    def __init__(self, message: str, *pointer: str | int) -> None:
        super().__init__(message)
        self.pointer = pointer


class UnusableAstError(Exception):
    """Something that makes a whole file unusable; `pointer` leads to it."""

    def __init__(self, message: str, pointer: tuple[str | int, ...]) -> None:
        super().__init__(message)
        self.pointer = pointer


def read_shape(file: ModelFile, shape_id: str, raw: Any, *again: str) -> None:
    """Add the shape to `file`; `again` marks the second of two shapes with one id.

    Raises:
        UnusableShapeError: the shape cannot be used; the others still can.
    """
    if not isinstance(raw, dict):
        raise UnusableShapeError(f"Expected object, but found {type_name(raw)}.")
    if not is_absolute(shape_id):
        raise UnusableShapeError(f"Invalid shape ID: {shape_id}")
    place = SourcePlace(file.source, -1, ("shapes", shape_id, *again))
    keyword = raw.get("type")
    if keyword is None:
        raise UnusableShapeError("Missing expected member `type`.")
    if keyword == "apply":
        _warn_unknown(file, shape_id, raw, frozenset(("traits", "type")), place)
        _read_traits(file, shape_id, raw, ("shapes", shape_id))
        return
    if not isinstance(keyword, str) or keyword not in _TYPES:
        raise UnusableShapeError(f"Invalid shape `type`: {keyword}")
    if member_of(shape_id):
        raise UnusableShapeError(
            f"Shapes of type `{keyword}` cannot contain a member in their shape ID. Found `{shape_id}`"
        )
    _read_definition(file, ShapeDefinition(shape_id, _TYPES[keyword], place, file.version), raw)


def _read_definition(file: ModelFile, definition: ShapeDefinition, raw: dict[str, Any]) -> None:
    shape_type = definition.type
    _warn_unknown(file, definition.id, raw, _KNOWN[shape_type], definition.place)
    if "mixins" in raw:
        definition.mixins = _read_references(raw["mixins"])
    if shape_type in _FIXED_MEMBERS:
        for name in _FIXED_MEMBERS[shape_type]:
            if name in raw:
                _read_member(file, definition, name, raw[name], ("shapes", definition.id, name))
    elif shape_type in _NAMED_MEMBERS:
        members = raw.get("members", {})
        if not isinstance(members, dict):
            raise UnusableShapeError(f"Expected `members` to be an object; found {type_name(members)}")
        for name, member in members.items():
            _read_member(file, definition, name, member, ("shapes", definition.id, "members", name))
    elif shape_type not in SIMPLE_TYPES:
        _read_properties(definition, raw)
    _read_traits(file, definition.id, raw, ("shapes", definition.id))
    file.definitions.append(definition)


def _warn_unknown(
    file: ModelFile, shape_id: str, raw: dict[str, Any], known: frozenset[str], place: SourcePlace
) -> None:
    if raw.keys() <= known:
        return
    message = describe_unknown_properties(tuple(sorted(known)), sorted(raw.keys() - known))
    file.events.append(model_warning(message, shape=shape_id, place=place))


_MEMBER_KEYS = frozenset(("target", "traits"))


def _read_member(
    file: ModelFile, definition: ShapeDefinition, name: str, raw: Any, pointer: tuple[str | int, ...]
) -> None:
    if not isinstance(raw, dict):
        raise UnusableShapeError(f"Expected `{name}` to be an object; found {type_name(raw)}")
    place = SourcePlace(file.source, -1, pointer)
    member_id = f"{definition.id}${name}"
    _warn_unknown(file, member_id, raw, _MEMBER_KEYS, place)
    definition.members[name] = MemberDefinition(name, _read_target(raw), place)
    _read_traits(file, member_id, raw, pointer)


def _read_traits(file: ModelFile, target: str, raw: dict[str, Any], pointer: tuple[str | int, ...]) -> None:
    traits = raw.get("traits")
    if traits is None:
        return
    if not isinstance(traits, dict):
        raise UnusableShapeError(f"Expected `traits` to be an object; found {type_name(traits)}")
    for trait, value in traits.items():
        if "#" not in trait:
            raise UnusableShapeError(f"Invalid shape ID: {trait}")
        place = SourcePlace(file.source, -1, (*pointer, "traits", trait))
        file.applications.append(TraitApplication(target, trait, value, place))


def _read_target(raw: Any) -> str:
    if not isinstance(raw, dict):
        raise UnusableShapeError(f"Expected object, but found {type_name(raw)}.")
    target = raw.get("target")
    if target is None:
        raise UnusableShapeError("Missing expected member `target`.")
    if not isinstance(target, str):
        raise UnusableShapeError(f"Expected `target` to be a string; found {type_name(target)}")
    if "#" not in target:
        raise UnusableShapeError(f"Invalid shape ID: {target}")
    return target


def _read_references(raw: Any) -> list[str]:
    if not isinstance(raw, list):
        raise UnusableShapeError(f"Expected array, but found {type_name(raw)}.")
    return [_read_target(each) for each in raw]


def _read_properties(definition: ShapeDefinition, raw: dict[str, Any]) -> None:
    properties = definition.properties
    for key, value in raw.items():
        if key in ("input", "output", *LIFECYCLES):
            if not isinstance(value, dict):
                raise UnusableShapeError(f"Expected `{key}` to be an object; found {type_name(value)}", key)
            properties[key] = _read_target(value)
        elif key in _ID_LISTS:
            properties[key] = list[Node](_read_references(value))
        elif key in ("identifiers", "properties"):
            if not isinstance(value, dict):
                raise UnusableShapeError(f"Expected `{key}` to be an object; found {type_name(value)}")
            properties[key] = {name: _read_target(each) for name, each in value.items()}
        elif key in ("version", "rename"):
            properties[key] = value
