"""Secret values of a stack, which messages, events and answers must not contain."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from formwork.diagnostics.secret_forms import leaf_texts
from formwork.diagnostics.secrets import marked_secrets, secrets_at
from formwork.engine.deployed.resource_values import NO_ECHO
from formwork.engine.deployed.view import DeploymentView
from formwork.provisioning.known_models import resolve_each
from formwork.schema import ResourceSchema
from formwork.stacks.store.records import ResourceRecord

_REFERENCE = re.compile(r"\{\{resolve:[^{}]+\}\}")


def hidden_values(views: Iterable[DeploymentView | None], resources: Iterable[ResourceRecord]) -> list[str]:
    """Return the values of NoEcho parameters, and of custom resources that answered with NoEcho."""
    parameters = [value for view in views if view is not None for value in view.no_echo_values()]
    answered = [each.model for each in resources if each.model.get(NO_ECHO) is True]
    data = [text for model in answered for name, each in model.items() if name[:1] != "$" for text in leaf_texts(each)]
    return list(dict.fromkeys([*parameters, *data]))


def property_secrets(
    schema: ResourceSchema, properties: Mapping[str, Any], resolve: Callable[[Any], Any]
) -> frozenset[str]:
    """Return the values of writeOnly properties and of dynamic references in a resource's evaluated properties."""
    resolved = resolve_each(properties, resolve)
    return secrets_at(resolved, schema.write_only) | marked_secrets(resolved)


def with_references(masked: Any, properties: Any) -> Any:
    """Return masked properties, with texts that are only a dynamic reference kept: they reveal no value."""
    match masked, properties:
        case dict(), dict():
            return {name: with_references(each, properties[name]) for name, each in masked.items()}
        case list(), list():
            return [with_references(*each) for each in zip(masked, properties, strict=True)]
        case _:
            return properties if isinstance(properties, str) and _REFERENCE.fullmatch(properties) else masked
