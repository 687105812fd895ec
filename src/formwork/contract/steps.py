"""What several tests judge in the same way: echo, application, completeness."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from formwork.contract.compare import Part, Parting, absent_defaults, compare_request, lacking
from formwork.contract.findings import ABSENT, ClauseState, Difference
from formwork.contract.models import Model, below_any, identity_of, value_at
from formwork.contract.never_created import why_not_looked
from formwork.contract.trial import Made, Trial, error_code, model_of, outcome
from formwork.diagnostics import render_pointer
from formwork.invoke import Operation
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.models import without_paths

# Different requests without a readOnly property in any answer, for it to count as never returned.
_REQUESTS = 3
_SCALARS = ("string", "integer", "number", "boolean")


def judge_echo(trial: Trial, action: str, requested: Model, operation: Operation, earlier: Model | None = None) -> None:
    """`create.echo`, `update.echo`: the SUCCESS model holds what was requested.

    `earlier` is the state before an update: what of it shows through where it should be gone is `update.replace`.
    """
    model = model_of(operation)
    if model is None:
        return
    clause = f"{action}.echo"
    partings = partings_of(trial, action, requested, model)
    merged, other = _split_merged(trial, partings, earlier)
    message = f"the model of {action.upper()} SUCCESS is not what was requested"
    if other or merged:
        trial.violate(clause, message, [operation], differences=_differences(other + merged))
    elif _shown_changes(trial, requested, None, ()):
        trial.hold(clause)
    else:
        _leave_unshown(trial, clause, action)


def judge_applied(  # noqa: PLR0913, PLR0917 - a request, its answer, and what was there before
    trial: Trial, action: str, requested: Model, operation: Operation, read: Operation, earlier: Model | None = None
) -> None:
    """`create.applied`, `update.applied` and what is told apart from them: tags, replacement, completeness of reads."""
    model = model_of(read)
    if not read.succeeded or model is None or is_another(trial, model, model_of(operation)):
        return
    clauses = by_clause(trial, action, partings_of(trial, action, requested, model), earlier)
    shown = [operation, read]
    tags, rest = clauses[f"{action}.tags"], clauses[f"{action}.applied"]
    if tags or _shows_tags(trial, action, requested, earlier):
        message = f"the tags that {action.upper()} was asked for are not those that READ returns"
        trial.judge(f"{action}.tags", not tags, message, shown, differences=_differences(tags))
    if rest:
        message = f"READ right after {action.upper()} SUCCESS does not show what was requested"
        trial.violate(f"{action}.applied", message, shown, differences=_differences(rest))
    elif _shown_changes(trial, requested, earlier, tags):
        trial.hold(f"{action}.applied")
    else:
        _leave_unshown(trial, f"{action}.applied", action)
    if action == "update":
        _judge_replaced(trial, clauses["update.replace"], requested, earlier, shown)
    _judge_left_out(trial, rest, model_of(operation), shown)


def _shown_changes(trial: Trial, requested: Model, earlier: Model | None, wrong: Sequence[Parting]) -> list[str]:
    """The properties that the request sets, or changes (`earlier`: before an update), and that answers show rightly.

    What an update sends along though it can't change it, the identifier above all, is no change.
    """
    schema = trial.schema
    sent_along = schema.read_only if earlier is None else (*schema.read_only, *schema.primary_identifier)
    before, after = (without_paths(each, (*schema.write_only, *sent_along)) for each in (earlier or {}, requested))
    hidden = {each.path[0] for each in wrong} | _hidden_properties(schema)
    return [
        name
        for name, value in after.items()
        if name not in hidden
        and (value or not requested[name])  # not: of what the request sets there, everything is hidden
        and not (name in before and schema.equal((name,), before[name], value))
    ]


def _leave_unshown(trial: Trial, clause: str, action: str) -> None:
    """Nothing that a request of `action` sets can be seen in any answer, so that it does not show `clause`."""
    schema = trial.schema
    fixed = (*schema.read_only, *(() if action == "create" else (*schema.create_only, *schema.primary_identifier)))
    hidden = _hidden_properties(schema) | {path[0] for path in fixed if len(path) == 1}
    verb = "sets" if action == "create" else "changes"
    if hidden >= set(schema.properties):
        trial.not_applicable(clause, f"the schema has no property that {action} {verb} and that answers show")
    else:
        trial.not_provable(clause, f"the {action} input {verb} nothing that answers show; give it a readable property")


def _hidden_properties(schema: ResourceSchema) -> set[str]:
    """The properties, of those at the top, that an answer must not show, or need not."""
    return {path[0] for path in (*schema.write_only, *schema.deprecated, *schema.non_public) if len(path) == 1}


def _shows_tags(trial: Trial, action: str, requested: Model, earlier: Model | None) -> bool:
    """Whether the request sets tags, and an update other ones than there were."""
    place = trial.schema.tagging.tag_property
    wanted = value_at(requested, place)
    changed = earlier is None or value_at(earlier, place) != wanted
    return wanted is not ABSENT and changed and takes_tags(trial.schema, action)


def _judge_replaced(
    trial: Trial, merged: Sequence[Parting], requested: Model, earlier: Model | None, shown: list[Operation]
) -> None:
    """`update.replace`: shown by an update that takes something out of a list or of a nested object."""
    if merged:
        message = "the update was merged into the earlier value where it must replace it"
        trial.violate("update.replace", message, shown, differences=_differences(merged))
    elif earlier is not None and any(
        _takes_away(earlier[name], value) for name, value in requested.items() if name in earlier
    ):
        trial.hold("update.replace")
    elif not _has_collections(trial.schema):
        trial.not_applicable("update.replace", "the schema has no lists and no nested objects")
    else:
        why = "the update takes nothing out of a list or a nested object; give an update input that does"
        trial.not_provable("update.replace", why)


def _takes_away(before: Any, after: Any) -> bool:
    """Whether something in the list or object `before` is not in `after`."""
    match before, after:
        case dict(), dict():
            return any(name not in after or _takes_away(value, after[name]) for name, value in before.items())
        case list(), list():
            return any(each not in after for each in before)
        case _:
            return False


def _has_collections(schema: ResourceSchema) -> bool:
    """Whether a property may hold a list or an object, as far as the schema tells."""
    nodes = (schema.tree.resolve(each) for each in schema.properties.values())
    return any(node.get("type") not in _SCALARS for node in nodes)


def is_another(trial: Trial, model: Model | None, expected: Model | None) -> bool:
    """Whether `model` is that of another resource than `expected`: then none of its values says anything."""
    one, other = (identity_of(trial.schema, each) for each in (model, expected))
    return None not in {one, other} and one != other


def partings_of(trial: Trial, action: str, requested: Model, actual: Any) -> list[Parting]:
    """Where `actual` parts from what was requested; in its tags only where the type says that the action takes tags."""
    schema = trial.schema
    partings = compare_request(schema, requested, actual)
    if takes_tags(schema, action):
        return partings
    return [each for each in partings if not below_any(each.path, [schema.tagging.tag_property])]


def takes_tags(schema: ResourceSchema, action: str) -> bool:
    """Whether create, or update, applies tags; the property is one like any other where the type has no tags at all."""
    tagging = schema.tagging
    return not tagging.taggable or (tagging.tag_on_create if action == "create" else tagging.tag_updatable)


def by_clause(
    trial: Trial, action: str, partings: Sequence[Parting], earlier: Model | None
) -> dict[str, list[Parting]]:
    """The clause that each difference between a request and what is read afterwards breaks."""
    merged, other = _split_merged(trial, partings, earlier)
    tags, rest = _split_tags(trial, other)
    merged_tags, merged = _split_tags(trial, merged)
    return {f"{action}.tags": tags + merged_tags, f"{action}.applied": rest, "update.replace": merged}


def _judge_left_out(trial: Trial, partings: Sequence[Parting], answered: Model | None, shown: list[Operation]) -> None:
    """What the answer showed and the read leaves out may be the read's fault as well."""
    left_out = [
        each
        for each in partings
        if each.kind is Part.MISSING and answered is not None and value_at_place(answered, each.place) is not ABSENT
    ]
    if left_out:
        message = "READ leaves out properties that the answer before it showed"
        trial.violate("read.complete", message, shown, differences=_differences(left_out))


def value_at_place(value: Any, place: tuple[str | int, ...]) -> Any:
    """What stands at a place (names and indexes), or ABSENT."""
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return ABSENT
    return value


def _split_merged(
    trial: Trial, partings: Sequence[Parting], earlier: Model | None
) -> tuple[list[Parting], list[Parting]]:
    """The partings where an earlier value shows through, and the others; unexplained extras are nobody's fault."""
    merged, other = [], []
    earlier = None if earlier is None else trial.schema.without_write_only(earlier)
    for each in partings:
        if earlier is not None and _shows_through(each, earlier):
            merged.append(each)
        elif each.kind is not Part.EXTRA:
            other.append(each)
    return merged, other


def _shows_through(parting: Parting, earlier: Model) -> bool:
    before = value_at_place(earlier, parting.place)
    if before is ABSENT:
        return False
    match parting.kind:
        case Part.EXTRA if isinstance(parting.expected, list) and isinstance(before, list):
            dropped = [item for item in before if item not in parting.expected]
            return bool(dropped) and all(any(_is_part(item, each) for each in parting.spare) for item in dropped)
        case Part.EXTRA | Part.ITEMS if parting.expected is ABSENT:
            return bool(before == parting.actual)
        case Part.ITEMS if isinstance(before, list):
            spare = parting.spare
            return bool(spare) and all(any(_is_part(one, each) for one in before) for each in spare)
        case _:
            return False


def _split_tags(trial: Trial, partings: Sequence[Parting]) -> tuple[list[Parting], list[Parting]]:
    place = trial.schema.tagging.tag_property
    tags = [each for each in partings if below_any(each.path, [place])]
    return tags, [each for each in partings if each not in tags]


def _differences(partings: Sequence[Parting]) -> list[Difference]:
    return [each.difference for each in partings[:8]]


def judge_complete(trial: Trial, action: str, requested: Model, operation: Operation, read: Operation) -> None:
    """`create.complete`, `update.complete`, `read.complete`: answer and read hold the same properties, defaults too."""
    answered, shown_by_read = model_of(operation), model_of(read)
    if answered is None or shown_by_read is None or not read.succeeded:
        return
    shown = [operation, read]
    absent = absent_defaults(trial.schema, trial.subject.defaults, requested, answered)
    short = _merge_differences(lacking(trial.schema, trial.well_formed(shown_by_read), answered), absent)
    message = f"the model of {action.upper()} SUCCESS lacks properties that have a value"
    trial.judge(f"{action}.complete", not short, message, shown, differences=short[:8])
    requested_places = {each.pointer for each in lacking(trial.schema, requested, shown_by_read)}
    gone = [
        each
        for each in _merge_differences(
            lacking(trial.schema, trial.well_formed(answered), shown_by_read),
            absent_defaults(trial.schema, trial.subject.defaults, requested, shown_by_read),
        )
        if each.pointer not in requested_places  # what was requested is judged by `applied`
    ]
    message = "READ leaves out properties that have a value"
    trial.judge("read.complete", not gone, message, shown, differences=gone[:8])
    never = _never_returned(trial, requested, [answered, shown_by_read])
    if never:
        message = "readOnly properties have a value in no answer"
        trial.violate("read.complete", message, shown, differences=never[:8])


def _never_returned(trial: Trial, requested: Model, models: Sequence[Model]) -> list[Difference]:
    """The readOnly properties that no answer so far has had, though these have the objects that they are in.

    A property may have a value in some states only: it takes several requests to say that it never has one.
    """
    schema, memory = trial.schema, trial.subject.memory
    asked, found = json.dumps(requested, sort_keys=True), []
    for path in schema.read_only:
        if below_any(path, (*schema.write_only, *schema.deprecated, *schema.non_public)) or path[-1] == "*":
            continue
        parents = [parent for model in models for parent in _objects_at(model, path[:-1])]
        if any(parent.get(path[-1]) is not None for parent in parents):
            memory.seen_read_only.add(path)
        elif parents and path not in memory.seen_read_only:
            lacked = memory.lacked_read_only.setdefault(path, set())
            lacked.add(asked)
            if len(lacked) >= _requests_wanted(trial):
                found.append(Difference(render_pointer(path), "a value", ABSENT))
    return found


def _requests_wanted(trial: Trial) -> int:
    """How many different requests show a property that is never returned: of given input sets one each, at most."""
    if not trial.inputs.given:
        return _REQUESTS
    others = trial.inputs.likenesses(several=True) - trial.inputs.likenesses()
    return min(_REQUESTS, 1 + len(others))


def _objects_at(value: Any, path: PropertyPath) -> Iterator[Mapping[str, Any]]:
    """The objects at a property path, `*` for every item or entry."""
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


def _merge_differences(first: Sequence[Difference], more: Sequence[Difference]) -> list[Difference]:
    known = {each.pointer for each in first}
    return [*first, *(each for each in more if each.pointer not in known)]


def judge_partial(
    trial: Trial, action: str, requested: Model, operation: Operation, earlier: Model | None = None
) -> None:
    """`create.partial`, `update.partial`: IN_PROGRESS models hold nothing that nobody asked for.

    What is set already cannot be told from outside: a value may be the one requested or a stage towards it, the final
    one, an earlier one (`earlier` is the model before an update) that still stands, or a default.
    """
    final = model_of(operation)
    steps = [each for each in operation.exchanges[:-1] if each.unfinished and each.event]
    if not steps or final is None:
        return
    unjudged = (*trial.schema.write_only, *trial.schema.read_only, *trial.schema.deprecated, *trial.schema.non_public)
    wrong = [
        Difference(render_pointer((name,)), requested.get(name, ABSENT), value)
        for step in steps
        for name, value in _members((step.event or {}).get("resourceModel"))
        if value is not None
        and not below_any((name,), unjudged)
        and not _is_explained(trial, name, value, (requested, final, earlier or {}))
    ]
    message = f"an IN_PROGRESS model of {action.upper()} holds more than what is set so far"
    trial.judge(f"{action}.partial", not wrong, message, [operation], differences=wrong[:5])


def _is_explained(trial: Trial, name: str, value: Any, sources: Sequence[Model]) -> bool:
    default = trial.subject.defaults.of_root.get(name)
    candidates = [each[name] for each in sources if name in each] + ([] if default is None else [default])
    return any(trial.schema.equal((name,), each, value) or _is_part(value, each) for each in candidates)


def _is_part(value: Any, whole: Any) -> bool:
    """Whether `value` is a stage on the way to `whole`: fewer members or items of it."""
    match value, whole:
        case dict(), dict():
            return all(name in whole and _is_part(each, whole[name]) for name, each in value.items())
        case list(), list():
            return all(each in whole for each in value)
        case _:
            return bool(value == whole)


def _members(model: Any) -> list[tuple[str, Any]]:
    return list(model.items()) if isinstance(model, Mapping) else []


def read_back(trial: Trial, made: Made) -> Operation:
    """Read by the primary identifier alone; judges `create.read.primary`."""
    read = trial.read(made.identifier)
    identity = identity_of(trial.schema, model_of(read))
    nameless = model_of(read) is not None and identity is None
    if read.status == "FAILED" or (read.succeeded and (nameless or identity == made.identity)):
        said = outcome(read) if not read.succeeded else "SUCCESS without it"
        message = f"READ by the primaryIdentifier right after CREATE SUCCESS is {said}"
        trial.judge("create.read.primary", identity == made.identity, message, [made.operation, read])
    return read


def reduced(trial: Trial, request: Model) -> dict[str, Any]:
    """`request` with one member less in every object, map and list that an update may change, as far as that is valid.

    What an update leaves out of a collection must be gone: this is the update that shows it.
    """
    schema = trial.schema
    kept = [*schema.create_only, *schema.conditional_create_only, *schema.read_only, *schema.write_only]
    if not takes_tags(schema, "update"):
        kept.append(schema.tagging.tag_property)
    identifiers = [path for each in (schema.primary_identifier, *schema.additional_identifiers) for path in each]
    smaller: dict[str, Any] = dict(request)
    for name, value in request.items():
        if (
            any(path[0] == name for path in (*kept, *identifiers))
            or not isinstance(value, dict | list)
            or len(value) < 2
        ):
            continue
        candidates = [value[:-1]] if isinstance(value, list) else [_less(value, member) for member in reversed(value)]
        for candidate in candidates:
            attempt = {**smaller, name: candidate}
            if trial.subject.is_valid_input(attempt):
                smaller = attempt
                break
    return smaller


def _less(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: each for key, each in value.items() if key != name}


def judge_missing(trial: Trial, clause: str, what: str, shown: Sequence[Operation]) -> None:
    """A clause that asks for FAILED with NotFound from the last of `shown`."""
    last = shown[-1]
    if last.event is None:
        return
    if (why := why_not_looked(trial, last)) is not None:
        trial.not_tested(clause, why)
        return
    kept = last.status == "FAILED" and error_code(last) == "NotFound"
    trial.judge(clause, kept, f"{what} is {outcome(last)} instead of FAILED with NotFound", shown)


def additional_paths(trial: Trial, made: Made, read: Operation | None) -> list[tuple[tuple[PropertyPath, ...], Model]]:
    """Each additional identifier with a model that holds its values, as far as they are known."""
    found: list[tuple[tuple[PropertyPath, ...], Model]] = []
    for paths in trial.schema.additional_identifiers:
        for model in (made.model, (model_of(read) if read else None) or {}, made.request):
            if all(value_at(model, path) not in (ABSENT, None) for path in paths):
                found.append((paths, model))
                break
    return found


def leave_unknown(
    trial: Trial,
    clause: str,
    known: Sequence[tuple[tuple[PropertyPath, ...], Model]],
    *,
    wanted: Sequence[tuple[PropertyPath, ...]] | None = None,
) -> None:
    """Leave `clause` open for the additional identifiers, or those `wanted` of them, without a `known` value.

    A value that the service gives is the handler's to tell; any other is for the inputs to have.
    """
    for paths in trial.schema.additional_identifiers if wanted is None else wanted:
        if any(paths == each for each, _ in known):
            continue
        names = ", ".join("/" + "/".join(path) for path in paths)
        if all(trial.subject.is_read_only(path) for path in paths):
            why = f"no answer tells the additional identifier {names}, which the service gives"
            trial.leave_gap(clause, names, why, ClauseState.NOT_TESTED)
        else:
            trial.leave_gap(clause, names, f"the inputs give no value for {names}")


def parted(trial: Trial, one: Model, other: Model) -> list[Difference]:
    """Where two models that READ returned differ, by the schema's equality; readOnly values may live."""
    schema = trial.schema
    found = []
    for name in {**one, **other}:
        if below_any((name,), (*schema.read_only, *schema.write_only, *schema.non_public)) or _holds_live(trial, name):
            continue
        before, after = one.get(name, ABSENT), other.get(name, ABSENT)
        same = before is not ABSENT and after is not ABSENT and schema.equal((name,), before, after)
        if not same:
            found.append(Difference(render_pointer((name,)), before, after))
    return found


def _holds_live(trial: Trial, name: str) -> bool:
    """Whether the property has readOnly parts, which may change between two reads."""
    return any(path[0] == name and len(path) > 1 for path in trial.schema.read_only)
