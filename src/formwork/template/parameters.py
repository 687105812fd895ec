"""Parameters: reading their declarations and checking values against them.

Source: CloudFormation user guide, "Parameters".
"""

import re
from typing import Any

from formwork.template.expressions import Path
from formwork.template.problems import Problems
from formwork.template.template import Parameter

_SIMPLE_TYPES = frozenset({"String", "Number", "List<Number>", "List<String>", "CommaDelimitedList"})
_AWS_TYPE = re.compile(
    r"AWS::(?:[A-Za-z0-9]+::)*[A-Za-z0-9]+(?:::[A-Za-z0-9]+)*|List<AWS::[A-Za-z0-9:]+>"
    r"|AWS::SSM::Parameter::Value<[^<>]+(?:<[^<>]+>)?>"
)
_MEMBERS = frozenset(
    {
        "Type",
        "Default",
        "Description",
        "AllowedValues",
        "AllowedPattern",
        "ConstraintDescription",
        "MinLength",
        "MaxLength",
        "MinValue",
        "MaxValue",
        "NoEcho",
    }
)
_TEXTS = ("Description", "ConstraintDescription", "AllowedPattern")
_LISTS = re.compile(r"CommaDelimitedList|List<.*>|AWS::SSM::Parameter::Value<(?:List<.*>|CommaDelimitedList)>")


def read_parameter(name: str, entry: Any, path: Path, problems: Problems) -> Parameter | None:
    """Return the declaration at `path`, or None where it has no usable type; problems are reported."""
    kind = entry.get("Type") if isinstance(entry, dict) else None
    if not isinstance(kind, str):
        problems.error(
            "template.parameter",
            "Template format error: Every Parameters object must contain a Type member.",
            path,
            expected="String, Number, CommaDelimitedList or another parameter type",
        )
        return None
    if kind not in _SIMPLE_TYPES and _AWS_TYPE.fullmatch(kind) is None:
        problems.error(
            "template.parameter-type",
            f"Template format error: Unrecognized parameter type: {kind}",
            (*path, "Type"),
            expected="String, Number, List<Number>, CommaDelimitedList, an AWS-specific type or an SSM type",
        )
    for member in entry:
        if member not in _MEMBERS:
            problems.error(
                "template.parameter",
                f"Invalid template parameter property '{member}'",
                (*path, member),
                key=True,
                expected="one of " + ", ".join(sorted(_MEMBERS)),
            )
    parameter = _declaration(name, kind, entry, path, problems)
    _check_default(parameter, problems)
    return parameter


def _declaration(name: str, kind: str, entry: dict[str, Any], path: Path, problems: Problems) -> Parameter:
    allowed = entry.get("AllowedValues")
    if allowed is not None and not isinstance(allowed, list):
        problems.error(
            "template.parameter", "AllowedValues is not a list", (*path, "AllowedValues"), expected="a list of values"
        )
        allowed = None
    places: list[Path] = [(*path, each) for each in _TEXTS if isinstance(entry.get(each), (dict, list))]
    places += ((*path, "AllowedValues", i) for i, each in enumerate(allowed or ()) if isinstance(each, (dict, list)))
    for place in places:
        message = f"Template format error: Every {place[2]} member must be a string."
        problems.error("template.parameter", message, place, hint="functions are not evaluated in parameters")

    def number(member: str) -> float | None:
        value = entry.get(member)
        if value is None:
            return None
        try:
            return float(value)
        except (TypeError, ValueError):
            problems.error("template.parameter", f'{member} is not a number: "{value}"', (*path, member))
            return None

    def text(member: str) -> str | None:
        value = entry.get(member)
        return None if value is None else str(value)

    def length(member: str) -> int | None:
        value = number(member)
        return None if value is None else int(value)

    if str(entry.get("NoEcho", "false")).lower() not in {"true", "false"}:
        problems.error("template.parameter", "Template format error: NoEcho must be true or false.", (*path, "NoEcho"))
    return Parameter(
        name,
        kind,
        path,
        default=entry.get("Default"),
        has_default="Default" in entry,
        description=text("Description"),
        allowed_values=None if allowed is None else tuple(allowed),
        allowed_pattern=text("AllowedPattern"),
        constraint_description=text("ConstraintDescription"),
        min_length=length("MinLength"),
        max_length=length("MaxLength"),
        min_value=number("MinValue"),
        max_value=number("MaxValue"),
        no_echo=str(entry.get("NoEcho", "false")).lower() == "true",
    )


def _check_default(parameter: Parameter, problems: Problems) -> None:
    if not parameter.has_default or parameter.type.startswith("AWS::SSM::Parameter::Value"):
        return
    default = parameter.default
    if isinstance(default, (dict, list)) or default is None:
        problems.error(
            "template.parameter-default",
            "Template format error: Every Default member must be a string.",
            (*parameter.path, "Default"),
            hint="a list is written as one string with commas",
        )
        return
    if (problem := check_parameter_value(parameter, _as_text(default))) is not None:
        problems.error(
            "template.parameter-default",
            problem if not parameter.no_echo else "the default breaks the parameter's own constraints",
            (*parameter.path, "Default"),
            hint=parameter.constraint_description,
        )


def is_list_type(parameter: Parameter) -> bool:
    """Return whether the parameter's value is a list of strings, given as one string with commas."""
    return _LISTS.fullmatch(parameter.type) is not None


def check_parameter_value(parameter: Parameter, value: str) -> str | None:
    """Return what is wrong with a value given for the parameter, as the service's message, or None.

    `value` is the string of the request; a list is one string with commas, and each of its members is checked.
    """
    members = [each.strip() for each in value.split(",")] if is_list_type(parameter) else [value]
    for member in members:
        if (problem := _check_member(parameter, member)) is not None:
            return problem
    return None


def _check_member(parameter: Parameter, value: str) -> str | None:
    name = parameter.name
    if parameter.type in {"Number", "List<Number>"} and _number(value) is None:
        return f"Parameter '{name}' must be a number."
    if parameter.allowed_values is not None and value not in {_as_text(each) for each in parameter.allowed_values}:
        listed = ", ".join(_as_text(each) for each in parameter.allowed_values)
        return f"Parameter '{name}' must be one of AllowedValues: [{listed}]"
    if (problem := _check_bounds(parameter, value)) is not None:
        return problem
    if parameter.allowed_pattern is not None and not _matches(parameter.allowed_pattern, value):
        return f"Parameter '{name}' must match pattern {parameter.allowed_pattern}"
    return None


def _check_bounds(parameter: Parameter, value: str) -> str | None:
    name = parameter.name
    if parameter.min_length is not None and len(value) < parameter.min_length:
        return f"Parameter '{name}' must contain at least {parameter.min_length} characters"
    if parameter.max_length is not None and len(value) > parameter.max_length:
        return f"Parameter '{name}' must contain at most {parameter.max_length} characters"
    number = _number(value)
    if number is None:
        return None
    if parameter.min_value is not None and number < parameter.min_value:
        return f"Parameter '{name}' must be a number not less than {parameter.min_value:g}"
    if parameter.max_value is not None and number > parameter.max_value:
        return f"Parameter '{name}' must be a number not greater than {parameter.max_value:g}"
    return None


def _matches(pattern: str, value: str) -> bool:
    import regex  # noqa: PLC0415 - costs 40 ms, and few parameters have a pattern

    try:
        return regex.fullmatch(pattern, value, timeout=1) is not None
    except (regex.error, TimeoutError):
        return True  # a pattern that cannot be judged here refuses nothing


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def stand_in_value(parameter: Parameter) -> str:
    """Return a value that a parameter's constraints allow, as far as they tell, where its real one is not known."""
    if parameter.allowed_values:
        return str(parameter.allowed_values[0])
    if "Number" in parameter.type:
        return str(int(parameter.min_value or 0))
    return "x" * max(1, parameter.min_length or 1)
