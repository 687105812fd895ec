"""What a test sees of a stack: resources, events, and the changes that a change set plans."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

ABSENT = "(absent)"


@dataclass(frozen=True, slots=True)
class StackResource:
    """A resource of a stack; `properties` reads it through its READ handler, each time anew."""

    logical_id: str
    physical_id: str
    type: str
    status: str
    read: Callable[[], dict[str, Any]] = field(repr=False, compare=False)

    @property
    def properties(self) -> dict[str, Any]:
        """The properties that the READ handler answers."""
        return self.read()


class StackEvent(Struct, frozen=True):
    """An event of a stack; `hook` and `hook_status` belong to a hook's invocation."""

    id: str
    logical_id: str
    physical_id: str
    type: str
    status: str
    reason: str = ""
    hook: str = ""
    hook_status: str = ""
    hook_reason: str = ""

    @property
    def failed(self) -> bool:
        """Whether it reports a failure."""
        return self.status.endswith("_FAILED") or self.hook_status.endswith("FAILED")


class PropertyChange(Struct, frozen=True):
    """The change of one property or attribute; `recreation` is "Never", "Conditionally" or "Always".

    `dynamic` says that its value is known only when the change set is executed.
    """

    path: str
    before: Any
    after: Any
    recreation: str
    dynamic: bool = False


class PlannedChange(Struct, frozen=True):
    """A change of a change set: `action` is "Add", "Modify", "Remove" or "Import"."""

    action: str
    logical_id: str
    type: str
    physical_id: str = ""
    replacement: str = ""
    properties: tuple[PropertyChange, ...] = ()


def read_event(answer: Mapping[str, Any]) -> StackEvent:
    """Return an event of DescribeStackEvents."""
    return StackEvent(
        id=answer["EventId"],
        logical_id=answer.get("LogicalResourceId", ""),
        physical_id=answer.get("PhysicalResourceId", ""),
        type=answer.get("ResourceType", ""),
        status=answer.get("ResourceStatus", ""),
        reason=answer.get("ResourceStatusReason", ""),
        hook=answer.get("HookType", ""),
        hook_status=answer.get("HookStatus", ""),
        hook_reason=answer.get("HookStatusReason", ""),
    )


def read_plan(answer: Mapping[str, Any]) -> tuple[PlannedChange, ...]:
    """Return the changes of DescribeChangeSet."""
    changes = (each["ResourceChange"] for each in answer.get("Changes", ()) if "ResourceChange" in each)
    return tuple(
        PlannedChange(
            action=change["Action"],
            logical_id=change["LogicalResourceId"],
            type=change["ResourceType"],
            physical_id=change.get("PhysicalResourceId", ""),
            replacement=change.get("Replacement", ""),
            properties=tuple(_property_changes(change)),
        )
        for change in changes
    )


def _property_changes(change: Mapping[str, Any]) -> Iterator[PropertyChange]:
    seen = set()
    for detail in change.get("Details", ()):
        target = detail.get("Target", {})
        path = target.get("Path") or f"/{target.get('Attribute', '')}/{target.get('Name', '')}".rstrip("/")
        if path not in seen:
            seen.add(path)
            before, after = (target.get(name, ABSENT) for name in ("BeforeValue", "AfterValue"))
            dynamic = detail.get("Evaluation") == "Dynamic"
            yield PropertyChange(path, before, after, target.get("RequiresRecreation", ""), dynamic)


def show_value(value: Any, longest: int = 300) -> str:
    """Return a value as JSON in one line, cut to a length."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return text if len(text) <= longest else f"{text[: longest - 2]} …"
