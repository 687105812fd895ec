"""What the registry's types share: their part of the registry, and its refusals as failures of a handler."""

from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.own import OwnHandlers
from formwork.registry.errors import RegistryError
from formwork.registry.registry import Registry
from formwork.registry.requests import LoggingConfig


class RegistryTypeHandlers(OwnHandlers):
    """Handlers of a type that is made in the registry of an account and Region; `kind` is that of its extensions."""

    def __init__(self, registry: Registry, scope: Scope, kind: ExtensionKind) -> None:
        self.registry = registry
        self.scope = scope
        self.kind = kind

    def handle(self, call: HandlerCall) -> Outcome | None:
        """See `OwnHandlers.handle`; what the registry refuses is a failure."""
        try:
            return super().handle(call)
        except RegistryError as error:
            code = {404: "NotFound"}.get(error.http_status, "InvalidRequest")
            return Failed(code, error.message)

    def delete(self, call: HandlerCall) -> Outcome:
        """Change nothing: what most of these types do can't be undone."""
        del call
        return Succeeded(None)


def wanted(call: HandlerCall) -> Mapping[str, Any]:
    """Return the model that a call is about."""
    return call.desired or {}


def logging_config(model: Mapping[str, Any]) -> LoggingConfig | None:
    """Return the property `LoggingConfig` as the registry takes it."""
    value = model.get("LoggingConfig")
    return None if value is None else LoggingConfig(value["LogRoleArn"], value["LogGroupName"])
