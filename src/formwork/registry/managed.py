"""AWS's managed hook types: published by `aws-hooks` in every Region, and evaluated in this process.

They are not in the database: their schemas are data beside the code.
"""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from formwork.extensions import ExtensionKind

if TYPE_CHECKING:
    from formwork.registry.finding import AnyRow

PUBLISHER = "aws-hooks"
GUARD_HOOK = "AWS::Hooks::GuardHook"
LAMBDA_HOOK = "AWS::Hooks::LambdaHook"
_FOLDER = Path(__file__).with_name("managed_hooks")


class _ManagedVersion(Struct, frozen=True, kw_only=True):
    """The columns of a published version; it has no package."""

    region: str
    name: str
    description: str
    documentation_url: str
    schema: str
    publisher_id: str = PUBLISHER
    kind: str = str(ExtensionKind.HOOK)
    version: str = "1.0.0"
    provisioning: str | None = None
    source_url: str | None = None
    package: str | None = None


@functools.cache
def _schemas() -> Mapping[str, str]:
    texts = [each.read_text(encoding="utf-8") for each in sorted(_FOLDER.glob("*.json"))]
    return {str(json.loads(text)["typeName"]): text for text in texts}


def managed_hooks(region: str) -> "list[AnyRow]":
    """Return the versions of all managed hooks as published in a Region, by name."""
    found = []
    for name, text in sorted(_schemas().items()):
        schema = json.loads(text)
        version = _ManagedVersion(
            region=region,
            name=name,
            description=schema["description"],
            documentation_url=schema["documentationUrl"],
            schema=json.dumps(schema),
        )
        found.append(cast("AnyRow", version))
    return found
