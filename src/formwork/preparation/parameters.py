"""Parameters of a stack: from what a request gives to the values that a template is evaluated with.

Source: CloudFormation user guide, "Parameters" and "Use existing resources and Systems Manager parameters".
"""

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.documents import Json
from formwork.documents.scalar_text import as_text
from formwork.preparation.dependencies import DynamicReferences
from formwork.stacks.errors import StackError
from formwork.template import Parameter, Template, check_parameter_value, is_list_type

_STORED = re.compile(r"AWS::SSM::Parameter::Value<.*>")
_MAX_BYTES = 4096  # of a value (user guide, "Understand CloudFormation quotas")
_NAMES = "AWS::SSM::Parameter::Name"
_VERSIONLESS = re.compile(r"\{\{resolve:ssm(-secure)?:[^{}:]+\}\}")


class GivenParameter(Struct, frozen=True):
    """A parameter in a request: a value, or the stack's previous value."""

    key: str
    value: str | None = None
    use_previous: bool = False


class ResolvedParameters(Struct, frozen=True):
    """A template's parameters, by name.

    `given` are the texts as requests and defaults have them, what DescribeStacks shows; `stored` what Parameter Store
    holds for those whose type reads there; `values` what the template sees: a text, or a list of texts.
    """

    given: Mapping[str, str]
    stored: Mapping[str, str]
    values: Mapping[str, Json]


def resolve_parameters(
    template: Template,
    given: Iterable[GivenParameter],
    *,
    previous: Mapping[str, str] | None = None,
    scope: Scope,
    references: DynamicReferences,
) -> ResolvedParameters:
    """Return the parameters of a template.

    `previous` are the texts that the stack was deployed with, None for a new stack; `references` reads Parameter
    Store in the account and Region of `scope`. Constraints are checked against what is given, which for stored
    parameters is the name.

    Raises:
        StackError: one has no value, is not declared, breaks its constraints, or is not in Parameter Store.
    """
    texts = _texts(template, given, previous or {})
    for name, text in texts.items():
        declared = template.parameters[name]
        if len(text.encode()) > _MAX_BYTES:
            raise StackError(f"Parameter '{name}' must contain at most {_MAX_BYTES} bytes")
        if (problem := check_parameter_value(declared, text)) is not None:
            raise StackError(_explained(declared, problem))
        if declared.has_default and _VERSIONLESS.search(as_text(declared.default) or ""):
            raise StackError(f"Template error: parameter {name} should not contain ssm versionless resolver")
        if declared.type == _NAMES and not references.parameter_exists(scope, text):
            message = f"Parameter validation failed: parameter value {text} for parameter name {name} does not exist"
            raise StackError(message)
    stored = _fetch(template, texts, scope, references)
    return ResolvedParameters(texts, stored, parameter_values(template, {**texts, **stored}))


def parameter_values(template: Template, texts: Mapping[str, str]) -> dict[str, Json]:
    """Return the values of the declared parameters, converted from their texts."""
    declared = template.parameters
    return {name: _value(declared[name], text) for name, text in texts.items() if name in declared}


def _texts(template: Template, given: Iterable[GivenParameter], previous: Mapping[str, str]) -> dict[str, str]:
    by_name = {each.key: each for each in given}
    if unknown := sorted(by_name.keys() - template.parameters.keys()):
        raise StackError(f"Parameters: [{', '.join(unknown)}] do not exist in the template")
    texts: dict[str, str] = {}
    missing: list[str] = []
    for name, declared in template.parameters.items():
        wanted = by_name.get(name)
        default = as_text(declared.default) if declared.has_default else None
        text = default
        if wanted is not None:
            text = previous.get(name) if wanted.use_previous else wanted.value
            if wanted.use_previous and text is None:
                text = default
        if text is None:
            missing.append(name)
        else:
            texts[name] = text
    stored = [each for each in missing if template.parameters[each].type.startswith("AWS::SSM::Parameter::Value<")]
    if stored and missing == stored:
        raise StackError(f"Parameter {stored[0]} should either have input value or default value")
    if missing:
        raise StackError(f"Parameters: [{', '.join(missing)}] must have values")
    return texts


def _fetch(template: Template, texts: Mapping[str, str], scope: Scope, references: DynamicReferences) -> dict[str, str]:
    names = {name: text for name, text in texts.items() if _STORED.fullmatch(template.parameters[name].type)}
    asked = {name: references.parameter(scope, text) for name, text in names.items()}
    found = {name: each for name, each in asked.items() if each is not None}
    if missing := [text for name, text in names.items() if name not in found]:
        raise StackError(f"Unable to fetch parameters [{','.join(missing)}] from parameter store for this account.")
    if secure := [names[name] for name, each in found.items() if each.type == "SecureString"]:
        listed = ",".join(secure)
        message = f"Parameters [{listed}] referenced by template have types not supported by CloudFormation."
        raise StackError(message)
    lists = {name for name in found if is_list_type(template.parameters[name])}
    if odd := [names[name] for name, each in found.items() if (each.type == "StringList") is not (name in lists)]:
        listed = ",".join(odd)
        raise StackError(f"Types for SSM parameters [{listed}] defined in CFN template and SSM are incompatible")
    return {name: _trimmed(each.value) if name in lists else each.value for name, each in found.items()}


def _trimmed(text: str) -> str:
    return ",".join(each.strip() for each in text.split(","))


def _explained(declared: Parameter, problem: str) -> str:
    if declared.constraint_description is None:
        return problem
    return f"Parameter {declared.name} failed to satisfy constraint: {declared.constraint_description}"


def _value(declared: Parameter, text: str) -> Json:
    if not is_list_type(declared):
        return text
    return [each.strip() for each in text.split(",")]
