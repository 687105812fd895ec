"""The context of validators: the model, and facts about it that several of them need."""

from collections.abc import Callable, Iterable
from functools import cached_property

from formwork.smithy.bindings import Bindings
from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.model import Model
from formwork.smithy.reachable import reachable_from
from formwork.smithy.selectors.neighbors import Neighbors
from formwork.smithy.shapes import OperationShape, ServiceShape, Shape
from formwork.smithy.values.findings import ValueContext


class Validation:
    """One validation of one model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._closures: dict[str, dict[str, None]] = {}

    @cached_property
    def neighbors(self) -> Neighbors:
        """The relations between shapes."""
        return Neighbors(self.model)

    @cached_property
    def bindings(self) -> Bindings:
        """The bindings of operations' members to properties and identifiers."""
        return Bindings(self.model)

    @cached_property
    def values(self) -> ValueContext:
        """For checking trait values."""
        return ValueContext(self.model, self.neighbors)

    def closure(self, service: ServiceShape) -> dict[str, None]:
        """Return the ids of all shapes that a service leads to."""
        found = self._closures.get(service.id)
        if found is None:
            found = self._closures[service.id] = reachable_from(self.model, [service.id])
        return found

    def operations_of(self, service: ServiceShape) -> list[OperationShape]:
        """Return the operations that are bound to a service, directly or through resources."""
        shapes = (self.model.shapes.get(each) for each in self.closure(service))
        return [shape for shape in shapes if isinstance(shape, OperationShape)]


Validator = Callable[[Validation], Iterable[Event]]


def event(event_id: str, severity: EventSeverity, shape: Shape, message: str, *, trait: str | None = None) -> Event:
    """Return an event about a shape, at the shape's place or at that of one of its traits."""
    return Event(event_id, severity, message, shape.id, shape.trait_place(trait) if trait else shape.place)


def error(event_id: str, shape: Shape, message: str, *, trait: str | None = None) -> Event:
    """Return an ERROR about a shape."""
    return event(event_id, EventSeverity.ERROR, shape, message, trait=trait)


def warning(event_id: str, shape: Shape, message: str, *, trait: str | None = None) -> Event:
    """Return a WARNING about a shape."""
    return event(event_id, EventSeverity.WARNING, shape, message, trait=trait)


def quoted(ids: Iterable[str]) -> str:
    """Ids in backticks, with commas between them."""
    joined = "`, `".join(ids)
    return f"`{joined}`" if joined else ""


def described(shape: Shape) -> str:
    """Return a shape as messages print it: `(string: `ns#Name`)`."""
    return f"({shape.type}: `{shape.id}`)"
