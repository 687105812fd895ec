"""Aliases of stacks between botocore's shapes and the engine's own values."""

from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.caller import Caller
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.engine.aliases import StackAliases

Input = Mapping[str, Any]
Output = Mapping[str, Any]


def alias_operations(aliases: StackAliases) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""

    def set_alias(scope: Scope, request: Input) -> Output:
        aliases.set_alias(scope, request["StackName"], request["AliasName"])
        return {}

    def remove_alias(scope: Scope, request: Input) -> Output:
        aliases.remove_alias(scope, request["AliasName"])
        return {}

    named: dict[str, Callable[[Scope, Input], Output]] = {"SetAlias": set_alias, "RemoveAlias": remove_alias}
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


def with_aliases(describe_stacks: Handler, aliases: StackAliases) -> Handler:
    """DescribeStacks with the aliases of the stacks."""

    def describe(caller: Caller, request: Input) -> Output:
        answer = describe_stacks(caller, request)
        by_stack = aliases.by_stack(Scope(caller.account, caller.region))
        if not by_stack:
            return answer
        shown = [{**each, "AliasName": by_stack.get(each["StackId"].rpartition("/")[2])} for each in answer["Stacks"]]
        return {**answer, "Stacks": shown}

    return describe
