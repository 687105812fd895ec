"""Beginning operations on stack sets: one at a time, or queued where the stack set manages that."""

import uuid
from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.engine.planning.requests import digest
from formwork.stack_sets.errors import operation_id_taken, operation_in_progress, stack_set_not_found
from formwork.stack_sets.preferences import Preferences, check_preferences, order_regions
from formwork.stack_sets.records import (
    DetailedStatus,
    Instance,
    Result,
    SetOperation,
    SetOperationAction,
    SetOperationStatus,
    StackSetRecord,
)
from formwork.stack_sets.running import Runner
from formwork.stack_sets.store import find_stack_set, insert_operation, list_operations, write_instance

# What an operation works on: instances as they are from now on.
Plan = Callable[[Connection, StackSetRecord], Sequence[Instance]]


class Asked(Struct, frozen=True, kw_only=True):
    """A requested operation; `what` is the whole request, to recognise a second use of its id."""

    action: SetOperationAction
    operation_id: str | None
    what: object
    preferences: Preferences = field(default_factory=Preferences)
    retain: bool | None = None
    imports: bool = False


class Starter:
    """Begins operations of an engine's stack sets."""

    def __init__(self, engine: Engine, runner: Runner) -> None:
        self._engine = engine
        self._runner = runner

    def begin(self, scope: Scope, name: str, asked: Asked, plan: Plan) -> str:
        """Begin an operation on the instances that `plan` returns; return its id.

        Raises:
            StackError: there is no such stack set, another operation runs, or the id is taken.
        """
        request = digest([asked.action, asked.what])
        try:
            with self._engine.database.begin() as connection:
                record = find_stack_set(connection, scope, name, lock=True)
                if record is None or record.deleted is not None:
                    raise stack_set_not_found(name)
                known = list_operations(connection, record.id)
                for each in known:
                    if each.id == asked.operation_id:
                        if each.request != request:
                            raise operation_id_taken(each.id)
                        return each.id
                running = any(not each.status.ended for each in known)
                if running and not record.definition.managed_execution:
                    raise operation_in_progress(record.arn)
                operation = self._operation(record, asked, request, running=running)
                number = self._insert(connection, operation, plan(connection, record))
        except IntegrityError as error:
            raise operation_id_taken(str(asked.operation_id)) from error
        if not running:
            self._runner.start(number)
        self._engine.settings.observer.changed()
        return operation.id

    def _operation(self, record: StackSetRecord, asked: Asked, request: str, *, running: bool) -> SetOperation:
        return SetOperation(
            id=asked.operation_id or str(uuid.uuid4()),
            stack_set_id=record.id,
            action=asked.action,
            status=SetOperationStatus.QUEUED if running else SetOperationStatus.RUNNING,
            started=self._engine.settings.now(),
            request=request,
            preferences=asked.preferences,
            retain=asked.retain,
            imports=asked.imports,
        )

    def _insert(self, connection: Connection, operation: SetOperation, targets: Sequence[Instance]) -> int:
        regions = list(dict.fromkeys(each.region for each in targets))
        check_preferences(operation.preferences, regions)
        order = order_regions(operation.preferences, regions)
        ordered = sorted(targets, key=lambda each: order.index(each.region))
        for each in ordered:
            begun = replace(each, operation_id=operation.id)
            if operation.action is not SetOperationAction.DETECT_DRIFT:
                begun = replace(begun, detailed=DetailedStatus.PENDING, reason=None)
            write_instance(connection, operation.stack_set_id, begun)
        return insert_operation(connection, operation, [Result(each.account, each.region) for each in ordered])
