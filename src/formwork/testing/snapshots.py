"""Snapshots: plans, events and templates as texts that are the same in every run, compared with files beside the tests.

The reasons for files of our own are in docs/decisions/1333.
"""

import dataclasses
import difflib
import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from formwork.testing.failures import AcceptanceFailure
from formwork.testing.observed import ABSENT, PlannedChange, StackEvent, StackResource

FOLDER = "__snapshots__"
UPDATE_VARIABLE = "FORMWORK_UPDATE_SNAPSHOTS"
_UNNAMED = re.compile(r"[^A-Za-z0-9_.-]+")
# What differs between two runs: each match gets a name and, in the order of the first appearance, a number.
_VARYING = (
    ("time", re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?")),
    ("uuid", re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")),
    ("token", re.compile(r"\b[0-9a-f]{32,64}\b")),
    ("url", re.compile(r"\bhttps?://127\.0\.0\.1:\d+")),
)


class Normalizer:
    """Replaces what differs between two runs of a test by names: `account`, and the random ends of physical ids."""

    def __init__(self, *, account: str, physical_ids: Iterable[str] = ()) -> None:
        self._account = account
        self._ids = sorted(physical_ids, key=len, reverse=True)
        self._found: dict[str, str] = {}

    def text(self, text: str) -> str:
        """Return a text with names in place of what differs."""
        for physical_id in self._ids:
            head, dash, tail = physical_id.rpartition("-")
            if dash and _is_random(tail):
                text = text.replace(physical_id, f"{head}-<random>")
        for name, pattern in _VARYING:
            text = pattern.sub(lambda match, name=name: self._named(name, match[0]), text)  # type: ignore[misc]
        return text.replace(self._account, "<account>")

    def _named(self, name: str, value: str) -> str:
        if name == "time":
            return "<time>"
        key = f"{name} {value}"
        if key not in self._found:
            number = sum(known.startswith(f"{name} ") for known in self._found) + 1
            self._found[key] = f"<{name}-{number}>"
        return self._found[key]


def _is_random(text: str) -> bool:
    """Whether the end of a physical id was chosen by CloudFormation: twelve letters and digits of several kinds."""
    kinds = (str.islower, str.isupper, str.isdigit)
    return len(text) >= 10 and text.isalnum() and sum(any(map(kind, text)) for kind in kinds) >= 2


def render_value(value: Any) -> str:
    """Return a value as the text of a snapshot: events by resource, plans by change, other values as JSON."""
    if isinstance(value, str):
        return value if value.endswith("\n") else f"{value}\n"
    if isinstance(value, (list, tuple)) and value and all(isinstance(each, StackEvent) for each in value):
        return _events(value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(each, PlannedChange) for each in value):
        return "".join(sorted(_plan_lines(change) for change in value))
    return json.dumps(_plain(value), indent=2, sort_keys=True, default=str) + "\n"


def _events(events: Iterable[StackEvent]) -> str:
    """Return the events by resource: resources that do not wait for each other have no order among them."""
    lines: dict[str, list[str]] = {}
    for event in events:
        about = f"{event.logical_id}  {event.type}"
        hook = f"  {event.hook} {event.hook_status}" if event.hook else ""
        reason = event.hook_reason or event.reason
        lines.setdefault(about, []).append(f"  {event.status}{hook}{f': {reason}' if reason else ''}\n")
    return "".join(f"{about}\n{''.join(lines[about])}" for about in sorted(lines))


def _plan_lines(change: PlannedChange) -> str:
    how = f", replacement {change.replacement}" if change.replacement else ""
    head = f"{change.action} {change.logical_id}  {change.type}{how}\n"
    rows = (f"  {each.path}: {_shown(each.before)} → {_shown(each.after)}\n" for each in change.properties)
    return head + "".join(sorted(rows))


def _shown(value: Any) -> str:
    return value if value == ABSENT else json.dumps(value)


def _plain(value: Any) -> Any:
    if isinstance(value, StackResource):
        return {"logical_id": value.logical_id, "physical_id": value.physical_id, "type": value.type}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


class Snapshots:
    """The snapshots of one test, in files `__snapshots__/MODULE/TEST.NAME.txt` beside its module.

    With `update`, or FORMWORK_UPDATE_SNAPSHOTS=1 in the environment, files are written instead of compared.
    """

    def __init__(self, module: Path, test: str, *, update: bool = False) -> None:
        self._folder = module.parent / FOLDER / module.stem
        self._test = _UNNAMED.sub("-", test).strip("-")
        self._update = update or os.environ.get(UPDATE_VARIABLE, "") not in ("", "0")

    def check(self, name: str, text: str) -> None:
        """Compare a text with its file.

        Raises:
            AcceptanceFailure: it is another one, or there is no file.
        """
        __tracebackhide__ = True
        path = self._folder / f"{self._test}.{_UNNAMED.sub('-', name)}.txt"
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        hint = f"write it with `pytest --update-snapshots`, or with {UPDATE_VARIABLE}=1"
        if not path.is_file():
            raise AcceptanceFailure(
                f'the snapshot "{name}" was never written\n  file:      {path}\n  note:      {hint}'
            )
        before = path.read_text(encoding="utf-8")
        if before != text:
            lines = difflib.unified_diff(before.splitlines(), text.splitlines(), "snapshot", "now", lineterm="")
            shown = "\n".join(f"    {line}" for line in lines)
            raise AcceptanceFailure(f'the snapshot "{name}" differs\n  file:      {path}\n  note:      {hint}\n{shown}')
