"""Metadata left out or kept by key."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.smithy.model import Model


def exclude_metadata(model: Model, arguments: Mapping[str, Any]) -> Model:
    """Return a model without the metadata of `keys`."""
    keys = set(arguments.get("keys", ()))
    return replace(model, metadata={key: value for key, value in model.metadata.items() if key not in keys})


def include_metadata(model: Model, arguments: Mapping[str, Any]) -> Model:
    """Return a model with only the metadata of `keys`."""
    keys = set(arguments.get("keys", ()))
    return replace(model, metadata={key: value for key, value in model.metadata.items() if key in keys})
