"""Dependencies of operations, and the context of an operation on a stack."""

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec import Struct, field
from sqlalchemy import Connection

from formwork.durable import Database, Work, WorkStopped
from formwork.durable.observer import WorkObserver
from formwork.engine.deployed.view import DeploymentView, StackValues
from formwork.hooks.active import Hooks
from formwork.hooks.payloads import Payloads
from formwork.hooks.result_store import HookResultStore
from formwork.preparation.dependencies import DynamicReferences, TypeCatalogue
from formwork.provisioning import Provisioner
from formwork.stacks.store.operations import get_operation, has_stack
from formwork.stacks.store.records import Deployment, OperationRecord, StackRecord
from formwork.stacks.store.resources import is_custom, list_custom_resources
from formwork.stacks.store.stacks import get_stack

_KEPT = 64


class OperationContext:
    """The data of an operation that do not change while it runs, loaded once per process."""

    def __init__(
        self, services: "OperationServices", operation: OperationRecord, stack: StackRecord, *, had_custom: bool
    ) -> None:
        """Take the records of the operation and its stack, and whether the stack had custom resources."""
        self.operation = operation
        self.stack = stack
        self._services = services
        self._had_custom = had_custom
        self._provisioners: dict[str, Provisioner | None] = {}

    @cached_property
    def target(self) -> DeploymentView:
        """The deployment of the operation."""
        assert self.operation.target is not None
        return self.view(self.operation.target)

    @cached_property
    def before(self) -> DeploymentView | None:
        """The stack's deployment when the operation began."""
        return None if self.stack.deployed is None else self.view(self.stack.deployed)

    @cached_property
    def has_custom(self) -> bool:
        """Whether the stack has custom resources at any moment of the operation.

        All that an operation can create is in its target, in the deployment before, or was there when it began.
        """
        deployments = [each for each in (self.operation.target, self.stack.deployed) if each is not None]
        types = (each.get("Type", "") for found in deployments for each in found.template.get("Resources", {}).values())
        return self._had_custom or any(is_custom(each) for each in types)

    def provisioner(self, type_name: str) -> Provisioner | None:
        """Return the provisioner of a type."""
        if type_name not in self._provisioners:
            self._provisioners[type_name] = self._services.types.find(self.stack.scope, type_name)
        return self._provisioners[type_name]

    def view(self, deployment: Deployment) -> DeploymentView:
        """Return the view of a deployment of the operation's stack."""
        return DeploymentView(deployment, self.stack, self._services.stack_values)


class Contexts:
    """A cache of the contexts of recent operations."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[str, OperationContext] = OrderedDict()

    def get(self, services: "OperationServices", operation_id: str) -> OperationContext:
        """Return the context of an operation."""
        with self._lock:
            if operation_id in self._known:
                self._known.move_to_end(operation_id)
                return self._known[operation_id]
        with services.database.read() as connection:
            operation = get_operation(connection, operation_id)
            stack = get_stack(connection, operation.stack_id)
            had_custom = bool(list_custom_resources(connection, operation.stack_id))
        assert stack is not None
        context = OperationContext(services, operation, stack, had_custom=had_custom)
        with self._lock:
            kept = self._known.setdefault(operation_id, context)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return kept

    def forget(self, operation_id: str) -> None:
        """Remove an operation that has ended from the cache."""
        with self._lock:
            self._known.pop(operation_id, None)


class OperationServices(Struct, frozen=True, kw_only=True):
    """The dependencies of operations.

    `references` fills in the dynamic references of properties just before a handler receives them. `hook_results`
    stores the answers of hooks, `payloads` large requests that hooks fetch. `now` returns the time in seconds since
    1970.
    """

    database: Database
    work: Work
    types: TypeCatalogue
    stack_values: StackValues
    references: DynamicReferences
    hooks: Hooks
    hook_results: HookResultStore
    payloads: Payloads
    now: Callable[[], float]
    observer: WorkObserver
    contexts: Contexts = field(default_factory=Contexts)

    @contextlib.contextmanager
    def writing(self, stack_id: str) -> Iterator[Connection]:
        """Open a transaction on the stack of an operation that this worker runs.

        Raises:
            WorkStopped: another worker has taken the operation over, since this one's heartbeat was overdue.
        """
        with self.database.begin() as connection:
            if self.database.shared and not has_stack(connection, stack_id, self.work.executor):
                raise WorkStopped
            yield connection
