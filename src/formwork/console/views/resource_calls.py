"""The equivalent lines of what a form does through Cloud Control; write-only values are masked in them."""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from formwork.console.views.form_model import patch_of
from formwork.diagnostics.secrets import mask_at
from formwork.schema import ResourceSchema


class LinesOfType(Protocol):
    """Makes lines of calls about one type."""

    @property
    def name(self) -> str:
        """The name of the type."""
        ...

    def lines(self, operation: str, cfn: list[str] | None, service: str = ..., **members: Any) -> list[tuple[str, str]]:
        """Return the equivalent lines of a call."""
        ...


def create_lines(page: LinesOfType, schema: ResourceSchema, model: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the lines that make a resource."""
    desired = json.dumps(mask_at(model, schema.write_only), ensure_ascii=False)
    return page.lines("CreateResource", None, "cloudcontrol", TypeName=page.name, DesiredState=desired)


def update_lines(
    page: LinesOfType, identifier: str, schema: ResourceSchema, before: Mapping[str, Any], after: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Return the lines that change a resource."""
    patch = json.dumps(patch_of(schema, before, mask_at(after, schema.write_only)), ensure_ascii=False)
    return page.lines(
        "UpdateResource", None, "cloudcontrol", TypeName=page.name, Identifier=identifier, PatchDocument=patch
    )


def delete_lines(page: LinesOfType, identifier: str) -> list[tuple[str, str]]:
    """Return the lines that delete a resource."""
    return page.lines("DeleteResource", None, "cloudcontrol", TypeName=page.name, Identifier=identifier)
