"""The results of hooks' invocations: written as each begins and as it ends, with a notice."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.hooks.active import ActiveHook
from formwork.hooks.asking import HookAnswer
from formwork.hooks.results import hook_notice, hook_result
from formwork.hooks.rows import add_hook_result, end_hook_result
from formwork.hooks.target import HookTarget
from formwork.stacks.store.notices import add_notice

# About what, asked of whom, and what was answered.
HookNews: TypeAlias = tuple[HookTarget, Sequence[ActiveHook], Sequence[HookAnswer]]


class NoticeListener(Protocol):
    """Delivers the notices that wait in the database."""

    def wake(self) -> None:
        """Look for notices now."""
        ...


class HookResultStore(Struct, frozen=True):
    """Writes results and notices; `listener` is woken when notices wait, None writes no notices.

    `now` returns the time in seconds since 1970.
    """

    now: Callable[[], float]
    listener: NoticeListener | None = None

    def write(self, connection: Connection, scope: Scope, news: HookNews) -> None:
        """Write answers that have begun or ended, and notices of them; `announce` once they are committed."""
        target, hooks, answers = news
        by_name = {each.type_name: each for each in hooks}
        for answer in answers:
            hook = by_name.get(answer.type_name)
            result = None
            if not answer.done and hook is not None:
                result = hook_result(scope, target, hook, answer)
                add_hook_result(connection, result)
            elif answer.done:
                result = end_hook_result(connection, scope, answer)
            if result is not None and self.listener is not None:
                now = self.now()
                add_notice(connection, hook_notice(result, now), now)

    def announce(self) -> None:
        """Wake the listener."""
        if self.listener is not None:
            self.listener.wake()
