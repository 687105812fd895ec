"""Finds functions that a template can't use: unknown ones, and those that need AWS::LanguageExtensions.

Source: CloudFormation template reference, "Intrinsic function reference" and "AWS::LanguageExtensions transform"; the
texts are the service's. What macros make is looked at once they have run.
"""

from collections.abc import Iterator

from formwork.template.expressions import Call, Expression, Items, Members, walk
from formwork.template.loops import LOOP
from formwork.template.problems import Problems
from formwork.template.template import Template

# As the service lists them; Fn::GetStackOutput came after the list was last seen.
_LISTED = (
    "Fn::Base64, Fn::GetAtt, Fn::GetAZs, Fn::ImportValue, Fn::Join, Fn::Split, Fn::FindInMap, Fn::Select, Ref, Fn::If, "
    "Fn::Contains, Fn::Sub, Fn::Cidr"
)
_ADDED = frozenset({"Fn::Length", "Fn::ToJsonString"})
_FIND_IN_MAP_ARGUMENTS = 3


def check_language(template: Template, problems: Problems, *, extended: bool) -> None:
    """Report functions that do not exist, and, unless `extended`, those that only the transform allows."""
    for name in template.loops.get("Resources", {}) if not extended else ():
        path = ("Resources", name)
        message = f"Template format error: [/Resources/{name}] resource definition is malformed"
        problems.error("template.language-extension", message, path, key=True, hint=_HINT)
    for expression in _evaluated(template):
        for each in walk(expression):
            _check(each, problems, extended=extended)


_HINT = "name AWS::LanguageExtensions in Transform"


def _evaluated(template: Template) -> Iterator[Expression]:
    for resource in template.resources.values():
        parts = (resource.properties, resource.creation_policy, resource.update_policy)
        policies = (resource.deletion_policy, resource.update_replace_policy)
        yield from (each for each in (*parts, *policies) if each is not None)
    for output in template.outputs.values():
        yield output.value
        if output.export is not None:
            yield output.export
    yield from template.conditions.values()
    for rule in template.rules.values():
        yield from (each for each, _ in rule.assertions)
        if rule.condition is not None:
            yield rule.condition


def _check(expression: Expression, problems: Problems, *, extended: bool) -> None:
    match expression:
        case Members(members, path):
            unknown = [name for name in members if name.startswith("Fn::") and not (extended and name.startswith(LOOP))]
            for name in unknown if len(members) == 1 or any(each.startswith(LOOP) for each in unknown) else ():
                _report(name, (*path, name), problems, hint=_HINT if name.startswith(LOOP) else None)
        case Call(function, _, path) if function in _ADDED and not extended:
            _report(function, (*path, function), problems, hint=_HINT)
        case Call("Fn::FindInMap", Items(items), path) if len(items) > _FIND_IN_MAP_ARGUMENTS and not extended:
            message = (
                "Template error: every Fn::FindInMap object requires three parameters, the map name, map key and the "
                "attribute for return value"
            )
            problems.error("template.language-extension", message, path, hint=_HINT)
        case Call("Ref", Call(), path) if not extended:
            message = "Template error: every Ref object must have a single String value."
            problems.error("template.language-extension", message, path, hint=_HINT)
        case _:
            pass


def _report(name: str, path: tuple[str | int, ...], problems: Problems, *, hint: str | None) -> None:
    message = f"Template error: Encountered unsupported function: {name} Supported functions are: [{_LISTED}]"
    code = "template.unknown-function" if hint is None else "template.language-extension"
    problems.error(code, message, path, key=True, hint=hint)
