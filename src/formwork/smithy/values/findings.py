"""Findings about values of traits and defaults."""

from msgspec import Struct, field

from formwork.smithy.events import EventSeverity
from formwork.smithy.model import Model
from formwork.smithy.selectors.neighbors import Neighbors


class ValueFinding(Struct, frozen=True):
    """One finding: `path` leads into the value, `suffix` refines the id of the event.

    `of_constraint` tells findings about constraint traits, which an example may break on purpose, from the others.
    """

    path: tuple[str, ...]
    message: str
    severity: EventSeverity = EventSeverity.ERROR
    suffix: str = ""
    of_constraint: bool = False

    @property
    def where(self) -> str:
        """The path as events print it: `.member.0`, "" for the whole value."""
        return "".join(f".{each}" for each in self.path)


class ValueContext(Struct):
    """The context of checks of values."""

    model: Model
    neighbors: Neighbors
    # Zero may be below a range: 1.0 gave numbers that default whatever their range.
    zero_ignores_range: bool = False
    # Whether null stands for "no value" wherever a structure's member is optional.
    allows_null: bool = False
    selected: dict[str, frozenset[str]] = field(default_factory=dict)
