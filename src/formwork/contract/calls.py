"""Calls of handlers by one test: every answer is judged, and account is kept of what exists."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from formwork.contract.answers import UNFINISHED, check_exchange, concerned_clauses, is_unfinished_read
from formwork.contract.following import Followed
from formwork.contract.inputs import Inputs
from formwork.contract.marks import WRITE_ONLY
from formwork.contract.models import Identity, Model, identity_of, only
from formwork.contract.outcomes import is_deleted, model_of
from formwork.contract.recording import BlockedError, error_code
from formwork.contract.returned_models import holds_value
from formwork.contract.subject import ResourceSubject
from formwork.contract.test_case import ContractTestCase
from formwork.contract_results.clauses import Level
from formwork.contract_results.run_events import Publish, publish_nothing
from formwork.documents.copied import without_nulls
from formwork.invoke import Exchange, Operation, OperationEnd
from formwork.invoke.session import callback_delay
from formwork.schema import ResourceSchema
from formwork.schema.coercion import parse_texts
from formwork.schema.instance_paths import instance_path

# What an answer to invalid input is judged for, as warnings: nothing about the models that come of it.
_PROBED = frozenset(
    {
        "event.status",
        "event.time.cud",
        "event.time.rl",
        "event.failed.code",
        "event.failed.message",
        "event.failed.quiet",
        "event.failed.scope",
    }
)


# The clause that an operation breaks if it fails with a retriable code each time it is retried.
_SUCCESS_OF = {
    "CREATE": "create.applied",
    "READ": "create.read.primary",
    "UPDATE": "update.applied",
    "DELETE": "delete.minimal",
    "LIST": "list.array",
}

# What makes a model that a handler returned no good for a request.
_MALFORMED = frozenset({"event.shape", "event.null"})


class HandlerCalls(ContractTestCase[ResourceSubject]):
    """The calls that one test makes of a resource type's handlers."""

    def __init__(
        self, subject: ResourceSubject, *, inputs: Inputs | None = None, publish: Publish = publish_nothing
    ) -> None:
        """`inputs` are the test's own; those of the subject where None."""
        super().__init__(subject, publish=publish)
        self.inputs = inputs or subject.inputs
        self._alive: dict[Identity, dict[str, Any]] = {}
        self._finished: dict[Identity, dict[str, Any]] = {}  # the models of those whose create ended with SUCCESS
        self._lenient = False
        self._expects_failure = False

    @property
    def schema(self) -> ResourceSchema:
        """The type's schema."""
        return self.subject.schema

    def unaccounted(self, identities: Iterable[Identity]) -> set[Identity]:
        """Return the identities that no test of this run has created, according to the handlers' answers."""
        return set(identities) - self.subject.memory.made

    # ── calling handlers ─────────────────────────────────────────────────────────────────────────────────────────────

    def create(self, model: Model, **members: Any) -> Operation:
        """Run CREATE to its end, and record the created resource for deletion."""
        operation = self._run("CREATE", model, **members)
        self.note_created(model, operation)
        return operation

    def create_together(self, models: Iterable[Model]) -> list[Operation]:
        """Run CREATE of each model to its end, callbacks interleaved, and record the created resources for deletion."""
        wanted = [dict(model) for model in models]
        followed = self.followed("CREATE")
        followed.begin()
        session = self.subject.session
        chains = [[self.send_once("CREATE", self.request("CREATE", model))] for model in wanted]
        while unfinished := [chain for chain in chains if chain[-1].unfinished and chain[-1].event is not None]:
            if not followed.has_time_left():
                break
            session.wait(max((chain[-1].event or {} for chain in unfinished), key=callback_delay))
            for chain in unfinished:
                chain.append(self.send_once("CREATE", session.next_request(chain[-1])))
        operations = [
            Operation(tuple(chain), OperationEnd.REINVOKE_LIMIT if chain[-1].unfinished else OperationEnd.ANSWERED)
            for chain in chains
        ]
        for model, operation in zip(wanted, operations, strict=True):
            self.note_created(model, operation)
        for operation in operations:
            followed.judge_end(self, operation)
        return operations

    def note_created(self, model: Model, operation: Operation) -> None:
        """Remember the requested model of a successful create."""
        identity = identity_of(self.schema, model_of(operation))
        if operation.succeeded and identity is not None:
            states = (dict(model), model_of(operation) or {})
            self.subject.memory.existing.add(identity, self.inputs.likeness(model), *states)

    def read(self, model: Model, **members: Any) -> Operation:
        """READ.

        Raises:
            BlockedError: the handler answered IN_PROGRESS, so that nothing is known of the resource.
        """
        operation = self._run("READ", model, **members)
        if operation.status in UNFINISHED or is_unfinished_read("READ", operation.event):
            raise BlockedError("READ answers IN_PROGRESS")
        asked, answered = identity_of(self.schema, model), identity_of(self.schema, model_of(operation))
        if operation.succeeded and None not in {asked, answered} and asked != answered:
            message = f"READ of {asked} is SUCCESS with another primaryIdentifier: {answered}"
            self.violate("create.read.primary", message, [operation])
        return operation

    def update(self, desired: Model, previous: Model, **members: Any) -> Operation:
        """UPDATE to its end."""
        operation = self._run("UPDATE", desired, self.well_formed(previous), **members)
        identity = identity_of(self.schema, desired)
        if operation.succeeded and identity is not None:
            self.subject.memory.existing.change(identity, desired)
        return operation

    def delete(self, model: Model, **members: Any) -> Operation:
        """Run DELETE to its end; after SUCCESS or NotFound the resource needs no deletion any more."""
        operation = self._run("DELETE", self.well_formed(model), **members)
        if operation.succeeded or error_code(operation) == "NotFound":
            identity = identity_of(self.schema, model)
            if is_deleted(operation) and identity in self._finished:
                self.subject.memory.deleted.add(identity)
            self.forget(model)
        return operation

    def list_page(self, model: Model, next_token: str | None = None) -> Operation:
        """LIST, one page."""
        return self._run("LIST", model, next_token=next_token)

    def send_once(self, action: str, request: Mapping[str, Any]) -> Exchange:
        """One request made by `request`, retriable failures retried, its answers judged, callbacks left to the caller.

        Gives the last answer.
        """

        def once() -> Operation:
            exchanges = self.subject.session.send_with_retries(
                request, self.retry_delays(action), hear=lambda exchange: self._account(action, exchange)
            )
            return Operation(tuple(exchanges), OperationEnd.ANSWERED)

        return self._judged(action, once).final

    def request(self, action: str, desired: Model, previous: Model | None = None, **members: Any) -> dict[str, Any]:
        """Return a request as the service sends it."""
        request = self.subject.session.request(action, desired, previous, **members)
        self.subject.sent_texts.note(request)
        return request

    def well_formed(self, model: Model) -> Model:
        """Return a copy of `model` for a request, without values with which an answer has violated the schema.

        Identifiers stay, since a request needs them.
        """
        if not any(each.clause in _MALFORMED for each in self.record.findings):
            return model
        identifying = {path[0] for path in self.schema.primary_identifier}
        plain: dict[str, Any] = without_nulls(dict(model))
        while names := self._refused_properties(plain) - identifying:
            plain = {name: each for name, each in plain.items() if name not in names}
        return plain

    def _refused_properties(self, model: dict[str, Any]) -> set[str]:
        """Return the properties of a model that the schema does not allow, or not so."""
        found: set[str] = set()
        for error in self.subject.shape.iter_errors(model):
            names = set(map(str, instance_path(error, model)[:1]))
            found |= names or model.keys() - self.schema.properties.keys()
        return found

    def adopt(self, model: Model) -> None:
        """Account for the resource that `model` identifies: it is deleted at the end."""
        identity = identity_of(self.schema, model)
        if identity is not None:
            self._alive[identity] = only(model, self.schema.primary_identifier)
            self.subject.memory.made.add(identity)

    def forget(self, model: Model) -> None:
        """The resource is gone."""
        identity = identity_of(self.schema, model)
        if identity is not None:
            self._alive.pop(identity, None)
            self.subject.memory.existing.discard(identity)

    def _run(self, action: str, desired: Model, previous: Model | None = None, **members: Any) -> Operation:
        request = self.request(action, desired, previous, **members)
        operation = self._judged(action, lambda: self._drive(action, request))
        if any(holds_value(desired, path) for path in self.schema.write_only):
            self.record.tried.add(WRITE_ONLY)
            if operation.succeeded:
                self.record.worked.add(WRITE_ONLY)
        return operation

    def _drive(self, action: str, request: Mapping[str, Any]) -> Operation:
        return self.followed(action).follow(
            request, self.retry_delays(action), hear=lambda exchange: self._account(action, exchange)
        )

    def followed(self, action: str) -> Followed:
        """Return how operations of `action` are followed to their end."""
        info = self.schema.handlers.get(action.lower())
        return Followed(self.subject, action, action, info.timeout_in_minutes if info else 120)

    def _account(self, action: str, exchange: Exchange) -> None:
        """Record the resource that a CREATE's event names, from the first event on, for deletion."""
        if action != "CREATE" or exchange.event is None or exchange.status == "FAILED":
            return
        exchange = self.subject.sent_texts.typed(exchange)
        returned = (exchange.event or {}).get("resourceModel")
        model = returned if isinstance(returned, dict) else {}
        identity = identity_of(self.schema, model)
        if identity is None:
            self._account_for_request(exchange)
            return
        self.adopt(model)
        if exchange.status == "SUCCESS":
            self._finished[identity] = dict(model)
            self.subject.memory.deleted.discard(identity)
            self.subject.memory.has_created = True

    def _account_for_request(self, exchange: Exchange) -> None:
        """Record a resource by the identifier in its request, if the answer does not contain one."""
        desired = self._desired_in(exchange)
        if exchange.status in {"SUCCESS", "IN_PROGRESS"} and self.subject.knows_identifier(desired):
            self.adopt(desired)

    def _desired_in(self, exchange: Exchange) -> dict[str, Any]:
        """Return the properties that a request holds, in the types of the schema."""
        return dict(parse_texts(self.schema, exchange.request["requestData"].get("resourceProperties") or {}))

    def _judged(self, action: str, drive: Callable[[], Operation]) -> Operation:
        memory, limits = self.subject.memory, self.subject.limits
        self.expect_called(action)
        if action == "CREATE" and (why := memory.why_not_called("DELETE", limits)) is not None:
            raise BlockedError(f"{why}: nothing is created that cannot be deleted")
        driven = drive()
        operation = Operation(tuple(map(self.subject.sent_texts.typed, driven.exchanges)), driven.end)
        for exchange in operation.exchanges:
            self.keep_exchange(action, exchange)
            self._weigh(action, exchange)
            memory.count_late(action, exchange, limits.seconds_for(action))
        self.followed(action).judge_end(self, operation)
        if not self._expects_failure and not self._lenient:  # else a failure is what the test asks for
            clause = "list.token" if operation.final.request.get("nextToken") else _SUCCESS_OF[action]
            self.judge_persisting(action, action, clause, operation)
        return operation

    @contextlib.contextmanager
    def expecting_failure(self) -> Iterator[None]:
        """While a test asks for a failure: one with a retriable code, though retried, is judged by the test."""
        self._expects_failure = True
        try:
            yield
        finally:
            self._expects_failure = False

    @contextlib.contextmanager
    def probing(self) -> Iterator[None]:
        """Mark the block as a negative probe: handlers may assume valid input, so its findings are SHOULD at most."""
        self._lenient = True
        try:
            yield
        finally:
            self._lenient = False

    def _weigh(self, action: str, exchange: Exchange) -> None:
        """Judge one answer by itself, and record which clauses it keeps."""
        findings = check_exchange(self.subject, action, exchange)
        if self._lenient:
            probed = [each for each in findings if each.clause in _PROBED]
            self.record.findings += [replace(each, level=Level.SHOULD) for each in probed]
            return
        self.keep_judgement(findings, concerned_clauses(self.subject, action, exchange))
        self._mark(action, exchange)

    def _mark(self, action: str, exchange: Exchange) -> None:
        """Note that `action` was asked of a live resource, and whether it succeeded."""
        event, desired = exchange.event or {}, self._desired_in(exchange)
        if (action == "LIST" and self._alive) or identity_of(self.schema, desired) in self._alive:
            self.record.tried.add(action)
        if exchange.status != "SUCCESS":
            return
        match action:
            case "LIST":
                listed = event.get("resourceModels")
                models = listed if isinstance(listed, list) else []
            case "DELETE":
                models = [desired]
            case _:
                models = [event.get("resourceModel")]
        if any(identity_of(self.schema, each) in self._alive for each in models):
            self.record.worked.add(action)
