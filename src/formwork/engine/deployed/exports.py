"""Exports of stacks: which stack exports a name, and which stacks import it.

Source: CloudFormation user guide, "Outputs" (Export) and "Fn::ImportValue".
"""

from collections.abc import Iterator

from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.documents.scalar_text import as_text
from formwork.engine.deployed.view import DeploymentView, NoStackValues
from formwork.stacks.store.records import StackRecord
from formwork.stacks.store.stacks import list_stacks
from formwork.template import Call, walk
from formwork.template.evaluation import EvaluationError, NoResources


def find_exporter(connection: Connection, scope: Scope, name: str) -> tuple[StackRecord, str] | None:
    """Return the stack that exports the name, and the value; None if no stack does."""
    for stack in list_stacks(connection, scope, deleted=False):
        for value, exported, _ in stack.outputs.values():
            if exported == name and value is not None:
                return stack, value
    return None


def list_importers(connection: Connection, scope: Scope, name: str) -> list[str]:
    """Return the names of the stacks that import an export."""
    found = [each.name for each in list_stacks(connection, scope, deleted=False) if name in set(_imported(each))]
    return sorted(found)


def imported_names(stack: StackRecord) -> list[str]:
    """Return the names of the exports that a stack imports, except names that depend on resources."""
    return sorted(set(_imported(stack)))


def exported_names(stack: StackRecord) -> set[str]:
    """Return the names of a stack's exports."""
    return {name for _, name, _ in stack.outputs.values() if name is not None}


def _imported(stack: StackRecord) -> Iterator[str]:
    """Yield the names that a stack's resources and outputs import, except names that depend on resources."""
    if stack.deployed is None or "Fn::ImportValue" not in stack.deployed.to_json():
        return
    view = DeploymentView(stack.deployed, stack, NoStackValues())
    evaluator = view.evaluator(NoResources())
    template = view.template
    parts = [each.properties for each in template.resources.values() if each.properties is not None]
    for part in (*parts, *(each.value for each in template.outputs.values())):
        for each in walk(part):
            if isinstance(each, Call) and each.function == "Fn::ImportValue":
                try:
                    name = as_text(evaluator.value(each.argument))
                except EvaluationError:
                    continue
                if name is not None:
                    yield name
