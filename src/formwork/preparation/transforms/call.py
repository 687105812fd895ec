"""What a macro is called with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformCall:
    """One run of a macro.

    `fragment` is the template without its section Transform, or the siblings of a `Fn::Transform`; `values` are the
    template's parameters with the values that they have.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    fragment: Any = None
    values: Mapping[str, Any] = field(default_factory=dict)
