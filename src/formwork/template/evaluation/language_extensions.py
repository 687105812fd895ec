"""AWS::LanguageExtensions: loops expanded, and expressions replaced whose value is known.

Source: CloudFormation user guide, "AWS::LanguageExtensions transform"; what it leaves was read off recorded processed
templates: texts made of parameters and pseudo parameters are worked out, references to resources stay.
"""

import copy
from typing import Any

from formwork.documents import Document
from formwork.documents.scalar_text import as_text
from formwork.template.evaluation.environment import Environment, EvaluationError
from formwork.template.evaluation.evaluator import Evaluator
from formwork.template.evaluation.values import ABSENT, has_unknown
from formwork.template.expressions import (
    Call,
    Expression,
    Items,
    Members,
    Path,
    ScalarExpression,
    build_expression,
    to_value,
)
from formwork.template.loops import LoopError, expand_loops
from formwork.template.read import read_template
from formwork.template.references import ReferenceKind, references_in
from formwork.template.template import Template

LANGUAGE_EXTENSIONS = "AWS::LanguageExtensions"
_REDUCED = ("Resources", "Outputs")


def apply_language_extensions(template: Template, environment: Environment) -> dict[str, Any]:
    """Return the value of the template that the transform makes; the transform itself is no longer named in it.

    A parameter with NoEcho stays a reference: its value belongs in no template.

    Raises:
        EvaluationError: a loop or a function has no value.
    """
    value = _without_transform(template.document.value)
    value = _expanded(value, template, environment)
    expanded = read_template(Document.of_value(copy.deepcopy(value), template.document.name), extended=True).template
    if expanded is None:
        raise EvaluationError("Template format error: unsupported structure.", ())
    evaluator = Evaluator(expanded, environment)
    secret = frozenset(name for name, each in template.parameters.items() if each.no_echo)
    for section in _REDUCED:
        if section in value:
            value[section] = _reduce(evaluator, build_expression(value[section], (section,)), secret)
    for resource in value.get("Resources", {}).values():
        match resource:
            case {"DependsOn": [only]}:
                resource["DependsOn"] = only
            case _:
                pass
    return value


def _without_transform(value: dict[str, Any]) -> dict[str, Any]:
    named = value.get("Transform", [])
    left = [each for each in (named if isinstance(named, list) else [named]) if each != LANGUAGE_EXTENSIONS]
    kept = {key: each for key, each in value.items() if key != "Transform"}
    return kept if not left else {**kept, "Transform": left[0] if len(left) == 1 else left}


def _expanded(value: dict[str, Any], template: Template, environment: Environment) -> dict[str, Any]:
    evaluator = Evaluator(template, environment)

    def items(computed: Any, path: Path) -> list[str] | None:
        found = evaluator.value(build_expression(computed, path))
        found = found if isinstance(found, list) else [found]
        texts = [as_text(each) for each in found]
        return None if None in texts else [each for each in texts if each is not None]

    try:
        expanded: dict[str, Any] = expand_loops(value, items)
    except LoopError as error:
        raise EvaluationError(f"Transform {LANGUAGE_EXTENSIONS} failed with: {error.message}", error.path) from None
    return expanded


def _reduce(evaluator: Evaluator, expression: Expression, secret: frozenset[str]) -> Any:
    match expression:
        case ScalarExpression():
            return expression.value
        case Items():
            found = (_reduce(evaluator, each, secret) for each in expression.items)
            return [each for each in found if each is not ABSENT]
        case Members():
            pairs = ((key, _reduce(evaluator, each, secret)) for key, each in expression.members.items())
            return {key: each for key, each in pairs if each is not ABSENT}
        case Call():
            return _reduce_call(evaluator, expression, secret)


def _reduce_call(evaluator: Evaluator, call: Call, secret: frozenset[str]) -> Any:
    if call.function in {"Fn::ImportValue", "Fn::Transform", "Condition"} or _names(call) & secret:
        return to_value(call)
    value = evaluator.value(call)
    if value is ABSENT or not has_unknown(value):
        return value
    if call.function in {"Ref", "Fn::GetAtt", "Fn::Sub", "Fn::If"}:
        return to_value(call)
    return {call.function: _reduce(evaluator, call.argument, secret)}


def _names(call: Call) -> set[str]:
    return {each.name for each in references_in(call) if each.kind is ReferenceKind.NAME}
