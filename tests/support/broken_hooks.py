"""Hooks that are broken as a whole: a handler that always fails, crashes, is late, never ends, answers with a wrong
status, does not know its target or answers about another one. Each with the clauses that must be violated, and those
that must not be called proved.
"""

from collections.abc import Callable
from dataclasses import dataclass

from formwork.contract.subject import HookSubject
from formwork.invoke import Answer
from formwork.invoke.answer import UNHANDLED
from support.contract_subjects import Clock
from support.hooks import BOX, KNOWN, LETTER, NAMES, conforming, hook_subject, slow

SHOWN = ("hook.success", "hook.failed", "hook.targets")


@dataclass(frozen=True)
class BrokenHook:
    name: str
    make: Callable  # a new handler, with a memory of its own
    clauses: frozenset  # violated, all of them
    unproved: frozenset  # not proved by the answers of the other points either
    waits: bool = False  # it gets all the time that it asks for

    def subject(self) -> HookSubject:
        return hook_subject(self.make(), patience=Clock().patience(None if self.waits else 20))


BROKEN_HOOKS = []


def broken(name, change, *clauses, unproved=SHOWN, base=conforming, at="", waits=False):
    """A hook whose answers at one point are those of `change`: at every call, or `at` first calls or callbacks."""
    for point, word in NAMES.items():

        def make(point=point):
            state = {}

            def handler(event, context=None):
                answer = base(event, context)
                called_back = bool(event["requestContext"]["callbackContext"])
                here = event["actionInvocationPoint"] == point
                if here and at in ("", "callback" if called_back else "first"):
                    return change(answer, event, state)
                return answer

            return handler

        BROKEN_HOOKS.append(BrokenHook(f"{word} {name}", make, frozenset(clauses), frozenset(unproved), waits))


def members(**values):
    return lambda answer, _event, _state: {**answer, **values}


def failed(code):
    return members(hookStatus="FAILED", errorCode=code, message="no")


def crash(_answer, _event, _state):
    raise RuntimeError("boom")


def killed(*_):
    return Answer(b'{"errorType": "Runtime.ExitError", "errorMessage": "exit status 1"}', UNHANDLED, 0.1)


def hung(*_):
    return Answer(b'{"errorType": "Sandbox.Timedout", "errorMessage": "timed out"}', UNHANDLED, 32.0)


def for_target(target, change):
    def changed(answer, event, state):
        return change(answer, event, state) if event["requestData"]["targetName"] == target else answer

    return changed


def progress(**values):
    return members(hookStatus="IN_PROGRESS", errorCode=None, callbackContext={"asked": True}, **values)


# ── it always fails, crashes, kills its process, hangs, is late ──────────────────────────────────────────────────────
broken("always fails with InternalFailure", failed("InternalFailure"), "hook.targets")
broken("always fails with Throttling", failed("Throttling"), "hook.targets")
broken("refuses everything", failed("NonCompliant"), "hook.success", unproved=("hook.success",))
broken("crashes", crash, "event.object", "hook.targets")
broken("kills its process", killed, "event.object", "hook.targets")
broken("hangs", hung, "hook.time", unproved=(*SHOWN, "hook.time"))
broken("is late", members(_seconds=31.0), "hook.time", unproved=("hook.time",))
# ── the same at callbacks ────────────────────────────────────────────────────────────────────────────────────────────
broken("crashes at its callback", crash, "event.object", "hook.targets", base=slow, at="callback")
broken("fails at its callback", failed("InternalFailure"), "hook.targets", base=slow, at="callback")
broken(
    "is late at its callback", members(_seconds=31.0), "hook.time", unproved=("hook.time",), base=slow, at="callback"
)
broken("crashes at its first call", crash, "event.object", "hook.targets", base=slow, at="first")
# ── it never ends ────────────────────────────────────────────────────────────────────────────────────────────────────
ENDS = (*SHOWN, "event.progress.ends")
broken("never ends", progress(callbackDelaySeconds=3600), "event.progress.ends", unproved=ENDS, waits=True)
broken("asks for a month", progress(callbackDelaySeconds=2_600_000), "event.progress.ends", unproved=ENDS)
broken("is never called again", progress(callbackDelaySeconds=-1), "event.delay", unproved=("event.delay", *SHOWN))
# ── a wrong status, or none ──────────────────────────────────────────────────────────────────────────────────────────
broken("answers DONE", members(hookStatus="DONE"), "event.status", unproved=("event.status", *SHOWN))
broken("answers in lower case", members(hookStatus="success"), "event.status", unproved=("event.status", *SHOWN))
broken(
    "answers as a resource does", lambda *_: {"status": "SUCCESS"}, "event.object", unproved=("event.object", *SHOWN)
)
broken("answers with null", lambda *_: None, "event.object", unproved=("event.object", *SHOWN))
broken("answers with a list", lambda answer, *_: [answer], "event.object", unproved=("event.object", *SHOWN))
broken("skips the hooks of stacks", members(hookStatus="CHANGE_SET_SUCCESS_SKIP_STACK_HOOK"), "event.status")
# ── a wrong target ───────────────────────────────────────────────────────────────────────────────────────────────────
broken("does not know a target", for_target(LETTER, failed("UnsupportedTarget")), "hook.targets")
broken("crashes for a target", for_target(LETTER, crash), "event.object", "hook.targets")
broken("hangs for a target", for_target(LETTER, hung), "hook.time", unproved=("hook.time", *SHOWN))
broken(
    "passes everything of a target",
    for_target(BOX, members(hookStatus="SUCCESS", errorCode=None)),
    "hook.failed",
    unproved=("hook.failed",),
)
broken(
    "answers another request",
    members(clientRequestToken="that-of-another-request"),
    "hook.targets",
    unproved=("hook.targets",),
)


def about_the_first(answer, event, state):
    first = state.setdefault("first", answer)
    return {**first, "clientRequestToken": event["clientRequestToken"]}


broken("answers about another target", about_the_first, "hook.failed", unproved=("hook.failed",))


def every_second(answer, _event, state):
    state["calls"] = state.get("calls", 0) + 1
    return answer if state["calls"] % 2 else {**answer, "hookStatus": "FAILED", "errorCode": "InternalFailure"}


broken("fails every second time", every_second, "hook.targets", unproved=("hook.targets",))
assert set(KNOWN) >= {BOX, LETTER}
