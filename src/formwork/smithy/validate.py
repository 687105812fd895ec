"""Validating a model: every validator, then suppressions and severity overrides."""

from collections.abc import Callable, Iterable, Sequence

from formwork.smithy.events import Event
from formwork.smithy.model import Model

Validator = Callable[[Model], Iterable[Event]]


def validate(model: Model, *, after: Sequence[Event] = (), extra: Sequence[Validator] = ()) -> list[Event]:
    """What the validators say about a model that loading said `after` about."""
    return [event for validator in extra for event in validator(model) if event not in after]
