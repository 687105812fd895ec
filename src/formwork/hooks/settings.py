"""What a hook's configuration says of when it is called.

Source: user guide (seed 002), "Hook configuration"; HookInvocationStatus, TargetOperations and the filters are
CloudFormation's later additions (the service's hooks guide, "Hook configuration schema syntax reference"). A hook
without a configuration is never called.
"""

import fnmatch
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from formwork.hooks.target import HookTarget, TargetKind


class FailureMode(StrEnum):
    """What a hook's failure does: refuse the operation, or only warn."""

    FAIL = "FAIL"
    WARN = "WARN"


class HookSettings(Struct, frozen=True):
    """A hook's configuration; `properties` are what the hook itself is given."""

    enabled: bool = False
    failure_mode: FailureMode = FailureMode.WARN
    operations: tuple[str, ...] = ("RESOURCE",)
    properties: Mapping[str, Any] = field(default_factory=dict)
    target_filters: Mapping[str, Any] = field(default_factory=dict)
    stack_filters: Mapping[str, Any] = field(default_factory=dict)

    def covers(self, target: HookTarget) -> bool:
        """Whether the configuration has the hook called for a target."""
        if not self.enabled or target.kind not in self.operations:
            return False
        if target.kind is TargetKind.CHANGE_SET and target.action != "CREATE":
            return False
        return self._covers_action(target) and self._covers_stack(target)

    def _covers_action(self, target: HookTarget) -> bool:
        """Whether the target filters match: names of types apply to resources only, actions to everything.

        Filters have the actions CREATE, UPDATE and DELETE alone: an import passes as what it comes to.
        """
        filters = self.target_filters
        for each in filters.get("Targets") or [filters]:
            names = [*each.get("TargetNames", ()), *([each["TargetName"]] if "TargetName" in each else ())]
            actions = [*each.get("Actions", ()), *([each["Action"]] if "Action" in each else ())]
            named = not names or not target.kind.holds_resources or _matches(target.name, names)
            if named and (not actions or target.action in actions):
                return True
        return False

    def _covers_stack(self, target: HookTarget) -> bool:
        """Whether the stack filters match; they do not apply to targets without a stack."""
        if target.stack_name is None:
            return True
        filters = self.stack_filters
        values = {"StackNames": target.stack_name, "StackRoles": target.role or ""}
        checks = [_listed(filters[member], value) for member, value in values.items() if member in filters]
        if not checks:
            return True
        return any(checks) if filters.get("FilteringCriteria") == "ANY" else all(checks)


def read_hook_settings(configuration: Mapping[str, Any]) -> HookSettings:
    """Read the settings in a hook's type configuration, whose form was checked when it was set."""
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


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, each) for each in patterns)


def _listed(filters: Mapping[str, Any], value: str) -> bool:
    include, exclude = filters.get("Include"), filters.get("Exclude", ())
    return (include is None or _matches(value, include)) and not _matches(value, exclude)
