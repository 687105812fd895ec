"""What hooks of stacks and change sets look at, at a URL: it can be larger than a request may be.

Source: the service's hooks guide, "Evaluating stack operations", "Evaluating change set operations".
"""

import base64
import json
from collections.abc import Mapping
from typing import Any, Protocol

from formwork.aws.scope import Scope


class Payloads(Protocol):
    """Stores payloads where a handler can fetch them."""

    def publish(self, scope: Scope, name: str, payload: Mapping[str, Any]) -> str:
        """Store a payload and return its URL, valid for an hour; the same `name` again replaces it."""
        ...

    def withdraw(self, scope: Scope, name: str) -> None:
        """Delete the payload."""
        ...


class InlinePayloads:
    """Puts payloads into the URL itself; used where no payload store is configured."""

    def publish(self, scope: Scope, name: str, payload: Mapping[str, Any]) -> str:
        """Return a data: URL."""
        del scope, name
        return "data:application/json;base64," + base64.b64encode(json.dumps(payload).encode()).decode()

    def withdraw(self, scope: Scope, name: str) -> None:
        """Do nothing: nothing is stored."""


def stack_payload(action: str, template: str | None, previous: str | None) -> dict[str, Any]:
    """What hooks of stacks look at: the templates as they were given, none for deletes."""
    if action == "DELETE":
        return {"template": "", "previousTemplate": ""}
    return {"template": template or "", "previousTemplate": previous or ""}


_ACTIONS = {"Add": "CREATE", "Import": "CREATE", "Remove": "DELETE"}


def change_set_payload(template: str, changes: list[dict[str, Any]]) -> dict[str, Any]:
    """What hooks of change sets look at; `changes` are the change set's own, with property values."""
    from formwork.documents import parse_document  # noqa: PLC0415 - beside its only use

    document = parse_document(template, name="template", short_tags=True)
    declared = document.value.get("Resources", {}) if isinstance(document.value, Mapping) else {}

    def changed(change: Mapping[str, Any]) -> dict[str, Any]:
        name, action = change["logical_id"], _ACTIONS.get(change["action"], "UPDATE")
        start = document.locate(("Resources", name), key=True).start if name in declared else None
        return {
            "logicalResourceId": name,
            "resourceType": change["type"],
            "action": action,
            "lineNumber": None if action == "DELETE" or start is None else start.line,
            "beforeContext": _context(change["before_context"]),
            "afterContext": _context(change["after_context"]),
        }

    return {"template": template, "changedResources": [changed(each) for each in changes]}


def _context(context: Any) -> str | None:
    return None if context is None else json.dumps(context, separators=(",", ":"))
