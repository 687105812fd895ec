"""The outputs of a stack, evaluated when its resources are complete."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.documents.scalar_text import as_text
from formwork.engine.deployed.exports import find_exporter, list_importers
from formwork.engine.deployed.resource_values import StoredResources
from formwork.engine.deployed.view import DeploymentView
from formwork.engine.operations.services import OperationContext, OperationServices
from formwork.preparation.prepared import check_output_value
from formwork.provisioning.references import refers_to_secrets
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import StackRecord
from formwork.stacks.store.stacks import get_stack, write_stack
from formwork.template.evaluation import EvaluationError

DELETE_CANCELED = "Delete canceled."  # prefix of the service's reason for keeping an export that is imported


def write_outputs(services: OperationServices, context: OperationContext, target: DeploymentView) -> str | None:
    """Evaluate and store a deployment's outputs; return what is wrong with them, or None."""
    stack_id = context.stack.id
    evaluator = target.evaluator(StoredResources(services.database, stack_id))
    outputs: dict[str, list[str | None]] = {}
    try:
        for name, each in target.template.outputs.items():
            if not evaluator.exists(each):
                continue
            value = _resolved(services, context, evaluator.output(each))
            export = None if each.export is None else as_text(evaluator.value(each.export))
            outputs[name] = [check_output_value(value), export, each.description]
    except (EvaluationError, StackError) as error:
        return error.message
    with services.writing(stack_id) as connection:
        stack = get_stack(connection, stack_id)
        assert stack is not None
        if stack.outputs == outputs:
            return None
        if (problem := _export_problem(connection, stack, outputs)) is not None:
            return problem
        write_stack(connection, replace(stack, outputs=outputs))
        services.observer.checkpoint("outputs-writing")
    return None


def clear_outputs(services: OperationServices, stack_id: str) -> None:
    """Remove the outputs of a stack whose creation is undone."""
    with services.writing(stack_id) as connection:
        stack = get_stack(connection, stack_id)
        assert stack is not None
        if stack.outputs:
            write_stack(connection, replace(stack, outputs={}))


def _resolved(services: OperationServices, context: OperationContext, value: Any) -> Any:
    """Return an output's value with plain parameters of Parameter Store resolved; references to secrets stay."""
    return value if refers_to_secrets(value) else services.references.resolve(context.stack.scope, value)


def _export_problem(connection: Connection, stack: StackRecord, outputs: Mapping[str, list[str | None]]) -> str | None:
    """Return why an export is refused: another stack has it, or a stack imports a value that is removed or changed."""
    exports = {export: value for value, export, _ in outputs.values() if export is not None}
    for name in exports:
        known = find_exporter(connection, stack.scope, name)
        if known is not None and known[0].id != stack.id:
            return f"Export with name {name} is already exported by stack {known[0].name}"
    for value, export, _ in stack.outputs.values():
        if export is not None and exports.get(export) != value:
            users = list_importers(connection, stack.scope, export)
            if users:
                used = f"as it is in use by {' and '.join(users)}"
                if export in exports:
                    return f"Export {export} cannot be updated {used}"
                return f"{DELETE_CANCELED} Cannot delete export {export} {used}."
    return None
