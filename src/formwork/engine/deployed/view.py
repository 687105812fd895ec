"""A deployment as operations and lookups see it: its template, evaluated with what the stack was given."""

from dataclasses import replace
from functools import cached_property
from typing import Protocol

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
    """What the stacks of an account and Region give to one another."""

    def stacks_seen_from(self, scope: Scope) -> OtherStacks:
        """Return what stacks of the scope may refer to."""
        ...


class NoStackValues:
    """`StackValues` without stacks: for what is evaluated as far as it goes without them."""

    def stacks_seen_from(self, scope: Scope) -> OtherStacks:
        """None of any scope."""
        del scope
        return NoStacks()


class DeploymentView:
    """A deployment read: its template, evaluated in the stack's surroundings."""

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
        """What each resource waits for."""
        return build_graph(self.template, Evaluator(self.template, self.environment(NoResources())))

    def environment(self, resources: ResourceValues, *, masked: bool = False) -> Environment:
        """The surroundings; `masked` shows the values of NoEcho parameters to nobody."""
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
        """The values of parameters that nobody may be shown, of lists also each item."""
        hidden = {name: each.default for name, each in self.template.parameters.items() if each.no_echo}
        texts = {**hidden, **self.deployment.given, **self.deployment.stored}
        found = [text for name, text in texts.items() if name in hidden and isinstance(text, str)]
        items = [item.strip() for text in found for item in text.split(",")]
        return list(dict.fromkeys([*found, *items]))

    def static_evaluator(self) -> Evaluator:
        """An evaluator to which everything that other resources and stacks give is UNKNOWN."""
        environment = replace(self.environment(NoResources()), stacks=UnknownStacks())
        return Evaluator(self.template, environment)

    def evaluator(self, resources: ResourceValues, *, masked: bool = False) -> Evaluator:
        """An evaluator of the template with what resources give."""
        return Evaluator(self.template, self.environment(resources, masked=masked))
