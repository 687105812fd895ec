"""The intrinsic functions: the form that each one's argument must have, and where it may stand.

Source: CloudFormation user guide, "Intrinsic function reference"; the texts of the service's own errors where they are
known are kept word for word, since people search for them.
"""

import re
from collections.abc import Callable, Mapping
from enum import Flag, auto

from msgspec import Struct

from formwork.template.expressions import Call, Expression, Items, Members, ScalarExpression, literal, walk
from formwork.template.problems import Problems

_CIDR_ARGUMENTS = (2, 3)
_FIND_IN_MAP_ARGUMENTS = (3, 4)
_MAX_CONDITIONS = 10
_SUB_NAMES = re.compile(r"\$\{([^!{}][^{}]*)\}")
_SUB_NAME = re.compile(r"\s*[A-Za-z0-9_.:]+\s*", re.ASCII)
_STACK_OUTPUT = frozenset({"StackName", "OutputName", "Region", "RoleArn"})


class TemplatePart(Flag):
    """The parts of a template in which a function may stand."""

    CONDITIONS = auto()
    RULES = auto()
    RESOURCES = auto()  # properties, metadata and policies
    OUTPUTS = auto()
    VALUES = RESOURCES | OUTPUTS
    EVERYWHERE = CONDITIONS | RULES | VALUES


class Function(Struct, frozen=True):
    """An intrinsic function: `check` gives what is wrong with an argument, or None."""

    places: TemplatePart
    check: Callable[[Expression], str | None]


def check_functions(expression: Expression, place: TemplatePart, problems: Problems) -> None:
    """Report every call in `expression` whose argument has the wrong form or that may not stand in `place`."""
    for each in walk(expression):
        if isinstance(each, Call):
            function = FUNCTION_TABLE[each.function]
            if place not in function.places:
                where = next(name for name, part in _PLACE_NAMES.items() if part == place)
                problems.error(
                    "template.function-place",
                    f'"{each.function}" may not be used in {where}',
                    each.path,
                    hint="parameters, mappings and condition functions are known there; resources are not",
                )
            elif (problem := function.check(each.argument)) is not None:
                problems.error("template.function-argument", f"Template error: {problem}", each.path)


def _is_list(argument: Expression, *lengths: int) -> bool:
    return isinstance(argument, Items) and len(argument.items) in lengths


def _is_text(argument: Expression) -> bool:
    return isinstance(argument, ScalarExpression) and isinstance(argument.value, str) and bool(argument.value)


def _is_value(argument: Expression) -> bool:
    """Something that can turn out a string: a scalar or a function's result."""
    return isinstance(argument, Call) or (isinstance(argument, ScalarExpression) and argument.value is not None)


def _ref(argument: Expression) -> str | None:
    if _is_text(argument) or isinstance(argument, Call):  # AWS::LanguageExtensions allows a computed name
        return None
    return "every Ref object must have a single String value."


def _get_att(argument: Expression) -> str | None:
    problem = "every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute"
    if isinstance(argument, ScalarExpression):
        name, _, attribute = (literal(argument) or "").partition(".")
        return None if name and attribute else problem
    if not isinstance(argument, Items) or len(argument.items) < 2:
        return problem
    return None if all(_is_text(each) or isinstance(each, Call) for each in argument.items) else problem


def _sub(argument: Expression) -> str | None:
    problem = (
        "One or more Fn::Sub intrinsic functions don't specify expected arguments. Specify a string as first argument, "
        "and an optional second argument to specify a mapping of values to replace in the string"
    )
    text = argument
    if isinstance(argument, Items):
        variables = argument.items[1:]
        if not argument.items or len(variables) > 1 or not all(isinstance(each, Members) for each in variables):
            return problem
        text = argument.items[0]
    if not _is_text(text):
        return problem
    if any(_SUB_NAME.fullmatch(name) is None for name in _SUB_NAMES.findall(literal(text) or "")):
        return (
            "variable names in Fn::Sub syntax must contain only alphanumeric characters, underscores, periods, and "
            "colons"
        )
    return None


def _join(argument: Expression) -> str | None:
    if _is_list(argument, 2) and isinstance(argument, Items):
        delimiter, values = argument.items
        if (
            isinstance(delimiter, ScalarExpression)
            and isinstance(delimiter.value, str)
            and isinstance(values, (Items, Call))
        ):
            return None
    return (
        "every Fn::Join object requires two parameters, (1) a string delimiter and (2) a list of strings to be joined "
        "or a function that returns a list of strings (such as Fn::GetAZs) to be joined."
    )


def _select(argument: Expression) -> str | None:
    if _is_list(argument, 2) and isinstance(argument, Items):
        index, values = argument.items
        number = literal(index)
        if (isinstance(index, Call) or (number is not None and number.isdigit())) and isinstance(values, (Items, Call)):
            return None
    return "Fn::Select requires a list argument with two elements: an integer index and a list"


def _split(argument: Expression) -> str | None:
    if _is_list(argument, 2) and isinstance(argument, Items):
        delimiter, text = argument.items
        if isinstance(delimiter, ScalarExpression) and isinstance(delimiter.value, str) and _is_value(text):
            return None
    return (
        "every Fn::Split object requires two parameters, (1) a string delimiter and (2) a string to be split or a "
        "function that returns a string to be split."
    )


def _find_in_map(argument: Expression) -> str | None:
    if _is_list(argument, *_FIND_IN_MAP_ARGUMENTS) and isinstance(argument, Items):
        names, more = argument.items[:3], argument.items[3:]
        if all(_is_value(each) for each in names) and all(isinstance(each, Members) for each in more):
            return None
    return (
        "every Fn::FindInMap object requires three parameters, the map name, map key and the attribute for return value"
    )


def _cidr(argument: Expression) -> str | None:
    if _is_list(argument, *_CIDR_ARGUMENTS) and isinstance(argument, Items) and all(map(_is_value, argument.items)):
        return None
    return "every Fn::Cidr object requires two or three parameters: the block, the count and the number of cidr bits"


def _if(argument: Expression) -> str | None:
    if _is_list(argument, 3) and isinstance(argument, Items) and _is_value(argument.items[0]):
        return None
    return "Fn::If requires a list argument with the first element being a condition"


def _equals(argument: Expression) -> str | None:
    if _is_list(argument, 2) and isinstance(argument, Items) and all(_is_value(each) for each in argument.items):
        return None
    return "every Fn::Equals object requires a list of 2 string parameters."


def _conditions(name: str, least: int, most: int) -> Callable[[Expression], str | None]:
    def check(argument: Expression) -> str | None:
        if isinstance(argument, Items) and least <= len(argument.items) <= most:
            return None
        count = f"{least}" if least == most else f"at least {least} and at most {most}"
        return f"every {name} object requires a list of {count} boolean parameters."

    return check


def _any_value(argument: Expression) -> str | None:
    return None if _is_value(argument) or isinstance(argument, (Items, Members)) else "a value is needed, not null"


def _text_value(name: str) -> Callable[[Expression], str | None]:
    def check(argument: Expression) -> str | None:
        return None if _is_value(argument) else f"every {name} object must have a String-typed value."

    return check


def _transform(argument: Expression) -> str | None:
    if isinstance(argument, Items):
        return next((problem for each in argument.items if (problem := _transform(each)) is not None), None)
    if isinstance(argument, ScalarExpression) and isinstance(argument.value, str):
        return None
    if isinstance(argument, Members) and "Name" in argument.members and set(argument.members) <= {"Name", "Parameters"}:
        return None
    return "every Fn::Transform object requires a Name and may have Parameters"


def _get_stack_output(argument: Expression) -> str | None:
    if isinstance(argument, Members) and {"StackName", "OutputName"} <= argument.members.keys() <= _STACK_OUTPUT:
        wrong = [name for name, each in argument.members.items() if not _is_value(each)]
        return f"{wrong[0]} of Fn::GetStackOutput must be a String." if wrong else None
    return "every Fn::GetStackOutput object requires StackName and OutputName, and may have Region and RoleArn."


def _list_of(name: str, least: int, most: int) -> Callable[[Expression], str | None]:
    def check(argument: Expression) -> str | None:
        if isinstance(argument, Items) and least <= len(argument.items) <= most:
            return None
        return f"every {name} object requires a list of {least if least == most else f'{least} to {most}'} parameters"

    return check


_PLACE_NAMES = {
    "Conditions": TemplatePart.CONDITIONS,
    "Rules": TemplatePart.RULES,
    "Resources": TemplatePart.RESOURCES,
    "Outputs": TemplatePart.OUTPUTS,
}

FUNCTION_TABLE: Mapping[str, Function] = {
    "Condition": Function(TemplatePart.CONDITIONS | TemplatePart.VALUES, _text_value("Condition")),
    "Fn::And": Function(TemplatePart.EVERYWHERE, _conditions("Fn::And", 2, _MAX_CONDITIONS)),
    "Fn::Base64": Function(TemplatePart.VALUES, _text_value("Fn::Base64")),
    "Fn::Cidr": Function(TemplatePart.VALUES, _cidr),
    "Fn::Contains": Function(TemplatePart.RULES, _list_of("Fn::Contains", 2, 2)),
    "Fn::EachMemberEquals": Function(TemplatePart.RULES, _list_of("Fn::EachMemberEquals", 2, 2)),
    "Fn::EachMemberIn": Function(TemplatePart.RULES, _list_of("Fn::EachMemberIn", 2, 2)),
    "Fn::Equals": Function(TemplatePart.EVERYWHERE, _equals),
    "Fn::FindInMap": Function(TemplatePart.EVERYWHERE, _find_in_map),
    "Fn::GetAZs": Function(
        TemplatePart.VALUES, lambda argument: None if literal(argument) == "" else _any_value(argument)
    ),
    "Fn::GetAtt": Function(TemplatePart.VALUES, _get_att),
    "Fn::GetStackOutput": Function(TemplatePart.VALUES, _get_stack_output),
    "Fn::If": Function(TemplatePart.EVERYWHERE, _if),
    "Fn::ImportValue": Function(TemplatePart.VALUES, _text_value("Fn::ImportValue")),
    "Fn::Join": Function(TemplatePart.EVERYWHERE, _join),
    "Fn::Length": Function(TemplatePart.EVERYWHERE, _any_value),
    "Fn::Not": Function(TemplatePart.EVERYWHERE, _conditions("Fn::Not", 1, 1)),
    "Fn::Or": Function(TemplatePart.EVERYWHERE, _conditions("Fn::Or", 2, _MAX_CONDITIONS)),
    "Fn::RefAll": Function(TemplatePart.RULES, _text_value("Fn::RefAll")),
    "Fn::Select": Function(TemplatePart.EVERYWHERE, _select),
    "Fn::Split": Function(TemplatePart.EVERYWHERE, _split),
    "Fn::Sub": Function(TemplatePart.EVERYWHERE, _sub),
    "Fn::ToJsonString": Function(TemplatePart.VALUES, _any_value),
    "Fn::Transform": Function(TemplatePart.EVERYWHERE, _transform),
    "Fn::ValueOf": Function(TemplatePart.RULES, _list_of("Fn::ValueOf", 2, 2)),
    "Fn::ValueOfAll": Function(TemplatePart.RULES, _list_of("Fn::ValueOfAll", 2, 2)),
    "Ref": Function(TemplatePart.EVERYWHERE, _ref),
}
