"""The book of hooks' invocations: each is written down as it begins and as it ends, and then announced."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection

from formwork.engine.hooks.active import ActiveHook
from formwork.engine.hooks.asking import HookAnswer
from formwork.engine.hooks.results import HookResult, hook_notice, hook_result
from formwork.engine.hooks.target import HookTarget
from formwork.engine.store.hook_results import add_hook_result, end_hook_result
from formwork.registry.scope import Scope

# About what, asked of whom, and what was answered.
HookNews: TypeAlias = tuple[HookTarget, Sequence[ActiveHook], Sequence[HookAnswer]]


def write_news(
    connection: Connection, scope: Scope, target: HookTarget, hooks: Sequence[ActiveHook], news: Sequence[HookAnswer]
) -> list[HookResult]:
    """Write answers that have begun or ended into the book; what it says of them now."""
    by_name = {each.type_name: each for each in hooks}
    written = []
    for answer in news:
        hook = by_name.get(answer.type_name)
        if not answer.done and hook is not None:
            result = hook_result(scope, target, hook, answer)
            add_hook_result(connection, result)
            written.append(result)
        elif answer.done and (ended := end_hook_result(connection, scope, answer)) is not None:
            written.append(ended)
    return written


def announce_all(
    announce: Callable[[Mapping[str, Any]], None], results: Sequence[HookResult], now: Callable[[], float]
) -> None:
    """Tell whoever listens, once the book is closed."""
    for each in results:
        announce(hook_notice(each, now()))
