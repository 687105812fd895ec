"""Whether a value that a `$ref` leads to can be used as the schema of a property."""

from typing import Any

from formwork.schema.findings import Path, SchemaViolation, list_findings
from formwork.schema.metaschemas import property_validator

# What CloudFormation's meta-schema demands of its own schemas, and JSON Schema does not.
_LET_PASS = frozenset({"unknown-member", "missing-dependency", "forbidden"})


def find_misshapen(node: Any) -> SchemaViolation | None:
    """Return what makes `node` unusable as the schema of a property, or None.

    Keywords that CloudFormation does not know are let pass: the document may be any JSON schema. So is a whole
    extension schema, which is validated on its own.
    """
    if not isinstance(node, dict):
        return SchemaViolation("wrong-type", (), "it is not an object", "a definition or property, which is an object")
    if "typeName" in node:
        return None
    for finding in list_findings(property_validator().iter_errors(node), node):
        if finding.slug not in _LET_PASS and not _is_closing(finding.path):
            return finding
    return None


def _is_closing(path: Path) -> bool:
    """Return whether a finding is about `additionalProperties`, which JSON Schema restricts less."""
    return path[-1:] == ("additionalProperties",)
