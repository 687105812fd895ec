"""Removes the values of dynamic references from handlers' answers before they are stored.

The model then contains the reference, which is resolved again when the value is needed.
"""

from collections.abc import Mapping
from typing import Any, cast

from msgspec.structs import replace

from formwork.engine.operations.step import Step
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome
from formwork.provisioning.references import conceal, refers_to_secrets
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import ResourceRecord


def concealed_outcome(outcome: Outcome, call: HandlerCall, doing: ResourceRecord) -> Outcome:
    """Return the outcome of a call whose properties were resolved, without the resolved values."""
    if isinstance(outcome, Failed) or outcome.model is None:
        return outcome
    return replace(outcome, model=conceal(dict(outcome.model), call.desired, dict(doing.properties)))


def concealed_model(step: Step, doing: ResourceRecord, model: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the model of a read, without resolved values."""
    if not refers_to_secrets(doing.properties):
        return model
    try:
        resolved = step.resolve(doing.properties)
    except StackError:  # deleted since the handler received it
        return model
    return cast("Mapping[str, Any]", conceal(dict(model), resolved, dict(doing.properties)))
