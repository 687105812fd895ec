"""Reading a rule: the assertions on parameters that a template makes.

Source: CloudFormation user guide, "Rules". What members the service refuses is documented nowhere; the texts are ours.
"""

from typing import Any

from formwork.template.checking import checked_expression
from formwork.template.expressions import Path
from formwork.template.functions import TemplatePart
from formwork.template.problems import Problems
from formwork.template.template import Rule

_MEMBERS = ("RuleCondition", "Assertions")
_ASSERTION_MEMBERS = ("Assert", "AssertDescription")


def read_rule(name: str, entry: Any, path: Path, problems: Problems) -> Rule | None:
    """Return the rule at `path`, or None where it has no assertions; problems are reported."""
    assertions = entry.get("Assertions") if isinstance(entry, dict) else None
    if not isinstance(assertions, list) or not all(isinstance(a, dict) and "Assert" in a for a in assertions):
        problems.error(
            "template.rule",
            f'the rule "{name}" has no list of assertions',
            path,
            expected="Assertions: a list of objects with Assert and AssertDescription",
        )
        return None
    _check_members(entry, _MEMBERS, path, problems)
    condition = None
    if "RuleCondition" in entry:
        place = (*path, "RuleCondition")
        condition = checked_expression(entry["RuleCondition"], place, TemplatePart.RULES, problems)
    checks = []
    for i, each in enumerate(assertions):
        place = (*path, "Assertions", i)
        _check_members(each, _ASSERTION_MEMBERS, place, problems)
        text = each.get("AssertDescription")
        if text is not None and not isinstance(text, str):
            message = "Template format error: Every AssertDescription member must be a string."
            problems.error("template.rule", message, (*place, "AssertDescription"))
        expression = checked_expression(each["Assert"], (*place, "Assert"), TemplatePart.RULES, problems)
        checks.append((expression, text if isinstance(text, str) else None))
    return Rule(name, path, condition, tuple(checks))


def _check_members(entry: dict[str, Any], members: tuple[str, ...], path: Path, problems: Problems) -> None:
    for name in entry:
        if name not in members:
            message = f"Template format error: Unsupported member {name} of a rule"
            problems.error("template.rule", message, (*path, name), key=True, expected="one of " + ", ".join(members))
