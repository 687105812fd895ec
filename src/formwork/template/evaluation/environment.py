"""The environment of a template's evaluation: parameters, pseudo parameters, resources, exports, zones."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field

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
    """Access to values of resources, for `Ref` and `Fn::GetAtt`."""

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
        """Return UNKNOWN."""
        del logical_id
        return UNKNOWN

    def attribute(self, logical_id: str, name: str) -> Value:
        """Return UNKNOWN."""
        del logical_id, name
        return UNKNOWN


class StackOutput(Struct, frozen=True):
    """An output that `Fn::GetStackOutput` names; `region` and `role_arn` are None for those of the stack itself."""

    stack_name: str
    output_name: str
    region: str | None = None
    role_arn: str | None = None


class OtherStacks(Protocol):
    """Access to values of other stacks: exports and outputs."""

    def export(self, name: str) -> Value:
        """Return what `Fn::ImportValue` gives: the value of an export, or UNKNOWN.

        Raises:
            KeyError: no stack exports the name.
        """
        ...

    def output(self, wanted: StackOutput) -> Value:
        """Return what `Fn::GetStackOutput` gives: the value of an output, or UNKNOWN.

        Raises:
            LookupError: there is no such stack or output; its text says so.
        """
        ...


class NoStacks:
    """`OtherStacks` where there are none."""

    def export(self, name: str) -> Value:
        """Raise KeyError."""
        raise KeyError(name)

    def output(self, wanted: StackOutput) -> Value:
        """Raise LookupError."""
        raise LookupError(f"Stack with id {wanted.stack_name} does not exist")


class UnknownStacks:
    """`OtherStacks` that are looked at later."""

    def export(self, name: str) -> Value:
        """Return UNKNOWN."""
        del name
        return UNKNOWN

    def output(self, wanted: StackOutput) -> Value:
        """Return UNKNOWN."""
        del wanted
        return UNKNOWN


def _usual_zones(region: str) -> Sequence[str]:
    return [f"{region}{letter}" for letter in "abc"]


class Environment(Struct, frozen=True):
    """The values of names that a template refers to: parameters, resources, other stacks.

    `parameters` are the values of the template's own parameters: a text, or a list of texts for the list types.
    `pseudo` are the `AWS::` ones; one that is not there is UNKNOWN. `zones` gives a region's availability zones.
    """

    parameters: Mapping[str, Json] = field(default_factory=dict)
    pseudo: Mapping[str, Json] = field(default_factory=dict)
    resources: ResourceValues = field(default_factory=NoResources)
    stacks: OtherStacks = field(default_factory=NoStacks)
    zones: Callable[[str], Sequence[str]] = _usual_zones
