"""The timeline of an operation: a bar for each resource, made of its events and of the calls of its handlers."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from formwork.console.exchanges import RecordedExchange
from formwork.console.running_calls import RunningCall
from formwork.console.views.phases import TimelineSegment, handler_phases, total_seconds
from formwork.console.views.statuses import status_kind
from formwork.stacks.store.records import EventRecord

_HOOK_ENDS = ("HOOK_COMPLETE_SUCCEEDED", "HOOK_COMPLETE_FAILED", "HOOK_FAILED")
_CONFIGURED = "CONFIGURATION_COMPLETE"  # the detailed status of an event after which a resource becomes stable
_MOST_TICKS = 8
_MILLISECONDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_MINUTES = (1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440, 2880, 5760)
_STEPS = (*(each / 1000 for each in _MILLISECONDS), 1, 2, 5, 10, 15, 30, *(60 * each for each in _MINUTES))
_LEAST_WIDTH = 0.15  # percent: what is shorter could not be seen


class TimelineRow(Struct):
    """The bar of a resource; `seconds` is the time from its first event to its last, `status` is "" before the first.

    `segments` are drawn as the bar, `phases` (calls of handlers, waiting for callbacks, becoming stable) inside it.
    """

    logical_id: str
    type: str
    status: str
    reason: str | None
    first: float
    last: float
    segments: list[TimelineSegment] = field(default_factory=list)
    phases: list[TimelineSegment] = field(default_factory=list)
    configured: float | None = None
    critical: bool = False

    @property
    def seconds(self) -> float:
        """The time from the first event to the last."""
        return self.last - self.first

    @property
    def breakdown(self) -> list[tuple[str, float]]:
        """The time by what it was spent on, the same parts as those that are drawn."""
        return total_seconds([*self.segments, *self.phases])


class OperationTimeline(Struct, frozen=True):
    """All bars of an operation, in the order of their first events, and the time that they span.

    `stack` is the bar of the operation itself, `pending` are the resources that have not begun, each with those that it
    waits for. `ticks` are the marks of the axis: percentages and seconds. `path` is the critical path, in its order.
    """

    stack: TimelineRow
    rows: Sequence[TimelineRow]
    pending: Sequence[tuple[str, Sequence[str]]]
    path: Sequence[TimelineRow]
    ticks: Sequence[tuple[float, float]]
    start: float
    end: float

    @property
    def seconds(self) -> float:
        """The time that the bars span."""
        return self.end - self.start

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How many resources are in each kind of status."""
        kinds = [status_kind(each.status) for each in self.rows] + ["waiting"] * len(self.pending)
        order = ("bad", "busy", "waiting", "undone", "good", "gone", "idle")
        return [(kind, kinds.count(kind)) for kind in order if kind in kinds]


def operation_timeline(  # noqa: PLR0913 - what the bars are made of
    events: Iterable[EventRecord],
    stack_name: str,
    *,
    exchanges: Mapping[str, Sequence[RecordedExchange]],
    running: Sequence[RunningCall] = (),
    graph: Mapping[str, Sequence[str]],
    now: float | None,
) -> OperationTimeline | None:
    """Return the timeline of an operation's events, the oldest first; None where there are none.

    `exchanges` are those with the handlers of each resource, the latest first; `running` the calls of handlers
    that have not ended. `graph` is what each resource waits for.
    `now` is the time up to which bars of a running operation extend, None where it has ended.
    """
    found = list(events)
    if not found:
        return None
    start = found[0].time
    end = max(found[-1].time, now or 0.0, start + 0.001)
    stack = TimelineRow(stack_name, found[0].type, "", None, start, start)
    rows: dict[str, TimelineRow] = {}
    for event in found:
        if event.logical_id == stack_name:
            _add_to(stack, event, undoing="ROLLBACK" in stack.status)
        else:
            _add(rows, event, undoing="ROLLBACK" in stack.status)
    _close(stack, end if now is not None else stack.last)
    for name, row in rows.items():
        if row.first > start:
            waited = [each for each in graph.get(name, ()) if each in rows]
            label = f"waiting for {', '.join(waited)}" if waited else "waiting"
            row.segments.insert(0, TimelineSegment("wait", label, start, row.first))
        _close(row, end if now is not None else row.last)
        row.phases = handler_phases(row.segments, exchanges.get(name, ()), row.configured, start, end)
    _add_running(rows, running, start, end)
    for row in (stack, *rows.values()):
        for each in (*row.segments, *row.phases):
            each.place(start, end, least=_LEAST_WIDTH)
    path = [rows[name] for name in reversed(critical_path(rows, graph))]
    for row in path:
        row.critical = True
    pending = _pending(rows, graph) if now is not None and "ROLLBACK" not in stack.status else []
    return OperationTimeline(stack, list(rows.values()), pending, path, axis_ticks(end - start), start, end)


def _add_running(rows: Mapping[str, TimelineRow], running: Iterable[RunningCall], start: float, end: float) -> None:
    for call in running:
        if (row := rows.get(call.logical_id or "")) is not None:
            row.phases.append(TimelineSegment("call", f"{call.action} call, running", max(start, call.began), end))


def critical_path(rows: Mapping[str, TimelineRow], graph: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the chain of dependencies that ends last: what the operation's duration depends on, the last one first."""
    path: list[str] = []
    name = max(rows, key=lambda each: rows[each].last, default=None)
    while name is not None and name not in path:
        path.append(name)
        before = [each for each in graph.get(name, ()) if each in rows]
        name = max(before, key=lambda each: rows[each].last, default=None)
    return path


def axis_ticks(seconds: float) -> list[tuple[float, float]]:
    """Return the marks of an axis of this length, round times apart, as percentages and seconds."""
    step = next((each for each in _STEPS if seconds / each <= _MOST_TICKS), seconds)
    return [(100 * number * step / seconds, number * step) for number in range(int(seconds / step) + 1)]


def _pending(rows: Mapping[str, TimelineRow], graph: Mapping[str, Sequence[str]]) -> list[tuple[str, Sequence[str]]]:
    """Return the resources without events, and which of their dependencies are not complete."""

    def waits_for(name: str) -> bool:
        return name not in rows or not rows[name].status.endswith("_COMPLETE")

    return [(name, [each for each in graph[name] if waits_for(each)]) for name in graph if name not in rows]


def _add(rows: dict[str, TimelineRow], event: EventRecord, *, undoing: bool) -> None:
    name, details = event.logical_id, event.details
    row = rows.get(name)
    if row is None:
        row = rows[name] = TimelineRow(name, event.type, event.status, event.reason, event.time, event.time)
    if details.hook_type is not None:
        row.last = event.time
        _add_hook(row, event)
        return
    if details.detailed == _CONFIGURED and row.configured is None:
        row.configured = event.time
    _add_to(row, event, undoing=undoing)


def _add_to(row: TimelineRow, event: EventRecord, *, undoing: bool) -> None:
    """Continue, end or begin the segments of a bar by an event that is not about a hook."""
    row.last, row.type = event.time, event.type
    row.status = event.status or row.status
    row.reason = event.reason or (None if event.status.endswith("_COMPLETE") else row.reason)
    running = _running(row, hook=False)
    if event.status.endswith("_IN_PROGRESS"):
        if running is not None and _same_work(running.label, event.status):
            return  # for example CREATE_IN_PROGRESS again, with the physical id
        if running is not None:
            _end(running, event.time, running.label)
            running.kind = "bad" if "ROLLBACK" in event.status else running.kind
        undoing = undoing or event.status.startswith("DELETE") or "ROLLBACK" in event.status
        row.segments.append(TimelineSegment("undone" if undoing else "busy", event.status, event.time, None))
    elif running is not None:
        _end(running, event.time, event.status)


def _same_work(one: str, other: str) -> bool:
    return one.partition("_")[0] == other.partition("_")[0] and ("ROLLBACK" in one) is ("ROLLBACK" in other)


def _end(running: TimelineSegment, time: float, label: str) -> None:
    running.end, running.label = time, label
    if running.kind == "undone":
        running.kind = "bad" if label.endswith("_FAILED") else "undone"
    elif status_kind(label) == "bad":
        running.kind = "bad"
    elif running.kind == "busy":
        running.kind = "good"


def _add_hook(row: TimelineRow, event: EventRecord) -> None:
    details = event.details
    running = _running(row, hook=True)
    if details.hook_status in _HOOK_ENDS:
        if running is not None:
            running.end = event.time
            running.label = f"{details.hook_type}: {details.hook_status}"
            if details.hook_status != "HOOK_COMPLETE_SUCCEEDED":
                running.kind = "hook bad"
        row.reason = details.hook_reason or row.reason
    elif running is None:
        row.segments.append(TimelineSegment("hook", str(details.hook_type), event.time, None))


def _running(row: TimelineRow, *, hook: bool) -> TimelineSegment | None:
    """Return the last segment that has not ended, of hooks or of the resource itself."""
    for each in reversed(row.segments):
        if each.end is None and each.kind.startswith("hook") is hook:
            return each
    return None


def _close(row: TimelineRow, end: float) -> None:
    """End the segments that no event has ended: at the end of the time that is shown."""
    for each in row.segments:
        if each.end is None:
            each.end = max(end, each.start)
            row.last = max(row.last, end)
