"""EnumShape, EnumTrait and what goes with them."""

import re
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import render_node
from formwork.smithy.shapes import MemberShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, event, warning

_NAME = re.compile(r"[A-Z]+[A-Z_0-9]*", re.ASCII)
_STYLE = (
    "does not match the recommended enum name format of beginning with an uppercase letter, followed by any number "
    "of uppercase letters, numbers, or underscores."
)
_VALUE = "smithy.api#enumValue"


def enum_shapes(validation: Validation) -> Iterator[Event]:
    """Check the values of enums and intEnums."""
    for shape in validation.model.of_type(ShapeType.ENUM, ShapeType.INT_ENUM):
        seen: list[object] = []
        for member in shape.members.values():
            problem = _string_problem(member) if shape.type is ShapeType.ENUM else _integer_problem(member)
            value = member.trait(_VALUE)
            if problem is None and value in seen:
                problem = f"Multiple {shape.type} members found with duplicate value `{value}`"
            if problem is not None:
                yield error("EnumShape", member, problem)
            else:
                seen.append(value)
            if not _NAME.fullmatch(member.member_name):
                yield event("EnumShape", EventSeverity.WARNING, member, f"The name `{member.member_name}` {_STYLE}")


def _string_problem(member: MemberShape) -> str | None:
    value = member.trait(_VALUE)
    if not isinstance(value, str):
        return f"enum members can only be assigned string values, but found: {render_node(value)}"
    return None if value else "enum values may not be empty."


def _integer_problem(member: MemberShape) -> str | None:
    value = member.trait(_VALUE)
    if not member.has_trait(_VALUE):
        return "intEnum members must be assigned an integer value"
    if isinstance(value, bool) or not isinstance(value, int):
        if isinstance(value, str | bool | list | dict) or value is None:
            return f"intEnum members require integer values, but found: {render_node(value)}"
        return f"intEnum members do not support floating point values: {render_node(value)}"
    if not -(2**31) <= value < 2**31:
        return f"intEnum members must fit within an integer, but found: {value}"
    return None


def enum_traits(validation: Validation) -> Iterator[Event]:
    """Check values of the deprecated @enum trait."""
    for shape in validation.model.with_trait("enum"):
        entries = [each for each in shape.trait("enum") if isinstance(each, dict)]
        names = [each.get("name") for each in entries]
        if any(names):
            yield from _check_names(shape, entries)
        else:
            message = "Enums should define the `name` property to allow rich types to be generated in code generators."
            yield warning("EnumNamesPresent", shape, message)
        yield from _check_values(shape, entries)


def _check_names(shape: Shape, entries: list[dict[str, str]]) -> Iterator[Event]:
    seen: set[str] = set()
    for entry in entries:
        name = entry.get("name")
        if name is None:
            message = (
                f"`{entry.get('value')}` enum value body is missing the `name` property; if any enum trait value "
                "contains a `name` property, then all values must contain the `name` property."
            )
            yield error("EnumTrait", shape, message, trait="smithy.api#enum")
            continue
        if name in seen:
            message = f"Duplicate enum trait values found with the same `name` property of '{name}'"
            yield error("EnumTrait", shape, message, trait="smithy.api#enum")
        seen.add(name)
        if not _NAME.fullmatch(name):
            yield warning(f"EnumTrait.{name}", shape, f"The name `{name}` {_STYLE}", trait="smithy.api#enum")


def _check_values(shape: Shape, entries: list[dict[str, str]]) -> Iterator[Event]:
    seen: set[str] = set()
    for entry in entries:
        value = entry.get("value", "")
        if value in seen:
            message = f"Duplicate enum trait values found with the same `value` property of '{value}'"
            yield error("EnumTrait", shape, message, trait="smithy.api#enum")
        seen.add(value)
