"""Converts values of a document to expressions, and reports nulls and functions that are not allowed there."""

from typing import Any

from formwork.template.expressions import Expression, Path, build_expression
from formwork.template.functions import TemplatePart, check_functions
from formwork.template.problems import Problems


def checked_expression(value: Any, path: Path, place: TemplatePart, problems: Problems) -> Expression:
    """Return the expression for the value at `path`, which is in the part `place` of the template."""
    expression = build_expression(value, path, in_condition=place in TemplatePart.CONDITIONS | TemplatePart.RULES)
    check_nulls(value, path, problems)
    check_functions(expression, place, problems)
    return expression


def check_nulls(value: Any, path: Path, problems: Problems) -> None:
    """Report each null in the value that stands at `path`."""
    if value is None:
        shown = "/" + "/".join(map(str, path))
        problems.error(
            "template.null", f"[{shown}] 'null' values are not allowed in templates", path, hint="leave it out"
        )
    elif isinstance(value, dict):
        for key, each in value.items():
            check_nulls(each, (*path, key), problems)
    elif isinstance(value, list):
        for i, each in enumerate(value):
            check_nulls(each, (*path, i), problems)
