"""Models that a request carries: the resource's, and the extension's configuration.

`{}` gives an empty model; only an absent or null one gives None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .exceptions import InvalidTypeConfiguration
from .interface import BaseModel
from .recast import deserialize_object


def expect_model(cls: type[BaseModel], properties: Mapping[str, Any]) -> BaseModel:
    """The model of an object. Classes of existing projects answer `{}` with None; here it is an empty model."""
    created: BaseModel = deserialize_object(cls, properties)
    return created


def read_type_configuration(
    type_name: str, cls: type[BaseModel] | None, configuration: Mapping[str, Any] | None
) -> BaseModel | None:
    """The extension's configuration, or None where there is none or the extension has no class for it.

    Raises InvalidTypeConfiguration for one that does not fit the class.
    """
    if cls is None or configuration is None:
        return None
    try:
        return expect_model(cls, configuration)
    except Exception as problem:
        raise InvalidTypeConfiguration(type_name, str(problem)) from problem
