"""The typed tree of a template's values: scalars, lists, maps, and calls of intrinsic functions.

Every node keeps the path at which it stands in the document, so that whatever is said about it later has a place.
A tree printed by `to_value` equals the value that it was built from.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, assert_never

from msgspec import Struct

Path: TypeAlias = tuple[str | int, ...]

# The single-member objects that are function calls wherever they stand in a value. "Condition" is one only inside
# condition functions: a resource's own attribute and IAM policies use the same word.
FUNCTIONS = frozenset(
    {
        "Ref",
        "Fn::And",
        "Fn::Base64",
        "Fn::Cidr",
        "Fn::Contains",
        "Fn::EachMemberEquals",
        "Fn::EachMemberIn",
        "Fn::Equals",
        "Fn::FindInMap",
        "Fn::GetAZs",
        "Fn::GetAtt",
        "Fn::GetStackOutput",
        "Fn::If",
        "Fn::ImportValue",
        "Fn::Join",
        "Fn::Length",
        "Fn::Not",
        "Fn::Or",
        "Fn::RefAll",
        "Fn::Select",
        "Fn::Split",
        "Fn::Sub",
        "Fn::ToJsonString",
        "Fn::Transform",
        "Fn::ValueOf",
        "Fn::ValueOfAll",
    }
)
CONDITION_FUNCTIONS = frozenset({"Fn::And", "Fn::Or", "Fn::Not", "Fn::Equals", "Fn::If"})


class ScalarExpression(Struct, frozen=True):
    """A string, number, boolean or null."""

    value: str | int | float | bool | None
    path: Path


class Items(Struct, frozen=True):
    """A list."""

    items: tuple["Expression", ...]
    path: Path


class Members(Struct, frozen=True):
    """A map other than a function call."""

    members: Mapping[str, "Expression"]
    path: Path


class Call(Struct, frozen=True):
    """A call of an intrinsic function: `function` is its long name, such as `Fn::Sub` or `Ref`."""

    function: str
    argument: "Expression"
    path: Path


Expression: TypeAlias = ScalarExpression | Items | Members | Call


def build_expression(value: Any, path: Path = (), *, in_condition: bool = False) -> Expression:
    """Return the tree of a document's value; `path` is where the value stands in the document.

    With `in_condition` a `{"Condition": name}` is the reference to a condition, as it is inside condition functions.
    """
    match value:
        case dict():
            if len(value) == 1:
                ((key, argument),) = value.items()
                if key in FUNCTIONS or (in_condition and key == "Condition"):
                    inside = key in CONDITION_FUNCTIONS and key not in {"Fn::Equals", "Fn::If"}
                    return Call(key, build_expression(argument, (*path, key), in_condition=inside), path)
            return Members({key: build_expression(each, (*path, key)) for key, each in value.items()}, path)
        case list():
            items = (build_expression(each, (*path, i), in_condition=in_condition) for i, each in enumerate(value))
            return Items(tuple(items), path)
        case _:
            return ScalarExpression(value, path)


def to_value(expression: Expression) -> Any:
    """Return the plain value again: what a document holds."""
    match expression:
        case ScalarExpression():
            return expression.value
        case Items():
            return [to_value(each) for each in expression.items]
        case Members():
            return {key: to_value(each) for key, each in expression.members.items()}
        case Call():
            return {expression.function: to_value(expression.argument)}
        case _:
            assert_never(expression)


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield the expression and everything inside it, outermost first."""
    yield expression
    match expression:
        case ScalarExpression():
            return
        case Items():
            children: Iterator[Expression] = iter(expression.items)
        case Members():
            children = iter(expression.members.values())
        case Call():
            children = iter((expression.argument,))
        case _:
            assert_never(expression)
    for child in children:
        yield from walk(child)


def literal(expression: Expression) -> str | None:
    """The text of a scalar that stands for a string, or None: numbers and booleans are written as templates do."""
    if not isinstance(expression, ScalarExpression) or expression.value is None:
        return None
    if isinstance(expression.value, bool):
        return "true" if expression.value else "false"
    return str(expression.value)
