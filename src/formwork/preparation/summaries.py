"""What a template asks for, told without deploying it."""

from collections.abc import Callable

from msgspec import Struct

from formwork.preparation.capabilities import needed_capabilities
from formwork.preparation.prepared import parse_template, read_checked
from formwork.preparation.transforms.processing import declared_transforms
from formwork.schema import ResourceSchema
from formwork.template import Template


class TemplateSummary(Struct, frozen=True):
    """A template's parameters (in `template`), its types, its macros, and the acknowledgements that it needs.

    `identifiers` are type → its logical ids and the names of the properties that identify one for an import.
    """

    template: Template
    types: tuple[str, ...]
    identifiers: dict[str, tuple[list[str], list[str]]]
    transforms: tuple[str, ...]
    capabilities: tuple[str, ...]
    capabilities_reason: str | None


def summarize_template(text: str, schema_of: Callable[[str], ResourceSchema | None]) -> TemplateSummary:
    """Summarize the text of a template.

    Raises:
        StackError: the text is not a template.
    """
    template = read_checked(parse_template(text))
    by_type: dict[str, list[str]] = {}
    for resource in template.resources.values():
        by_type.setdefault(resource.type, []).append(resource.logical_id)
    identifiers = {}
    for name, logical_ids in by_type.items():
        schema = schema_of(name)
        paths = () if schema is None else schema.primary_identifier
        identifiers[name] = (logical_ids, [".".join(each) for each in paths])
    capabilities, reason = _capabilities(template)
    return TemplateSummary(template, tuple(by_type), identifiers, declared_transforms(template), capabilities, reason)


def _capabilities(template: Template) -> tuple[tuple[str, ...], str | None]:
    needed = set(needed_capabilities(template))
    iam = sorted({each.type for each in template.resources.values() if each.type.startswith("AWS::IAM::")})
    reason = f"The following resource(s) require capabilities: [{', '.join(iam)}]" if needed else None
    if "CAPABILITY_NAMED_IAM" in needed:
        needed = {"CAPABILITY_NAMED_IAM"}
    if any(each.is_module for each in template.resources.values()) or declared_transforms(template):
        needed.add("CAPABILITY_AUTO_EXPAND")
    return tuple(sorted(needed)), reason
