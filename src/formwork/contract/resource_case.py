"""One test's bench: the steps that most tests share, and the clean-up after them."""

import contextlib
import time
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from formwork.contract.calls import HandlerCalls
from formwork.contract.failed_creates import failed_create, taken_by_this_run
from formwork.contract.models import Identity, Model, identity_of, only
from formwork.contract.outcomes import is_deleted, model_of, outcome
from formwork.contract.recording import BlockedError, NotProvableError, StopTestError, error_code
from formwork.invoke import Operation


class CreatedResource(Struct, frozen=True):
    """A resource that a test created: what was requested, what came back."""

    request: dict[str, Any]
    model: dict[str, Any]
    operation: Operation
    identity: Identity
    identifier: dict[str, Any]


class ResourceTestCase(HandlerCalls):
    """The interface of tests of a resource type: it creates resources, and deletes them after the test."""

    def make(self, request: Model | None = None) -> CreatedResource:
        """Return a resource for the test to work with.

        Raises:
            BlockedError: the create did not succeed; recorded.
        """
        wanted = dict(self.inputs.create() if request is None else request)
        started = time.perf_counter()
        operation = self.create(wanted)
        if not operation.succeeded:
            raise failed_create(self, wanted, operation)
        self._time_creates(time.perf_counter() - started)
        return self.made(wanted, operation)

    def make_together(self, requests: Sequence[Model]) -> list[CreatedResource]:
        """Resources for the test to work with, created at a time; fewer where the type allows no two that are alike.

        Raises:
            BlockedError: a create did not succeed for any other reason, or none did; recorded.
        """
        started = time.perf_counter()
        operations = self.create_together(requests)
        waited = any(operation.had_callbacks for operation in operations)
        self._time_creates((time.perf_counter() - started) / (1 if waited else max(1, len(operations))))
        made: list[CreatedResource] = []
        why = "the inputs give no resource to make"
        for request, operation in zip(requests, operations, strict=True):
            if operation.succeeded:
                made.append(self.made(request, operation))
            elif not made or (taken := taken_by_this_run(self, request, operation)) is None:
                raise failed_create(self, request, operation)
            else:
                why = taken
        if not made:
            raise NotProvableError(why)
        return made

    def _time_creates(self, seconds: float) -> None:
        memory = self.subject.memory
        memory.fastest_create = min(seconds, memory.fastest_create or seconds)

    def made(self, request: Model, operation: Operation) -> CreatedResource:
        """Return the resource that a successful create made.

        Raises:
            BlockedError: the answer does not identify it.
        """
        model = model_of(operation) or {}
        identity = identity_of(self.schema, model)
        if identity is None:
            raise BlockedError("CREATE returned no primary identifier, so nothing more can be asked of the resource")
        identifier = only(model, self.schema.primary_identifier)
        return CreatedResource(dict(request), dict(model), operation, identity, identifier)

    def several(self, count: int) -> list[dict[str, Any]]:
        """Return up to `count` models for resources that exist together, all different if the type needs that."""
        models = self.inputs.several(count)
        if self.subject.memory.existing.twins is not False:
            return models
        return list({self.inputs.likeness(model): model for model in models}.values())

    def clean_up(self) -> None:
        """Delete what the test created, whatever state it is in; what cannot be deleted is recorded."""
        for identity, identifier in list(self._alive.items()):
            if not self.subject.has("delete"):
                self._leave_behind(identity, identifier)
                continue
            try:
                operation = self.delete(identifier)
            except StopTestError:
                self._leave_behind(identity, identifier)
                continue
            if not is_deleted(operation) and error_code(operation) != "NotFound":
                self._try_harder(identity, identifier, operation)

    def _try_harder(self, identity: Identity, identifier: dict[str, Any], failed: Operation) -> None:
        """A delete by the primary identifier alone failed: with the whole model it may go."""
        model = self._finished.get(identity)
        if model is not None and failed.event is not None and failed.status == "FAILED":
            if all(finding.clause != "delete.minimal" for finding in self.record.findings):
                message = f"DELETE by the primaryIdentifier alone is {outcome(failed)}"
                self.violate("delete.minimal", message, [failed])
            with contextlib.suppress(StopTestError):
                if self.delete(model).succeeded:
                    return
        self._leave_behind(identity, identifier)

    def _leave_behind(self, identity: Identity, identifier: dict[str, Any]) -> None:
        self.subject.memory.leftovers[identity] = identifier
        self.record.leftovers.append(identifier)
