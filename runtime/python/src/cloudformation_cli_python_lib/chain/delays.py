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

from collections.abc import Iterator
from itertools import count, islice


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

    def waits(self, first: int = 1) -> Iterator[float]:
        """The waits after attempt `first` and those that follow, while together they fit into the timeout."""
        spent = 0.0
        for attempt in count(first):
            wait = self.wait(attempt)
            spent += wait
            if spent > self.timeout * _ROUNDING:
                return
            yield wait

    def seconds(self, attempt: int) -> float | None:
        """The wait after `attempt`, or None when the schedule has ended."""
        return next(islice(self.waits(), attempt - 1, None), None)


class Constant(Delay):
    """The same wait each time."""

    def __init__(self, delay: float = 5.0, *, timeout: float) -> None:
        self.delay = _positive("delay", delay)
        self.timeout = _positive("timeout", timeout)

    def wait(self, attempt: int) -> float:  # noqa: ARG002 - the same each time
        """The wait."""
        return self.delay


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

    def waits(self, first: int = 1) -> Iterator[float]:
        """The sums, while each of them fits into the timeout."""
        shifted = 0.0
        for attempt in count(first):
            shifted += self.wait(attempt)
            if shifted > self.timeout * _ROUNDING:
                return
            yield shifted

    @property
    def horizon(self) -> float:
        """All of its waits together, which is more than its timeout."""
        return max(self.timeout, sum(self.waits()))


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

    def waits(self, first: int = 1) -> Iterator[float]:
        """The waits of each part in turn."""
        attempt = first
        for part in self.parts:
            for wait in part.waits(attempt):
                yield wait
                attempt += 1


_ROUNDING = 1 + 1e-9  # sums of tenths are not exact
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
