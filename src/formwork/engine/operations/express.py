"""Express mode: an operation on a resource is complete as soon as its configuration is applied.

When a handler answers IN_PROGRESS to a create or an update, the configuration counts as applied once a read returns
what the template says; the handler is not called again then. IN_PROGRESS to a delete is enough. The types that
the service makes itself (nested stacks, custom resources, wait conditions) are still waited for.

Source: CloudFormation user guide, "Deploy AWS CloudFormation stacks faster with express mode" and "Understand
CloudFormation stack creation events". The pages do not say how AWS finds out; the read is our choice.

The reasons are in docs/decisions/1308.
"""

import uuid
from collections.abc import Mapping
from typing import Any

from formwork.engine.deployed.drift_comparison import ResourceDriftStatus, compare_drift
from formwork.engine.operations.concealing import concealed_model
from formwork.engine.operations.event_writing import EventDraft
from formwork.engine.operations.step import TOKENS, Step
from formwork.provisioning import HandlerCall, OwnProvisioner, Provisioner
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.known_models import last_known_model
from formwork.provisioning.outcomes import Succeeded
from formwork.provisioning.references import without_references
from formwork.provisioning.stack_tags import without_stack_tags
from formwork.stacks.store.records import ResourceRecord
from formwork.stacks.store.steps import HandlerOperation

CHECKING = "Eventual consistency check initiated"
COMPLETED = "Resource operation completed using Express Mode. It may continue becoming available in the background."
CONFIGURED = "CONFIGURATION_COMPLETE"


def is_left_early(step: Step, provisioner: Provisioner) -> bool:
    """Return whether the operation does not wait until a resource of the type is ready."""
    return step.context.operation.options.express and not isinstance(provisioner, OwnProvisioner)


def applied_model(
    step: Step,
    doing: HandlerOperation,
    resource: ResourceRecord,
    provisioner: Provisioner,
    answered: Mapping[str, Any] | None,
) -> dict[str, Any] | None:
    """Return the model of a read if it matches the template; None if it does not yet, or can't be read."""
    schema = provisioner.schema
    if resource.physical_id is None or "read" not in schema.handlers:
        return None
    call = HandlerCall(
        action="READ",
        desired=last_known_model(schema, resource, step.resolve, answered=answered),
        token=str(uuid.uuid5(TOKENS, f"{doing.token}/express")),
        logical_id=step.logical_id,
        stack_id=step.context.stack.arn,
        secrets=step.secrets(resource),
    )
    outcome = call_provisioner(provisioner, call)
    if not isinstance(outcome, Succeeded):
        return None
    declared, found = without_references(resource.properties), outcome.model or {}
    tags = step.context.target.deployment.tags
    drift = compare_drift(schema, declared, without_stack_tags(schema, found, tags, declared))
    if drift.status is not ResourceDriftStatus.IN_SYNC:
        return None
    return dict(concealed_model(step, resource, found))


def configured_event(status: str, resource: ResourceRecord, shown: str | None) -> EventDraft:
    """Return the event of a resource whose configuration is applied; `status` is that of the operation in progress."""
    return EventDraft(status, CHECKING, resource.physical_id, shown, detailed=CONFIGURED)
