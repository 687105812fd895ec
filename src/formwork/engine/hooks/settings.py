"""What a hook's configuration says of when it is called.

Source: user guide (seed 002), "Hook configuration"; HookInvocationStatus, TargetOperations and the filters are
CloudFormation's later additions. A hook that nobody configured is never called.
"""

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class FailureMode(StrEnum):
    """What a refusal does."""

    FAIL = "FAIL"
    WARN = "WARN"


@dataclass(frozen=True, slots=True)
class HookSettings:
    """A hook's configuration; `properties` are what the hook itself is given."""

    enabled: bool = False
    failure_mode: FailureMode = FailureMode.WARN
    operations: tuple[str, ...] = ("RESOURCE",)
    properties: Mapping[str, Any] = field(default_factory=dict)
    target_filters: Mapping[str, Any] = field(default_factory=dict)
    stack_filters: Mapping[str, Any] = field(default_factory=dict)

    def covers_target(self, target_name: str, action: str) -> bool:
        """Whether its filters let a target through; `action` is CREATE, UPDATE or DELETE."""
        filters = self.target_filters
        if "Targets" in filters:
            return any(
                _matches(target_name, [each.get("TargetName", "*")]) and each.get("Action", action) == action
                for each in filters["Targets"]
            )
        names, actions = filters.get("TargetNames") or ["*"], filters.get("Actions") or [action]
        return _matches(target_name, names) and action in actions

    def covers_stack(self, name: str, role: str | None) -> bool:
        """Whether its filters let a stack through."""
        filters = self.stack_filters
        checks = [
            _listed(filters[member], value)
            for member, value in (("StackNames", name), ("StackRoles", role or ""))
            if member in filters
        ]
        if not checks:
            return True
        return any(checks) if filters.get("FilteringCriteria") == "ANY" else all(checks)


def read_hook_settings(configuration: Mapping[str, Any]) -> HookSettings:
    """The settings in a hook's type configuration, whose form was checked when it was set."""
    outer = configuration.get("CloudFormationConfiguration", {})
    inner = outer.get("HookConfiguration", {}) if isinstance(outer, Mapping) else {}
    return HookSettings(
        enabled=inner.get("HookInvocationStatus") == "ENABLED" or inner.get("TargetStacks") == "ALL",
        failure_mode=FailureMode(inner.get("FailureMode", "WARN")),
        operations=tuple(inner.get("TargetOperations", ("RESOURCE",))),
        properties=inner.get("Properties", {}),
        target_filters=inner.get("TargetFilters", {}),
        stack_filters=inner.get("StackFilters", {}),
    )


def _matches(name: str, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, each) for each in patterns)


def _listed(filters: Mapping[str, Any], value: str) -> bool:
    include, exclude = filters.get("Include"), filters.get("Exclude", ())
    return (include is None or value in include) and value not in exclude
