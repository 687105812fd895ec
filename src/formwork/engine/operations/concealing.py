"""Handlers' answers as they may be stored: without the secrets that dynamic references gave.

What a reference gave stands in a model as the reference again; whoever needs the value resolves it anew.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from formwork.engine.operations.step import Step
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome
from formwork.provisioning.references import conceal, refers_to_secrets
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import ResourceRecord


def concealed_outcome(outcome: Outcome, call: HandlerCall, doing: ResourceRecord) -> Outcome:
    """The outcome of a call that was made with the resource's properties, resolved."""
    if isinstance(outcome, Failed) or outcome.model is None:
        return outcome
    return replace(outcome, model=conceal(dict(outcome.model), call.desired, dict(doing.properties)))


def concealed_model(step: Step, doing: ResourceRecord, model: Mapping[str, Any]) -> Mapping[str, Any]:
    """The model that was read of a resource."""
    if not refers_to_secrets(doing.properties):
        return model
    try:
        resolved = step.resolve(doing.properties)
    except StackError:  # gone since the handler got it
        return model
    return cast("Mapping[str, Any]", conceal(dict(model), resolved, dict(doing.properties)))
