"""The parts of a timeline's bar: what a resource's time was spent on."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from formwork.console.exchanges import RecordedExchange

_CHANGES = frozenset({"CREATE", "UPDATE", "DELETE"})
_LABELS = {
    "wait": "waiting",
    "hook": "hooks",
    "call": "handler calls",
    "callback": "waiting for callbacks",
    "stable": "stabilization",
}


class TimelineSegment(Struct):
    """A part of a bar; `kind` is its colour, `left` and `width` are percentages of the operation's time."""

    kind: str
    label: str
    start: float
    end: float | None
    left: float = 0.0
    width: float = 0.0

    def place(self, start: float, end: float, *, least: float) -> None:
        """Set the percentages for an axis from `start` to `end`; the width is at least `least`."""
        until = end if self.end is None else self.end
        self.left = 100 * (self.start - start) / (end - start)
        self.width = max(100 * (until - self.start) / (end - start), least)


def handler_phases(
    segments: Sequence[TimelineSegment],
    exchanges: Sequence[RecordedExchange],
    configured: float | None,
    start: float,
    end: float,
) -> list[TimelineSegment]:
    """Return the calls of handlers between two times, and what follows them inside the segments of the bar.

    After an answer IN_PROGRESS the resource waits for the callback, after SUCCESS it becomes stable. `exchanges` are
    the latest first; `configured` is when the resource was created but not stable yet, where an event says so.
    """
    inside = [each for each in reversed(exchanges) if start <= each.time <= end]
    found = [_call(each, start) for each in inside]
    for segment in segments:
        if segment.kind.startswith(("wait", "hook")):
            continue
        until = end if segment.end is None else segment.end
        own = [each for each in inside if segment.start <= each.time <= until and each.action in _CHANGES]
        found += _callbacks(own, until)
        ready = next((each.time for each in own if each.status == "SUCCESS"), None)
        if ready is None and configured is not None and segment.start <= configured <= until:
            ready = configured
        if ready is not None and ready < until:
            found.append(TimelineSegment("stable", "stabilization", ready, until))
    return found


def total_seconds(segments: Iterable[TimelineSegment]) -> list[tuple[str, float]]:
    """Return the time of each kind of segment that has a name of its own."""
    totals: dict[str, float] = {}
    for each in segments:
        kind = each.kind.partition(" ")[0]
        if kind in _LABELS and each.end is not None:
            totals[kind] = totals.get(kind, 0.0) + each.end - each.start
    return [(label, totals[kind]) for kind, label in _LABELS.items() if kind in totals]


def _call(exchange: RecordedExchange, start: float) -> TimelineSegment:
    label = f"{exchange.action} call, {exchange.status or exchange.problem}"
    return TimelineSegment("call", label, max(start, exchange.time - exchange.seconds), exchange.time)


def _callbacks(own: Sequence[RecordedExchange], until: float) -> Iterator[TimelineSegment]:
    for at, each in enumerate(own):
        if each.status != "IN_PROGRESS":
            continue
        called = own[at + 1].time - own[at + 1].seconds if at + 1 < len(own) else until
        if called > each.time:
            yield TimelineSegment("callback", f"waiting for the next call of {each.action}", each.time, called)
