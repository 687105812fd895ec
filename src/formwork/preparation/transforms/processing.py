"""A template's macros in the order in which the service runs them.

The innermost first and outwards, then those of the section Transform as listed (CloudFormation user guide, "Perform
custom processing with template macros", on the order of processing; the recorded answers agree).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from formwork.diagnostics import BadInputError, Severity
from formwork.documents import DocumentFormat, parse_document
from formwork.preparation.dependencies import TemplateContext, TransformCall
from formwork.stacks.errors import MacroError, ProcessingError, StackError
from formwork.template import Template, build_expression, read_template
from formwork.template.bounds import TOO_LARGE, is_too_large
from formwork.template.evaluation import EvaluationError, Evaluator
from formwork.template.evaluation.language_extensions import LANGUAGE_EXTENSIONS, apply_language_extensions
from formwork.template.evaluation.values import has_unknown

INCLUDE = "AWS::Include"
_SNIPPET = "Fn::Transform"


def declared_transforms(template: Template) -> tuple[str, ...]:
    """Return the names of a template's macros: those of the section Transform, then those amid it."""
    amid = (name for call in _snippet_calls(template.document.value) if isinstance(name := _name_of(call), str))
    return tuple(dict.fromkeys((*template.transform_names, *amid)))


def apply_transforms(template: Template, context: TemplateContext) -> Template:
    """Return the template after its macros, which may use the values of `context.environment`.

    Raises:
        StackError: a macro is called wrongly.
        ProcessingError: a macro failed, or made no template.
    """
    value = template.document.value
    calls = _listed(value.get("Transform", []))
    for call in (*calls, *_snippet_calls(value)):
        if not isinstance(_name_of(call), str):
            raise StackError("Key Name of transform definition must be a string.")
    run = _Run(template, context)
    if _has_snippets(value):
        value = run.inside({key: each for key, each in value.items() if key != "Transform"})
        template = _read(value, rest=calls, extended=template.extended)
    for place, call in enumerate(calls):
        run = _Run(template, context)
        if call == LANGUAGE_EXTENSIONS:
            value = run.language_extensions()
        else:
            fragment = {key: each for key, each in template.document.value.items() if key != "Transform"}
            value = run.call(call, fragment)
        template = _read(value, rest=calls[place + 1 :], extended=template.extended)
    return template


class _Run:
    """Macros on one state of a template."""

    def __init__(self, template: Template, context: TemplateContext) -> None:
        self._template = template
        self._context = context
        self._environment = context.environment
        self._evaluator = Evaluator(template, context.environment)

    def language_extensions(self) -> Any:
        try:
            return apply_language_extensions(self._template, self._environment)
        except EvaluationError as error:
            raise ProcessingError(error.message) from error

    def inside(self, value: Any) -> Any:
        """Return a copy in which each `Fn::Transform` and its siblings are replaced by the macro's output."""
        match value:
            case dict():
                members = {key: self.inside(each) for key, each in value.items() if key != _SNIPPET}
                made: Any = members
                for call in _listed(value.get(_SNIPPET, [])):
                    made = self.call(call, made)
                return made
            case list():
                return [self.inside(each) for each in value]
            case _:
                return value

    def call(self, call: Any, fragment: Any) -> Any:
        name = _name_of(call)
        given = call.get("Parameters", {}) if isinstance(call, dict) else {}
        parameters = {key: self._evaluated(each) for key, each in given.items()}
        values = dict(self._environment.parameters)
        call = TransformCall(name=name, parameters=parameters, fragment=fragment, values=values)
        made = self._context.transforms.run(self._context.scope, call)
        return _included(fragment, made) if name == INCLUDE else made

    def _evaluated(self, value: Any) -> Any:
        """Return the value of a macro's parameter, or the expression itself if it has no value yet (an attribute)."""
        try:
            found = self._evaluator.value(build_expression(value))
        except EvaluationError:
            return value
        return value if has_unknown(found) else found


def _included(fragment: Any, included: Any) -> Any:
    """Return a snippet in the place of its call, beside the call's siblings."""
    if not fragment:
        return included
    if not isinstance(included, dict):
        raise MacroError(INCLUDE, "The snippet has to be an object where it has siblings.")
    return _merged(fragment, included)


def _merged(fragment: Mapping[str, Any], included: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two objects: members that are objects in both are merged, for others `included` wins."""
    merged = dict(fragment)
    for key, each in included.items():
        both = isinstance(each, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], each) if both else each
    return merged


def _listed(calls: Any) -> list[Any]:
    return calls if isinstance(calls, list) else [calls]


def _name_of(call: Any) -> Any:
    return call.get("Name") if isinstance(call, dict) else call


def _has_snippets(value: Any) -> bool:
    return next(_snippet_calls(value), None) is not None


def _snippet_calls(value: Any) -> Iterator[Any]:
    match value:
        case dict():
            for key, each in value.items():
                if key == _SNIPPET:
                    yield from _listed(each)
                else:
                    yield from _snippet_calls(each)
        case list():
            for each in value:
                yield from _snippet_calls(each)
        case _:
            pass


def _read(value: Any, *, rest: list[Any], extended: bool) -> Template:
    """Return the output of macros as a template; it is complete if no macros are left (`rest`)."""
    if not isinstance(value, dict):
        raise ProcessingError("Template format error: unsupported structure.")
    kept: Mapping[str, Any] = {key: each for key, each in value.items() if key != "Transform"}
    if is_too_large(kept):
        raise ProcessingError(TOO_LARGE)
    try:  # through a text, which holds what another program made to the bounds of documents
        text = json.dumps({**kept, "Transform": rest} if rest else kept)
        found = read_template(parse_document(text, name="template", format=DocumentFormat.JSON), extended=extended)
    except (BadInputError, RecursionError, ValueError) as error:
        raise ProcessingError("Template format error: unsupported structure.") from error
    errors = [each for each in found.diagnostics if each.severity is Severity.ERROR]
    if errors or found.template is None:
        raise ProcessingError(errors[0].message)
    return found.template
