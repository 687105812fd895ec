"""What a rollback does to a resource, and how resources are removed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from formwork.engine.changes.differences import texts
from formwork.engine.operations.decisions import Decision
from formwork.engine.operations.event_writing import REPLACING, Happening
from formwork.engine.operations.step import Step, leftover_key
from formwork.engine.statuses import ResourceStatus
from formwork.engine.store.operations import get_step
from formwork.engine.store.records import OperationKind, Phase, ResourceRecord
from formwork.engine.store.resources import get_leftover


def begin_rollback(step: Step) -> None:
    """Begin to put back what the deploy phase has done."""
    with step.parts.database.read() as connection:
        done = get_step(connection, step.record.operation_id, Phase.DEPLOY, step.logical_id)
    note = {} if done is None else dict(done.progress.note)
    before = note.get("before")
    decision = note.get("decision")
    if before is None or decision == Decision.LEAVE:
        if step.current is not None and before is None:
            _leave_behind(step, step.current)
        else:
            step.finish(step.current, events=[], note={})
        return
    old = ResourceRecord.from_value(before)
    if decision == Decision.REPLACE:
        _restore_replaced(step, old, note)
        return
    shown = json.dumps(texts(old.properties))
    wanted = replace(old, status=ResourceStatus.UPDATE_IN_PROGRESS, updated=step.parts.now())
    events = [Happening("UPDATE_IN_PROGRESS", None, old.physical_id, shown)]
    more = {"shown": shown, "decision": str(Decision.UPDATE), "properties": dict(old.properties)}
    step.open("UPDATE", wanted, events, more)


def _restore_replaced(step: Step, old: ResourceRecord, note: Mapping[str, Any]) -> None:
    """The old physical resource is there still, unless it had to go first; what was made in its place goes."""
    current = step.current
    made = current is not None and current.physical_id is not None and current.physical_id != old.physical_id
    if note.get("deleted"):
        if made and current is not None:
            step.note_leftover(current)
        shown = json.dumps(texts(old.properties))
        again = replace(old, physical_id=None, status=ResourceStatus.UPDATE_IN_PROGRESS, updated=step.parts.now())
        more = {"shown": shown, "decision": str(Decision.CREATE), "properties": dict(old.properties)}
        step.open("CREATE", again, [Happening("UPDATE_IN_PROGRESS", REPLACING, old.physical_id, shown)], more)
        return
    if made and current is not None:
        step.note_leftover(current)
    restored = replace(old, status=ResourceStatus.UPDATE_COMPLETE, updated=step.parts.now())
    shown = json.dumps(texts(old.properties))
    step.finish(restored, events=[Happening("UPDATE_COMPLETE", None, old.physical_id, shown)], note={})


def _leave_behind(step: Step, current: ResourceRecord) -> None:
    """What the failed operation made: no longer the stack's, removed in the clean-up."""
    if current.physical_id is not None:
        step.note_leftover(current)
    step.finish(None, events=[], note={})


def begin_delete(step: Step) -> None:
    """Begin to remove a physical resource: the stack's own, or one that an operation has left behind."""
    resource = _doomed(step)
    if resource is None:
        step.finish(None, events=[], note={})
        return
    shown = json.dumps(texts(resource.properties))
    if _stays(step, resource):
        step.finish(None, events=[Happening("DELETE_SKIPPED", None, resource.physical_id, shown)], note={})
    elif resource.physical_id is None:  # it was never made
        step.finish(None, events=[], note={})
    else:
        doomed = replace(resource, status=ResourceStatus.DELETE_IN_PROGRESS)
        events = [Happening("DELETE_IN_PROGRESS", None, resource.physical_id, shown)]
        step.open("DELETE", doomed, events, {"shown": shown, "resource": resource.to_value()})


def _doomed(step: Step) -> ResourceRecord | None:
    if step.phase is Phase.DELETE:
        return step.current
    with step.parts.database.read() as connection:
        return get_leftover(connection, leftover_key(step.record.operation_id, step.logical_id))


def _stays(step: Step, resource: ResourceRecord) -> bool:
    options = step.context.operation.options
    if resource.logical_id in options.retain:
        return True
    replaced = step.phase is Phase.CLEANUP and not step.still_in_stack(resource)
    if not replaced and step.context.operation.kind is OperationKind.CREATE and options.retain_except_on_create:
        return False
    return is_kept(resource, "UpdateReplacePolicy" if replaced else "DeletionPolicy")


def is_kept(resource: ResourceRecord, policy: str) -> bool:
    """Whether a policy of the resource's declaration keeps its physical resource."""
    declared = resource.declaration.get(policy)
    return declared in {"Retain", "RetainExceptOnCreate"}
