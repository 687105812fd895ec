"""Queries about hooks: their results, and which hooks a change set will call.

Source: the service's API reference (ListHookResults, GetHookResult, DescribeChangeSetHooks): which filters can be
combined, which members of an invocation are shown, how long it is kept.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.engine.change_sets import ChangeSets, FoundChangeSet
from formwork.engine.changes.values import ChangeAction
from formwork.engine.engine import Engine
from formwork.hooks import ActiveHook, HookTarget, TargetKind
from formwork.hooks.results import KEPT_SECONDS, HookResult
from formwork.hooks.rows import get_hook_result, list_hook_results
from formwork.stacks.errors import StackError
from formwork.stacks.store.stacks import find_stack

_PAGE = 100
_ACTIONS = {"Add": "CREATE", "Import": "CREATE", "Modify": "UPDATE", "Dynamic": "UPDATE", "SyncWithActual": "UPDATE"}


class HookResultQuery(Struct, frozen=True, kw_only=True):
    """The filters of ListHookResults."""

    target_kind: str | None = None
    target_id: str | None = None
    type_arn: str | None = None
    status: str | None = None
    token: str | None = None


class PlannedHook(Struct, frozen=True):
    """A hook that executing a change set will call, for one of its changes."""

    hook: ActiveHook
    change: Mapping[str, Any]


class HookResults:
    """Queries for invocations of hooks. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine, change_sets: ChangeSets) -> None:
        self._engine = engine
        self._change_sets = change_sets

    def get(self, scope: Scope, identifier: str | None) -> HookResult:
        """Return a hook result."""
        with self._engine.database.read() as connection:
            found = None if identifier is None else get_hook_result(connection, scope, identifier)
        if found is None:
            raise _not_found(f"Hook result {identifier} does not exist.")
        return found

    def planned(
        self, scope: Scope, change_set: str, stack_name: str | None
    ) -> "tuple[FoundChangeSet, list[PlannedHook]]":
        """Return a change set, and the hooks that executing it will call, in the order of its changes."""
        found = self._change_sets.expect(scope, change_set, stack_name)
        if found.record.status != "CREATE_COMPLETE":
            return found, []
        return found, self.plan(scope, found, found.changes(values=False))

    def plan(self, scope: Scope, found: FoundChangeSet, changes: Sequence[Mapping[str, Any]]) -> "list[PlannedHook]":
        """Return the hooks that each change will call; hooks are not called for removals."""
        hooks = self._engine.settings.hooks.active(scope)
        return [
            PlannedHook(hook, change)
            for change in changes
            if hooks and (target := _change_target(found, change)) is not None
            for hook in hooks
            if hook.covers(target)
        ]

    def list(self, scope: Scope, query: HookResultQuery) -> "tuple[list[HookResult], str | None]":
        """Return a page of results, the newest first, and the token of the next one."""
        target = self._target(scope, query)
        if query.status is not None and query.type_arn is None:
            raise StackError("Status can only be used together with TypeArn")
        if query.token is not None and not re.fullmatch("[0-9]{1,18}", query.token):
            raise StackError("NextToken is not valid")
        with self._engine.database.read() as connection:
            found = list_hook_results(
                connection,
                scope,
                target=target,
                type_arn=query.type_arn,
                status=query.status,
                since=self._engine.settings.now() - KEPT_SECONDS,
                before=None if query.token is None else int(query.token),
                limit=_PAGE,
            )
        if target is not None and not found and query.token is None:
            raise _not_found("The specified target doesn't have any requested Hook invocations.")
        return [each for _, each in found], str(found[-1][0]) if len(found) == _PAGE else None

    def _target(self, scope: Scope, query: HookResultQuery) -> tuple[TargetKind, str] | None:
        if query.target_kind is None and query.target_id is None:
            return None
        if query.target_kind is None or query.target_id is None:
            raise StackError("TargetType and TargetId must be specified together")
        if query.type_arn is not None:
            raise StackError("TypeArn cannot be used together with TargetType and TargetId")
        kind = TargetKind(query.target_kind)
        if kind is not TargetKind.STACK or query.target_id.startswith("arn:"):
            return kind, query.target_id
        with self._engine.database.read() as connection:
            stack = find_stack(connection, scope, query.target_id)
        return kind, query.target_id if stack is None else stack.arn


def _change_target(found: FoundChangeSet, change: Mapping[str, Any]) -> HookTarget | None:
    action = _ACTIONS.get(change["action"])
    if action is None:
        return None
    stack = found.stack
    return HookTarget(
        kind=TargetKind.RESOURCE,
        action="CREATE" if change["replacement"] == "True" else action,
        imports=change["action"] == ChangeAction.IMPORT,
        name=change["type"],
        identifier=change["logical_id"],
        execution=stack.arn,
        stack_name=stack.name,
        role=found.record.request.role_arn or stack.settings.role_arn,
        change_set=found.arn,
    )


def _not_found(message: str) -> StackError:
    return StackError(message, code="HookResultNotFound", status=404)
