"""From the text of a template to what can be provisioned.

In the service's order: parse, structure, parameters, macros and transforms, modules, conditions and everything else
that is known before a resource is, types, capabilities (CloudFormation user guide, "Perform custom processing with
template macros": processing order).
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError, Location, Severity
from formwork.documents import Document, DocumentFormat, parse_document
from formwork.documents.scalar_text import as_text
from formwork.preparation.capabilities import check_expansion, check_iam
from formwork.preparation.dependencies import TemplateContext, TypeCatalogue
from formwork.preparation.parameters import GivenParameter, ResolvedParameters, resolve_parameters
from formwork.preparation.transforms.processing import apply_transforms, declared_transforms
from formwork.provisioning.references import misplaced_secure_strings
from formwork.stacks.errors import ProcessingError, StackError
from formwork.template import Output, ReferenceKind, Rule, Template, read_template, references_in
from formwork.template.evaluation import UNKNOWN, Environment, EvaluationError, Evaluator, UnknownStacks, Value
from formwork.template.expansion import ModuleInfo, expand_modules


class Prepared(Struct, frozen=True):
    """A template ready to be provisioned: `value` is the processed template, `template` the same as a typed tree."""

    original: str
    value: Mapping[str, Any]
    template: Template
    parameters: ResolvedParameters
    environment: Environment
    modules: Mapping[str, ModuleInfo] = field(default_factory=dict)

    def evaluator(self) -> Evaluator:
        """Return an evaluator that knows no resources."""
        return Evaluator(self.template, self.environment)


def parse_template(text: str) -> Document:
    """Return the text of a template as a document.

    Raises:
        StackError: it is neither JSON nor YAML; the message is the service's.
    """
    as_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    kind = DocumentFormat.JSON if as_json else DocumentFormat.YAML
    try:
        return parse_document(text, name="template", format=kind, short_tags=not as_json, aliases=False)
    except BadInputError as error:
        if error.diagnostics[0].code == "document.alias":
            raise StackError("Template error: YAML aliases are not allowed in CloudFormation templates") from error
        # The service counts the character that it stumbled over as read.
        place = _place(error.diagnostics[0].location, further=1 if as_json else 0)
        raise StackError(f"Template format error: {kind.upper()} not well-formed.{place}") from error


def _place(location: Location, *, further: int) -> str:
    start = location.start
    return "" if start is None else f" (line {start.line}, column {start.column + further})"


_NEEDED = ("create", "read", "delete")  # the handlers without which a type is NON_PROVISIONABLE: seed 000, `handlers`
_EXPORT_NAME = re.compile(r"[A-Za-z0-9:-]+", re.ASCII)
# What templates are refused for since some that are deployed were accepted.
_YOUNGER = frozenset(
    {
        "template.computed-policy",
        "template.hooks",
        "template.language-extension",
        "template.limit",
        "template.mapping",
        "template.name",
        "template.null",
        "template.output",
        "template.parameter",
        "template.policy",
        "template.resource-policy",
        "template.rule",
        "template.unknown-function",
    }
)


def read_checked(document: Document, *, deployed: bool = False, extended: bool = False) -> Template:
    """Return the template of a document; one that is `deployed` may break rules that are younger than it.

    Raises:
        StackError: its structure is wrong; the message is that of the first thing that is.
    """
    found = read_template(document, extended=extended)
    errors = [each for each in found.diagnostics if each.severity is Severity.ERROR]
    if deployed:
        errors = [each for each in errors if each.code not in _YOUNGER]
    if errors or found.template is None:
        raise StackError(errors[0].message)
    return found.template


def prepare_template(  # noqa: PLR0913 - what differs between operations
    text: str,
    given: Iterable[GivenParameter],
    context: TemplateContext,
    *,
    previous: Mapping[str, str] | None = None,
    capabilities: Iterable[str] | None = (),
    unknown: Iterable[str] = (),
) -> Prepared:
    """Prepare a template for an operation.

    `previous` are the parameters' texts of the stack as it is. `capabilities` are what the request acknowledges; None
    leaves them unchecked. The values of the parameters `unknown` stand for ones that are not known.

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
    values: dict[str, Any] = {**parameters.values, **dict.fromkeys(unknown, UNKNOWN)}
    parameters = replace(parameters, values=values)
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
        template = _read_value(value, template)
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
    return replace(prepared, value=value, template=_read_value(value, prepared.template))


def _read_value(value: Mapping[str, Any], before: Template) -> Template:
    return read_checked(Document.of_value(value, "template"), extended=before.extended)


def _check(prepared: Prepared, context: TemplateContext, acknowledged: frozenset[str] | None) -> None:
    # Exports are looked up when a resource needs them: they may come and go until then.
    evaluator = Evaluator(prepared.template, replace(prepared.environment, stacks=UnknownStacks()))
    try:
        for name in prepared.template.conditions:
            evaluator.condition(name)  # those that nothing names have to be right as well
        rules = [each for each in prepared.template.rules.values() if not _is_undecided(each, prepared.environment)]
        failed = [each for rule in rules for each in evaluator.failed_assertions(rule)]
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
                check_output_value(evaluator.output(output))
                _check_export(output, prepared.template, evaluator)
    except EvaluationError as error:
        raise StackError(error.message) from error
    if misplaced:
        raise StackError(f"SSM Secure reference is not supported in: [{','.join(misplaced)}]")
    check_types(prepared.template, context.types, context.scope)
    if acknowledged is not None:
        check_iam(prepared.template, acknowledged)


def _is_undecided(rule: Rule, environment: Environment) -> bool:
    """Return whether a rule depends on a parameter whose value is unknown."""
    expressions = [*(each for each, _ in rule.assertions), *([] if rule.condition is None else [rule.condition])]
    names = {each.name for expression in expressions for each in references_in(expression)}
    values: Mapping[str, Value] = environment.parameters
    return any(values.get(name) is UNKNOWN for name in names)


def check_output_value(value: Value) -> str | None:
    """Return the text of an output's value, None where it is not known yet.

    Raises:
        StackError: it is none: a list, an object, or `AWS::NoValue`.
    """
    if value is UNKNOWN:
        return None
    if (text := as_text(value)) is None:
        raise StackError("Template format error: The Value field of every Outputs member must evaluate to a String.")
    return text


def _check_export(output: Output, template: Template, evaluator: Evaluator) -> None:
    """Refuse an export whose name is invalid or depends on a resource."""
    if output.export is None:
        return
    name = evaluator.value(output.export)
    of_resource = any(
        each.kind is ReferenceKind.ATTRIBUTE or each.name in template.resources for each in references_in(output.export)
    )
    if of_resource or not (name is UNKNOWN or (isinstance(name, str) and _EXPORT_NAME.fullmatch(name))):
        raise StackError(
            f"Template format error: Output {output.name} is malformed. The Name field of every Export member must be "
            "specified and consist only of alphanumeric characters, colons, or hyphens."
        )


def unknown_types(template: Template, types: TypeCatalogue, scope: Scope) -> list[str]:
    """Return the types that are neither registered nor AWS's, modules excepted."""
    names = {resource.type for resource in template.resources.values() if not resource.is_module}
    return sorted(name for name in names if types.find(scope, name) is None)


def check_types(template: Template, types: TypeCatalogue, scope: Scope) -> None:
    """Refuse a template with types that are neither registered nor AWS's; modules are left to who expands them.

    Registered types must have the handlers without which nothing is provisioned; AWS's own may do without.

    Raises:
        StackError: there are such types.
    """
    names = {resource.type for resource in template.resources.values() if not resource.is_module}
    found = {name: types.find(scope, name) for name in sorted(names)}
    unknown = [name for name, each in found.items() if each is None]
    explained = [text for text in (types.explain(scope, name) for name in unknown) if text]
    for name, provisioner in found.items():
        if provisioner is None or provisioner.version is None:
            continue
        if missing := [each for each in _NEEDED if each not in provisioner.schema.handlers]:
            unknown.append(name)
            explained.append(f"{name} is NON_PROVISIONABLE: its schema declares no handler for {', '.join(missing)}")
    if unknown:
        told = [f"Template format error: Unrecognized resource types: [{', '.join(sorted(unknown))}]", *explained]
        raise StackError("; ".join(told))
