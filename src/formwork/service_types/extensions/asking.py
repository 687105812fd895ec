"""What the registry's types share: their part of the registry, and its refusals as failures of a handler."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome
from formwork.registry import Registry, RegistryError
from formwork.registry.requests import LoggingConfig

Handler = Callable[[HandlerCall], Outcome]


@dataclass(frozen=True, slots=True)
class Desk:
    """The registry for one of its types in an account and Region."""

    registry: Registry
    scope: Scope
    kind: ExtensionKind


def guarded(handler: Handler) -> Handler:
    """The handler with the registry's refusals as answers."""

    def answer(call: HandlerCall) -> Outcome:
        try:
            return handler(call)
        except RegistryError as error:
            code = {404: "NotFound"}.get(error.http_status, "InvalidRequest")
            return Failed(code, error.message)

    return answer


def wanted(call: HandlerCall) -> Mapping[str, Any]:
    """The model that a call is about."""
    return call.desired or {}


def logging_config(model: Mapping[str, Any]) -> LoggingConfig | None:
    """The property `LoggingConfig`."""
    value = model.get("LoggingConfig")
    return None if value is None else LoggingConfig(value["LogRoleArn"], value["LogGroupName"])
