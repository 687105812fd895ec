"""From the text of a template to what can be provisioned.

In the service's order: parse, structure, parameters, macros and transforms, modules, conditions and everything else
that is known before a resource is, types, capabilities (CloudFormation user guide, "Perform custom processing with
template macros": processing order).
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from formwork.diagnostics import BadInputError, Location, Severity
from formwork.documents import Document, DocumentFormat, parse_document
from formwork.preparation.capabilities import check_expansion, check_iam
from formwork.preparation.dependencies import TemplateContext
from formwork.preparation.parameters import GivenParameter, ResolvedParameters, resolve_parameters
from formwork.preparation.transforms.processing import apply_transforms, declared_transforms
from formwork.provisioning.references import misplaced_secure_strings
from formwork.stacks.errors import ProcessingError, StackError
from formwork.template import Template, read_template
from formwork.template.evaluation import UNKNOWN, Environment, EvaluationError, Evaluator
from formwork.template.expansion import ModuleInfo, expand_modules


@dataclass(frozen=True, slots=True)
class Prepared:
    """A template ready to be provisioned: `value` is the processed template, `template` the same as a typed tree."""

    original: str
    value: Mapping[str, Any]
    template: Template
    parameters: ResolvedParameters
    environment: Environment
    modules: Mapping[str, ModuleInfo] = field(default_factory=dict)

    def evaluator(self) -> Evaluator:
        """An evaluator that knows no resources."""
        return Evaluator(self.template, self.environment)


def parse_template(text: str) -> Document:
    """The text of a template as a document.

    Raises:
        StackError: it is neither JSON nor YAML; the message is the service's.
    """
    as_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    kind = DocumentFormat.JSON if as_json else DocumentFormat.YAML
    try:
        return parse_document(text, name="template", format=kind, short_tags=not as_json)
    except BadInputError as error:
        # The service counts the character that it stumbled over as read.
        place = _place(error.diagnostics[0].location, further=1 if as_json else 0)
        raise StackError(f"Template format error: {kind.upper()} not well-formed.{place}") from error


def _place(location: Location, *, further: int) -> str:
    start = location.start
    return "" if start is None else f" (line {start.line}, column {start.column + further})"


def read_checked(document: Document, *, deployed: bool = False) -> Template:
    """Return the template of a document; one that is `deployed` may exceed quotas that are younger than it.

    Raises:
        StackError: its structure is wrong; the message is that of the first thing that is.
    """
    found = read_template(document)
    errors = [each for each in found.diagnostics if each.severity is Severity.ERROR]
    if deployed:
        errors = [each for each in errors if each.code != "template.limit"]
    if errors or found.template is None:
        raise StackError(errors[0].message)
    return found.template


def prepare_template(
    text: str,
    given: Iterable[GivenParameter],
    context: TemplateContext,
    *,
    previous: Mapping[str, str] | None = None,
    capabilities: Iterable[str] | None = (),
) -> Prepared:
    """Prepare a template for an operation.

    `previous` are the parameters' texts of the stack as it is. `capabilities` are what the request acknowledges; None
    leaves them unchecked.

    Raises:
        StackError: the service would refuse it.
        ProcessingError: it would begin, and fail over the template's macros or what they make.
    """
    template = read_checked(parse_template(text))
    parameters = resolve_parameters(
        template,
        given,
        previous=previous,
        scope=context.scope,
        references=context.references,
    )
    environment = replace(context.environment, parameters=parameters.values)
    acknowledged = None if capabilities is None else frozenset(capabilities)
    if acknowledged is not None:
        check_expansion(template, acknowledged)
    try:
        processed = apply_transforms(template, replace(context, environment=environment))
        return _prepare_processed(text, processed, parameters, context, acknowledged)
    except ProcessingError:
        raise
    except StackError as error:
        if not declared_transforms(template):
            raise
        raise ProcessingError(error.message, code=error.code) from error


def _prepare_processed(
    text: str,
    template: Template,
    parameters: ResolvedParameters,
    context: TemplateContext,
    acknowledged: frozenset[str] | None,
) -> Prepared:
    environment = replace(context.environment, parameters=parameters.values)
    expansion = expand_modules(template, context.find_module)
    errors = [each for each in expansion.diagnostics if each.severity is Severity.ERROR]
    if errors:
        raise StackError(errors[0].message)
    value: Mapping[str, Any] = template.document.value
    if expansion.modules:
        value = expansion.value
        template = _read_value(value)
    prepared = Prepared(text, value, template, parameters, environment, expansion.modules)
    _check(prepared, context, acknowledged)
    return _pinned(prepared, context)


def _pinned(prepared: Prepared, context: TemplateContext) -> Prepared:
    """Name the current versions in references to Parameter Store that are written out: a new one is a change."""

    def pin(properties: Any) -> Any:
        return context.references.pin(context.scope, properties)

    resources = prepared.value["Resources"]
    evaluator = prepared.evaluator()
    pinned = {
        each.logical_id: {**resources[each.logical_id], "Properties": pin(resources[each.logical_id]["Properties"])}
        for each in prepared.template.resources.values()
        if "{{resolve:ssm" in json.dumps(resources[each.logical_id].get("Properties")) and evaluator.exists(each)
    }
    if not pinned:
        return prepared
    value = {**prepared.value, "Resources": {**resources, **pinned}}
    return replace(prepared, value=value, template=_read_value(value))


def _read_value(value: Mapping[str, Any]) -> Template:
    return read_checked(Document.of_value(value, "template"))


def _check(prepared: Prepared, context: TemplateContext, acknowledged: frozenset[str] | None) -> None:
    # Exports are looked up when a resource needs them: they may come and go until then.
    evaluator = Evaluator(prepared.template, replace(prepared.environment, export=lambda _: UNKNOWN))
    try:
        for name in prepared.template.conditions:
            evaluator.condition(name)  # those that nothing names have to be right as well
        failed = [each for rule in prepared.template.rules.values() for each in evaluator.failed_assertions(rule)]
        if failed:
            raise StackError("Template validation error: " + "; ".join(failed))
        present = [each for each in prepared.template.resources.values() if evaluator.exists(each)]
        misplaced = [
            place
            for resource in present
            for place in misplaced_secure_strings(resource.type, evaluator.properties(resource))
        ]
        for output in prepared.template.outputs.values():
            if evaluator.exists(output):
                evaluator.output(output)
    except EvaluationError as error:
        raise StackError(error.message) from error
    if misplaced:
        raise StackError(f"SSM Secure reference is not supported in: [{','.join(misplaced)}]")
    types, scope = context.types, context.scope
    unknown = sorted(name for name in _type_names(prepared.template) if types.find(scope, name) is None)
    if unknown:
        explained = filter(None, (types.explain(scope, name) for name in unknown))
        told = [f"Template format error: Unrecognized resource types: [{', '.join(unknown)}]", *explained]
        raise StackError("; ".join(told))
    if acknowledged is not None:
        check_iam(prepared.template, acknowledged)


def _type_names(template: Template) -> set[str]:
    return {resource.type for resource in template.resources.values()}
