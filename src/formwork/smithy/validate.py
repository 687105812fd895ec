"""Validating a model: every validator, then suppressions and severity overrides.

Models that AWS publishes apply traits without their definitions. With `--allow-unknown-traits` they are validated, the
findings are warnings, and they are converted; the reference refuses them.
"""

from collections.abc import Iterable, Sequence

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.model import Model
from formwork.smithy.shape_ids import PRELUDE, namespace_of
from formwork.smithy.suppress import apply_suppressions
from formwork.smithy.validators import CORRECTNESS, CRITICAL, VALIDATORS
from formwork.smithy.validators.context import Validation, Validator


def validate(
    model: Model, *, after: Sequence[Event] = (), extra: Sequence[Validator] = (), keep_going: bool = False
) -> list[Event]:
    """Return what loading said (`after`) and what the validators, and `extra` ones, say about a model, in this order.

    Where loading, or one of the first two groups of validators, found an error, a closer look would only hide the
    cause. `keep_going` looks closer even after errors of the second group.
    """
    events = list(after)
    if _has_error(events):
        return events
    validation = Validation(model)
    events += _run(validation, CORRECTNESS)
    if not _has_error(events):
        events += _run(validation, CRITICAL)
        if keep_going or not _has_error(events):
            events += _run(validation, (*VALIDATORS, *extra))
    return apply_suppressions(model, events)


def _has_error(events: Iterable[Event]) -> bool:
    return any(event.severity is EventSeverity.ERROR for event in events)


def _run(validation: Validation, validators: Iterable[Validator]) -> list[Event]:
    found = (event for validator in validators for event in validator(validation))
    return [event for event in found if event.severity is EventSeverity.ERROR or not _is_about_prelude(event)]


def _is_about_prelude(event: Event) -> bool:
    return event.shape is not None and namespace_of(event.shape) == PRELUDE
