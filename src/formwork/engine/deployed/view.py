"""A deployment for operations and lookups: its template, evaluated with the stack's parameters."""

from functools import cached_property
from typing import Protocol

from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.diagnostics.secrets import NO_ECHO_MASK
from formwork.documents import Document
from formwork.engine.changes.graph import build_graph
from formwork.preparation.parameters import parameter_values
from formwork.preparation.prepared import read_checked
from formwork.preparation.pseudo_parameters import pseudo_parameters
from formwork.stacks.store.records import Deployment, StackRecord
from formwork.template import Template
from formwork.template.evaluation import (
    Environment,
    Evaluator,
    NoResources,
    NoStacks,
    OtherStacks,
    ResourceValues,
    UnknownStacks,
)


class StackValues(Protocol):
    """Access to the values that stacks of an account and Region share."""

    def stacks_seen_from(self, scope: Scope) -> OtherStacks:
        """Return the values that stacks of the scope can refer to."""
        ...


class NoStackValues:
    """`StackValues` without stacks, for evaluation that does not need them."""

    def stacks_seen_from(self, scope: Scope) -> OtherStacks:
        """Return values of no stack."""
        del scope
        return NoStacks()


class DeploymentView:
    """A deployment with its template parsed, which can be evaluated."""

    def __init__(self, deployment: Deployment, stack: StackRecord, stack_values: StackValues) -> None:
        self.deployment = deployment
        self._stack = stack
        self._stack_values = stack_values

    @property
    def scope(self) -> Scope:
        """The account and Region of the stack."""
        return self._stack.scope

    @cached_property
    def template(self) -> Template:
        """The processed template."""
        return read_checked(Document.of_value(self.deployment.template, "template"), deployed=True)

    @cached_property
    def graph(self) -> dict[str, tuple[str, ...]]:
        """The dependencies of each resource."""
        return build_graph(self.template, Evaluator(self.template, self.environment(NoResources())))

    def environment(self, resources: ResourceValues, *, masked: bool = False) -> Environment:
        """Return the environment for evaluation; with `masked` the values of NoEcho parameters are masked."""
        deployment = self.deployment
        texts = {**deployment.given, **deployment.stored}
        if masked:
            texts |= {name: NO_ECHO_MASK for name, each in self.template.parameters.items() if each.no_echo}
        pseudo = pseudo_parameters(
            self._stack.scope,
            stack_name=self._stack.name,
            stack_id=self._stack.arn,
            notification_arns=self._stack.settings.notification_arns,
        )
        stacks = self._stack_values.stacks_seen_from(self._stack.scope)
        return Environment(parameter_values(self.template, texts), pseudo, resources, stacks)

    def no_echo_values(self) -> list[str]:
        """Return the values of NoEcho parameters, for lists also each item."""
        if not self.deployment.template.get("Parameters"):
            return []  # without reading the whole template
        hidden = {name: each.default for name, each in self.template.parameters.items() if each.no_echo}
        texts = {**hidden, **self.deployment.given, **self.deployment.stored}
        found = [text for name, text in texts.items() if name in hidden and isinstance(text, str)]
        items = [item.strip() for text in found for item in text.split(",")]
        return list(dict.fromkeys([*found, *items]))

    def static_evaluator(self) -> Evaluator:
        """Return an evaluator to which all values of resources and other stacks are UNKNOWN."""
        environment = replace(self.environment(NoResources()), stacks=UnknownStacks())
        return Evaluator(self.template, environment)

    def evaluator(self, resources: ResourceValues, *, masked: bool = False) -> Evaluator:
        """Return an evaluator of the template with the values of resources."""
        return Evaluator(self.template, self.environment(resources, masked=masked))
