"""The stacks of a refactor as they are and as they will be, evaluated together.

A reference may lead to a resource that is in another place still, or to an export that only the refactor brings.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.documents.scalar_text import as_text
from formwork.engine.deployed.resource_values import find_attribute
from formwork.engine.deployed.view import DeploymentView
from formwork.engine.engine import Engine
from formwork.engine.planning.requests import StackRequest
from formwork.preparation.prepared import check_output_value
from formwork.provisioning.references import refers_to_secrets
from formwork.stack_refactors.records import RefactoredStack, ResourcePlace
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.records import ResourceRecord, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import get_stack
from formwork.template.evaluation import UNKNOWN, Evaluator, OtherStacks, StackOutput, Value

Outputs = dict[str, list[str | None]]


class StackPart(Struct, frozen=True):
    """A stack of a refactor: its record, the resources that it has, and the deployment that it gets, read."""

    refactored: RefactoredStack
    stack: StackRecord
    present: Mapping[str, ResourceRecord]
    view: DeploymentView


class Refactored:
    """The new stacks of a refactor: an implementation of `StackValues` and `OtherStacks` for evaluating them."""

    def __init__(self, engine: Engine, scope: Scope, stacks: Iterable[RefactoredStack]) -> None:
        self._engine = engine
        self._scope = scope
        self._outputs: dict[str, Outputs] = {}
        self._begun: set[str] = set()
        self.origins: Mapping[ResourcePlace, ResourceRecord] = {}  # what each place gets; known after the matching
        self.parts = [self._part(each) for each in stacks]

    def _part(self, refactored: RefactoredStack) -> StackPart:
        with self._engine.database.read() as connection:
            known = get_stack(connection, refactored.id)
            present = {} if known is None else list_resources(connection, known.id)
        stack = known or new_stack(self._engine, self._scope, refactored)
        assert refactored.deployment is not None
        return StackPart(refactored, stack, present, DeploymentView(refactored.deployment, stack, self))

    def stacks_seen_from(self, scope: Scope) -> OtherStacks:
        """See `StackValues`."""
        del scope  # all are of one account and Region
        return self

    def evaluator(self, part: StackPart) -> Evaluator:
        """Return an evaluator of a stack's new template."""
        return part.view.evaluator(_MovedResources(part.refactored.id, self.origins))

    def export(self, name: str) -> Value:
        """See `OtherStacks.export`."""
        for part in self.parts:
            for value, exported, _ in self.outputs(part).values():
                if exported == name:
                    return value
        ours = {exported for part in self.parts for _, exported, _ in part.stack.outputs.values()}
        if name in ours:
            raise KeyError(name)
        return self._engine.lookups.stacks_seen_from(self._scope).export(name)

    def output(self, wanted: StackOutput) -> Value:
        """See `OtherStacks.output`."""
        here = wanted.role_arn is None and wanted.region in {None, self._scope.region}
        for part in self.parts if here else ():
            if wanted.stack_name in {part.stack.name, part.stack.arn}:
                return self.outputs(part).get(wanted.output_name, [None])[0]
        return self._engine.lookups.stacks_seen_from(self._scope).output(wanted)

    def outputs(self, part: StackPart) -> Outputs:
        """Return the outputs of a stack after the refactor: name → [value, export name or null, description or null].

        Raises:
            EvaluationError: one has no value.
            StackError: a value is not a text, or a dynamic reference in it leads nowhere.
        """
        key = part.refactored.id
        if key in self._begun:
            return self._outputs.get(key, {})
        self._begun.add(key)
        evaluator = self.evaluator(part)
        found: Outputs = {}
        for name, each in part.view.template.outputs.items():
            if not evaluator.exists(each):
                continue
            value = evaluator.output(each)
            if not refers_to_secrets(value):
                value = self._engine.settings.references.resolve(self._scope, value)
            export = None if each.export is None else as_text(evaluator.value(each.export))
            found[name] = [check_output_value(value), export, each.description]
            self._outputs[key] = dict(found)
        self._outputs[key] = found
        return found


class _MovedResources:
    """`ResourceValues` of a stack after the refactor: of the resources as they are, at their new places."""

    def __init__(self, stack_id: str, origins: Mapping[ResourcePlace, ResourceRecord]) -> None:
        self._stack_id = stack_id
        self._origins = origins

    def reference(self, logical_id: str) -> Value:
        record = self._origins.get(ResourcePlace(self._stack_id, logical_id))
        return UNKNOWN if record is None or record.physical_id is None else record.physical_id

    def attribute(self, logical_id: str, name: str) -> Value:
        record = self._origins.get(ResourcePlace(self._stack_id, logical_id))
        return UNKNOWN if record is None else find_attribute(record.model, name)


def new_stack(engine: Engine, scope: Scope, refactored: RefactoredStack) -> StackRecord:
    """Return the record of a stack that a refactor creates."""
    request = StackRequest(name=refactored.name, template=None)
    return engine.new_stack(scope, request, refactored.id, StackStatus.REVIEW_IN_PROGRESS)
