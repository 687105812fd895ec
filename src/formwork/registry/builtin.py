"""The types of AWS's that stand for the registry's own operations: known to it, and provisioned by the stack engine."""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formwork.extensions import ExtensionKind

_FOLDER = Path(__file__).with_name("aws_types")
_PREFIX = "AWS::CloudFormation::"


@functools.cache
def builtin_types() -> Mapping[str, dict[str, Any]]:
    """Return their schemas by type name."""
    found = [json.loads(each.read_text(encoding="utf-8")) for each in sorted(_FOLDER.glob("*.json"))]
    return {schema["typeName"]: schema for schema in found}


def builtin_schema(kind: ExtensionKind, name: str) -> dict[str, Any] | None:
    """Return the schema of one of them, or None."""
    if kind is not ExtensionKind.RESOURCE or not name.startswith(_PREFIX):
        return None
    return builtin_types().get(name)
