"""The timeline of an operation: a bar for each resource, made of its events and of the calls of its handlers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from formwork.console.exchanges import RecordedExchange
from formwork.console.views.statuses import status_kind
from formwork.stacks.store.records import EventRecord

_HOOK_ENDS = ("HOOK_COMPLETE_SUCCEEDED", "HOOK_COMPLETE_FAILED", "HOOK_FAILED")


@dataclass(slots=True)
class TimelineSegment:
    """A part of a bar; `kind` is its colour, `left` and `width` are percentages of the operation's time."""

    kind: str
    label: str
    start: float
    end: float | None
    left: float = 0.0
    width: float = 0.0


@dataclass(slots=True)
class TimelineRow:
    """The bar of a resource; `seconds` is the time from its first event to its last."""

    logical_id: str
    type: str
    status: str
    reason: str | None
    first: float
    last: float
    segments: list[TimelineSegment] = field(default_factory=list)
    critical: bool = False

    @property
    def seconds(self) -> float:
        """The time from the first event to the last."""
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class OperationTimeline:
    """All bars of an operation, in the order of their first events, and the time that they span."""

    rows: Sequence[TimelineRow]
    start: float
    end: float

    @property
    def seconds(self) -> float:
        """The time that the bars span."""
        return self.end - self.start


def operation_timeline(
    events: Iterable[EventRecord],
    stack_name: str,
    *,
    exchanges: Mapping[str, Sequence[RecordedExchange]],
    graph: Mapping[str, Sequence[str]],
    now: float | None,
) -> OperationTimeline | None:
    """Return the timeline of an operation's events, the oldest first; None where there are none.

    `exchanges` are those with the handlers of each resource, `graph` are the dependencies of resources. `now` is the
    time up to which bars of a running operation extend, None where it has ended.
    """
    found = list(events)
    if not found:
        return None
    start = found[0].time
    end = max(found[-1].time, now or 0.0, start + 0.001)
    rows: dict[str, TimelineRow] = {}
    undoing = False
    for event in found:
        if event.logical_id == stack_name:
            undoing = undoing or "ROLLBACK" in event.status
            continue
        _add(rows, event, undoing=undoing)
    for name, row in rows.items():
        if row.first > start:
            row.segments.insert(0, TimelineSegment("wait", "waiting", start, row.first))
        row.segments += _calls(exchanges.get(name, ()), start, end)
        _close(row, end if now is not None else row.last)
        for each in row.segments:
            until = end if each.end is None else each.end
            each.left = 100 * (each.start - start) / (end - start)
            each.width = max(100 * (until - each.start) / (end - start), 0.15)
    for name in critical_path(rows, graph):
        rows[name].critical = True
    return OperationTimeline(list(rows.values()), start, end)


def critical_path(rows: Mapping[str, TimelineRow], graph: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the chain of dependencies that ends last: what the operation's duration depends on, the last one first."""
    path: list[str] = []
    name = max(rows, key=lambda each: rows[each].last, default=None)
    while name is not None and name not in path:
        path.append(name)
        before = [each for each in graph.get(name, ()) if each in rows]
        name = max(before, key=lambda each: rows[each].last, default=None)
    return path


def _add(rows: dict[str, TimelineRow], event: EventRecord, *, undoing: bool) -> None:
    name, details = event.logical_id, event.details
    row = rows.get(name)
    if row is None:
        row = rows[name] = TimelineRow(name, event.type, event.status, event.reason, event.time, event.time)
    row.last = event.time
    if details.hook_type is not None:
        _add_hook(row, event)
        return
    row.status, row.type = event.status or row.status, event.type
    row.reason = event.reason or (None if event.status.endswith("_COMPLETE") else row.reason)
    running = _running(row, "hook", hook=False)
    if event.status.endswith("_IN_PROGRESS"):
        if running is None:
            kind = "undone" if undoing or event.status.startswith("DELETE") else "busy"
            row.segments.append(TimelineSegment(kind, event.status, event.time, None))
        return
    if running is not None:
        running.end, running.label = event.time, event.status
        if status_kind(event.status) == "bad":
            running.kind = "bad"
        elif running.kind == "busy":
            running.kind = "good"


def _add_hook(row: TimelineRow, event: EventRecord) -> None:
    details = event.details
    running = _running(row, "hook", hook=True)
    if details.hook_status in _HOOK_ENDS:
        if running is not None:
            running.end = event.time
            running.label = f"{details.hook_type}: {details.hook_status}"
            if details.hook_status != "HOOK_COMPLETE_SUCCEEDED":
                running.kind = "hook bad"
        row.reason = details.hook_reason or row.reason
    elif running is None:
        row.segments.append(TimelineSegment("hook", str(details.hook_type), event.time, None))


def _running(row: TimelineRow, kind: str, *, hook: bool) -> TimelineSegment | None:
    """Return the last segment that has not ended, of hooks or of the resource itself."""
    for each in reversed(row.segments):
        if each.end is None and each.kind.startswith(kind) is hook:
            return each
    return None


def _calls(exchanges: Sequence[RecordedExchange], start: float, end: float) -> list[TimelineSegment]:
    return [
        TimelineSegment(
            "call",
            f"{each.action} call, {each.status or each.problem}",
            max(start, each.time - each.seconds),
            each.time,
        )
        for each in reversed(exchanges)
        if start <= each.time <= end
    ]


def _close(row: TimelineRow, end: float) -> None:
    """End the segments that no event has ended: at the end of the time that is shown."""
    for each in row.segments:
        if each.end is None:
            each.end = max(end, each.start)
            row.last = max(row.last, end)
