"""Calls handlers and processes their answers."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.engine.deployed.resource_values import StoredResources
from formwork.engine.operations.adopting import end_import
from formwork.engine.operations.concealing import concealed_model, concealed_outcome
from formwork.engine.operations.event_writing import RENAMED, EventDraft, handler_failure
from formwork.engine.operations.express import COMPLETED, applied_model, configured_event, is_left_early
from formwork.engine.operations.refusing import refuse_by_policy
from formwork.engine.operations.resource_deploying import start_replacement
from formwork.engine.operations.signalled import awaited_signals, look_for_signals
from formwork.engine.operations.step import TOKENS, Step
from formwork.engine.stack_policies import UpdateAction
from formwork.provisioning import HandlerCall, OwnProvisioner, Provisioner
from formwork.provisioning.calling import call_provisioner, masker_of
from formwork.provisioning.known_models import last_known_model, resolve_each
from formwork.provisioning.outcomes import Failed, Succeeded, Waiting, retry_delay
from formwork.provisioning.physical_ids import identifying_model, physical_id_of
from formwork.provisioning.property_faults import deployment_failure, find_faults
from formwork.schema.coercion import coerce_properties
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.records import Deployment, ResourceRecord
from formwork.stacks.store.steps import (
    AwaitingSignals,
    Calling,
    Decision,
    Ended,
    HandlerAction,
    HandlerOperation,
    Phase,
    Plan,
    Reading,
)


def call_handler(step: Step, stage: Calling) -> None:
    """Call the handler once and store the result."""
    action, resource = stage.doing.action, stage.doing.resource
    provisioner = step.provisioner(resource.type)
    step.services.observer.checkpoint(f"before-{action.lower()}")
    try:
        call = _handler_call(step, stage, provisioner)
    except StackError as error:  # a dynamic reference can't be resolved
        step.fail(action, error.message, resource=resource)
        return
    if (refusal := _forbidden(step, stage, provisioner, call)) is not None:
        step.fail(action, refusal, resource=resource)
        return
    outcome = concealed_outcome(call_provisioner(provisioner, call), call, resource)
    step.services.observer.checkpoint(f"after-{action.lower()}")
    match outcome:
        case Waiting():
            _wait(step, stage, provisioner, outcome)
        case Succeeded():
            _succeed(step, stage, provisioner, outcome)
        case Failed():
            _handle_failure(step, stage, provisioner, outcome)


def _forbidden(step: Step, stage: Calling, provisioner: Provisioner, call: HandlerCall) -> str | None:
    """Return why the type's schema forbids the properties; None if it does not, or in a rollback.

    The service's own types check their properties themselves. A resource that refers to a simulated one is not refused,
    since the simulated value is made up.
    """
    begins = stage.context is None and stage.model is None and stage.tries == 0
    writes = stage.doing.action in {HandlerAction.CREATE, HandlerAction.UPDATE}
    if not begins or not writes or step.phase is not Phase.DEPLOY or isinstance(provisioner, OwnProvisioner):
        return None
    resource = stage.doing.resource
    faults = find_faults(provisioner.schema, step.resolve(resource.properties))
    if faults:
        values = StoredResources(step.services.database, step.stack_id).without_simulated(step.context.provisioner)
        declared = step.context.target.template.resources[step.logical_id]
        certain = find_faults(
            provisioner.schema, step.resolve(step.context.target.evaluator(values).properties(declared))
        )
        faults = [each for each in faults if each in certain]
    if not faults:
        return None
    return masker_of(provisioner, call).text(deployment_failure(resource.type, step.logical_id, faults))


def _handler_call(step: Step, stage: Calling, provisioner: Provisioner) -> HandlerCall:
    stack, doing, resource = step.context.stack, stage.doing, stage.doing.resource
    updates = doing.action is HandlerAction.UPDATE
    return HandlerCall(
        action=doing.action,
        desired=_desired_model(step, stage, provisioner),
        answered=stage.model is not None and not stage.model_was_read,
        previous=_previous_model(step, doing.plan, provisioner) if updates else None,
        token=doing.token,
        context=stage.context,
        logical_id=step.logical_id,
        stack_id=stack.arn,
        tags=_tags(step),
        previous_tags=_previous_tags(step) if updates else None,
        system_tags={
            "aws:cloudformation:stack-name": stack.name,
            "aws:cloudformation:stack-id": stack.arn,
            "aws:cloudformation:logical-id": step.logical_id,
        },
        properties=resource.properties,
        previous_properties=_previous_properties(step, doing.plan) if updates else None,
        secrets=step.secrets(resource),
    )


def _desired_model(step: Step, stage: Calling, provisioner: Provisioner) -> Mapping[str, Any]:
    schema, answered, resource = provisioner.schema, stage.model, stage.doing.resource
    if stage.doing.action is HandlerAction.DELETE:
        if answered is not None:
            return coerce_properties(schema, resolve_each(answered, step.resolve))
        return last_known_model(schema, resource, step.resolve)
    if answered is not None:
        return coerce_properties(schema, step.resolve(dict(answered)))
    desired = coerce_properties(schema, step.resolve(resource.properties))
    if stage.doing.action is HandlerAction.UPDATE:
        return {**identifying_model(schema, resource.physical_id, resource.model), **desired}
    return desired


def _previous_properties(step: Step, plan: Plan) -> Mapping[str, Any]:
    record = _found(step, plan)
    return {} if record is None else record.properties


def _found(step: Step, plan: Plan) -> ResourceRecord | None:
    """Return the resource before an update; if it had drifted, its actual state."""
    record = plan.before or step.current
    if record is None or plan.live is None or step.phase is not Phase.DEPLOY:
        return record
    return replace(record, properties=plan.live["properties"] or {})


def _previous_model(step: Step, plan: Plan, provisioner: Provisioner) -> Mapping[str, Any]:
    """Return the previous state for an update: the old template's properties, completed from the model."""
    record = _found(step, plan)
    if record is None:
        return {}
    try:
        resolved = step.resolve(record.properties)
    except StackError:  # a resource that it referred to was deleted since; the new properties are enough
        resolved = {}
    return {**record.model, **coerce_properties(provisioner.schema, resolved)}


def _wait(step: Step, stage: Calling, provisioner: Provisioner, outcome: Waiting) -> None:
    now, doing = step.services.now(), stage.doing
    named, events = _named(step, doing, provisioner, outcome.model)
    if is_left_early(step, provisioner) and _leave_early(step, replace(doing, resource=named), outcome, events):
        return
    if now + outcome.seconds >= doing.deadline:
        told = f"Resource timed out waiting for completion (RequestToken: {doing.token})"
        step.fail(doing.action, told, resource=named)
        return
    stage = replace(
        stage, doing=replace(doing, resource=named), context=outcome.context, due=now + outcome.seconds, tries=0
    )
    if outcome.model is not None:
        stage = replace(stage, model=outcome.model, model_was_read=False)
    step.save(stage, resource=_stored(step, doing.action, named), events=events)
    step.services.observer.checkpoint(f"waiting-{doing.action.lower()}")


def _leave_early(step: Step, doing: HandlerOperation, outcome: Waiting, events: Sequence[EventDraft]) -> bool:
    """In express mode, end the operation on a resource whose handler answered IN_PROGRESS if it is configured."""
    if doing.action is HandlerAction.DELETE:
        if doing.plan.replacement is None:  # the new resource may need a name that the old one holds
            _deleted(step, doing, COMPLETED)
        return doing.plan.replacement is None
    resource = doing.resource
    model = applied_model(step, doing, resource, step.provisioner(resource.type), outcome.model)
    if model is None:
        return False
    status = "CREATE_IN_PROGRESS" if _is_creation(step, doing) else "UPDATE_IN_PROGRESS"
    configured = configured_event(status, resource, doing.plan.shown)
    _complete(step, doing, model, [*events, configured], COMPLETED)
    return True


def _succeed(step: Step, stage: Calling, provisioner: Provisioner, outcome: Succeeded) -> None:
    doing, action = stage.doing, stage.doing.action
    if action is HandlerAction.DELETE:
        _deleted(step, doing)
        return
    named, events = _named(step, doing, provisioner, outcome.model)
    if action is HandlerAction.UPDATE and (identifier := _new_name(provisioner, named, outcome.model)) is not None:
        doing = replace(doing, renamed_from=named.physical_id)
        named = replace(named, physical_id=identifier)
    if named.physical_id is None:
        step.fail(action, f"the {action.lower()} handler answered no primary identifier", resource=named)
        return
    doing = replace(doing, resource=named)
    if "read" in provisioner.schema.handlers:
        reading = Reading(doing=doing, model=outcome.model)
        step.save(reading, resource=_stored(step, action, named), events=events)
        step.services.observer.checkpoint(f"kept-{action.lower()}")
    else:
        _complete(step, doing, outcome.model or {}, events)


def _new_name(provisioner: Provisioner, named: ResourceRecord, model: Mapping[str, Any] | None) -> str | None:
    """Return the identifier of the resource with which an update has replaced this one; None if it has not."""
    if not isinstance(provisioner, OwnProvisioner) or not provisioner.renames or model is None:
        return None
    identifier = physical_id_of(provisioner.schema, model)
    return None if identifier == named.physical_id else identifier


def read_resource(step: Step, stage: Reading) -> None:
    """Read the resource after its handler has ended; attributes and drift are taken from this model."""
    doing, resource = stage.doing, stage.doing.resource
    provisioner = step.provisioner(resource.type)
    call = HandlerCall(
        action="READ",
        desired=_model_to_read(step, stage, provisioner),
        token=str(uuid.uuid5(TOKENS, f"{doing.token}/read")),
        logical_id=step.logical_id,
        stack_id=step.context.stack.arn,
        secrets=step.secrets(resource),
    )
    step.services.observer.checkpoint("before-read")
    outcome = call_provisioner(provisioner, call)
    step.services.observer.checkpoint("after-read")
    match outcome:
        case Succeeded() if doing.action is HandlerAction.IMPORT:
            end_import(step, provisioner, doing, outcome.model or {})
        case Succeeded():
            _complete(step, doing, concealed_model(step, resource, outcome.model or {}), [])
        case Failed() if outcome.retriable and (delay := retry_delay(stage.tries + 1)) is not None:
            step.save(replace(stage, tries=stage.tries + 1, due=step.services.now() + delay))
        case Failed():
            step.fail(doing.action, handler_failure(outcome, call.token), resource=resource)
        case Waiting():
            raise AssertionError("read is synchronous")


def _model_to_read(step: Step, stage: Reading, provisioner: Provisioner) -> Mapping[str, Any]:
    """Return the model for a read; for an imported resource it has the identifier only."""
    resource = stage.doing.resource
    if stage.doing.action is HandlerAction.IMPORT:
        return identifying_model(provisioner.schema, resource.physical_id, resource.model)
    return last_known_model(provisioner.schema, resource, step.resolve, answered=stage.model)


def _handle_failure(step: Step, stage: Calling, provisioner: Provisioner, outcome: Failed) -> None:
    step.services.work.check()  # this process may be ending, and its handlers with it
    doing, tries = stage.doing, stage.tries + 1
    replaceable = doing.action is HandlerAction.UPDATE and doing.plan.decision is Decision.UPDATE_OR_REPLACE
    if outcome.retriable and (delay := retry_delay(tries)) is not None:
        step.save(replace(stage, tries=tries, due=step.services.now() + delay))
    elif doing.action is HandlerAction.DELETE and outcome.code == "NotFound":
        _deleted(step, doing)
    elif replaceable and outcome.code == "NotUpdatable":
        _replace_after_all(step, doing)
    else:
        named, events = _named(step, doing, provisioner, outcome.model)
        step.fail(doing.action, handler_failure(outcome, doing.token), resource=named, before=events)


def _replace_after_all(step: Step, doing: HandlerOperation) -> None:
    step.current = doing.plan.before
    if refuse_by_policy(step, UpdateAction.REPLACE):
        return
    start_replacement(step, replace(doing.resource, physical_id=None, model={}), doing.plan)


def _named(
    step: Step, doing: HandlerOperation, provisioner: Provisioner, model: Mapping[str, Any] | None
) -> tuple[ResourceRecord, Sequence[EventDraft]]:
    """Return the resource with the create handler's answer, and the event for its new physical id."""
    resource, plan = doing.resource, doing.plan
    named = resource if provisioner.version is None else replace(resource, version=provisioner.version)
    if doing.action is not HandlerAction.CREATE or model is None:
        return named, []
    named = replace(named, model=provisioner.schema.without_write_only(dict(model)))
    if resource.physical_id is not None:
        return named, []
    identifier = physical_id_of(provisioner.schema, model)
    if identifier is None:
        return named, []
    named = replace(named, physical_id=identifier)
    replaces = plan.replaces or step.phase is not Phase.DEPLOY
    status = "UPDATE_IN_PROGRESS" if replaces else "CREATE_IN_PROGRESS"
    return named, [EventDraft(status, "Resource creation Initiated", identifier, plan.shown)]


def _stored(step: Step, action: HandlerAction, named: ResourceRecord) -> ResourceRecord | None:
    """Return the resource to store meanwhile: a new one once it has an id, for a replacement the old one."""
    if step.phase is Phase.CLEANUP or (action is HandlerAction.CREATE and named.physical_id is None):
        return None
    return named


def _complete(
    step: Step,
    doing: HandlerOperation,
    model: Mapping[str, Any],
    before: Sequence[EventDraft],
    reason: str | None = None,
) -> None:
    """End the handler's operation: the resource is complete, or waits for signals."""
    if (signals := awaited_signals(step, doing)) is None:
        _end(step, doing, model, before, reason)
        return
    waiting = AwaitingSignals(doing=doing, model=model, deadline=step.services.now() + signals.seconds)
    step.save(waiting, resource=_stored(step, HandlerAction.CREATE, doing.resource), events=before)


def await_signals(step: Step, stage: AwaitingSignals) -> None:
    """Check whether a created resource has received enough signals."""
    verdict, events = look_for_signals(step, stage)
    if isinstance(verdict, str):
        step.fail(HandlerAction.CREATE, verdict, resource=stage.doing.resource, before=events)
    elif verdict:
        _end(step, stage.doing, stage.model, events)


def _is_creation(step: Step, doing: HandlerOperation) -> bool:
    """Return whether the operation adds a new resource to the stack."""
    return doing.action is HandlerAction.CREATE and not doing.plan.replaces and step.phase is Phase.DEPLOY


def _end(
    step: Step,
    doing: HandlerOperation,
    model: Mapping[str, Any],
    before: Sequence[EventDraft],
    reason: str | None = None,
) -> None:
    plan, resource = doing.plan, doing.resource
    provisioner = step.provisioner(resource.type)
    created = _is_creation(step, doing)
    status = ResourceStatus.CREATE_COMPLETE if created else ResourceStatus.UPDATE_COMPLETE
    made = replace(
        resource,
        status=status,
        reason=reason,
        updated=step.services.now(),
        model=provisioner.schema.without_write_only(dict(model)),
    )
    if plan.decision is Decision.REPLACE and plan.replaces and not plan.old_deleted:
        assert plan.before is not None
        step.current = plan.before
        if plan.before.physical_id != made.physical_id:  # else it is the same resource, created again
            step.note_leftover(plan.before)
    renamed = doing.renamed_from
    if renamed is not None:
        step.note_leftover(replace(plan.before or step.current or resource, physical_id=renamed))
    event = EventDraft(str(status), reason if renamed is None else RENAMED, made.physical_id, plan.shown)
    end = replace(Ended.after(plan), stabilizing=reason is not None)
    step.finish(made, events=[*before, event], end=end)


def _deleted(step: Step, doing: HandlerOperation, reason: str | None = None) -> None:
    plan = doing.plan
    event = EventDraft("DELETE_COMPLETE", reason, doing.resource.physical_id, plan.shown)
    if plan.replacement is None:
        step.finish(None, events=[event], end=Ended())
        return
    # a replacement that deletes first: the new resource is created now
    made, next_plan = plan.replacement, replace(plan, replacement=None, old_deleted=True)
    if plan.decision is Decision.RECREATE:
        again = EventDraft("CREATE_IN_PROGRESS", None, None, plan.shown)
        step.open(HandlerAction.CREATE, made, [event, again], next_plan)
    else:
        step.open(HandlerAction.CREATE, replace(made, status=ResourceStatus.UPDATE_IN_PROGRESS), [], next_plan)


def _tags(step: Step) -> Mapping[str, str]:
    """Return the stack's own tags: the new ones, in a rollback the previous ones."""
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
