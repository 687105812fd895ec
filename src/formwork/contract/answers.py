"""The clauses that every single answer of a handler must keep: `event.*`, and some of `read`, `list` and `hook`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.contract.models import has_identifier
from formwork.contract.returned_models import check_models, fault
from formwork.contract.subject import ResourceSubject
from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import Finding, ModelDifference
from formwork.invoke import Exchange, vocabulary
from formwork.invoke.vocabulary import ERROR_CODES, SKIP_STACK_HOOK, STATUSES

UNFINISHED = ("PENDING", "IN_PROGRESS")
_WRITES = ("CREATE", "UPDATE")
# What AWS's runtimes, and ours, make of a read or a list that is IN_PROGRESS: FAILED with InternalFailure and this.
_NOT_SYNCHRONOUS = "must return synchronously"
# The clauses that speak of the answers of one action, by status.
_FINAL = {"READ": {"read.final"}, "LIST": {"list.final"}}
_OF_SUCCESS = {
    "CREATE": {"event.identifier"},
    "UPDATE": {"event.identifier"},
    "DELETE": {"delete.empty"},
    "READ": {"read.model"},
    "LIST": {"list.array"},
}
_OF_PROGRESS = {"CREATE": {"event.identifier"}, "UPDATE": {"event.identifier"}, "DELETE": {"delete.progress"}}


class AnswerRules(Struct, frozen=True):
    """The names of answers of one kind of extension in messages, and the clauses that their form is judged by.

    `status` is the event's member, `event` the field's word for an event, `excess` a member that an unfinished event
    must not have, with its name in messages. `sets_code` decides whether a value of `errorCode` counts as one.
    """

    status: str
    event: str
    excess: tuple[str, str]
    failed_code: str
    failed_message: str
    success: str
    progress: str
    progress_code_level: Level
    sets_code: Callable[[Any], bool]


RESOURCE_RULES = AnswerRules(
    status="status",
    event="ProgressEvent",
    excess=("resourceModels", "resourceModels"),
    failed_code="event.failed.code",
    failed_message="event.failed.message",
    success="event.success.quiet",
    progress="event.progress.quiet",
    progress_code_level=Level.SHOULD,
    sets_code=lambda code: code is not None,
)
HOOK_RULES = AnswerRules(
    status="hookStatus",
    event="event",
    excess=("result", "a result"),
    failed_code="hook.failed",
    failed_message="hook.failed",
    success="hook.success",
    progress="hook.progress",
    progress_code_level=Level.MUST,
    sets_code=bool,
)


def check_exchange(subject: ResourceSubject, action: str, exchange: Exchange) -> list[Finding]:
    """Return the violations that one answer of a resource handler shows by itself."""
    return list(_check(subject, action, exchange))


def check_hook_exchange(exchange: Exchange, *, seconds: float, what: str) -> list[Finding]:
    """Return the violations that one answer of a hook handler shows by itself.

    `what` names point and target, `seconds` is the limit.
    """
    return list(_check_hook(exchange, seconds, what))


def concerned_clauses(subject: ResourceSubject, action: str, exchange: Exchange) -> frozenset[str]:
    """Return the clauses that apply to this answer: it keeps those that `check_exchange` finds nothing about.

    An answer that is not an event, or not one of a known status, keeps none.
    """
    event = exchange.event
    if exchange.problem is not None or event is None or is_unfinished_read(action, event):
        return frozenset()
    found = {"event.object", "event.status", "event.time.rl" if action in {"READ", "LIST"} else "event.time.cud"}
    match event.get("status"):
        case "FAILED":
            found |= {"event.failed.code", "event.failed.message", "event.failed.quiet", "event.failed.scope"}
            found |= _FINAL.get(action, set())
        case "SUCCESS":
            found |= {"event.success.quiet"} | _FINAL.get(action, set()) | _OF_SUCCESS.get(action, set())
            if action == "LIST" and event.get("resourceModels"):
                found.add("list.identifiers")
        case "IN_PROGRESS" | "PENDING":
            found |= {"event.progress.quiet", "event.delay"} | _OF_PROGRESS.get(action, set())
        case _:
            return frozenset()
    if isinstance(event.get("resourceModel"), Mapping) or event.get("resourceModels"):
        found |= {"event.shape", "event.null"}
        if event["status"] == "SUCCESS" and subject.schema.write_only:
            found.add("event.writeonly")
    return frozenset(found)


def concerned_hook_clauses(exchange: Exchange) -> frozenset[str]:
    """Return the clauses that apply to this answer of a hook: see `concerned_clauses`."""
    event = exchange.event
    if exchange.problem is not None or event is None:
        return frozenset()
    found = {"event.object", "event.status", "hook.time"}
    match event.get("hookStatus"):
        case "FAILED":
            found |= {"event.failed.code", "event.failed.quiet"}
        case "IN_PROGRESS" | "PENDING":
            found |= {"hook.progress", "event.delay"}
        case "SUCCESS" | vocabulary.SKIP_STACK_HOOK:
            pass
        case _:
            return frozenset()
    return frozenset(found)


def _check(subject: ResourceSubject, action: str, exchange: Exchange) -> Iterator[Finding]:
    limit = subject.limits.seconds_for(action)
    time_clause = "event.time.rl" if action in {"READ", "LIST"} else "event.time.cud"
    yield from _check_answered(exchange, action, limit, time_clause, RESOURCE_RULES)
    event = exchange.event
    if exchange.problem is not None or event is None or not isinstance(event.get("status"), str):
        return
    if event["status"] not in STATUSES:
        yield fault("event.status", f'{action} answered with the status "{event["status"]}"', exchange)
        return
    yield from _by_status(subject, action, event, exchange)
    yield from check_models(subject, action, event, exchange)


def _check_hook(exchange: Exchange, seconds: float, what: str) -> Iterator[Finding]:
    event = exchange.event
    if exchange.problem is None and event is not None:
        token, asked = event.get("clientRequestToken"), exchange.request.get("clientRequestToken")
        if token and asked and token != asked:
            message = f"{what} answered another request: its clientRequestToken is {token} instead of {asked}"
            yield fault("hook.targets", message, exchange)
    yield from _check_answered(exchange, what, seconds, "hook.time", HOOK_RULES)
    if exchange.problem is not None or event is None or not isinstance(event.get("hookStatus"), str):
        return
    status = event["hookStatus"]
    if status not in (*STATUSES, SKIP_STACK_HOOK):
        yield fault("event.status", f'{what} answered with the hookStatus "{status}"', exchange)
    elif status == SKIP_STACK_HOOK and exchange.request["requestData"]["targetType"] != "CHANGE_SET":
        yield fault("event.status", f"{what} answered {SKIP_STACK_HOOK}, which is for change sets only", exchange)
    else:
        yield from _check_form(exchange, what, HOOK_RULES)
        if status in {"SUCCESS", SKIP_STACK_HOOK} and _delay(event):
            yield fault("hook.success", f"{what} answered {status} with a callback delay", exchange, level=Level.SHOULD)


def _check_answered(
    exchange: Exchange, what: str, seconds: float, time_clause: str, rules: AnswerRules
) -> Iterator[Finding]:
    """Yield whether the handler answered in time, with an event that has a status."""
    problem = exchange.problem
    if problem is not None and problem.timed_out:
        yield fault(time_clause, f"{what} did not answer ({problem.message}); {seconds:g} s are allowed", exchange)
        return
    if exchange.answer.seconds > seconds:
        taken = f"{what} took {exchange.answer.seconds:.1f} s; {seconds:g} s are allowed"
        yield fault(time_clause, taken, exchange)
    if problem is not None:
        yield fault("event.object", f"{what} answered no {rules.event}: {problem.message}", exchange)
    elif exchange.event is not None and not isinstance(exchange.event.get(rules.status), str):
        also = "; `status` is what resources answer" if rules is HOOK_RULES and "status" in exchange.event else ""
        yield fault("event.object", f"the answer to {what} has no {rules.status}{also}", exchange)


def _check_form(exchange: Exchange, what: str, rules: AnswerRules) -> Iterator[Finding]:
    """Yield findings on members that an event of this status must have or must not have."""
    event = exchange.event or {}
    status, code = event[rules.status], event.get("errorCode")
    if status == "FAILED":
        message = event.get("message")
        if not code:
            yield fault(rules.failed_code, f"{what} FAILED without an error code", exchange)
        elif code not in ERROR_CODES:
            found = f'{what} FAILED with "{code}", which is not a documented code'
            yield fault("event.failed.code", found, exchange)
        if not isinstance(message, str) or not message.strip():
            yield fault(rules.failed_message, f"{what} FAILED without a message", exchange)
        if _delay(event) > 0:
            yield fault("event.failed.quiet", f"{what} FAILED with a callback delay", exchange)
        return
    unfinished, member = status in UNFINISHED, rules.excess
    if unfinished and event.get(member[0]) is not None:
        yield fault(rules.progress, f"{what} answered {status} with {member[1]}", exchange)
    if rules.sets_code(code):
        clause, level = (rules.progress, rules.progress_code_level) if unfinished else (rules.success, None)
        yield fault(clause, f"{what} answered {status} with the error code {code}", exchange, level=level)
    if unfinished and _delay(event) < 0:
        message = f"{what} answered {status} with the delay {_delay(event)}: it is not called again, and never ends"
        yield fault("event.delay", message, exchange)


def _by_status(
    subject: ResourceSubject, action: str, event: Mapping[str, Any], exchange: Exchange
) -> Iterator[Finding]:
    status = event["status"]
    if is_unfinished_read(action, event) and status == "FAILED":
        code = event.get("errorCode")
        told = f"the {action} handler answered IN_PROGRESS, which the runtime turns into FAILED with {code}"
        yield fault(f"{action.lower()}.final", told, exchange)
        return
    if status in UNFINISHED and action in {"READ", "LIST"}:
        yield fault(f"{action.lower()}.final", f"{action} answered {status}", exchange)
        return
    yield from _check_form(exchange, action, RESOURCE_RULES)
    match status:
        case "FAILED":
            yield from _failed(subject, action, event, exchange)
        case "SUCCESS":
            yield from _succeeded(subject, action, event, exchange)
        case _ if action == "DELETE":
            if not has_identifier(subject.schema, event.get("resourceModel")):
                message = f"DELETE {status} without the primary identifier in its model"
                yield fault("delete.progress", message, exchange)
        case _:
            yield from _identified(subject, action, event, exchange)


def is_unfinished_read(action: str, event: Mapping[str, Any] | None) -> bool:
    """Return whether a FAILED read or list is one that the handler had answered with IN_PROGRESS."""
    return action in {"READ", "LIST"} and event is not None and _NOT_SYNCHRONOUS in str(event.get("message"))


def _failed(subject: ResourceSubject, action: str, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    code = event.get("errorCode")
    if event.get("resourceModels") is not None:
        yield fault("event.failed.quiet", f"{action} FAILED with resourceModels", exchange)
    if (code == "AlreadyExists" and action != "CREATE") or (code == "NotUpdatable" and action != "UPDATE"):
        yield fault("event.failed.scope", f"{action} FAILED with {code}, which is another handler's code", exchange)
    model = event.get("resourceModel")
    if action in _WRITES and isinstance(model, Mapping) and not has_identifier(subject.schema, model):
        # Seed 003's exception: a first event that is FAILED, before the service has made up the identifier.
        if action == "CREATE" and subject.generated_identifier:
            return
        message = f"the model of the FAILED {action} lacks the primary identifier"
        yield fault("event.identifier", message, exchange)


def _succeeded(
    subject: ResourceSubject, action: str, event: Mapping[str, Any], exchange: Exchange
) -> Iterator[Finding]:
    if _delay(event) > 0:
        yield fault("event.success.quiet", f"{action} answered SUCCESS with a callback delay", exchange)
    model = event.get("resourceModel")
    match action:
        case "CREATE" | "UPDATE":
            yield from _identified(subject, action, event, exchange)
        case "DELETE":
            if model is not None or event.get("resourceModels") is not None:
                yield fault("delete.empty", "the SUCCESS event of DELETE has a model", exchange)
        case "READ":
            if not isinstance(model, Mapping):
                yield fault("read.model", "READ SUCCESS without a model", exchange)
        case "LIST":
            yield from _listed(subject, event, exchange)
        case _:
            return


def _identified(
    subject: ResourceSubject, action: str, event: Mapping[str, Any], exchange: Exchange
) -> Iterator[Finding]:
    model = event.get("resourceModel")
    if not isinstance(model, Mapping):
        yield fault("event.identifier", f"{action} {event['status']} without a model", exchange)
    elif not has_identifier(subject.schema, model):
        message = f"the model of {action} {event['status']} lacks the primary identifier"
        yield fault("event.identifier", message, exchange)


def _listed(subject: ResourceSubject, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    models = event.get("resourceModels")
    if not isinstance(models, list):
        what = "null" if models is None else f"a {type(models).__name__}"
        yield fault("list.array", f"LIST SUCCESS with {what} instead of an array of models", exchange)
        return
    lacking = [place for place, each in enumerate(models) if not has_identifier(subject.schema, each)]
    if lacking:
        differences = tuple(
            ModelDifference(f"/resourceModels/{place}", "the primary identifier", models[place])
            for place in lacking[:3]
        )
        message = "listed entries lack the primary identifier"
        yield fault("list.identifiers", message, exchange, differences=differences)


def _delay(event: Mapping[str, Any]) -> float:
    delay = event.get("callbackDelaySeconds")
    return delay if isinstance(delay, int | float) and not isinstance(delay, bool) else 0
