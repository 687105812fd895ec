"""Judges whether models are complete at the end of an operation, and hold nothing else before (docs/decisions/0705)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from formwork.contract.compare import absent_defaults, lacking
from formwork.contract.models import Model, below_any
from formwork.contract.outcomes import model_of
from formwork.contract.resource_case import ResourceTestCase
from formwork.contract.steps import is_part
from formwork.contract_results.findings import ABSENT, ModelDifference
from formwork.diagnostics import render_pointer
from formwork.invoke import Operation
from formwork.schema import PropertyPath

# Different requests without a readOnly property in any answer, for it to count as never returned.
_REQUESTS = 3


def judge_complete(
    test: ResourceTestCase, action: str, requested: Model, operation: Operation, read: Operation
) -> None:
    """`create.complete`, `update.complete`, `read.complete`: answer and read hold the same properties, defaults too."""
    answered, shown_by_read = model_of(operation), model_of(read)
    if answered is None or shown_by_read is None or not read.succeeded:
        return
    shown = [operation, read]
    absent = absent_defaults(test.schema, test.subject.defaults, requested, answered)
    short = _merge_differences(lacking(test.schema, test.well_formed(shown_by_read), answered), absent)
    message = f"the model of {action.upper()} SUCCESS lacks properties that have a value"
    test.judge(f"{action}.complete", not short, message, shown, differences=short[:8])
    requested_places = {each.pointer for each in lacking(test.schema, requested, shown_by_read)}
    gone = [
        each
        for each in _merge_differences(
            lacking(test.schema, test.well_formed(answered), shown_by_read),
            absent_defaults(test.schema, test.subject.defaults, requested, shown_by_read),
        )
        if each.pointer not in requested_places  # what was requested is judged by `applied`
    ]
    message = "READ leaves out properties that have a value"
    test.judge("read.complete", not gone, message, shown, differences=gone[:8])
    never = _never_returned(test, requested, [answered, shown_by_read])
    if never:
        message = "readOnly properties have a value in no answer"
        test.violate("read.complete", message, shown, differences=never[:8])


def _never_returned(test: ResourceTestCase, requested: Model, models: Sequence[Model]) -> list[ModelDifference]:
    """Return the readOnly properties that no answer so far has had, though these have the objects that they are in.

    A property may have a value in some states only: it takes several requests to say that it never has one. One that
    the schema does not declare is a fault of the schema's, which `cfn validate` names.
    """
    schema, memory = test.schema, test.subject.memory
    asked, found = json.dumps(requested, sort_keys=True), []
    for path in schema.read_only:
        if below_any(path, (*schema.write_only, *schema.deprecated, *schema.non_public)) or path[-1] == "*":
            continue
        if schema.subschema_at(path) is None:
            continue
        parents = [parent for model in models for parent in _objects_at(model, path[:-1])]
        if any(parent.get(path[-1]) is not None for parent in parents):
            memory.seen_read_only.add(path)
        elif parents and path not in memory.seen_read_only:
            lacked = memory.lacked_read_only.setdefault(path, set())
            lacked.add(asked)
            if len(lacked) >= _requests_wanted(test):
                found.append(ModelDifference(render_pointer(path), "a value", ABSENT))
    return found


def _requests_wanted(test: ResourceTestCase) -> int:
    """How many different requests show a property that is never returned: of given input sets one each, at most."""
    if not test.inputs.given:
        return _REQUESTS
    others = test.inputs.likenesses(several=True) - test.inputs.likenesses()
    return min(_REQUESTS, 1 + len(others))


def _objects_at(value: Any, path: PropertyPath) -> Iterator[Mapping[str, Any]]:
    """Yield the objects at a property path, `*` for every item or entry."""
    if not path:
        if isinstance(value, Mapping):
            yield value
        return
    step, rest = path[0], path[1:]
    match value:
        case list() if step == "*":
            inner: Iterable[Any] = value
        case dict():
            inner = value.values() if step == "*" and step not in value else [value.get(step)]
        case _:
            return
    for each in inner:
        yield from _objects_at(each, rest)


def _merge_differences(first: Sequence[ModelDifference], more: Sequence[ModelDifference]) -> list[ModelDifference]:
    known = {each.pointer for each in first}
    return [*first, *(each for each in more if each.pointer not in known)]


def judge_partial(
    test: ResourceTestCase, action: str, requested: Model, operation: Operation, earlier: Model | None = None
) -> None:
    """`create.partial`, `update.partial`: IN_PROGRESS models hold nothing that was not requested.

    What is set already cannot be seen from outside: a value may be the one requested or a stage towards it, the final
    one, an earlier one (`earlier` is the model before an update) that still stands, or a default.
    """
    final = model_of(operation)
    steps = [each for each in operation.exchanges[:-1] if each.unfinished and each.event]
    if not steps or final is None:
        return
    unjudged = (*test.schema.write_only, *test.schema.read_only, *test.schema.deprecated, *test.schema.non_public)
    wrong = [
        ModelDifference(render_pointer((name,)), requested.get(name, ABSENT), value)
        for step in steps
        for name, value in _members((step.event or {}).get("resourceModel"))
        if value is not None
        and not below_any((name,), unjudged)
        and not _is_explained(test, name, value, (requested, final, earlier or {}))
    ]
    message = f"an IN_PROGRESS model of {action.upper()} holds more than what is set so far"
    test.judge(f"{action}.partial", not wrong, message, [operation], differences=wrong[:5])


def _is_explained(test: ResourceTestCase, name: str, value: Any, sources: Sequence[Model]) -> bool:
    default = test.subject.defaults.of_root.get(name)
    candidates = [each[name] for each in sources if name in each] + ([] if default is None else [default])
    return any(test.schema.equal((name,), each, value) or is_part(value, each) for each in candidates)


def _members(model: Any) -> list[tuple[str, Any]]:
    return list(model.items()) if isinstance(model, Mapping) else []
