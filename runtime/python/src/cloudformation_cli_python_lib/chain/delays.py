"""How long to wait before the next attempt: pure functions of the attempt's number.

A delay holds no state, so that one object can serve every request of a warm container and a cold one gives the same
answer. `seconds(attempt)` is the wait after attempt 1, 2, …, or None when the waits up to there would exceed `timeout`.

    Constant(5, timeout=1200)            5, 5, 5, …
    Exponential(timeout=60)              2, 4, 8, 16, …
    CappedExponential(timeout=600)       2, 4, 8, 16, 20, 20, …
    MultipleOf(5, timeout=600)           5, 10, 20, 30, …         delay x (attempt - 1) x multiple
    ShiftBy(5, timeout=600)              5, 15, 35, 65, …         the sums of those
    Blended(a, b)                        a until it ends, then b, the attempts counted on
"""

from __future__ import annotations


class Delay:
    """A schedule of waits; `timeout` is in seconds."""

    timeout: float

    @property
    def horizon(self) -> float:
        """The most seconds that may really pass, waits and calls together."""
        return self.timeout

    def wait(self, attempt: int) -> float:
        """The wait after this attempt, in seconds, whatever came before."""
        raise NotImplementedError

    def seconds(self, attempt: int, first: int = 1) -> float | None:
        """The wait after `attempt`, counted from attempt `first`, or None when it ends beyond the timeout."""
        spent = sum(self.wait(earlier) for earlier in range(first, attempt + 1))
        return self.wait(attempt) if spent <= self.timeout else None


class Constant(Delay):
    """The same wait each time."""

    def __init__(self, delay: float = 5.0, *, timeout: float) -> None:
        self.delay = _positive("delay", delay)
        self.timeout = _positive("timeout", timeout)

    def wait(self, attempt: int) -> float:  # noqa: ARG002 - the same each time
        """The wait."""
        return self.delay

    def seconds(self, attempt: int, first: int = 1) -> float | None:
        """The wait while all of them fit into the timeout; without adding up what may be thousands."""
        return self.delay if self.delay * (attempt - first + 1) <= self.timeout else None


class Exponential(Delay):
    """`power ** attempt`, at least `minimum`."""

    def __init__(self, *, timeout: float, power: float = 2.0, minimum: float = 0.0) -> None:
        self.power = _positive("power", power)
        self.minimum = minimum
        self.timeout = _positive("timeout", timeout)

    def wait(self, attempt: int) -> float:
        """The wait after this attempt."""
        return max(self.minimum, _power(self.power, attempt))


class CappedExponential(Delay):
    """`power ** attempt`, between `minimum` and `maximum`."""

    def __init__(self, *, timeout: float, power: float = 2.0, minimum: float = 1.0, maximum: float = 20.0) -> None:
        self.power = _positive("power", power)
        self.minimum = minimum
        self.maximum = _positive("maximum", maximum)
        self.timeout = _positive("timeout", timeout)

    def wait(self, attempt: int) -> float:
        """The wait after this attempt."""
        return min(self.maximum, max(self.minimum, _power(self.power, attempt)))


class MultipleOf(Delay):
    """`delay` first, then `delay x (attempt - 1) x multiple`."""

    def __init__(self, delay: float = 5.0, *, timeout: float, multiple: float = 2.0) -> None:
        self.delay = _positive("delay", delay)
        self.multiple = _positive("multiple", multiple)
        self.timeout = _positive("timeout", timeout)

    def wait(self, attempt: int) -> float:
        """The wait after this attempt."""
        return self.delay if attempt == 1 else self.delay * (attempt - 1) * self.multiple


class ShiftBy(MultipleOf):
    """Each wait is the sum of MultipleOf's waits so far, and `timeout` bounds the longest."""

    def seconds(self, attempt: int, first: int = 1) -> float | None:
        """The wait after this attempt, or None when it is beyond the timeout."""
        shifted = sum(self.wait(earlier) for earlier in range(first, attempt + 1))
        return shifted if shifted <= self.timeout else None

    @property
    def horizon(self) -> float:
        """All of its waits together, which is more than its timeout."""
        total, attempt = 0.0, 1
        while (wait := self.seconds(attempt)) is not None:
            total, attempt = total + wait, attempt + 1
        return max(self.timeout, total)


class Blended(Delay):
    """One delay after the other: quick attempts first, patient ones later."""

    def __init__(self, *parts: Delay) -> None:
        if not parts:
            raise ValueError("a blended delay needs at least one part")
        self.parts = parts
        self.timeout = sum(part.timeout for part in parts)

    @property
    def horizon(self) -> float:
        """The parts' together."""
        return sum(part.horizon for part in self.parts)

    def seconds(self, attempt: int, first: int = 1) -> float | None:
        """The wait of the part that this attempt falls into, or None after the last."""
        start = first
        for part in self.parts:
            while start <= attempt:
                wait = part.seconds(start, first)
                if wait is None:
                    break
                if start == attempt:
                    return wait
                start += 1
            first = start
        return None


_LONGEST = 10.0**9  # beyond any timeout; keeps powers of late attempts from overflowing


def _power(power: float, attempt: int) -> float:
    try:
        return min(_LONGEST, power**attempt)
    except OverflowError:
        return _LONGEST


def _positive(name: str, value: float) -> float:
    if not value > 0:
        raise ValueError(f"{name} is {value}; it must be more than 0")
    return value
