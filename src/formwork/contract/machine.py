"""One whole life: a sequence of operations on several resources, against what must be true after each.

A sequence is a list of steps, each an operation, a resource (by its place among those that are alive) and an input (by
its place among a few made beforehand), so that any shorter list is a sequence too.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from formwork.contract.failed_creates import explain_failed_create
from formwork.contract.listing import list_all
from formwork.contract.models import Identity, Model, identity_by, identity_of, with_value
from formwork.contract.outcomes import is_deleted, model_of, outcome
from formwork.contract.recording import BlockedError, error_code
from formwork.contract.redelivery import deliver_twice, others_made
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.contract.steps import by_clause, is_another, judge_echo, judge_missing, request_differences
from formwork.instances import Extent
from formwork.invoke import Operation

MOST_ALIVE = 4
Step = tuple[str, int, int]
# The steps that there are: `create` is the method `do_create`.
OPERATIONS = (
    *("create", "create_twice", "create_interleaved", "create_redelivered"),
    *("read", "update", "delete", "list"),
)


class LiveResource(Struct):
    """A resource of the sequence: the last requested model, and the action that requested it."""

    made: CreatedResource
    created: Model
    desired: Model
    action: str = "create"
    earlier: Model | None = None


class ResourceLife:
    """One sequence in a test case of its own."""

    def __init__(self, test: ResourceTestCase, inputs: Sequence[Model]) -> None:
        self.test = test
        self._inputs = inputs
        self._alive: list[LiveResource] = []
        self._gone: set[Identity] = set()
        self.done = 0  # steps so far

    def run(self, steps: Sequence[Step], *, may_go_on: Callable[[int], bool] = lambda _done: True) -> None:
        """All steps; stops at the first violation, and where `may_go_on` says so of the number of steps done."""
        for name, which, what in steps:
            if not may_go_on(self.done):
                break
            operation: Callable[[int, int], None] = getattr(self, f"do_{name}")
            operation(which, what)
            self.done += 1
            if any(each.is_violation for each in self.test.record.findings):
                return
        self.do_list(0, 0)

    def do_create(self, _which: int, what: int) -> None:
        """Create another resource, unless there are enough."""
        model = self._inputs[what % len(self._inputs)]
        if len(self._alive) >= MOST_ALIVE or self._taken(model):
            return
        operation = self.test.create(model)
        self._adopt(model, operation)

    def do_create_twice(self, _which: int, what: int) -> None:
        """Create twice with one token: it must create one resource."""
        model = self._inputs[what % len(self._inputs)]
        if len(self._alive) >= MOST_ALIVE or self._taken(model):
            return
        request = self.test.request("CREATE", model)
        token, logical_id = request["bearerToken"], request["requestData"]["logicalResourceId"]
        first = self.test.create(model, token=token, logical_id=logical_id)
        self._adopt(model, first)
        second = self.test.create(model, token=token, logical_id=logical_id)
        one, other = (identity_of(self.test.schema, model_of(each)) for each in (first, second))
        if second.succeeded and other is not None and one is not None and other != one:
            message = "the same request with the same token made a second resource"
            self.test.violate("create.idempotent", message, [first, second])

    def do_create_redelivered(self, _which: int, what: int) -> None:
        """Create another resource, each callback delivered twice: it must create one resource."""
        model = self._inputs[what % len(self._inputs)]
        if len(self._alive) >= MOST_ALIVE or self._taken(model):
            return
        done = deliver_twice(self.test, "CREATE", model)
        if done.operation.succeeded or not done.again:
            self._adopt(model, done.operation)
        if others := others_made(self.test, done):
            message = "a callback that was delivered a second time, token and all, made a second resource"
            self.test.violate("create.idempotent", message, [done.operation, *others[:1]])

    def do_create_interleaved(self, _which: int, what: int) -> None:
        """Create two resources at a time, their callbacks in turns."""
        models = [self._inputs[(what + turn) % len(self._inputs)] for turn in range(2)]
        taken = any(self._taken(each) for each in models)
        if taken or len(self._alive) >= MOST_ALIVE - 1 or self._are_twins(*models) or _clash(self.test, *models):
            return
        for model, operation in zip(models, self.test.create_together(models), strict=True):
            self._adopt(model, operation)

    def do_read(self, which: int, _what: int) -> None:
        """Read a resource: it must be as last requested."""
        if self._alive:
            self._judge_read(self._alive[which % len(self._alive)])

    def do_update(self, which: int, what: int) -> None:
        """Update a resource; it and another one must be as requested."""
        if not self._alive or not self.test.subject.has("update"):
            return
        alive = self._alive[which % len(self._alive)]
        extent = (Extent.MAXIMAL, Extent.RANDOM, Extent.MINIMAL)[what % 3]
        wanted = self.test.inputs.update(alive.desired, extent)
        if wanted is None:
            return
        desired: Model = wanted
        for path in self.test.schema.primary_identifier:
            desired = with_value(desired, path, _value(alive.made.model, path))
        updated = self.test.update(desired, alive.made.model)
        if not updated.succeeded:
            if error_code(updated) == "NotFound":
                self.test.violate("update.applied", "UPDATE of an existing resource is NotFound", [updated])
            return
        judge_echo(self.test, "update", desired, updated, alive.desired)
        if identity_of(self.test.schema, model_of(updated)) not in (alive.made.identity, None):
            self.test.violate("update.identity", "UPDATE answered with another primaryIdentifier", [updated])
        alive.earlier, alive.desired, alive.action = alive.desired, desired, "update"
        self._judge_read(alive)
        self._judge_read(self._alive[(which + 1) % len(self._alive)])

    def do_delete(self, which: int, _what: int) -> None:
        """Delete a resource: it is gone, and another one is not."""
        if not self._alive:
            return
        alive = self._alive.pop(which % len(self._alive))
        deleted = self.test.delete(alive.made.identifier)
        if deleted.event is None:
            return
        message = f"DELETE of an existing resource is {outcome(deleted)}"
        if not self.test.judge("delete.minimal", is_deleted(deleted), message, [deleted]):
            return
        self._gone.add(alive.made.identity)
        if self.test.subject.has("read"):
            with self.test.expecting_failure():
                read = self.test.read(alive.made.identifier)
            judge_missing(self.test, "delete.read", "READ of a deleted resource", [deleted, read])
        if self._alive:
            self._judge_read(self._alive[which % len(self._alive)])

    def do_list(self, _which: int, _what: int) -> None:
        """List: all that is alive, nothing that is gone."""
        if not self.test.subject.has("list") or not self._alive:
            return
        first = self._alive[0].made
        listing = list_all(self.test, first.model, looking_for=first.identity)
        if not listing.complete or self.test.subject.memory.list_input == "model":
            return
        lost = [each.made.identity for each in self._alive if each.made.identity not in listing]
        if lost:
            clause = "update.list" if any(each.action == "update" for each in self._alive) else "create.list"
            self.test.violate(clause, f"the complete list lacks {lost[0]}", listing.pages[-2:])
        ghosts = self._gone & set(listing.identities)
        if ghosts:
            self.test.violate(
                "delete.list", f"the complete list holds {min(ghosts)}, which is deleted", listing.pages[-2:]
            )

    def _judge_read(self, alive: LiveResource) -> None:
        if not self.test.subject.has("read"):
            return
        read = self.test.read(alive.made.identifier)
        if read.event is None or read.status not in {"SUCCESS", "FAILED"}:
            return
        if not read.succeeded:
            self.test.violate("create.read.primary", f"READ of an existing resource is {outcome(read)}", [read])
            return
        model = model_of(read)
        if model is None or is_another(self.test, model, alive.made.model):
            return
        partings = request_differences(self.test, alive.action, alive.desired, model)
        message = f"READ does not show what the last {alive.action.upper()} of the resource asked for"
        for clause, parted in by_clause(self.test, alive.action, partings, alive.earlier).items():
            if parted:
                self.test.violate(clause, message, [read], differences=[each.difference for each in parted[:5]])

    def _adopt(self, model: Model, operation: Operation) -> None:
        if not operation.succeeded:
            explain_failed_create(self.test, model, operation)
            return
        try:
            made = self.test.made(model, operation)
        except BlockedError:
            return
        if any(each.made.identity == made.identity for each in self._alive):
            message = f"two creates answered with one identifier: {made.identity}"
            self.test.violate("create.one", message, [operation])
            return
        judge_echo(self.test, "create", model, operation)
        self._gone.discard(made.identity)
        self.test.adopt(made.model)
        self._alive.append(LiveResource(made, dict(model), dict(model)))

    def _taken(self, model: Model) -> bool:
        """Return whether `model` may be refused because a live resource has its identifier or all its values."""
        return any(self._are_twins(model, resource.created) for resource in self._alive) or any(
            _clash(self.test, model, taken) for each in self._alive for taken in (each.made.model, each.desired)
        )

    def _are_twins(self, one: Model, other: Model) -> bool:
        """Return whether the models are inputs of which the type is known to allow one at a time."""
        inputs = self.test.inputs
        return self.test.subject.memory.existing.twins is False and inputs.likeness(one) == inputs.likeness(other)


def _clash(test: ResourceTestCase, one: Model, other: Model) -> bool:
    schema = test.schema
    for paths in (schema.primary_identifier, *schema.additional_identifiers):
        identity = identity_by(paths, one)
        if identity is not None and identity == identity_by(paths, other):
            return True
    return False


def _value(model: Model, path: Sequence[str]) -> Any:
    value: Any = model
    for step in path:
        value = value[step]
    return value
