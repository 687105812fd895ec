"""Validation events: what loading and validating say about a model."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from formwork.diagnostics import Diagnostic, Location, Severity
from formwork.smithy.places import NOWHERE, SourcePlace


class EventSeverity(StrEnum):
    """How much an event matters; ERROR and DANGER make a model unusable."""

    SUPPRESSED = "SUPPRESSED"
    NOTE = "NOTE"
    WARNING = "WARNING"
    DANGER = "DANGER"
    ERROR = "ERROR"

    @property
    def rank(self) -> int:
        """0 for SUPPRESSED up to 4 for ERROR."""
        return list(EventSeverity).index(self)


class Event(Struct, frozen=True):
    """One finding: `id` is hierarchical (`TraitValue.UnknownMember`), `shape` the absolute id it is about or None."""

    id: str
    severity: EventSeverity
    message: str
    shape: str | None = None
    place: SourcePlace = NOWHERE
    suppression_reason: str | None = None

    @property
    def breaks_model(self) -> bool:
        """Whether nothing may be generated from a model with this event."""
        return self.severity in (EventSeverity.ERROR, EventSeverity.DANGER)

    def is_or_under(self, event_id: str) -> bool:
        """Return whether this event's id equals `event_id` or is a dotted child of it."""
        return self.id == event_id or self.id.startswith(event_id + ".")

    def suppressed(self, reason: str | None) -> "Event":
        """Return the same event, silenced."""
        return replace(self, severity=EventSeverity.SUPPRESSED, suppression_reason=reason)

    def to_diagnostic(self) -> Diagnostic:
        """Return the event as the toolkit's diagnostics show it; the code is `smithy.` and the event id."""
        match self.severity:
            case EventSeverity.ERROR | EventSeverity.DANGER:
                severity = Severity.ERROR
            case EventSeverity.WARNING:
                severity = Severity.WARNING
            case _:
                severity = Severity.INFO
        notes = (f"shape: {self.shape}",) if self.shape else ()
        location = Location() if self.place is NOWHERE else self.place.location
        return Diagnostic(f"smithy.{self.id}", severity, self.message, location, notes=notes)

    def __str__(self) -> str:
        reason = f" ({self.suppression_reason})" if self.suppression_reason else ""
        return f"[{self.severity}] {self.shape or '-'}: {self.message}{reason} | {self.id}"


def model_error(message: str, *, shape: str | None = None, place: SourcePlace = NOWHERE) -> Event:
    """Return an ERROR with the id of everything that is wrong with the files themselves."""
    return Event("Model", EventSeverity.ERROR, message, shape, place)


def model_warning(message: str, *, shape: str | None = None, place: SourcePlace = NOWHERE) -> Event:
    """Return a WARNING with the same id."""
    return Event("Model", EventSeverity.WARNING, message, shape, place)


def describe_unknown_properties(known: tuple[str, ...], unknown: list[str]) -> str:
    """Return the message for members of an object that mean nothing."""
    possible = ", ".join(f"`{each}`" for each in known)
    found = ", ".join(f"`{each}`" for each in unknown)
    return f"Expected an object with possible properties of {possible}, but found additional properties: {found}"
