"""A request from its beginning to its end: its model is checked, hooks are asked, and the handler called.

Every step is stored in the request's row first, so that the process that resumes it after a crash calls the same
handler again with the same token.
"""

import uuid
from collections.abc import Sequence
from typing import Any, assert_never

from msgspec.structs import replace

from formwork.cloud_control.models import model_faults
from formwork.durable import Work
from formwork.engine.engine import Engine
from formwork.hooks import HookCall, HookTarget, TargetKind, find_hooks
from formwork.hooks.asking import Answers, HookAnswer, consult, read_answers, refusal, store_answers
from formwork.hooks.result_store import HookResultStore
from formwork.provisioning import HandlerCall, Provisioner
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded, Waiting, retry_delay
from formwork.stacks.store.request_stages import RequestBegun, RequestCalling, RequestEnded
from formwork.stacks.store.requests import RequestRecord, get_request, write_request

WORKFLOW = "resource-request"
_HOOKS = uuid.UUID("b1a7c9ad-4d6f-4f6e-9a37-7c7c9fd5b1d2")  # the namespace of hooks request tokens
_REFUSED = "GeneralServiceException"  # the service's list of error codes has none for hooks
_MINUTES = 120


class RequestRuns:
    """Runs requests as durable work."""

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine = engine
        self._work = work

    def register(self) -> None:
        """Register the workflow; before the work is launched."""
        self._work.register(WORKFLOW, self._run)

    def _run(self, token: str) -> None:
        while (wait := self._work.step("advance", self._advance, token)) is not None:
            self._work.sleep(min(wait, 5.0))

    def _advance(self, token: str) -> float | None:
        """Advance the request as far as possible without waiting; return the seconds to wait, None if it has ended."""
        while True:
            self._work.check()
            with self._engine.database.read() as connection:
                request = get_request(connection, token)
            if request is None or request.ended:
                return None
            if request.status == "CANCEL_IN_PROGRESS":
                self._write(_ended(request, "CANCEL_COMPLETE"))
                return None
            wait = request.due - self._engine.settings.now()
            if wait > 0:
                return wait
            self._go_on(request)

    def _go_on(self, request: RequestRecord) -> None:
        provisioner = self._engine.settings.types.find(request.scope, request.type, request.version)
        if provisioner is None:
            self._fail(request, "NotFound", "The type is no longer there")
            return
        match request.stage:
            case RequestBegun():
                self._check(request, request.stage, provisioner)
            case RequestCalling():
                self._call(request, request.stage, provisioner)
            case RequestEnded():
                raise AssertionError("a request in the stage of its end has ended")
            case _:
                assert_never(request.stage)

    # -- before the handler

    def _check(self, request: RequestRecord, stage: RequestBegun, provisioner: Provisioner) -> None:
        """Check the model, then ask the hooks; the request fails if either refuses it."""
        schema = provisioner.schema
        creating = request.operation == "CREATE"
        faults = None if request.operation == "DELETE" else model_faults(schema, stage.desired, creating=creating)
        if faults is not None:
            self._fail(request, "InvalidRequest", faults)
            return
        request, stage, due = self._ask(request, stage, provisioner)
        if due is not None:
            self._write(replace(request, stage=replace(stage, due=due)))
            return
        if (reason := refusal(read_answers(stage.answers))) is not None:
            self._fail(request, _REFUSED, reason)
            return
        handler = schema.handlers.get(request.operation.lower())
        minutes = _MINUTES if handler is None else handler.timeout_in_minutes
        deadline = self._engine.settings.now() + minutes * 60
        calling = RequestCalling(desired=stage.desired, previous=stage.previous, deadline=deadline)
        self._write(replace(request, stage=calling))

    def _ask(
        self, request: RequestRecord, stage: RequestBegun, provisioner: Provisioner
    ) -> tuple[RequestRecord, RequestBegun, float | None]:
        """Ask the hooks; return request and stage with their answers, and the seconds until the next question."""
        settings = self._engine.settings
        hooks_token = str(uuid.uuid5(_HOOKS, request.token))
        target = HookTarget(
            kind=TargetKind.CLOUD_CONTROL,
            action=request.operation,
            name=request.type,
            identifier=f"{request.type.rpartition('::')[2]}-{request.token}",
            execution=hooks_token,
            role=stage.role,
        )
        hooks = find_hooks(settings.hooks, request.scope, target)
        answers = read_answers(stage.answers)
        if not hooks and not answers:
            return request, stage, None
        kept, asked = request, stage
        book = HookResultStore(settings.now, settings.notices)

        def keep(answers: Answers, news: Sequence[HookAnswer]) -> None:
            nonlocal kept, asked
            asked = replace(asked, answers=store_answers(answers))
            with self._engine.database.begin() as connection:
                book.write(connection, request.scope, (target, hooks, news))
                changed = replace(kept, stage=asked, hooks_token=hooks_token, updated=settings.now())
                kept = _written(connection, changed)
            book.announce()
            self._engine.settings.observer.changed()

        call = HookCall(
            target=target,
            model=self._hook_model(request, stage, provisioner),
            token=hooks_token,
            write_only=provisioner.schema.write_only,
            public=provisioner.schema.public_values,
        )
        due = consult(hooks, call, answers, now=settings.now, keep=keep)
        return kept, asked, due

    def _hook_model(self, request: RequestRecord, stage: RequestBegun, provisioner: Provisioner) -> dict[str, Any]:
        """Return the desired and the current model; a delete names only the identifier, so its model is read."""
        desired = stage.desired
        if request.operation == "DELETE" and "read" in provisioner.schema.handlers:
            found = call_provisioner(provisioner, HandlerCall(action="READ", desired=desired, token=str(uuid.uuid4())))
            if isinstance(found, Succeeded) and found.model is not None:
                desired = found.model
        model: dict[str, Any] = {"resourceProperties": dict(desired)}
        if request.operation == "UPDATE":
            model["previousResourceProperties"] = stage.previous
        return model

    # -- the handler

    def _call(self, request: RequestRecord, stage: RequestCalling, provisioner: Provisioner) -> None:
        interrupted = stage.calling
        if request.operation == "DELETE" and not interrupted:
            stage = replace(stage, calling=True)
            request = self._write(replace(request, stage=stage))
        outcome = call_provisioner(
            provisioner,
            HandlerCall(
                action=request.operation,
                desired=stage.model or stage.desired,
                answered=bool(stage.model),
                previous=stage.previous,
                token=request.token,
                context=stage.context,
            ),
        )
        if isinstance(outcome, Failed):
            self._work.check()  # it may be this process that ends, and its handlers with it
            if interrupted and request.operation == "DELETE" and outcome.code == "NotFound":
                outcome = Succeeded(None)  # deleted by the call whose answer was lost
        self._take(request, replace(stage, calling=interrupted), provisioner, outcome)

    def _take(self, request: RequestRecord, stage: RequestCalling, provisioner: Provisioner, outcome: Outcome) -> None:
        """Store the outcome of a call."""
        now, named = self._engine.settings.now(), request
        if not isinstance(outcome, Failed) and outcome.model is not None:
            identifier = provisioner.schema.identifier_of(outcome.model)
            named = replace(request, identifier=identifier or request.identifier)
        match outcome:
            case Waiting() if now + outcome.seconds >= stage.deadline:
                self._fail(named, "ServiceTimeout", "Resource timed out waiting for completion")
            case Waiting():
                answered = replace(stage, context=outcome.context, model=outcome.model, tries=0, calling=False)
                self._write(replace(named, stage=replace(answered, due=now + outcome.seconds)))
            case Succeeded():
                shown = None if outcome.model is None else provisioner.schema.without_write_only(dict(outcome.model))
                self._write(_ended(named, "SUCCESS", model=shown))
            case Failed() if outcome.retriable and (delay := retry_delay(stage.tries + 1)) is not None:
                calling = outcome.lost or stage.calling
                again = replace(stage, due=now + delay, tries=stage.tries + 1, calling=calling)
                self._write(replace(named, stage=again))
            case Failed():
                self._fail(named, outcome.code, outcome.message)

    def _fail(self, request: RequestRecord, code: str, message: str) -> None:
        self._write(replace(_ended(request, "FAILED"), error_code=code, message=message))

    def _write(self, request: RequestRecord) -> RequestRecord:
        with self._engine.database.begin() as connection:
            written = _written(connection, replace(request, updated=self._engine.settings.now()))
        self._engine.settings.observer.changed()
        return written


def _written(connection: Any, request: RequestRecord) -> RequestRecord:
    """Write a request; a cancellation in the meantime is kept, unless the request has ended."""
    current = get_request(connection, request.token)
    if current is not None and current.status == "CANCEL_IN_PROGRESS" and not request.ended:
        request = replace(request, status="CANCEL_IN_PROGRESS")
    write_request(connection, request)
    return request


def _ended(request: RequestRecord, status: str, *, model: Any = None) -> RequestRecord:
    """Return the request in a terminal `status`, without the data that only its handler needed."""
    return replace(request, status=status, stage=RequestEnded(model))
