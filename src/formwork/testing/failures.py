"""The failures of acceptance tests, with what explains them: resource, property, before and after, exchange, replay."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from formwork.invoke import Exchange
from formwork.testing.observed import show_value

_MOST_LOG_LINES = 30
_WIDTH = 11
_UNSHOWN = frozenset({"callerCredentials", "providerCredentials", "credentials", "systemTags", "previousSystemTags"})


class AcceptanceFailure(AssertionError):  # noqa: N818 - a failed test, as pytest and unittest report it
    """Something that a test expects of a stack is not the case; the text is the report."""


class StepFinding(Struct):
    """What is wrong: `title` says it, the other fields explain it where they are known."""

    title: str
    stack: str = ""
    resource: str = ""
    logical_id: str = ""
    changes: list[tuple[str, Any, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    action: str = ""  # of the exchange that explains it; the last one where it is empty


def render(finding: StepFinding, exchanges: Sequence[Exchange], replays: Sequence[str]) -> str:
    """Return the report of a finding; of the exchanges the last one is shown."""
    return "\n".join(_lines(finding, exchanges, replays))


def _lines(finding: StepFinding, exchanges: Sequence[Exchange], replays: Sequence[str]) -> Iterator[str]:
    yield finding.title
    if finding.stack:
        yield _row("stack", finding.stack)
    if finding.resource:
        yield _row("resource", finding.resource)
    for path, before, after in finding.changes:
        yield _row("property", path)
        yield _row("before", show_value(before))
        yield _row("after", show_value(after))
    for note in finding.notes:
        yield _row("note", note)
    if exchanges:
        yield from _exchange_lines(exchanges[-1])
    for name, command in zip(("replay", *[""] * len(replays)), replays, strict=False):
        yield _row(name, command)


def _row(name: str, text: str) -> str:
    head = f"  {name + ':' if name else '':<{_WIDTH}}"
    return head + text.replace("\n", "\n" + " " * len(head))


def _exchange_lines(last: Exchange) -> Iterator[str]:
    yield _row("exchange", f"{action_of(last.request)} → {last.status or last.problem}, {last.answer.seconds:.2f} s")
    yield _row("request", show_value(_shown(last.request), 2000))
    answer = last.event if last.event is not None else last.answer.body.decode("utf-8", "replace")
    yield _row("answer", show_value(answer, 2000))
    log = last.answer.log.strip().splitlines()
    if log:
        left = len(log) - _MOST_LOG_LINES
        shown = [*([f"… {left} lines before"] if left > 0 else []), *log[-_MOST_LOG_LINES:]]
        yield _row("log", "\n".join(shown))


def action_of(request: Mapping[str, Any]) -> str:
    """Return the action of a request, or the invocation point of a hook's."""
    return str(request.get("action") or request.get("actionInvocationPoint") or "")


def _shown(request: Mapping[str, Any]) -> dict[str, Any]:
    data = request.get("requestData", {})
    data = data if isinstance(data, Mapping) else {}
    kept = {name: each for name, each in data.items() if name not in _UNSHOWN and each not in (None, {})}
    shown = {"action": action_of(request), "requestData": kept}
    if request.get("callbackContext"):
        shown["callbackContext"] = request["callbackContext"]
    return shown


def invoke_command(exchange: Exchange, project: Path, folder: Path) -> str:
    """Write the request of an exchange into a folder, and return the command that sends it to a project's handlers."""
    data = exchange.request.get("requestData", {})
    action = action_of(exchange.request)
    if "actionInvocationPoint" in exchange.request:
        kind, value = "hook", {"targetName": data.get("targetName"), "targetModel": data.get("targetModel")}
    else:
        kind = "resource"
        value = {
            "desiredResourceState": data.get("resourceProperties"),
            "previousResourceState": data.get("previousResourceProperties"),
        }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{action.lower()}-request.json"
    file.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    return f"cd {shlex.quote(str(project))} && cfn invoke {kind} {shlex.join([action, str(file)])}"
