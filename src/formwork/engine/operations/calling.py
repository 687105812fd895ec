"""Calls of a handler, and what comes of its answers."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from formwork.engine.operations.adopting import MODEL_WAS_READ, end_import
from formwork.engine.operations.concealing import concealed_model, concealed_outcome
from formwork.engine.operations.decisions import Decision
from formwork.engine.operations.event_writing import RENAMED, Happening, handler_failure
from formwork.engine.operations.refusing import refuse_by_policy
from formwork.engine.operations.resource_deploying import start_replacement
from formwork.engine.operations.signalled import begin_waiting, is_awaited, look_for_signals
from formwork.engine.operations.step import TOKENS, Step
from formwork.engine.stack_policies import UpdateAction
from formwork.provisioning import HandlerCall, OwnProvisioner, Provisioner
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.known_models import last_known_model, resolve_each
from formwork.provisioning.outcomes import Failed, Succeeded, Waiting, retry_delay
from formwork.provisioning.physical_ids import identifying_model, physical_id_of
from formwork.schema.coercion import coerce_properties
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.records import Deployment, Phase, ResourceRecord


def call_handler(step: Step) -> None:
    """Call the handler once, and keep what came of it."""
    doing = step.doing()
    provisioner = step.provisioner(doing.type)
    action = str(step.progress.note["action"])
    step.parts.checkpoint(f"before-{action.lower()}")
    try:
        call = _handler_call(step, provisioner, action, doing)
    except StackError as error:  # a dynamic reference leads nowhere
        step.fail(action, error.message, resource=doing)
        return
    outcome = concealed_outcome(call_provisioner(provisioner, call), call, doing)
    step.parts.checkpoint(f"after-{action.lower()}")
    match outcome:
        case Waiting():
            _wait(step, provisioner, action, doing, outcome)
        case Succeeded():
            _succeed(step, provisioner, action, doing, outcome)
        case Failed():
            _handle_failure(step, provisioner, action, doing, outcome)


def _handler_call(step: Step, provisioner: Provisioner, action: str, doing: ResourceRecord) -> HandlerCall:
    stack = step.context.stack
    return HandlerCall(
        action=action,
        desired=_desired_model(step, provisioner, action, doing),
        answered=step.progress.model is not None and not step.progress.note.get(MODEL_WAS_READ),
        previous=_previous_model(step, provisioner) if action == "UPDATE" else None,
        token=step.progress.token,
        context=step.progress.context,
        logical_id=step.logical_id,
        stack_id=stack.arn,
        tags=_tags(step),
        previous_tags=_previous_tags(step) if action == "UPDATE" else None,
        system_tags={
            "aws:cloudformation:stack-name": stack.name,
            "aws:cloudformation:stack-id": stack.arn,
            "aws:cloudformation:logical-id": step.logical_id,
        },
        properties=doing.properties,
        previous_properties=_previous_properties(step) if action == "UPDATE" else None,
        secrets=step.secrets(doing),
    )


def _desired_model(step: Step, provisioner: Provisioner, action: str, doing: ResourceRecord) -> Mapping[str, Any]:
    schema, answered = provisioner.schema, step.progress.model
    if action == "DELETE":
        if answered is not None:
            return coerce_properties(schema, resolve_each(answered, step.resolve))
        return last_known_model(schema, doing, step.resolve)
    if answered is not None:
        return coerce_properties(schema, step.resolve(dict(answered)))
    desired = coerce_properties(schema, step.resolve(doing.properties))
    if action == "UPDATE":
        return {**identifying_model(schema, doing.physical_id, doing.model), **desired}
    return desired


def _before(step: Step) -> ResourceRecord | None:
    before = step.progress.note.get("before")
    return ResourceRecord.from_value(before) if before is not None else step.current


def _previous_properties(step: Step) -> Mapping[str, Any]:
    record = _before(step)
    return {} if record is None else record.properties


def _previous_model(step: Step, provisioner: Provisioner) -> Mapping[str, Any]:
    """The state before an update: what the template said, and what the resource is."""
    record = _before(step)
    if record is None:
        return {}
    try:
        resolved = step.resolve(record.properties)
    except StackError:  # what it referred to is gone since; the new properties matter
        resolved = {}
    return {**record.model, **coerce_properties(provisioner.schema, resolved)}


def _wait(step: Step, provisioner: Provisioner, action: str, doing: ResourceRecord, outcome: Waiting) -> None:
    now = step.parts.now()
    named, events = _named(step, provisioner, action, doing, outcome.model)
    deadline = step.progress.deadline
    if deadline is not None and now + outcome.seconds >= deadline:
        told = Failed("NotStabilized", f"Exceeded attempts to wait: the handler was not done {_patience(step)}")
        step.fail(action, handler_failure(told, step.progress.token), resource=named)
        return
    progress = replace(
        step.progress,
        model=outcome.model if outcome.model is not None else step.progress.model,
        context=outcome.context,
        due=now + outcome.seconds,
        tries=0,
        note={
            **step.progress.note,
            "doing": named.to_value(),
            **({} if outcome.model is None else {MODEL_WAS_READ: False}),
        },
    )
    step.save(progress, resource=_stored(step, action, named), events=events)
    step.parts.checkpoint(f"waiting-{action.lower()}")


def _succeed(step: Step, provisioner: Provisioner, action: str, doing: ResourceRecord, outcome: Succeeded) -> None:
    if action == "DELETE":
        _deleted(step)
        return
    named, events = _named(step, provisioner, action, doing, outcome.model)
    note = {**step.progress.note, "doing": named.to_value()}
    if action == "UPDATE" and (identifier := _new_name(provisioner, named, outcome.model)) is not None:
        note["renamed"] = named.physical_id
        named = replace(named, physical_id=identifier)
        note["doing"] = named.to_value()
    if named.physical_id is None:
        step.fail(action, f"the {action.lower()} handler answered no primary identifier", resource=named)
        return
    progress = replace(
        step.progress,
        stage="read",
        model=outcome.model,
        context=None,
        due=0.0,
        tries=0,
        note=note,
    )
    if "read" in provisioner.schema.handlers:
        step.save(progress, resource=_stored(step, action, named), events=events)
        step.parts.checkpoint(f"kept-{action.lower()}")
    else:
        step.note(**note)
        _complete(step, named, outcome.model or {}, events)


def _new_name(provisioner: Provisioner, named: ResourceRecord, model: Mapping[str, Any] | None) -> str | None:
    """The identifier of another resource that an update has made in the place of this one; None where it made none."""
    if not isinstance(provisioner, OwnProvisioner) or not provisioner.renames or model is None:
        return None
    identifier = physical_id_of(provisioner.schema, model)
    return None if identifier == named.physical_id else identifier


def read_resource(step: Step) -> None:
    """Read the resource after its handler is done: that is what attributes and drift are taken from."""
    doing = step.doing()
    provisioner = step.provisioner(doing.type)
    call = HandlerCall(
        action="READ",
        desired=_model_to_read(step, provisioner, doing),
        token=str(uuid.uuid5(TOKENS, f"{step.progress.token}/read")),
        logical_id=step.logical_id,
        stack_id=step.context.stack.arn,
        secrets=step.secrets(doing),
    )
    step.parts.checkpoint("before-read")
    outcome = call_provisioner(provisioner, call)
    step.parts.checkpoint("after-read")
    match outcome:
        case Succeeded() if step.progress.note["action"] == "IMPORT":
            end_import(step, provisioner, doing, outcome.model or {})
        case Succeeded():
            _complete(step, doing, concealed_model(step, doing, outcome.model or {}), [])
        case Failed() if outcome.retriable and (delay := retry_delay(step.progress.tries + 1)) is not None:
            step.save(replace(step.progress, tries=step.progress.tries + 1, due=step.parts.now() + delay))
        case Failed():
            action = str(step.progress.note["action"])
            step.fail(action, handler_failure(outcome, call.token), resource=doing)
        case Waiting():
            raise AssertionError("read is synchronous")


def _model_to_read(step: Step, provisioner: Provisioner, doing: ResourceRecord) -> Mapping[str, Any]:
    """Return what a read is given: of a resource that is imported nothing but its identifier is known."""
    if step.progress.note["action"] == "IMPORT":
        return identifying_model(provisioner.schema, doing.physical_id, doing.model)
    return last_known_model(provisioner.schema, doing, step.resolve, answered=step.progress.model)


def _handle_failure(step: Step, provisioner: Provisioner, action: str, doing: ResourceRecord, outcome: Failed) -> None:
    step.parts.work.check()  # it may be this process that ends, and its handlers with it
    tries = step.progress.tries + 1
    if outcome.retriable and (delay := retry_delay(tries)) is not None:
        step.save(replace(step.progress, tries=tries, due=step.parts.now() + delay))
    elif action == "DELETE" and outcome.code == "NotFound":
        _deleted(step)
    elif (
        action == "UPDATE"
        and outcome.code == "NotUpdatable"
        and step.progress.note.get("decision") == Decision.UPDATE_OR_REPLACE
    ):
        _replace_after_all(step, doing)
    else:
        named, events = _named(step, provisioner, action, doing, outcome.model)
        step.fail(action, handler_failure(outcome, step.progress.token), resource=named, before=events)


def _replace_after_all(step: Step, doing: ResourceRecord) -> None:
    step.current = ResourceRecord.from_value(step.progress.note["before"])
    if refuse_by_policy(step, UpdateAction.REPLACE):
        return
    note = {
        name: step.progress.note[name]
        for name in ("shown", "properties", "before", "signals", "since")
        if name in step.progress.note
    }
    start_replacement(step, replace(doing, physical_id=None, model={}), dict(note))


def _named(
    step: Step, provisioner: Provisioner, action: str, doing: ResourceRecord, model: Mapping[str, Any] | None
) -> tuple[ResourceRecord, Sequence[Happening]]:
    """The resource with what the create handler has answered of it, and the event of its physical id."""
    named = doing if provisioner.version is None else replace(doing, version=provisioner.version)
    if action != "CREATE" or model is None:
        return named, []
    named = replace(named, model=provisioner.schema.without_write_only(dict(model)))
    if doing.physical_id is not None:
        return named, []
    identifier = physical_id_of(provisioner.schema, model)
    if identifier is None:
        return named, []
    named = replace(named, physical_id=identifier)
    replaces = step.progress.note.get("before") is not None or step.phase is not Phase.DEPLOY
    status = "UPDATE_IN_PROGRESS" if replaces else "CREATE_IN_PROGRESS"
    reason = "Resource creation Initiated"
    return named, [Happening(status, reason, identifier, step.progress.note.get("shown"))]


def _stored(step: Step, action: str, named: ResourceRecord) -> ResourceRecord | None:
    """What the stack shows meanwhile: a resource that is being made once it has a name, a replaced one the old."""
    if step.phase is Phase.CLEANUP or (action == "CREATE" and named.physical_id is None):
        return None
    return named


def _complete(
    step: Step,
    doing: ResourceRecord,
    model: Mapping[str, Any],
    before: Sequence[Happening],
) -> None:
    if is_awaited(step):
        begin_waiting(step, doing, model, before, _stored(step, "CREATE", doing))
        return
    provisioner = step.provisioner(doing.type)
    replaced = step.progress.note.get("before") is not None and step.phase is Phase.DEPLOY
    created = step.progress.note["action"] == "CREATE" and not replaced and step.phase is Phase.DEPLOY
    status = ResourceStatus.CREATE_COMPLETE if created else ResourceStatus.UPDATE_COMPLETE
    made = replace(
        doing,
        status=status,
        reason=None,
        updated=step.parts.now(),
        model=provisioner.schema.without_write_only(dict(model)),
    )
    if step.progress.note.get("decision") == Decision.REPLACE and not step.progress.note.get("deleted"):
        step.current = ResourceRecord.from_value(step.progress.note["before"])
        if step.current.physical_id != made.physical_id:  # else it is the same one, made once more
            step.note_leftover(step.current)
    renamed = step.progress.note.get("renamed")
    if renamed is not None:
        step.note_leftover(replace(_before(step) or doing, physical_id=renamed))
    event = Happening(
        str(status), None if renamed is None else RENAMED, made.physical_id, step.progress.note.get("shown")
    )
    step.finish(made, events=[*before, event], note=step.progress.note)


def await_signals(step: Step) -> None:
    """Look whether a resource that was made has been signalled often enough."""
    verdict, events = look_for_signals(step)
    if isinstance(verdict, str):
        step.fail("CREATE", verdict, resource=step.doing(), before=events)
    elif verdict:
        _complete(step, step.doing(), step.progress.model or {}, events)


def _deleted(step: Step) -> None:
    note = dict(step.progress.note)
    doing = step.doing()
    event = Happening("DELETE_COMPLETE", None, doing.physical_id, note.get("shown"))
    if "new" in note:  # a replacement that deletes first: now the new one is made
        made = ResourceRecord.from_value(note.pop("new"))
        if note["decision"] == Decision.RECREATE:
            again = Happening("CREATE_IN_PROGRESS", None, None, note.get("shown"))
            step.open("CREATE", made, [event, again], {**note, "deleted": True})
        else:
            step.open("CREATE", replace(made, status=ResourceStatus.UPDATE_IN_PROGRESS), [], {**note, "deleted": True})
        return
    step.finish(None, events=[event], note={})


def _tags(step: Step) -> Mapping[str, str]:
    """The stack's own tags: those that the operation brings, those of before where they are put back."""
    operation, stack = step.context.operation, step.context.stack
    if step.phase is Phase.ROLLBACK and stack.settings.stable is not None:
        return Deployment(**stack.settings.stable).tags
    deployment = operation.target if step.phase is not Phase.ROLLBACK else None
    found = deployment or stack.deployed
    return {} if found is None else found.tags


def _previous_tags(step: Step) -> Mapping[str, str] | None:
    operation = step.context.operation
    before = operation.target if step.phase is Phase.ROLLBACK else step.context.stack.deployed
    return None if before is None else before.tags


def _patience(step: Step) -> str:
    minutes = step.timeout(str(step.progress.note["action"]), step.doing())
    return f"after {minutes} minutes"
