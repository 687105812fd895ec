"""What is wrong with a template that is being written, by the rules and codes of the command line.

The text is read, its modules are expanded, the properties of each resource are compared with the schema of its type, as
`cfn validate` does it for the fragment of a module, and their values, as far as they are known, as pre-deployment
validation does it. Nothing is called and nothing is stored.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity, sort_diagnostics
from formwork.documents import Document, DocumentFormat, parse_document
from formwork.preparation.dependencies import TypeCatalogue
from formwork.preparation.parameters import parameter_values
from formwork.preparation.pseudo_parameters import pseudo_parameters
from formwork.project.module_resources import check_resource
from formwork.provisioning import OwnProvisioner
from formwork.provisioning.property_faults import find_faults
from formwork.template import Resource, Template, read_template, render_json, render_yaml
from formwork.template.evaluation import UNKNOWN, Environment, EvaluationError, Evaluator, UnknownStacks
from formwork.template.expansion import Expansion, expand_modules

_NAME = "template"
_CUSTOM = ("Custom::", "AWS::CloudFormation::CustomResource")


class CheckedTemplate(Struct, frozen=True, kw_only=True):
    """A template that was checked; `expanded` is it with its modules in place, None where it has none or errors."""

    document: Document | None
    diagnostics: list[Diagnostic]
    resources: int = 0
    modules: int = 0
    expanded: str | None = None


def check_template(text: str, types: TypeCatalogue, scope: Scope) -> CheckedTemplate:
    """Check the text of a template for a deployment in an account and Region."""
    try:
        document = parse_template_text(text)
    except BadInputError as error:
        return CheckedTemplate(document=None, diagnostics=sort_diagnostics(error.diagnostics))
    read = read_template(document)
    found = list(read.diagnostics)
    template = read.template
    if template is None:
        return CheckedTemplate(document=document, diagnostics=sort_diagnostics(found))
    expansion = expand_modules(template, lambda name: types.find_module(scope, name))
    modules = [each for each in template.resources.values() if each.is_module]
    if modules:
        found += [_in_template(template, each) for each in expansion.diagnostics]
    sound = not any(each.severity is Severity.ERROR for each in read.diagnostics)
    found += _of_resources(template, types, scope, _evaluator(template, scope) if sound else None)
    return CheckedTemplate(
        document=document,
        diagnostics=sort_diagnostics(dict.fromkeys(found)),
        resources=len(template.resources),
        modules=len(modules),
        expanded=_expanded(document, expansion, found) if modules else None,
    )


def parse_template_text(text: str) -> Document:
    """Return the text of a template as a document.

    Raises:
        BadInputError: it is neither JSON nor YAML.
    """
    as_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    kind = DocumentFormat.JSON if as_json else DocumentFormat.YAML
    return parse_document(text, name=_NAME, format=kind, short_tags=not as_json, aliases=False)


def _expanded(document: Document, expansion: Expansion, found: list[Diagnostic]) -> str | None:
    if any(each.severity is Severity.ERROR for each in (*expansion.diagnostics, *found)):
        return None
    as_yaml = document.format is DocumentFormat.YAML
    return render_yaml(expansion.value) if as_yaml else render_json(expansion.value)


def _in_template(template: Template, diagnostic: Diagnostic) -> Diagnostic:
    """Return a finding about a module with a place in the template; what is in a fragment is at the resources."""
    if diagnostic.location.file == _NAME:
        return diagnostic
    note = f"in {diagnostic.location.file}" if diagnostic.location.file else "in a module"
    place = template.document.locate(("Resources",), key=True)
    return Diagnostic(
        diagnostic.code,
        diagnostic.severity,
        diagnostic.message,
        place,
        diagnostic.expected,
        diagnostic.hint,
        (*diagnostic.notes, note),
    )


def _of_resources(
    template: Template, types: TypeCatalogue, scope: Scope, evaluator: Evaluator | None
) -> Iterator[Diagnostic]:
    for resource in template.resources.values():
        if resource.is_module:
            continue
        provisioner = types.find(scope, resource.type)
        if provisioner is None:
            if not resource.type.startswith(_CUSTOM):
                yield _unknown_type(template, resource, types, scope)
            continue
        found = list(check_resource(template, resource, provisioner.schema))
        yield from found
        if evaluator is None or isinstance(provisioner, OwnProvisioner):
            continue
        try:
            properties = evaluator.properties(resource)
        except EvaluationError as error:
            place = template.document.locate(resource.path, key=True)
            yield Diagnostic("template.function-argument", Severity.ERROR, error.message, place)
            continue
        for fault in find_faults(provisioner.schema, properties):
            if fault.name is None:  # names that are missing or too many are found with their places, above
                place = _nearest(template, (*resource.path, "Properties", *fault.path))
                yield Diagnostic("template.property-value", Severity.ERROR, fault.early, place)


def _unknown_type(template: Template, resource: Resource, types: TypeCatalogue, scope: Scope) -> Diagnostic:
    return Diagnostic(
        "template.unknown-type",
        Severity.ERROR,
        f'"{resource.type}" is not registered in {scope.region} of account {scope.account}',
        template.document.locate((*resource.path, "Type")),
        hint=types.explain(scope, resource.type) or "cfn submit --local registers it; the registry page lists what is",
    )


def _nearest(template: Template, path: tuple[str | int, ...]) -> Location:
    """Return the place of a value, or of the nearest one around it that is written out."""
    value: Any = template.document.value
    depth = 0
    for step in path:
        inside = isinstance(value, dict) and step in value
        if not inside and not (isinstance(value, list) and isinstance(step, int) and step < len(value)):
            break
        value = value[step]
        depth += 1
    return template.document.locate(path[:depth])


def _evaluator(template: Template, scope: Scope) -> Evaluator | None:
    """Return what evaluates properties as far as they are known; None where a macro may change all of them."""
    if template.transforms:
        return None
    given = {name: each.default for name, each in template.parameters.items() if isinstance(each.default, str)}
    unknown = dict.fromkeys((name for name in template.parameters if name not in given), UNKNOWN)
    stack_id = f"arn:{scope.partition}:cloudformation:{scope.region}:{scope.account}:stack/draft/draft"
    pseudo = pseudo_parameters(scope, stack_name="draft", stack_id=stack_id)
    parameters: dict[str, Any] = {**parameter_values(template, given), **unknown}
    return Evaluator(template, Environment(pseudo=pseudo, parameters=parameters, stacks=UnknownStacks()))
