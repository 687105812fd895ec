"""The part of a page that describes a model's properties."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from formwork.generate.docs.escape import anchor, code, html_text, prose
from formwork.generate.docs.types import Pages, in_json, in_words, in_yaml
from formwork.model import ObjectModel, Property

_BEHAVIOURS = (
    "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html"
)

# Keyword → label, in the order of the page.
_LIMITS = {
    "minLength": "Minimum Length",
    "maxLength": "Maximum Length",
    "pattern": "Pattern",
    "minimum": "Minimum",
    "exclusiveMinimum": "Exclusive Minimum",
    "maximum": "Maximum",
    "exclusiveMaximum": "Exclusive Maximum",
    "multipleOf": "Multiple Of",
    "minItems": "Minimum Items",
    "maxItems": "Maximum Items",
    "minProperties": "Minimum Properties",
    "maxProperties": "Maximum Properties",
    "format": "Format",
}


def json_block(properties: list[Property], pages: Pages, indent: str) -> str:
    """Return the members of a JSON object, one per line, without braces; no comma after the last."""
    lines = [f'{indent}"{_link(each)}" : <i>{in_json(each.type, pages)}</i>' for each in properties]
    return ",\n".join(lines)


def yaml_block(properties: list[Property], pages: Pages, indent: str) -> str:
    """Return the members of a mapping in YAML."""
    lines = []
    for each in properties:
        value = in_yaml(each.type, pages, indent)
        lines.append(f"{indent}{_link(each)}:{value[:1]}<i>{value[1:]}</i>")
    return "\n".join(lines)


def settable(model: ObjectModel) -> list[Property]:
    """Return the properties that a template may set."""
    return [each for each in model.properties if not each.read_only]


def property_sections(model: ObjectModel, pages: Pages, *, replaced: bool = False) -> Iterator[str]:
    """Yield a section for each settable property; `replaced` says that the whole object is create-only."""
    for each in settable(model):
        yield from _titled(each)
        yield f"_Required_: {'Yes' if each.required else 'No'}"
        yield f"_Type_: {in_words(each.type, pages)}"
        yield from _constraints(each.schema)
        yield f"_Update requires_: {_update(each, replaced=replaced)}"


def read_only_sections(model: ObjectModel, pages: Pages) -> Iterator[str]:
    """Yield a section for each property that the service sets."""
    for each in model.properties:
        if each.read_only:
            yield from _titled(each)
            yield "_Read-only_: Yes"
            yield f"_Type_: {in_words(each.type, pages)}"


def _titled(each: Property) -> Iterator[str]:
    yield f"#### {each.name}"
    if each.description.strip():
        yield prose(each.description)


def _constraints(schema: Mapping[str, Any]) -> Iterator[str]:
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(values, list) and values:
        yield f"_Allowed Values_: {' | '.join(code(_plain(each)) for each in values)}"
    if "default" in schema:
        yield f"_Default_: {code(_plain(schema['default']))}"
    for keyword, label in _LIMITS.items():
        if keyword in schema:
            yield f"_{label}_: {code(_plain(schema[keyword]))}"
    patterns = schema.get("patternProperties")
    if isinstance(patterns, Mapping) and patterns:
        yield f"_Key Pattern_: {' | '.join(code(each) for each in patterns)}"
    items = schema.get("items")
    if isinstance(items, Mapping) and isinstance(items.get("enum"), list):
        yield f"_Allowed Items_: {' | '.join(code(_plain(each)) for each in items['enum'])}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _update(each: Property, *, replaced: bool) -> str:
    if each.create_only or replaced:
        return f"[Replacement]({_BEHAVIOURS}#update-replacement)"
    if each.conditional_create_only:
        return f"[Some interruptions]({_BEHAVIOURS}#update-some-interrupt)"
    return f"[No interruption]({_BEHAVIOURS}#update-no-interrupt)"


def _link(each: Property) -> str:
    return f'<a href="#{anchor(each.name)}" title="{html_text(each.name)}">{html_text(each.name)}</a>'
