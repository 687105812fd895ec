"""What a macro is called with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


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


# Gives the fragment that takes the place of the call's; raises ProcessingError where there is none.
Transform: TypeAlias = Callable[[TransformCall], Any]
