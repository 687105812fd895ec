"""A change set as a readable diff: which properties change, why, and what a replacement means."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from formwork.console.views.comparison import ComparedProperty, compare_values

_SOURCES = {
    "ParameterReference": "the parameter {entity}",
    "ResourceReference": "the resource {entity}, which changes its physical id",
    "ResourceAttribute": "the attribute {entity}, which changes",
    "DirectModification": "the template",
    "Automatic": "a nested stack, which may change by itself",
    "NoModification": "no change of the template",
}


class ShownDetail(Struct, frozen=True):
    """A property that changes: its values before and after, where they are known, and the cause."""

    path: str
    before: str | None
    after: str | None
    recreation: str
    cause: str
    drifted: str | None = None


class ShownChange(Struct, frozen=True):
    """What a change set does to one resource; `explanation` is about a replacement or a removal."""

    action: str
    logical_id: str
    physical_id: str | None
    type: str
    replacement: str | None
    explanation: str | None
    details: Sequence[ShownDetail]
    properties: Sequence[ComparedProperty]
    nested: str | None

    @property
    def plan(self) -> str:
        """What happens to the resource: add, change, replace, may replace, remove or import."""
        if self.action == "Modify":
            return {"True": "replace", "Conditional": "may replace"}.get(self.replacement or "", "change")
        return {"Add": "add", "Remove": "remove", "Import": "import"}.get(self.action, self.action.lower())

    @property
    def nested_path(self) -> str | None:
        """The page of the nested stack's change set."""
        if self.nested is None or self.physical_id is None:
            return None
        return f"/stacks/{self.physical_id.rpartition('/')[2]}/change-sets/{self.nested.split('/')[-2]}"


def count_plans(changes: Sequence[ShownChange]) -> list[tuple[str, int]]:
    """Return how many resources each kind of change is for."""
    plans = [each.plan for each in changes]
    order = ("add", "import", "change", "may replace", "replace", "remove")
    return [(each, plans.count(each)) for each in dict.fromkeys((*order, *plans)) if each in plans]


def show_changes(changes: Sequence[Mapping[str, Any]]) -> list[ShownChange]:
    """Return the changes of DescribeChangeSet with IncludePropertyValues."""
    return [_shown(each["ResourceChange"]) for each in changes]


def _shown(change: Mapping[str, Any]) -> ShownChange:
    details = list(_details(change.get("Details") or ()))
    return ShownChange(
        action=change["Action"],
        logical_id=change["LogicalResourceId"],
        physical_id=change.get("PhysicalResourceId"),
        type=change["ResourceType"],
        replacement=change.get("Replacement"),
        explanation=_explanation(change, details),
        details=details,
        properties=compare_values(_properties(change.get("BeforeContext")), _properties(change.get("AfterContext"))),
        nested=change.get("ChangeSetId"),
    )


def _properties(context: str | None) -> Any:
    value = json.loads(context) if context else {}
    return value.get("Properties", {}) if isinstance(value, dict) else {}


def _details(details: Sequence[Mapping[str, Any]]) -> Iterator[ShownDetail]:
    certain = {_path(each) for each in details if each.get("Evaluation") == "Static"}
    for each in details:
        if each.get("Evaluation") == "Dynamic" and _path(each) in certain and not each.get("CausingEntity"):
            continue  # the service reports a change by a parameter twice: by its cause, and by the template
        target = each["Target"]
        entity = each.get("CausingEntity")
        cause = _SOURCES.get(each.get("ChangeSource") or "", "")
        if each.get("Evaluation") == "Dynamic":
            cause = f"{cause}; the value is known only during the update" if cause else "known only during the update"
        drift = target.get("Drift")
        yield ShownDetail(
            path=_path(each),
            before=target.get("BeforeValue"),
            after=target.get("AfterValue"),
            recreation=target.get("RequiresRecreation") or "Never",
            cause=cause.format(entity=entity or ""),
            drifted=None if not drift else drift.get("ActualValue"),
        )


def _path(detail: Mapping[str, Any]) -> str:
    target = detail["Target"]
    return str(target.get("Path") or "/".join(filter(None, (target.get("Attribute"), target.get("Name")))))


def _explanation(change: Mapping[str, Any], details: Sequence[ShownDetail]) -> str | None:
    replacement, action = change.get("Replacement"), change["Action"]
    policy = change.get("PolicyAction")
    if action == "Remove":
        kept = policy in {"Retain", "RetainExceptOnCreate"}
        return "It leaves the stack and continues to exist." if kept else "It is deleted."
    causes = ", ".join(dict.fromkeys(each.path for each in details if each.recreation != "Never"))
    if replacement == "True":
        because = f", since {causes} can't be changed in place" if causes else ""
        return f"A new resource is created{because}; the old one is deleted after the update, with what it contains."
    if replacement == "Conditional":
        return f"It may be replaced: whether {causes or 'a property'} changes is known only during the update."
    return None
