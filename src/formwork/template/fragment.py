"""Checks a module's template fragment: what it must not contain, and what it should not contain.

Source: CLI user guide (seed 002), "Considerations when authoring the template fragment", "Nesting modules", "Specifying
constraints for module parameters" and "Model requirements for publishing a public module".
"""

from collections.abc import Iterator

from formwork.diagnostics import Diagnostic, sort_diagnostics
from formwork.template.expressions import Call, Expression, Members, literal, walk
from formwork.template.problems import Problems
from formwork.template.template import Parameter, Resource, Template

MAX_BYTES = 1_500_000

_FORBIDDEN_TYPES = {
    "AWS::CloudFormation::Stack": "a nested stack",
    "AWS::CloudFormation::StackSet": "a stack set",
    "AWS::CloudFormation::Macro": "a macro",
}
_CONSTRAINTS = (
    ("allowed_values", "AllowedValues"),
    ("allowed_pattern", "AllowedPattern"),
    ("min_length", "MinLength"),
    ("max_length", "MaxLength"),
    ("min_value", "MinValue"),
    ("max_value", "MaxValue"),
)
_PUBLISHER_MEMBERS = ("PublisherId", "RegionalPublisherId", "OriginalTypeName", "SupportMajorVersions")


def check_fragment(template: Template, *, public: bool = False) -> list[Diagnostic]:
    """Return the diagnostics of a fragment that was read as a template, beyond those of reading it.

    With `public` the requirements for publishing are errors; without, what they would refuse is not mentioned.
    """
    problems = Problems(template.document)
    _check_size(template, problems)
    for section in ("Transform", "Fn::Transform"):
        if section in template.document.value:
            problems.error("module.transform", "a module cannot use macros or transforms", (section,), key=True)
    for section, loops in template.loops.items():
        for name in loops:
            problems.error(
                "module.transform", "a module cannot use Fn::ForEach, a transform", (section, name), key=True
            )
    for parameter in template.parameters.values():
        _check_parameter(parameter, problems)
    for resource in template.resources.values():
        _check_resource(resource, problems, public=public)
    for output in template.outputs.values():
        if output.export is not None or "Export" in template.document.value["Outputs"][output.name]:
            problems.error("module.export", "a module cannot export values", (*output.path, "Export"), key=True)
    for expression in _expressions(template):
        _check_calls(expression, problems)
    return sort_diagnostics(problems.found)


def _check_size(template: Template, problems: Problems) -> None:
    size = len(template.document.text.encode())
    if size > MAX_BYTES:
        problems.error("module.limit", f"the fragment has {size:,} bytes", (), expected=f"at most {MAX_BYTES:,} bytes")


def _check_parameter(parameter: Parameter, problems: Problems) -> None:
    given = [name for attribute, name in _CONSTRAINTS if getattr(parameter, attribute) is not None]
    if given:
        problems.warning(
            "module.unenforced-constraint",
            f'nothing enforces {" and ".join(given)} of the module parameter "{parameter.name}"',
            (*parameter.path, given[0]),
            key=True,
            hint="constrain a template parameter, and pass that to the module",
        )


def _check_resource(resource: Resource, problems: Problems, *, public: bool) -> None:
    at = (*resource.path, "Type")
    if (what := _FORBIDDEN_TYPES.get(resource.type)) is not None:
        problems.error("module.forbidden-type", f'a module cannot contain {what} ("{resource.type}")', at)
    if resource.is_module:
        _check_module_use(resource, problems)
    if not public:
        return
    if resource.type.startswith("Custom::") or resource.type == "AWS::CloudFormation::CustomResource":
        problems.error("module.public-custom-resource", "a public module cannot contain custom resources", at)
    elif not resource.type.startswith("AWS::") and not resource.is_module:
        _check_publisher(resource, problems)


def _check_module_use(resource: Resource, problems: Problems) -> None:
    for name, expression in (("CreationPolicy", resource.creation_policy), ("UpdatePolicy", resource.update_policy)):
        if expression is not None:
            problems.error("module.attribute", f"{name} cannot be set on a module", (*resource.path, name), key=True)
    policy = resource.update_replace_policy
    if policy is not None and literal(policy) == "Snapshot":
        problems.error(
            "module.attribute",
            "UpdateReplacePolicy: Snapshot cannot be set on a module",
            (*resource.path, "UpdateReplacePolicy"),
            hint="set it on the resource inside the module",
        )


def _check_publisher(resource: Resource, problems: Problems) -> None:
    metadata = resource.metadata.members if isinstance(resource.metadata, Members) else {}
    missing = [each for each in _PUBLISHER_MEMBERS if each not in metadata]
    if missing:
        problems.error(
            "module.publisher-metadata",
            f'the third-party resource "{resource.logical_id}" does not name its publisher: no {", ".join(missing)}',
            (*resource.path, "Metadata") if metadata else resource.path,
            hint="a public module needs them in the resource's Metadata",
        )


def _expressions(template: Template) -> Iterator[Expression]:
    for resource in template.resources.values():
        for each in (
            resource.properties,
            resource.metadata,
            resource.creation_policy,
            resource.update_policy,
            resource.deletion_policy,
            resource.update_replace_policy,
        ):
            if each is not None:
                yield each
    for output in template.outputs.values():
        yield output.value
    yield from template.conditions.values()


def _check_calls(expression: Expression, problems: Problems) -> None:
    for each in walk(expression):
        if not isinstance(each, Call):
            continue
        if each.function == "Fn::ImportValue":
            problems.error("module.import-value", "a module cannot import values of stacks", each.path)
        elif each.function == "Fn::Transform":
            problems.error("module.transform", "a module cannot use macros or transforms", each.path)
