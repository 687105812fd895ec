"""Pre-deployment validation of an operation: its problems, and the events that report them."""

from collections.abc import Sequence

from msgspec.structs import replace

from formwork.engine.changes.values import TypeTraits
from formwork.engine.deployed.prediction import predict_changes
from formwork.engine.operations.decisions import type_traits
from formwork.engine.operations.event_writing import hash_text, stack_event
from formwork.engine.operations.running_operation import RunningOperation
from formwork.engine.validation import REFUSED, ValidationProblem, find_problems, operation_reason
from formwork.stacks.store.events import add_event
from formwork.stacks.store.operations import list_steps
from formwork.stacks.store.records import EventDetails, EventRecord, OperationKind
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.steps import Phase
from formwork.template.evaluation import EvaluationError

_VALIDATED = frozenset({OperationKind.CREATE, OperationKind.UPDATE})


def validate(operation: RunningOperation) -> list[ValidationProblem]:
    """Return the problems of the operation's deployment; none once its first resource has begun.

    A change set was validated when it was created. A property that can't be evaluated fails in the operation itself.
    """
    context, services = operation.context, operation.services
    options = context.operation.options
    if operation.kind not in _VALIDATED or options.disable_validation or options.change_set is not None:
        return []
    with services.database.read() as connection:
        if list_steps(connection, operation.id, Phase.DEPLOY):
            return []
        records = list_resources(connection, operation.stack_id)

    def traits_of(type_name: str) -> TypeTraits:
        provisioner = context.provisioner(type_name)
        return TypeTraits() if provisioner is None else type_traits(provisioner.schema)

    try:
        changes = predict_changes(context.before, context.target, records, traits_of)
    except EvaluationError:
        return []
    return find_problems(context.target, changes, context.provisioner, hidden=context.target.no_echo_values())


def show_problems(operation: RunningOperation, problems: Sequence[ValidationProblem], *, rolls_back: bool) -> str:
    """Add events for the problems of validation, and return the stack's reason.

    If the stack rolls back, a further event says that the operation has failed.
    """
    reason, now, record = operation_reason(problems), operation.services.now(), operation.context.operation
    with operation.services.writing(operation.stack_id) as connection:
        for each in problems:
            event = EventRecord(
                id=f"{operation.id}/validation/{hash_text(each.to_json())}",
                stack_id=operation.stack_id,
                logical_id=each.logical_id,
                type=each.type,
                status="",
                time=now,
                physical_id="",
                reason=each.reason,
                operation_id=operation.id,
                details=EventDetails(token=record.token, validation={"name": each.name, "path": each.path}),
            )
            add_event(connection, event)
        if rolls_back:
            failed = replace(operation.stack(connection), status=operation.ends.failed, reason=reason)
            event = stack_event(failed, record, now)
            add_event(connection, replace(event, details=replace(event.details, detailed=REFUSED)))
    return reason
