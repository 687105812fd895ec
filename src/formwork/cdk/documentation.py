"""What the comments and docstrings of constructs say of a property beyond its description."""

import json
from typing import Any

from formwork.cdk.constructs import ConstructProperty
from formwork.model import ListType, ScalarType, SetType

_LIMITS = {
    "pattern": "Pattern",
    "minLength": "Minimum length",
    "maxLength": "Maximum length",
    "minimum": "Minimum",
    "maximum": "Maximum",
    "exclusiveMinimum": "More than",
    "exclusiveMaximum": "Less than",
    "multipleOf": "Multiple of",
    "minItems": "Minimum items",
    "maxItems": "Maximum items",
    "format": "Format",
}


def property_notes(of: ConstructProperty) -> list[str]:
    """Return the description of a property, then a line for each thing that its schema says."""
    lines = [of.description] if of.description.strip() else []
    notes = [] if of.source is None else [*_limits(of), *_behaviour(of)]
    return [*lines, *([""] if lines and notes else []), *notes]


def _limits(of: ConstructProperty) -> list[str]:
    assert of.source is not None
    item = of.type.item if isinstance(of.type, ListType | SetType) else of.type
    values = item.values if isinstance(item, ScalarType) else ()
    lines = [f"Allowed values: {', '.join(map(_shown, values))}."] if values else []
    schema = of.source.schema
    lines += [f"{label}: {_shown(schema[keyword])}." for keyword, label in _LIMITS.items() if keyword in schema]
    return [*lines, *([f"Default: {_shown(schema['default'])}."] if "default" in schema else [])]


def _behaviour(of: ConstructProperty) -> list[str]:
    source = of.source
    assert source is not None
    lines = ["A change replaces the resource."] if source.create_only else []
    if source.conditional_create_only:
        lines.append("Some changes replace the resource.")
    return [*lines, *(["The value is never given out again."] if source.write_only else [])]


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
