"""The steps of a resource in a rollback, and in its removal (docs/decisions/1220)."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.engine.operations.event_writing import REPLACING, EventDraft
from formwork.engine.operations.step import Step, leftover_key
from formwork.provisioning.physical_ids import identifying_model
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.operations import get_step
from formwork.stacks.store.records import ResourceRecord
from formwork.stacks.store.resources import get_leftover
from formwork.stacks.store.steps import Decision, Ended, HandlerAction, Phase, Plan


def begin_rollback(step: Step) -> None:
    """Start to undo what the deploy phases of the operations to undo have done to the resource."""
    ends = _deployed(step)
    decisions = {each.decision for each in ends}
    old = ends[0].before if ends else None
    live = ends[0].live if ends else None  # the actual state before, if it had drifted
    if old is None:
        if step.current is not None and ends:
            _leave_behind(step, step.current, imported=Decision.IMPORT in decisions)
        else:
            step.finish(step.current, events=[], end=Ended())
        return
    if step.logical_id in step.context.operation.options.skip:
        _take_for_restored(step, old, live)
    elif decisions == {Decision.LEAVE}:
        step.finish(old, events=[], end=Ended(live=live))
    elif any(each.old_deleted for each in ends):
        _make_again(step, old, live)
    elif step.current is not None and step.current.physical_id != old.physical_id:
        _restore_replaced(step, old, live)
    elif decisions <= {Decision.LEAVE, Decision.REPLACE}:  # the old resource was not touched
        _take_for_restored(step, old, live)
    else:
        shown = step.shown(old)
        wanted = replace(old, status=ResourceStatus.UPDATE_IN_PROGRESS, updated=step.services.now())
        events = [EventDraft("UPDATE_IN_PROGRESS", None, old.physical_id, shown)]
        plan = Plan(decision=Decision.UPDATE, shown=shown, live=live)
        step.open(HandlerAction.UPDATE, wanted, events, plan, model=_found_model(step, old, live))


def _deployed(step: Step) -> list[Ended]:
    """Return the ended steps of the operations to undo for the resource, the oldest first."""
    operation = step.context.operation
    with step.services.database.read() as connection:
        found = [
            get_step(connection, each, Phase.DEPLOY, step.logical_id)
            for each in operation.options.undo or [operation.id]
        ]
    return [each.end for each in found if each is not None]


def _found_model(step: Step, old: ResourceRecord, live: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the model to restore for a resource that had drifted; None if it had not."""
    if live is None or live["properties"] is None:
        return None
    schema = step.provisioner(old.type).schema
    return {**identifying_model(schema, old.physical_id, old.model), **live["properties"]}


def _make_again(step: Step, old: ResourceRecord, live: Mapping[str, Any] | None) -> None:
    """Create the old physical resource again, which was deleted before its replacement was created."""
    current = step.current
    if current is not None and current.physical_id is not None and current.physical_id != old.physical_id:
        step.note_leftover(current)
    shown = step.shown(old)
    again = replace(old, physical_id=None, status=ResourceStatus.UPDATE_IN_PROGRESS, updated=step.services.now())
    events = [EventDraft("UPDATE_IN_PROGRESS", REPLACING, old.physical_id, shown)]
    plan = Plan(decision=Decision.CREATE, shown=shown, live=live)
    step.open(HandlerAction.CREATE, again, events, plan, model=None if live is None else live["properties"])


def _restore_replaced(step: Step, old: ResourceRecord, live: Mapping[str, Any] | None) -> None:
    """Return to the old physical resource, which still exists; its replacement is deleted in the clean-up."""
    current = step.current
    if current is not None and current.physical_id is not None:
        step.note_leftover(current)
    step.keep_leftover(old)
    _take_for_restored(step, old, live)


def _take_for_restored(step: Step, old: ResourceRecord, live: Mapping[str, Any] | None) -> None:
    """Restore the resource's record; no handler is called."""
    restored = replace(old, status=ResourceStatus.UPDATE_COMPLETE, reason=None, updated=step.services.now())
    shown = step.shown(old)
    events = [EventDraft("UPDATE_COMPLETE", None, old.physical_id, shown)]
    step.finish(restored, events=events, end=Ended(live=live))


def _leave_behind(step: Step, current: ResourceRecord, *, imported: bool) -> None:
    """Remove a resource of the failed operation from the stack; the clean-up deletes it unless it was imported."""
    if imported:
        shown = step.shown(current)
        told = ("IMPORT_ROLLBACK_IN_PROGRESS", "IMPORT_ROLLBACK_COMPLETE")
        step.finish(None, events=[EventDraft(each, None, current.physical_id, shown) for each in told], end=Ended())
        return
    if current.physical_id is not None:
        step.note_leftover(current)
    step.finish(None, events=[], end=Ended(left_behind=True))


def begin_delete(step: Step) -> None:
    """Start to delete a physical resource: the stack's, or one that an operation has left behind."""
    resource = _doomed(step)
    if resource is None:
        step.finish(None, events=[], end=Ended())
        return
    # Events of removals in an update have no properties.
    shown = None if step.phase is Phase.CLEANUP else step.shown(resource)
    if _stays(step, resource):
        step.finish(None, events=[EventDraft("DELETE_SKIPPED", None, resource.physical_id, shown)], end=Ended())
    elif resource.physical_id is None:  # it was never created
        step.finish(None, events=[], end=Ended())
    else:
        doomed = replace(resource, status=ResourceStatus.DELETE_IN_PROGRESS)
        events = [EventDraft("DELETE_IN_PROGRESS", None, resource.physical_id, shown)]
        step.open(HandlerAction.DELETE, doomed, events, Plan(decision=None, shown=shown))


def _doomed(step: Step) -> ResourceRecord | None:
    if step.phase is Phase.DELETE:
        return step.current
    with step.services.database.read() as connection:
        return get_leftover(connection, leftover_key(step.record.operation_id, step.logical_id))


def _stays(step: Step, resource: ResourceRecord) -> bool:
    options = step.context.operation.options
    if resource.logical_id in options.retain or resource.logical_id in options.imports:
        return True
    if step.undoes or _was_made(step):
        declared = resource.declaration.get("DeletionPolicy")
        return declared == "Retain" and not options.retain_except_on_create
    replaced = step.phase is Phase.CLEANUP and not step.still_in_stack(resource)
    return is_kept(resource, "UpdateReplacePolicy" if replaced else "DeletionPolicy")


def _was_made(step: Step) -> bool:
    """Return whether the operation to roll back has created the resource for a new logical id."""
    if step.phase is not Phase.CLEANUP:
        return False
    with step.services.database.read() as connection:
        undone = get_step(connection, step.record.operation_id, Phase.ROLLBACK, step.logical_id)
    return undone is not None and undone.end.left_behind


def is_kept(resource: ResourceRecord, policy: str) -> bool:
    """Return whether a policy in the resource's declaration retains its physical resource."""
    declared = resource.declaration.get(policy)
    return declared in {"Retain", "RetainExceptOnCreate"}
