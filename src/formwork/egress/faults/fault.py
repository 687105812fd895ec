"""The ways in which a call can be made to fail, and their names."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class FaultKind(StrEnum):
    """What happens to a call."""

    THROTTLE = "throttle"  # it is refused: there were too many
    SERVER_ERROR = "5xx"  # the service fails
    TIMEOUT = "timeout"  # no answer comes, and in the end the connection breaks
    RESET = "reset"  # the connection is reset before the service gets the request
    SLOW = "slow"  # the answer comes late
    STALE = "stale"  # a read after a write shows for a while what was before it
    DENIED = "denied"  # the caller may not do it
    EXPIRED = "expired"  # the caller's credentials have expired
    KILL = "kill"  # the handler's process is killed


class Persistence(StrEnum):
    """How much of a kind of failure there is; of a kill: when it comes."""

    INVOCATION = "invocation"  # the call fails until the invocation ends, however often the client repeats it
    ONCE = "once"
    THRICE = "thrice"
    ALWAYS = "always"  # it and all calls of that name fail until the operation ends
    BEFORE = "before"  # the service gets the request
    AFTER = "after"  # the service has done it, and before the handler knows


_REPEATED = (Persistence.INVOCATION, Persistence.ONCE, Persistence.THRICE, Persistence.ALWAYS)
# The first of each kind is the one that its name alone means.
PERSISTENCES: Mapping[FaultKind, tuple[Persistence, ...]] = {
    FaultKind.THROTTLE: _REPEATED,
    FaultKind.SERVER_ERROR: _REPEATED,
    FaultKind.TIMEOUT: _REPEATED,
    FaultKind.RESET: _REPEATED,
    FaultKind.SLOW: (Persistence.ONCE,),
    FaultKind.STALE: (Persistence.THRICE,),
    FaultKind.DENIED: (Persistence.INVOCATION, Persistence.ALWAYS),
    FaultKind.EXPIRED: (Persistence.INVOCATION, Persistence.ALWAYS),
    FaultKind.KILL: (Persistence.BEFORE, Persistence.AFTER),
}


class Fault(Struct, frozen=True):
    """A way to fail; `str` gives its name: `throttle`, `throttle-always`, `kill-after`."""

    kind: FaultKind
    persistence: Persistence

    def __str__(self) -> str:
        """Return the name; the persistence is left out where it is the kind's first, except of a kill."""
        if self.persistence is PERSISTENCES[self.kind][0] and self.kind is not FaultKind.KILL:
            return str(self.kind)
        return f"{self.kind}-{self.persistence}"


FAULTS: Mapping[str, Fault] = {
    str(fault): fault
    for kind, persistences in PERSISTENCES.items()
    for fault in (Fault(kind, persistence) for persistence in persistences)
}


class Injection(Struct, frozen=True):
    """A failure of one call: the one number `occurrence` (from 1) of those named `call` in an operation."""

    call: str
    occurrence: int
    fault: Fault
