"""What operations work with, and what they know of the stack they work on."""

import contextlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.durable import Database, Work, WorkStopped
from formwork.engine.deployed.view import DeploymentView
from formwork.hooks.active import Hooks, NoHooks
from formwork.hooks.result_store import HookResultStore
from formwork.hooks.payloads import InlinePayloads, Payloads
from formwork.provisioning import Provisioner, Provisioners
from formwork.stacks.store.operations import get_operation, has_stack
from formwork.stacks.store.records import Deployment, OperationRecord, StackRecord
from formwork.stacks.store.stacks import get_stack

_KEPT = 64


def _ignore(*_what: object) -> None:
    pass


class OperationContext:
    """What does not change while an operation runs, read once a process."""

    def __init__(self, parts: "Parts", operation: OperationRecord, stack: StackRecord) -> None:
        self.operation = operation
        self.stack = stack
        self._parts = parts
        self._provisioners: dict[str, Provisioner | None] = {}

    @cached_property
    def target(self) -> DeploymentView:
        """What the operation deploys."""
        assert self.operation.target is not None
        return self.view(self.operation.target)

    @cached_property
    def before(self) -> DeploymentView | None:
        """What the stack was deployed from when the operation began."""
        return None if self.stack.deployed is None else self.view(self.stack.deployed)

    def provisioner(self, type_name: str) -> Provisioner | None:
        """Who makes the type."""
        if type_name not in self._provisioners:
            self._provisioners[type_name] = self._parts.provisioners.find(self.stack.scope, type_name)
        return self._provisioners[type_name]

    def view(self, deployment: Deployment) -> DeploymentView:
        """Return a deployment of the operation's stack, read."""
        scope = self.stack.scope
        return DeploymentView(deployment, self.stack, lambda name: self._parts.export(scope, name))


class Contexts:
    """The contexts of the operations of late."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[str, OperationContext] = OrderedDict()

    def get(self, parts: "Parts", operation_id: str) -> OperationContext:
        """The context of an operation."""
        with self._lock:
            if operation_id in self._known:
                self._known.move_to_end(operation_id)
                return self._known[operation_id]
        with parts.database.read() as connection:
            operation = get_operation(connection, operation_id)
            stack = get_stack(connection, operation.stack_id)
        assert stack is not None
        context = OperationContext(parts, operation, stack)
        with self._lock:
            kept = self._known.setdefault(operation_id, context)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return kept

    def forget(self, operation_id: str) -> None:
        """The operation has ended: its templates need no memory any more."""
        with self._lock:
            self._known.pop(operation_id, None)


@dataclass(frozen=True, slots=True)
class Parts:
    """The database, background work, and what was given from outside.

    `export` gives the value of an export and raises KeyError where there is none; `resolve` fills in the dynamic
    references of properties just before a handler gets them; `hooks` finds who is asked before that, `book` notes
    what they answer, `payloads` keeps what they fetch. `changed` hears of every change that a client may wait for,
    `checkpoint` of the moments at which a test may want the process to die.
    """

    database: Database
    work: Work
    provisioners: Provisioners
    now: Callable[[], float]
    export: Callable[[Scope, str], str]
    resolve: Callable[[Scope, Any], Any]
    hooks: Hooks = field(default_factory=NoHooks)
    book: HookResultStore = field(default_factory=lambda: HookResultStore(time.time))
    payloads: Payloads = field(default_factory=InlinePayloads)
    changed: Callable[[], None] = _ignore
    checkpoint: Callable[[str], None] = _ignore
    contexts: Contexts = field(default_factory=Contexts)

    @contextlib.contextmanager
    def writing(self, stack_id: str) -> Iterator[Connection]:
        """A transaction on a stack that an operation works on, for as long as this worker has the operation.

        Raises:
            WorkStopped: another worker has taken it over: this one was silent for too long.
        """
        with self.database.begin() as connection:
            if self.database.shared and not has_stack(connection, stack_id, self.work.executor):
                raise WorkStopped
            yield connection
