"""Models in an answer, each judged by itself: against the schema, for nulls and for writeOnly values."""

from collections.abc import Iterator, Mapping
from typing import Any

from formwork.contract.subject import ResourceSubject
from formwork.contract_results.clauses import CLAUSES, Level
from formwork.contract_results.findings import Finding, ModelDifference
from formwork.diagnostics import get_at, render_pointer
from formwork.documents.copied import without_nulls
from formwork.invoke import Exchange
from formwork.schema.coercion import parse_texts
from formwork.schema.instance_paths import instance_path

_CONTAINERS = (dict, list)


def fault(
    clause: str,
    message: str,
    exchange: Exchange,
    *,
    level: Level | None = None,
    differences: tuple[ModelDifference, ...] = (),
) -> Finding:
    """Return a finding that one answer shows; its level is the clause's unless `level` is given."""
    return Finding(clause, level or CLAUSES[clause].level, message, (exchange,), differences)


def check_models(
    subject: ResourceSubject, action: str, event: Mapping[str, Any], exchange: Exchange
) -> Iterator[Finding]:
    """Return what is wrong with the models of an answer: one finding per clause, however many models it has."""
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
            message = f"{action} returned a model that is not an object"
            yield fault("event.shape", message, exchange)
            continue
        found = list(_model(subject, action, event["status"], place, each, exchange))
        yield from (one for one in found if one.clause not in judged)
        judged |= {one.clause for one in found}  # one finding a clause is enough for a list of a thousand


def _model(  # noqa: PLR0913, PLR0917 - an answer and where in it the model stands
    subject: ResourceSubject,
    action: str,
    status: str,
    place: tuple[str, ...],
    model: Mapping[str, Any],
    exchange: Exchange,
) -> Iterator[Finding]:
    nulls = list(_null_places(model, ()))
    if nulls:
        differences = tuple(ModelDifference(render_pointer((*place, *path)), "no property", None) for path in nulls[:5])
        yield fault("event.null", f"{action} returned null for a property", exchange, differences=differences)
    plain = without_nulls(model)
    problems = [
        (path, each)
        for each in subject.shape.iter_errors(plain)
        if not _hides_secrets(subject, each, path := instance_path(each, plain))
        and not (path and _was_requested(subject, exchange, path, plain))
    ]
    if problems:
        differences = tuple(
            ModelDifference(render_pointer((*place, *path)), each.message, get_at(model, path))
            for path, each in problems[:5]
        )
        message = f"a model that {action} returned does not conform to the schema"
        yield fault("event.shape", message, exchange, differences=differences)
    if status == "SUCCESS":
        secret = [path for path in subject.schema.write_only if holds_value(model, path)]
        if secret:
            differences = tuple(
                ModelDifference(render_pointer((*place, *path)), "no property", "a value") for path in secret
            )
            message = f"{action} returned a writeOnly property"
            yield fault("event.writeonly", message, exchange, differences=differences)


def _hides_secrets(subject: ResourceSubject, problem: Any, place: tuple[str | int, ...]) -> bool:
    """Return whether items of a set may be equal only because their writeOnly properties are left out."""
    if list(problem.schema_path)[-1:] != ["uniqueItems"]:
        return False
    items = (*("*" if isinstance(step, int) else step for step in place), "*")
    return any(path[: len(items)] == items for path in subject.schema.write_only)


def _was_requested(
    subject: ResourceSubject, exchange: Exchange, place: tuple[str | int, ...], model: Mapping[str, Any]
) -> bool:
    """Return whether the request had the same value at `place`: an invalid input is its author's fault."""
    requested = exchange.request["requestData"].get("resourceProperties") or {}
    value = get_at(model, place)
    return value is not None and get_at(parse_texts(subject.schema, requested), place) == value


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
    """Return whether a value other than null stands at a property path, `*` for any item or entry."""
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
