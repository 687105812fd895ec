"""Events and changes of stacks as lines, for people; a person's terminal gets them in colour."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from formwork.diagnostics.visible import TerminalText, painted, visible

_RED, _GREEN, _YELLOW = "31", "32", "33"
_CHANGES = {"Add": _GREEN, "Remove": _RED, "Import": _GREEN}


def event_line(event: Mapping[str, Any], *, colour: bool = False) -> TerminalText:
    """Return an event as a line: time, resource, status and reason."""
    shown = painted(event["ResourceStatus"], _status_colour(event), colour=colour)
    moment = event["Timestamp"].strftime("%H:%M:%S")
    line = f"{moment}  {visible(event['LogicalResourceId'])}  {shown}  {visible(event['ResourceType'])}"
    if hook := event.get("HookType"):
        line += f"  [{visible(hook)}: {painted(event.get('HookStatus', ''), _status_colour(event), colour=colour)}]"
    reason = event.get("HookStatusReason") or event.get("ResourceStatusReason")
    return TerminalText(f"{line}  {visible(reason)}" if reason else line)


def changes_of(change_set: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the `ResourceChange` of each change in a change set."""
    return [each["ResourceChange"] for each in change_set.get("Changes", ())]


def change_lines(change: Mapping[str, Any], *, colour: bool = False) -> Iterator[TerminalText]:
    """Yield the lines of a change: the resource's action, one line per property, and a nested stack's changes."""
    replacement = change.get("Replacement")
    line = f"{change['Action']} {change['LogicalResourceId']} ({change['ResourceType']})"
    replaced = replacement not in {None, "False"}
    if replaced:
        line += f", replacement: {replacement}"
    yield painted(line, _RED if replaced else _CHANGES.get(change["Action"], _YELLOW), colour=colour)
    for each in changed_properties(change):
        before, after = each["before"], each["after"]
        shown = f"{each['path']}: {_value(before)} → {_value(after)}" if before or after else str(each["path"])
        again = "  (replacement)" if each["recreation"] == "Always" else ""
        yield TerminalText(visible(f"    {shown}{again}"))
    for nested in changes_of(change.get("Nested", {})):
        yield from (TerminalText(f"    {each}") for each in change_lines(nested, colour=colour))


def changed_properties(change: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the changed properties of a resource, each once, with the values before and after if they are known."""
    shown: set[str] = set()
    for detail in change.get("Details", ()):
        target = detail["Target"]
        place = target.get("Path") or target["Attribute"]
        if place not in shown:
            shown.add(place)
            yield {
                "path": place,
                "before": target.get("BeforeValue"),
                "after": target.get("AfterValue"),
                "recreation": target.get("RequiresRecreation"),
            }


def change_value(change: Mapping[str, Any]) -> dict[str, Any]:
    """Return a change as a JSON value; a nested stack's contains the changes of its own change set."""
    nested = {"changes": [change_value(each) for each in changes_of(change["Nested"])]} if "Nested" in change else {}
    return {
        "action": change["Action"],
        "logicalId": change["LogicalResourceId"],
        "physicalId": change.get("PhysicalResourceId"),
        "type": change["ResourceType"],
        "replacement": change.get("Replacement"),
        "properties": list(changed_properties(change)),
        **nested,
    }


def plain_value(value: Any) -> str:
    """Return the text for a value that JSON can't represent: a time in ISO 8601, else `str(value)`."""
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _status_colour(event: Mapping[str, Any]) -> str:
    status = str(event.get("HookStatus") or event["ResourceStatus"])
    if status.endswith("FAILED") or "ROLLBACK" in status:
        return _RED
    return _YELLOW if status.endswith("_IN_PROGRESS") else _GREEN


def _value(value: str | None) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)
