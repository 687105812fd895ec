"""Validating a model: every validator, then suppressions and severity overrides."""

from collections.abc import Iterable, Sequence

from formwork.smithy.events import Event, Severity
from formwork.smithy.model import Model
from formwork.smithy.suppress import apply_suppressions
from formwork.smithy.validators import CRITICAL, VALIDATORS
from formwork.smithy.validators.context import Validation, Validator


def validate(
    model: Model, *, after: Sequence[Event] = (), extra: Sequence[Validator] = (), keep_going: bool = False
) -> list[Event]:
    """What the validators, and `extra` ones, say about a model.

    `after` is what loading said: where that has an error, a closer look would only hide the cause. `keep_going` runs
    every validator even where the critical ones found errors.
    """
    if any(event.severity is Severity.ERROR for event in after):
        return []
    validation = Validation(model)
    events = _run(validation, CRITICAL)
    if keep_going or not any(event.severity is Severity.ERROR for event in events):
        events += _run(validation, (*VALIDATORS, *extra))
    return apply_suppressions(model, events)


def _run(validation: Validation, validators: Iterable[Validator]) -> list[Event]:
    return [event for validator in validators for event in validator(validation)]
