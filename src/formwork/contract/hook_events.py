"""What every single answer of a hook's handler must keep."""

from collections.abc import Iterator, Mapping
from typing import Any

from formwork.contract.clauses import CLAUSES, Level
from formwork.contract.events import UNFINISHED
from formwork.contract.findings import Finding
from formwork.invoke import Exchange
from formwork.invoke.vocabulary import ERROR_CODES, SKIP_STACK_HOOK, STATUSES


def check_hook_exchange(exchange: Exchange, *, seconds: float, what: str) -> list[Finding]:
    """What is wrong with one answer, judged by itself; `what` names point and target, `seconds` is the limit."""
    return [
        Finding(clause, level or CLAUSES[clause].level, f"{what} {message}", (exchange,))
        for clause, message, level in _check(exchange, seconds)
    ]


def concerned_hook_clauses(exchange: Exchange) -> frozenset[str]:
    """The clauses that speak of this answer: it keeps those that `check_hook_exchange` finds nothing about."""
    event = exchange.event
    if exchange.problem is not None or event is None:
        return frozenset()
    found = {"event.object", "event.status", "hook.time"}
    status = event.get("hookStatus")
    if status == "FAILED":
        found |= {"event.failed.code", "event.failed.quiet"}
    elif status in UNFINISHED:
        found |= {"hook.progress", "event.delay"}
    elif status not in {"SUCCESS", SKIP_STACK_HOOK}:
        return frozenset()
    return frozenset(found)


_Found = Iterator[tuple[str, str, Level | None]]


def _check(exchange: Exchange, seconds: float) -> _Found:
    problem = exchange.problem
    if problem is not None and problem.timed_out:
        yield "hook.time", f"did not answer ({problem.message}); {seconds:g} s are allowed", None
        return
    if exchange.answer.seconds > seconds:
        yield "hook.time", f"took {exchange.answer.seconds:.1f} s; {seconds:g} s are allowed", None
    if problem is not None:
        yield "event.object", f"answered no event: {problem.message}", None
        return
    event = exchange.event
    assert event is not None
    token, asked = event.get("clientRequestToken"), exchange.request.get("clientRequestToken")
    if token and asked and token != asked:
        yield "hook.targets", f"answered another request: its clientRequestToken is {token} instead of {asked}", None
    status = event.get("hookStatus")
    if not isinstance(status, str):
        also = "; `status` is what resources answer" if "status" in event else ""
        yield "event.object", f"answered without a hookStatus{also}", None
    elif status not in (*STATUSES, SKIP_STACK_HOOK):
        yield "event.status", f'answered with the hookStatus "{status}"', None
    elif status == SKIP_STACK_HOOK and exchange.request["requestData"]["targetType"] != "CHANGE_SET":
        yield "event.status", f"answered {SKIP_STACK_HOOK}, which is for change sets only", None
    else:
        yield from _by_status(status, event)


def _by_status(status: str, event: Mapping[str, Any]) -> _Found:
    if status == "FAILED":
        yield from _failed(event)
    elif status in UNFINISHED:
        yield from _unfinished(status, event)
    else:
        if event.get("errorCode"):
            yield "hook.success", f"answered {status} with the error code {event['errorCode']}", None
        if _delay(event):
            yield "hook.success", f"answered {status} with a callback delay", Level.SHOULD


def _failed(event: Mapping[str, Any]) -> _Found:
    code, message = event.get("errorCode"), event.get("message")
    if not code:
        yield "hook.failed", "FAILED without an error code", None
    elif code not in ERROR_CODES:
        yield "event.failed.code", f'FAILED with "{code}", which is no documented code', None
    if not isinstance(message, str) or not message.strip():
        yield "hook.failed", "FAILED without a message", None
    if _delay(event) > 0:
        yield "event.failed.quiet", "FAILED with a callback delay", None


def _unfinished(status: str, event: Mapping[str, Any]) -> _Found:
    if event.get("errorCode"):
        yield "hook.progress", f"answered {status} with the error code {event['errorCode']}", None
    if event.get("result") is not None:
        yield "hook.progress", f"answered {status} with a result", None
    if _delay(event) < 0:
        message = f"answered {status} with the delay {_delay(event)}: nobody calls again, and it never ends"
        yield "event.delay", message, None


def _delay(event: Mapping[str, Any]) -> float:
    delay = event.get("callbackDelaySeconds")
    return delay if isinstance(delay, int | float) and not isinstance(delay, bool) else 0
