"""`handlers` with the permissions each needs."""

from typing import Any

from formwork.convert.context import ConversionContext
from formwork.convert.json_schema.schemas import utf16_key
from formwork.smithy.shapes import OperationShape


def add_handlers(context: ConversionContext, schema: dict[str, Any]) -> None:
    """A handler for every lifecycle operation; `put` creates, and updates unless the resource can't be replaced."""
    if context.options.disable_handler_permission_generation:
        return
    update = ["update"] if context.resource.has_trait("noReplace") else ["update", "put"]
    lifecycles = {
        "create": ["create", "put"],
        "delete": ["delete"],
        "list": ["list"],
        "read": ["read"],
        "update": update,
    }
    handlers: dict[str, Any] = {}
    for handler, names in lifecycles.items():
        operations = [context.model.get(context.resource.lifecycle.get(name, "")) for name in names]
        permissions = {
            permission
            for operation in operations
            if isinstance(operation, OperationShape)
            for permission in permissions_of(context, operation)
        }
        if permissions:
            handlers[handler] = {"permissions": sorted(permissions, key=utf16_key)}
    if handlers:
        schema["handlers"] = handlers


def permissions_of(context: ConversionContext, operation: OperationShape) -> set[str]:
    """Return the IAM actions that calling an operation takes: its own and those it says it requires."""
    trait = context.service.trait("aws.api#service") or {}
    prefix = (trait.get("arnNamespace") or context.service.name).lower()
    name = context.service.rename.get(operation.id, operation.name)
    action = operation.trait("aws.iam#iamAction") or {}
    required = action.get("requiredActions") or operation.trait("aws.iam#requiredActions") or ()
    return {f"{prefix}:{name}", *required}
