"""The instances of stack sets: made, changed, taken over, looked at and removed, by operations."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.preparation.parameters import GivenParameter
from formwork.stack_sets.definitions import override
from formwork.stack_sets.errors import instance_not_found, invalid_operation, operation_not_found
from formwork.stack_sets.preferences import Preferences
from formwork.stack_sets.records import (
    Instance,
    InstanceStatus,
    Result,
    SetOperation,
    SetOperationAction,
    SetOperationStatus,
    StackSetRecord,
)
from formwork.stack_sets.stack_sets import expect_stack_set
from formwork.stack_sets.starting import Asked, Plan, Starter
from formwork.stack_sets.store import (
    get_instance,
    is_instance,
    list_instances,
    list_operations,
    list_results,
    write_operation,
)
from formwork.stacks.errors import StackError
from formwork.stacks.store.stacks import get_stack

_MOST_IMPORTS = 10  # in one operation


class InstancesRequest(Struct, frozen=True, kw_only=True):
    """A request for instances of a stack set, by account and Region; `overrides` None keeps the current ones."""

    name: str
    places: tuple[tuple[str, str], ...] = ()
    overrides: tuple[GivenParameter, ...] | None = None
    preferences: Preferences
    operation_id: str | None = None


def every(accounts: Iterable[str], regions: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return every pair of an account and a Region."""
    return tuple((account, region) for region in regions for account in accounts)


class StackInstances:
    """The instances of an engine's stack sets. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine, starter: Starter) -> None:
        self._engine = engine
        self._starter = starter

    # -- operations; each gives its id

    def create(self, scope: Scope, request: InstancesRequest) -> str:
        """Begin to create instances; existing ones are updated. Return the operation's id."""

        def plan(connection: Connection, record: StackSetRecord) -> Sequence[Instance]:
            planned = []
            for account, region in request.places:
                known = get_instance(connection, record.id, account, region)
                instance = replace(known or Instance(account, region), status=InstanceStatus.OUTDATED)
                planned.append(_overridden(record, instance, request))
            return planned

        return self._begin(scope, request, SetOperationAction.CREATE, plan)

    def update(self, scope: Scope, request: InstancesRequest) -> str:
        """Begin to update instances, with parameter values of their own. Return the operation's id."""

        def plan(connection: Connection, record: StackSetRecord) -> Sequence[Instance]:
            planned = []
            for account, region in request.places:
                known = get_instance(connection, record.id, account, region)
                if known is None:
                    raise instance_not_found(record.name, account, region)
                outdated = replace(known, status=InstanceStatus.OUTDATED)
                planned.append(_overridden(record, outdated, request))
            return planned

        return self._begin(scope, request, SetOperationAction.UPDATE, plan)

    def delete(self, scope: Scope, request: InstancesRequest, *, retain: bool) -> str:
        """Begin to delete instances with their stacks; `retain` keeps the stacks. Return the operation's id."""

        def plan(connection: Connection, record: StackSetRecord) -> Sequence[Instance]:
            found = (get_instance(connection, record.id, *each) for each in request.places)
            return [each for each in found if each is not None]

        return self._begin(scope, request, SetOperationAction.DELETE, plan, retain=retain)

    def take_over(self, scope: Scope, request: InstancesRequest, stack_ids: Sequence[str]) -> str:
        """Begin to import existing stacks as instances. Return the operation's id."""
        if len(stack_ids) > _MOST_IMPORTS:
            raise StackError(f"At most {_MOST_IMPORTS} stacks can be imported at once", code="LimitExceededException")

        def plan(connection: Connection, record: StackSetRecord) -> Sequence[Instance]:
            return [self._imported(connection, record, each) for each in stack_ids]

        asked = Asked(
            action=SetOperationAction.CREATE,
            operation_id=request.operation_id,
            what=list(stack_ids),
            preferences=request.preferences,
            imports=True,
        )
        return self._starter.begin(scope, request.name, asked, plan)

    def detect_drift(self, scope: Scope, request: InstancesRequest) -> str:
        """Begin to detect drift in every instance. Return the operation's id."""
        return self._begin(
            scope,
            request,
            SetOperationAction.DETECT_DRIFT,
            lambda connection, record: list_instances(connection, record.id),
        )

    def stop(self, scope: Scope, name: str, operation_id: str) -> None:
        """Stop an operation after the targets that it is working on."""
        with self._engine.database.begin() as connection:
            operation = self._expect_operation(connection, scope, name, operation_id)
            match operation.status:
                case SetOperationStatus.RUNNING:
                    write_operation(connection, replace(operation, status=SetOperationStatus.STOPPING))
                case SetOperationStatus.QUEUED:
                    ended = self._engine.settings.now()
                    write_operation(connection, replace(operation, status=SetOperationStatus.STOPPED, ended=ended))
                case SetOperationStatus.STOPPING:
                    pass
                case status:
                    raise invalid_operation(f"Operation {operation_id} can't be stopped: it is {status}")

    # -- looking

    def describe(self, scope: Scope, name: str, account: str, region: str) -> tuple[StackSetRecord, Instance]:
        """Return an instance."""
        with self._engine.database.read() as connection:
            record = expect_stack_set(connection, scope, name)
            instance = get_instance(connection, record.id, account, region)
        if instance is None:
            raise instance_not_found(record.name, account, region)
        return record, instance

    def list_operations(self, scope: Scope, name: str) -> list[tuple[SetOperation, list[Result]]]:
        """Return the operations of a stack set with their results, the newest first."""
        with self._engine.database.read() as connection:
            record = expect_stack_set(connection, scope, name)
            found = list_operations(connection, record.id)
            return [(each, list_results(connection, each.number or 0)) for each in found]

    def describe_operation(
        self, scope: Scope, name: str, operation_id: str
    ) -> tuple[StackSetRecord, SetOperation, list[Result]]:
        """Return an operation with its results."""
        with self._engine.database.read() as connection:
            record = expect_stack_set(connection, scope, name)
            operation = self._expect_operation(connection, scope, name, operation_id)
            return record, operation, list_results(connection, operation.number or 0)

    # -- inside

    def _begin(
        self,
        scope: Scope,
        request: InstancesRequest,
        action: SetOperationAction,
        plan: Plan,
        *,
        retain: bool | None = None,
    ) -> str:
        given = None if request.overrides is None else [[e.key, e.value, e.use_previous] for e in request.overrides]
        asked = Asked(
            action=action,
            operation_id=request.operation_id,
            what=[list(map(list, request.places)), given, retain, request.preferences.to_json()],
            preferences=request.preferences,
            retain=retain,
        )
        return self._starter.begin(scope, request.name, asked, plan)

    def _expect_operation(self, connection: Connection, scope: Scope, name: str, operation_id: str) -> SetOperation:
        record = expect_stack_set(connection, scope, name)
        for each in list_operations(connection, record.id):
            if each.id == operation_id:
                return each
        raise operation_not_found(operation_id)

    def _imported(self, connection: Connection, record: StackSetRecord, stack_id: str) -> Instance:
        stack = get_stack(connection, stack_id.rpartition("/")[2])
        if stack is None or stack.deleted is not None:
            raise StackError(f"Stack {stack_id} does not exist", code="StackNotFoundException", status=404)
        scope = stack.scope
        if get_instance(connection, record.id, scope.account, scope.region) is not None:
            raise invalid_operation(
                f"StackSet {record.name} has an instance in account {scope.account} and Region {scope.region} already"
            )
        if is_instance(connection, scope, stack.arn):
            raise invalid_operation(f"Stack {stack.arn} belongs to a stack set already")
        return Instance(scope.account, scope.region, stack_id=stack.arn)


def _overridden(record: StackSetRecord, instance: Instance, request: InstancesRequest) -> Instance:
    if request.overrides is None:
        return instance
    return replace(instance, overrides=override(record.definition, request.overrides, instance.overrides))
