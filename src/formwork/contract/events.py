"""The clauses that every single answer of a handler must keep (`event.*`, and the finality of read and list)."""

from collections.abc import Iterator, Mapping
from typing import Any

from formwork.contract.clauses import CLAUSES, Level
from formwork.contract.findings import Difference, Finding
from formwork.contract.models import has_identifier
from formwork.contract.subject import Subject
from formwork.diagnostics import render_pointer
from formwork.documents.copied import without_nulls
from formwork.invoke import Exchange
from formwork.invoke.vocabulary import ERROR_CODES, STATUSES
from formwork.schema.coercion import parse_texts
from formwork.schema.instance_paths import instance_path

UNFINISHED = ("PENDING", "IN_PROGRESS")
_WRITES = ("CREATE", "UPDATE")
# What AWS's runtimes, and ours, make of a read or a list that is IN_PROGRESS: FAILED with InternalFailure and this.
_NOT_SYNCHRONOUS = "must return synchronously"
_CONTAINERS = (dict, list)
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


def check_exchange(subject: Subject, action: str, exchange: Exchange) -> list[Finding]:
    """What is wrong with one answer, judged by itself."""
    return list(_check(subject, action, exchange))


def concerned_clauses(subject: Subject, action: str, exchange: Exchange) -> frozenset[str]:
    """The clauses that speak of this answer: it keeps those that `check_exchange` finds nothing about.

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


def _finding(
    clause: str,
    message: str,
    exchange: Exchange,
    *,
    level: Level | None = None,
    differences: tuple[Difference, ...] = (),
) -> Finding:
    return Finding(clause, level or CLAUSES[clause].level, message, (exchange,), differences)


def _check(subject: Subject, action: str, exchange: Exchange) -> Iterator[Finding]:
    problem = exchange.problem
    limit = subject.limits.seconds_for(action)
    time_clause = "event.time.rl" if action in {"READ", "LIST"} else "event.time.cud"
    if problem is not None and problem.timed_out:
        yield _finding(time_clause, f"{action} did not answer ({problem.message}); {limit:g} s are allowed", exchange)
        return
    if exchange.answer.seconds > limit:
        taken = f"{action} took {exchange.answer.seconds:.1f} s; {limit:g} s are allowed"
        yield _finding(time_clause, taken, exchange)
    if problem is not None:
        yield _finding("event.object", f"{action} answered no ProgressEvent: {problem.message}", exchange)
        return
    event = exchange.event
    assert event is not None
    if not isinstance(event.get("status"), str):
        yield _finding("event.object", f"the answer to {action} has no status: it is no ProgressEvent", exchange)
        return
    if event["status"] not in STATUSES:
        yield _finding("event.status", f'{action} answered with the status "{event["status"]}"', exchange)
        return
    yield from _by_status(subject, action, event, exchange)
    yield from _models(subject, action, event, exchange)


def _by_status(subject: Subject, action: str, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    match event["status"]:
        case "FAILED":
            yield from _failed(subject, action, event, exchange)
        case "SUCCESS":
            yield from _succeeded(subject, action, event, exchange)
        case _:
            yield from _unfinished(subject, action, event, exchange)


def is_unfinished_read(action: str, event: Mapping[str, Any] | None) -> bool:
    """Whether a FAILED read or list is one that the handler had answered with IN_PROGRESS."""
    return action in {"READ", "LIST"} and event is not None and _NOT_SYNCHRONOUS in str(event.get("message"))


def _failed(subject: Subject, action: str, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    code = event.get("errorCode")
    if is_unfinished_read(action, event):
        told = f"the {action} handler answered IN_PROGRESS, of which the runtime makes FAILED with {code}"
        yield _finding(f"{action.lower()}.final", told, exchange)
        return
    if code is None or code == "":
        yield _finding("event.failed.code", f"{action} FAILED without an error code", exchange)
    elif code not in ERROR_CODES:
        yield _finding("event.failed.code", f'{action} FAILED with "{code}", which is no documented code', exchange)
    message = event.get("message")
    if not isinstance(message, str) or not message.strip():
        yield _finding("event.failed.message", f"{action} FAILED without a message", exchange)
    if _positive(event.get("callbackDelaySeconds")):
        yield _finding("event.failed.quiet", f"{action} FAILED with a callback delay", exchange)
    if event.get("resourceModels") is not None:
        yield _finding("event.failed.quiet", f"{action} FAILED with resourceModels", exchange)
    if (code == "AlreadyExists" and action != "CREATE") or (code == "NotUpdatable" and action != "UPDATE"):
        yield _finding("event.failed.scope", f"{action} FAILED with {code}, which is another handler's code", exchange)
    model = event.get("resourceModel")
    if action in _WRITES and isinstance(model, Mapping) and not has_identifier(subject.schema, model):
        # Seed 003's exception: a first event that is FAILED, before the service has made up the identifier.
        if action == "CREATE" and subject.generated_identifier:
            return
        message = f"the model of the FAILED {action} lacks the primary identifier"
        yield _finding("event.identifier", message, exchange)


def _succeeded(subject: Subject, action: str, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    if event.get("errorCode") is not None:
        yield _finding("event.success.quiet", f"{action} SUCCESS with the error code {event['errorCode']}", exchange)
    if _positive(event.get("callbackDelaySeconds")):
        yield _finding("event.success.quiet", f"{action} SUCCESS with a callback delay", exchange)
    model = event.get("resourceModel")
    match action:
        case "CREATE" | "UPDATE":
            yield from _identified(subject, action, event, exchange)
        case "DELETE":
            if model is not None or event.get("resourceModels") is not None:
                yield _finding("delete.empty", "the SUCCESS event of DELETE has a model", exchange)
        case "READ":
            if not isinstance(model, Mapping):
                yield _finding("read.model", "READ SUCCESS without a model", exchange)
        case "LIST":
            yield from _listed(subject, event, exchange)
        case _:
            return


def _unfinished(subject: Subject, action: str, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    status = event["status"]
    if action in {"READ", "LIST"}:
        yield _finding(f"{action.lower()}.final", f"{action} answered {status}", exchange)
        return
    if event.get("resourceModels") is not None:
        yield _finding("event.progress.quiet", f"{action} {status} with resourceModels", exchange)
    if event.get("errorCode") is not None:
        message = f"{action} {status} with the error code {event['errorCode']}"
        yield _finding("event.progress.quiet", message, exchange, level=Level.SHOULD)
    delay = event.get("callbackDelaySeconds")
    if isinstance(delay, int | float) and delay < 0:
        message = f"{action} {status} with the delay {delay}: nobody calls again, and the operation never ends"
        yield _finding("event.delay", message, exchange)
    if action == "DELETE":
        if not has_identifier(subject.schema, event.get("resourceModel")):
            message = f"DELETE {status} without the primary identifier in its model"
            yield _finding("delete.progress", message, exchange)
    else:
        yield from _identified(subject, action, event, exchange)


def _identified(subject: Subject, action: str, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    model = event.get("resourceModel")
    if not isinstance(model, Mapping):
        yield _finding("event.identifier", f"{action} {event['status']} without a model", exchange)
    elif not has_identifier(subject.schema, model):
        message = f"the model of {action} {event['status']} lacks the primary identifier"
        yield _finding("event.identifier", message, exchange)


def _listed(subject: Subject, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    models = event.get("resourceModels")
    if not isinstance(models, list):
        what = "null" if models is None else f"a {type(models).__name__}"
        yield _finding("list.array", f"LIST SUCCESS with {what} instead of an array of models", exchange)
        return
    lacking = [place for place, each in enumerate(models) if not has_identifier(subject.schema, each)]
    if lacking:
        differences = tuple(
            Difference(f"/resourceModels/{place}", "the primary identifier", models[place]) for place in lacking[:3]
        )
        message = "listed entries lack the primary identifier"
        yield _finding("list.identifiers", message, exchange, differences=differences)


def _positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _models(subject: Subject, action: str, event: Mapping[str, Any], exchange: Exchange) -> Iterator[Finding]:
    model = event.get("resourceModel")
    models = event.get("resourceModels")
    every: list[tuple[tuple[str, ...], Any]] = []
    if isinstance(model, Mapping):
        every.append((("resourceModel",), model))
    if isinstance(models, list):
        every += [(("resourceModels", str(place)), each) for place, each in enumerate(models)]
    judged: set[str] = set()
    for place, each in every:
        if not isinstance(each, Mapping):
            message = f"{action} returned a model that is no object"
            yield _finding("event.shape", message, exchange)
            continue
        found = list(_model(subject, action, event["status"], place, each, exchange))
        yield from (one for one in found if one.clause not in judged)
        judged |= {one.clause for one in found}  # one finding a clause is enough for a list of a thousand


def _model(  # noqa: PLR0913, PLR0917 - an answer and where in it the model stands
    subject: Subject, action: str, status: str, place: tuple[str, ...], model: Mapping[str, Any], exchange: Exchange
) -> Iterator[Finding]:
    nulls = list(_null_places(model, ()))
    if nulls:
        differences = tuple(Difference(render_pointer((*place, *path)), "no property", None) for path in nulls[:5])
        yield _finding("event.null", f"{action} returned null for a property", exchange, differences=differences)
    plain = without_nulls(model)
    problems = [
        (path, each)
        for each in subject.shape.iter_errors(plain)
        if not _hides_secrets(subject, each, path := instance_path(each, plain))
        and not (path and _was_requested(subject, exchange, path, plain))
    ]
    if problems:
        differences = tuple(
            Difference(render_pointer((*place, *path)), each.message, value_at_place(model, path))
            for path, each in problems[:5]
        )
        message = f"a model that {action} returned does not conform to the schema"
        yield _finding("event.shape", message, exchange, differences=differences)
    if status == "SUCCESS":
        secret = [path for path in subject.schema.write_only if holds_value(model, path)]
        if secret:
            differences = tuple(
                Difference(render_pointer((*place, *path)), "no property", "a value") for path in secret
            )
            message = f"{action} returned a writeOnly property"
            yield _finding("event.writeonly", message, exchange, differences=differences)


def _hides_secrets(subject: Subject, problem: Any, place: tuple[str | int, ...]) -> bool:
    """Whether items of a set are alike only because what tells them apart is writeOnly and left out."""
    if list(problem.schema_path)[-1:] != ["uniqueItems"]:
        return False
    items = (*("*" if isinstance(step, int) else step for step in place), "*")
    return any(path[: len(items)] == items for path in subject.schema.write_only)


def _was_requested(
    subject: Subject, exchange: Exchange, place: tuple[str | int, ...], model: Mapping[str, Any]
) -> bool:
    """Whether the request held what stands there: inputs/ that break the schema are their author's fault."""
    requested = exchange.request["requestData"].get("resourceProperties") or {}
    value = value_at_place(model, place)
    return value is not None and value_at_place(parse_texts(subject.schema, requested), place) == value


def value_at_place(value: Any, place: Any) -> Any:
    """What stands at an instance path of the validator."""
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _null_places(value: Any, place: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict):
        for name, each in value.items():
            if each is None:
                yield (*place, name)
            elif isinstance(each, _CONTAINERS):
                yield from _null_places(each, (*place, name))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            if isinstance(each, _CONTAINERS):
                yield from _null_places(each, (*place, index))


def holds_value(value: Any, path: tuple[str, ...]) -> bool:
    """Whether a value other than null stands at a property path, `*` for any item or entry."""
    if not path:
        return value is not None
    step, rest = path[0], path[1:]
    match value:
        case list() if step == "*":
            return any(holds_value(each, rest) for each in value)
        case dict() if step == "*":
            return any(holds_value(each, rest) for each in value.values())
        case dict() if step in value:
            return holds_value(value[step], rest)
        case _:
            return False
