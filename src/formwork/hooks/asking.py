"""Hooks asked about one target until each has answered, from where an earlier process left off.

Every hook is begun before the first one is called, and those that may be called are called at once: no hook waits for
another, and all must pass. Source: user guide (seed 002), "Hook"; texts as recorded; the service's hooks guide,
"Timeout and retry limits".

The reasons are in docs/decisions/1250.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from msgspec import field
from msgspec.structs import replace

from formwork.hooks.active import ActiveHook, HookCall, HookFailed, HookOutcome, HookPassed, HookWaiting
from formwork.hooks.settings import FailureMode
from formwork.stacks.store.records import Record

_AT_ONCE = 8
_LONGEST_REASON = 1024
_IDS = uuid.UUID("0f6b4d7e-5f0c-4b63-a0d5-8b1c62a1b9e4")  # the namespace of invocations' ids

IN_PROGRESS = "HOOK_IN_PROGRESS"
SUCCEEDED = "HOOK_COMPLETE_SUCCEEDED"
REFUSED = "HOOK_COMPLETE_FAILED"
BROKEN = "HOOK_FAILED"


class HookAnswer(Record, frozen=True):
    """The progress of one hook's invocation; `id` is known before the first call, and the same after a crash."""

    id: str
    type_name: str
    mode: str
    began: float
    status: str = IN_PROGRESS
    reason: str | None = None
    calls: int = 0
    context: Mapping[str, Any] | None = None
    due: float = 0.0
    annotations: list[Mapping[str, Any]] = field(default_factory=list)
    skips_stack: bool = False

    @property
    def done(self) -> bool:
        """Whether the hook has answered."""
        return self.status != IN_PROGRESS

    @property
    def failed(self) -> bool:
        """Whether the hook refused, or failed itself."""
        return self.status in {REFUSED, BROKEN}

    @property
    def stops(self) -> bool:
        """Whether the operation on the target is refused."""
        return self.failed and self.mode == FailureMode.FAIL


Answers = Mapping[str, HookAnswer]
Keep = Callable[[Answers, Sequence[HookAnswer]], None]


def read_answers(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, HookAnswer]:
    """Read stored answers by hook."""
    return {name: HookAnswer(**each) for name, each in stored.items()}


def store_answers(answers: Answers) -> dict[str, dict[str, Any]]:
    """Return answers as JSON values for the store."""
    return {name: each.to_value() for name, each in answers.items()}


def consult(
    hooks: Sequence[ActiveHook], call: HookCall, answers: Answers, *, now: Callable[[], float], keep: Keep
) -> float | None:
    """Call the hooks that are due; return the time at which the next one is, None when all have answered.

    `call` is the question; each hook gets a token of its own. `keep` is given all answers and those that are news,
    begun or done, each time something must not be lost.
    """
    known = dict(answers)
    begun = [_begin(each, call, now()) for each in hooks if each.type_name not in known]
    if begun:
        known |= {each.type_name: each for each in begun}
        keep(known, begun)
    moment = now()
    due = [each for each in known.values() if not each.done and each.due <= moment]
    if due:
        by_name = {each.type_name: each for each in hooks}
        asked = _ask_all([(by_name.get(each.type_name), each) for each in due], call, now)
        known |= {each.type_name: each for each in asked}
        keep(known, [each for each in asked if each.done])
    return min((each.due for each in known.values() if not each.done), default=None)


def refusal(answers: Answers) -> str | None:
    """Return the service's message about a target that hooks refuse, None if no hook refuses it."""
    failed = sorted(each.type_name for each in answers.values() if each.stops)
    return f"The following hook(s) failed: [{', '.join(failed)}]" if failed else None


def _begin(hook: ActiveHook, call: HookCall, now: float) -> HookAnswer:
    identifier = uuid.uuid5(_IDS, f"{call.token}/{hook.type_name}")
    return HookAnswer(str(identifier), hook.type_name, str(hook.mode), now)


def _ask_all(
    pairs: Sequence[tuple[ActiveHook | None, HookAnswer]], call: HookCall, now: Callable[[], float]
) -> list[HookAnswer]:
    def ask(pair: tuple[ActiveHook | None, HookAnswer]) -> HookAnswer:
        hook, answer = pair
        if hook is None:
            gone = HookFailed("the hook is no longer there, or no longer enabled", refused=False)
            return _after(answer, gone, now, most_calls=1)
        own = replace(call, token=answer.id, context=answer.context, invocation=answer.calls + 1)
        return _after(answer, hook.invoke(own), now, most_calls=hook.most_calls)

    if len(pairs) == 1:
        return [ask(pairs[0])]
    with ThreadPoolExecutor(min(len(pairs), _AT_ONCE), thread_name_prefix="hook") as pool:
        return list(pool.map(ask, pairs))


def _after(answer: HookAnswer, outcome: HookOutcome, now: Callable[[], float], *, most_calls: int) -> HookAnswer:
    calls = answer.calls + 1
    match outcome:
        case HookWaiting() if calls < most_calls:
            return replace(answer, calls=calls, context=outcome.context, due=now() + outcome.seconds)
        case HookWaiting():
            tired = HookFailed(f"the hook was still in progress after {most_calls - 1} retries", refused=False)
            return _failed(replace(answer, calls=calls), tired)
        case HookPassed():
            return replace(
                answer,
                calls=calls,
                status=SUCCEEDED,
                reason=f"Hook succeeded with message: {outcome.message}"[:_LONGEST_REASON],
                annotations=list(outcome.annotations),
                skips_stack=outcome.skips_stack,
            )
        case HookFailed():
            return _failed(replace(answer, calls=calls), outcome)


def _failed(answer: HookAnswer, outcome: HookFailed) -> HookAnswer:
    reason = f"Hook failed with message: {outcome.message}"
    ignored = ". Failure was ignored under WARN mode." if answer.mode == FailureMode.WARN else ""
    return replace(
        answer,
        status=REFUSED if outcome.refused else BROKEN,
        reason=reason[: _LONGEST_REASON - len(ignored)] + ignored,
        annotations=list(outcome.annotations),
    )
