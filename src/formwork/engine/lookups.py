"""Queries for stacks, their resources, events and drift; nothing is changed."""

from collections.abc import Iterable

from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.durable import Database
from formwork.engine.deployed.exports import list_importers
from formwork.engine.deployed.resource_values import StoredResources
from formwork.engine.deployed.seen_stacks import SeenStacks
from formwork.engine.deployed.view import DeploymentView
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.drifts import FoundDrift, list_drifts
from formwork.stacks.store.events import list_events
from formwork.stacks.store.operations import get_operation, list_deployments, list_kinds
from formwork.stacks.store.records import Deployment, EventRecord, OperationKind, ResourceRecord, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import find_stack, list_stacks
from formwork.template import to_value
from formwork.template.evaluation import EvaluationError, Value

_DEPLOYING = frozenset({StackStatus.CREATE_IN_PROGRESS, StackStatus.UPDATE_IN_PROGRESS, StackStatus.IMPORT_IN_PROGRESS})


class Lookups:
    """Queries for stacks and their parts. Every method raises StackError if the stack is not found."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def describe_stack(self, scope: Scope, name: str) -> StackRecord:
        """Return a stack."""
        with self._database.read() as connection:
            return self.expect(connection, scope, name)

    def list_stacks(self, scope: Scope, *, deleted: bool = False) -> list[StackRecord]:
        """Return the stacks of an account and Region, the newest first."""
        with self._database.read() as connection:
            return list_stacks(connection, scope, deleted=deleted)

    def current_deployment(self, scope: Scope, name: str) -> Deployment:
        """Return the stack's deployment; during an operation, the one being deployed."""
        shown = self.with_shown_deployment(self.describe_stack(scope, name))
        # Nothing is deployed of a stack that is only in review; clients compare their template with this empty one.
        return shown.deployed or Deployment("{}", {})

    def with_shown_deployment(self, stack: StackRecord) -> StackRecord:
        """Return the stack with the deployment to show to clients: the one being deployed, if any."""
        deploys = stack.status in _DEPLOYING
        if stack.operation_id is None or not (deploys or stack.deployed is None):
            return stack
        with self._database.read() as connection:
            target = get_operation(connection, stack.operation_id).target if deploys else None
            if target is None and stack.deployed is None:
                target = next(iter(list_deployments(connection, stack.id)), None)
        return replace(stack, deployed=target or stack.deployed)

    def operation_kinds(self, identifiers: Iterable[str | None]) -> dict[str, OperationKind]:
        """Return the kind of each operation."""
        with self._database.read() as connection:
            return list_kinds(connection, [each for each in identifiers if each is not None])

    def resource_metadata(self, stack: StackRecord, logical_id: str) -> Value:
        """Return the metadata of a resource with its references filled in; {} where it has none."""
        if stack.deployed is None:
            return {}
        view = DeploymentView(stack.deployed, stack, self)
        declared = view.template.resources.get(logical_id)
        if declared is None or declared.metadata is None:
            return {}
        try:
            return view.evaluator(StoredResources(self._database, stack.id)).value(declared.metadata)
        except EvaluationError:  # a resource that it refers to was deleted since
            return to_value(declared.metadata)

    def list_resources(self, scope: Scope, name: str) -> dict[str, ResourceRecord]:
        """Return the resources of a stack by logical id."""
        with self._database.read() as connection:
            return list_resources(connection, self.expect(connection, scope, name).id)

    def list_drifts(self, scope: Scope, name: str) -> dict[str, FoundDrift]:
        """Return the latest drift of a stack's resources, by logical id."""
        with self._database.read() as connection:
            return list_drifts(connection, self.expect(connection, scope, name).id)

    def list_events(self, scope: Scope, name: str, *, before: int | None = None) -> list[tuple[int, EventRecord]]:
        """Return a page of a stack's events, the newest first."""
        with self._database.read() as connection:
            stack = find_stack(connection, scope, name)
            if stack is None:
                raise StackError(f"Stack [{name}] does not exist")
            return list_events(connection, stack.id, before=before)

    def stacks_seen_from(self, scope: Scope) -> SeenStacks:
        """Return the values that stacks of the scope can refer to."""
        return SeenStacks(self._database, scope)

    def list_imports(self, scope: Scope, name: str) -> list[str]:
        """Return the names of the stacks that import an export."""
        with self._database.read() as connection:
            found = list_importers(connection, scope, name)
        if not found:
            raise StackError(f"Export '{name}' is not imported by any stack.")
        return found

    def expect(self, connection: Connection, scope: Scope, name: str) -> StackRecord:
        """Return the stack with a name or ARN.

        Raises:
            StackError: it is not found.
        """
        stack = find_stack(connection, scope, name)
        if stack is None:
            raise StackError(f"Stack with id {name} does not exist")
        return stack
