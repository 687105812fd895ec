"""What a template is evaluated against: parameters, pseudo parameters, resources, exports, availability zones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from formwork.documents import Json
from formwork.template.evaluation.values import UNKNOWN, Value
from formwork.template.expressions import Path


class EvaluationError(ValueError):
    """An expression has no value; the message is the service's own, `path` the place of the call."""

    def __init__(self, message: str, path: Path) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


class ResourceValues(Protocol):
    """What resources give to those that refer to them."""

    def reference(self, logical_id: str) -> Value:
        """Return what `Ref` gives: the physical id, or UNKNOWN."""
        ...

    def attribute(self, logical_id: str, name: str) -> Value:
        """Return what `Fn::GetAtt` gives, or UNKNOWN.

        Raises:
            KeyError: the resource's type has no such attribute.
        """
        ...


class NoResources:
    """Resources of which nothing is known yet."""

    def reference(self, logical_id: str) -> Value:
        """UNKNOWN."""
        del logical_id
        return UNKNOWN

    def attribute(self, logical_id: str, name: str) -> Value:
        """UNKNOWN."""
        del logical_id, name
        return UNKNOWN


def _no_export(name: str) -> str:
    raise KeyError(name)


def _usual_zones(region: str) -> Sequence[str]:
    return [f"{region}{letter}" for letter in "abc"]


@dataclass(frozen=True, slots=True)
class Environment:
    """What names mean outside the template.

    `parameters` are the values of the template's own parameters: a text, or a list of texts for the list types.
    `pseudo` are the `AWS::` ones; one that is not there is UNKNOWN. `export` gives an export's value and raises
    KeyError where there is none; `zones` gives a region's availability zones.
    """

    parameters: Mapping[str, Json] = field(default_factory=dict)
    pseudo: Mapping[str, Json] = field(default_factory=dict)
    resources: ResourceValues = field(default_factory=NoResources)
    export: Callable[[str], Value] = _no_export
    zones: Callable[[str], Sequence[str]] = _usual_zones
