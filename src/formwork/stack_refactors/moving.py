"""What a refactor changes in the store: resources get another stack or logical id, with the events that say so.

That a source shows EXPORT_IN_PROGRESS and EXPORT_COMPLETE, and a destination IMPORT_IN_PROGRESS and IMPORT_COMPLETE, is
read off the service's model (`ResourceStatus`) and public reports.

The reasons are in docs/decisions/1309.
"""

from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.stack_refactors.planning import Arrival, RefactorPlan
from formwork.stack_refactors.records import ResourcePlace, StackRefactor
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.events import add_event
from formwork.stacks.store.records import EventRecord
from formwork.stacks.store.resources import delete_resource, write_resource

_LEFT = (("EXPORT_IN_PROGRESS", "Resource export started."), ("EXPORT_COMPLETE", "Resource export completed."))
_CAME = (("IMPORT_IN_PROGRESS", "Resource import started."), ("IMPORT_COMPLETE", "Resource import completed."))


def move_resources(connection: Connection, refactor: StackRefactor, plan: RefactorPlan, now: float) -> None:
    """Store every resource at its place after the refactor."""
    moved = [each for each in plan.arrivals if each.move.source != each.move.destination]
    models = {refactor.moves[int(number)].destination: model for number, model in refactor.call.models.items()}
    for each in moved:
        delete_resource(connection, each.move.source.stack, each.move.source.logical_id)
        _add_events(connection, refactor, each, each.move.source, _LEFT, now)
    for each in plan.arrivals:
        record = replace(each.record, declaration=each.declaration, module=each.module)
        if each in moved:
            record = replace(
                record,
                logical_id=each.move.destination.logical_id,
                status=ResourceStatus.IMPORT_COMPLETE,
                reason=None,
                updated=now,
                model=models.get(each.move.destination, record.model),
            )
            _add_events(connection, refactor, each, each.move.destination, _CAME, now)
        write_resource(connection, each.move.destination.stack, record)


def _add_events(  # noqa: PLR0913, PLR0917 - the events of a resource, and where
    connection: Connection,
    refactor: StackRefactor,
    arrival: Arrival,
    place: ResourcePlace,
    news: tuple[tuple[str, str], ...],
    now: float,
) -> None:
    operation_id = refactor.operation_id(refactor.stack(place.stack))
    for status, reason in news:
        event = EventRecord(
            id=f"{operation_id}/{place.logical_id}/{status}",
            stack_id=place.stack,
            logical_id=place.logical_id,
            type=arrival.record.type,
            status=status,
            time=now,
            physical_id=arrival.record.physical_id,
            reason=reason,
            operation_id=operation_id,
        )
        add_event(connection, event)
