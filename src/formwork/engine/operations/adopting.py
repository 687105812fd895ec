"""Imports existing resources into a stack: reads them, and sets the stack's tags where the type allows.

Source: CloudFormation user guide, "Import AWS resources into a CloudFormation stack"; events as recorded from the
service.

The reasons are in docs/decisions/1221.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.engine.operations.event_writing import EventDraft
from formwork.engine.operations.step import Step
from formwork.provisioning import Provisioner
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.records import ResourceRecord
from formwork.stacks.store.steps import Decision, Ended, HandlerAction, HandlerOperation, Plan

_TAGGING = "Apply stack-level tags to imported resource if applicable."


def begin_import(step: Step, resource: ResourceRecord, shown: str) -> None:
    """Start the import of a resource by its physical id: hooks are called, then it is read."""
    adopted = replace(resource, status=ResourceStatus.IMPORT_IN_PROGRESS)
    began = EventDraft("IMPORT_IN_PROGRESS", "Resource import started.", resource.physical_id, shown)
    step.open(HandlerAction.IMPORT, adopted, [began], Plan(decision=Decision.IMPORT, shown=shown))


def end_import(step: Step, provisioner: Provisioner, doing: HandlerOperation, model: Mapping[str, Any]) -> None:
    """Add the resource to the stack after its read; `model` is its actual state."""
    schema, plan = provisioner.schema, doing.plan
    adopted = replace(
        doing.resource,
        status=ResourceStatus.UPDATE_COMPLETE,
        updated=step.services.now(),
        model=schema.without_write_only(dict(model)),
        version=provisioner.version,
    )
    events = [
        EventDraft("IMPORT_COMPLETE", "Resource import completed.", adopted.physical_id, plan.shown),
        EventDraft("UPDATE_IN_PROGRESS", _TAGGING, adopted.physical_id, plan.shown),
    ]
    tags = step.context.target.deployment.tags
    if tags and schema.tagging.taggable and schema.tagging.tag_updatable and "update" in schema.handlers:
        tagged = replace(adopted, status=ResourceStatus.UPDATE_IN_PROGRESS)
        step.current = adopted
        step.open(HandlerAction.UPDATE, tagged, events, plan, model=model)
    else:
        done = EventDraft("UPDATE_COMPLETE", None, adopted.physical_id, plan.shown)
        step.finish(adopted, events=[*events, done], end=Ended.after(plan))
