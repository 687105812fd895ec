"""The order in which the keywords of a schema are written, and the ones that can be left out."""

from collections.abc import Iterable
from typing import Any

_KEYWORDS = """
    type $ref const default multipleOf maximum exclusiveMaximum minimum exclusiveMinimum items maxItems minItems
    uniqueItems maxLength minLength pattern additionalProperties propertyNames maxProperties minProperties not
    comment examples deprecated title description format contentEncoding contentMediaType properties
    patternProperties required enum allOf anyOf oneOf readOnly writeOnly
"""
_ORDER = {keyword: index for index, keyword in enumerate(_KEYWORDS.split())}
REMOVABLE = _ORDER.keys() - {"type", "$ref", "patternProperties"}


def ordered(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the same schema with its keywords in order; those that JSON Schema doesn't know stay last."""
    return dict(sorted(schema.items(), key=lambda item: _ORDER.get(item[0], len(_ORDER))))


def without(schema: dict[str, Any], features: Iterable[str]) -> dict[str, Any]:
    """Return the same schema without some keywords."""
    for feature in features:
        if feature in REMOVABLE:
            schema.pop(feature, None)
    return schema
