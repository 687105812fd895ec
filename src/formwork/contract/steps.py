"""Judgements that several tests share: whether a request is echoed, and applied."""

from collections.abc import Mapping, Sequence
from typing import Any

from formwork.contract.compare import DifferenceKind, RequestDifference, compare_request
from formwork.contract.models import Model, below_any, identity_of, value_at
from formwork.contract.never_created import why_not_looked
from formwork.contract.outcomes import model_of, outcome
from formwork.contract.recording import error_code
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.contract_results.findings import ABSENT, ClauseState, ModelDifference
from formwork.diagnostics import get_at, render_pointer
from formwork.invoke import Operation
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.models import without_paths

_SCALARS = ("string", "integer", "number", "boolean")


def judge_echo(
    test: ResourceTestCase, action: str, requested: Model, operation: Operation, earlier: Model | None = None
) -> None:
    """`create.echo`, `update.echo`: the SUCCESS model holds what was requested.

    `earlier` is the state before an update: what of it shows through where it should be gone is `update.replace`.
    """
    model = model_of(operation)
    if model is None:
        return
    clause = f"{action}.echo"
    partings = request_differences(test, action, requested, model)
    merged, other = _split_merged(test, partings, earlier)
    message = f"the model of {action.upper()} SUCCESS is not what was requested"
    if other or merged:
        test.violate(clause, message, [operation], differences=_differences(other + merged))
    elif _shown_changes(test, requested, None, ()):
        test.hold(clause)
    else:
        _leave_unshown(test, clause, action)


def judge_applied(  # noqa: PLR0913, PLR0917 - a request, its answer, and what was there before
    test: ResourceTestCase,
    action: str,
    requested: Model,
    operation: Operation,
    read: Operation,
    earlier: Model | None = None,
) -> None:
    """Judge `create.applied` or `update.applied`, and the clauses on tags, replacement and complete reads."""
    model = model_of(read)
    if not read.succeeded or model is None or is_another(test, model, model_of(operation)):
        return
    clauses = by_clause(test, action, request_differences(test, action, requested, model), earlier)
    shown = [operation, read]
    tags, rest = clauses[f"{action}.tags"], clauses[f"{action}.applied"]
    if tags or _shows_tags(test, action, requested, earlier):
        message = f"the tags that {action.upper()} was asked for are not those that READ returns"
        test.judge(f"{action}.tags", not tags, message, shown, differences=_differences(tags))
    if rest:
        message = f"READ right after {action.upper()} SUCCESS does not show what was requested"
        test.violate(f"{action}.applied", message, shown, differences=_differences(rest))
    elif _shown_changes(test, requested, earlier, tags):
        test.hold(f"{action}.applied")
    else:
        _leave_unshown(test, f"{action}.applied", action)
    if action == "update":
        _judge_replaced(test, clauses["update.replace"], requested, earlier, shown)
    _judge_left_out(test, rest, model_of(operation), shown)


def _shown_changes(
    test: ResourceTestCase, requested: Model, earlier: Model | None, wrong: Sequence[RequestDifference]
) -> list[str]:
    """The properties that the request sets, or changes (`earlier`: before an update), and that answers show rightly.

    What an update sends along though it cannot change it, the identifier above all, does not count as one.
    """
    schema = test.schema
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


def _leave_unshown(test: ResourceTestCase, clause: str, action: str) -> None:
    """Nothing that a request of `action` sets can be seen in any answer, so that it does not show `clause`."""
    schema = test.schema
    fixed = (*schema.read_only, *(() if action == "create" else (*schema.create_only, *schema.primary_identifier)))
    hidden = _hidden_properties(schema) | {path[0] for path in fixed if len(path) == 1}
    verb = "sets" if action == "create" else "changes"
    if hidden >= set(schema.properties):
        test.not_applicable(clause, f"the schema has no property that {action} {verb} and that answers show")
    else:
        test.not_provable(clause, f"the {action} input {verb} nothing that answers show; give it a readable property")


def _hidden_properties(schema: ResourceSchema) -> set[str]:
    """Return the properties, of those at the top, that an answer must not show, or need not."""
    return {path[0] for path in (*schema.write_only, *schema.deprecated, *schema.non_public) if len(path) == 1}


def _shows_tags(test: ResourceTestCase, action: str, requested: Model, earlier: Model | None) -> bool:
    """Return whether the request sets tags, and an update other ones than there were."""
    place = test.schema.tagging.tag_property
    wanted = value_at(requested, place)
    changed = earlier is None or value_at(earlier, place) != wanted
    return wanted is not ABSENT and changed and takes_tags(test.schema, action)


def _judge_replaced(
    test: ResourceTestCase,
    merged: Sequence[RequestDifference],
    requested: Model,
    earlier: Model | None,
    shown: list[Operation],
) -> None:
    """`update.replace`: shown by an update that takes something out of a list or of a nested object."""
    if merged:
        message = "the update was merged into the earlier value where it must replace it"
        test.violate("update.replace", message, shown, differences=_differences(merged))
    elif earlier is not None and any(
        _takes_away(earlier[name], value) for name, value in requested.items() if name in earlier
    ):
        test.hold("update.replace")
    elif not _has_collections(test.schema):
        test.not_applicable("update.replace", "the schema has no lists and no nested objects")
    else:
        why = "the update takes nothing out of a list or a nested object; give an update input that does"
        test.not_provable("update.replace", why)


def _takes_away(before: Any, after: Any) -> bool:
    """Return whether something in the list or object `before` is not in `after`."""
    match before, after:
        case dict(), dict():
            return any(name not in after or _takes_away(value, after[name]) for name, value in before.items())
        case list(), list():
            return any(each not in after for each in before)
        case _:
            return False


def _has_collections(schema: ResourceSchema) -> bool:
    """Return whether a property may hold a list or an object, as far as the schema tells."""
    return any(node.target.get("type") not in _SCALARS for node in schema.view.root.properties.values())


def is_another(test: ResourceTestCase, model: Model | None, expected: Model | None) -> bool:
    """Return whether `model` is that of another resource than `expected`: then none of its values says anything."""
    one, other = (identity_of(test.schema, each) for each in (model, expected))
    return None not in {one, other} and one != other


def request_differences(test: ResourceTestCase, action: str, requested: Model, actual: Any) -> list[RequestDifference]:
    """Return where `actual` differs from the request; tags are compared only if the type's action supports tags."""
    schema = test.schema
    partings = compare_request(schema, requested, actual)
    if takes_tags(schema, action):
        return partings
    return [each for each in partings if not below_any(each.path, [schema.tagging.tag_property])]


def takes_tags(schema: ResourceSchema, action: str) -> bool:
    """Whether create, or update, applies tags; the property is one like any other where the type has no tags at all."""
    tagging = schema.tagging
    return not tagging.taggable or (tagging.tag_on_create if action == "create" else tagging.tag_updatable)


def by_clause(
    test: ResourceTestCase, action: str, partings: Sequence[RequestDifference], earlier: Model | None
) -> dict[str, list[RequestDifference]]:
    """Return the differences between a request and the later read, grouped by the clause that they violate."""
    merged, other = _split_merged(test, partings, earlier)
    tags, rest = _split_tags(test, other)
    merged_tags, merged = _split_tags(test, merged)
    return {f"{action}.tags": tags + merged_tags, f"{action}.applied": rest, "update.replace": merged}


def _judge_left_out(
    test: ResourceTestCase, partings: Sequence[RequestDifference], answered: Model | None, shown: list[Operation]
) -> None:
    """Judge `read.complete` for properties that the answer contains but the read leaves out."""
    left_out = [
        each
        for each in partings
        if each.kind is DifferenceKind.MISSING
        and answered is not None
        and get_at(answered, each.place, ABSENT) is not ABSENT
    ]
    if left_out:
        message = "READ leaves out properties that the answer before it showed"
        test.violate("read.complete", message, shown, differences=_differences(left_out))


def _split_merged(
    test: ResourceTestCase, partings: Sequence[RequestDifference], earlier: Model | None
) -> tuple[list[RequestDifference], list[RequestDifference]]:
    """The partings where an earlier value shows through, and the others; extras without an explanation are left out."""
    merged, other = [], []
    earlier = None if earlier is None else test.schema.without_write_only(earlier)
    for each in partings:
        if earlier is not None and _shows_through(each, earlier):
            merged.append(each)
        elif each.kind is not DifferenceKind.EXTRA:
            other.append(each)
    return merged, other


def _shows_through(parting: RequestDifference, earlier: Model) -> bool:
    before = get_at(earlier, parting.place, ABSENT)
    if before is ABSENT:
        return False
    match parting.kind:
        case DifferenceKind.EXTRA if isinstance(parting.expected, list) and isinstance(before, list):
            dropped = [item for item in before if item not in parting.expected]
            return bool(dropped) and all(any(is_part(item, each) for each in parting.spare) for item in dropped)
        case DifferenceKind.EXTRA | DifferenceKind.ITEMS if parting.expected is ABSENT:
            return bool(before == parting.actual)
        case DifferenceKind.ITEMS if isinstance(before, list):
            spare = parting.spare
            return bool(spare) and all(any(is_part(one, each) for one in before) for each in spare)
        case _:
            return False


def _split_tags(
    test: ResourceTestCase, partings: Sequence[RequestDifference]
) -> tuple[list[RequestDifference], list[RequestDifference]]:
    place = test.schema.tagging.tag_property
    tags = [each for each in partings if below_any(each.path, [place])]
    return tags, [each for each in partings if each not in tags]


def _differences(partings: Sequence[RequestDifference]) -> list[ModelDifference]:
    return [each.difference for each in partings[:8]]


def is_part(value: Any, whole: Any) -> bool:
    """Return whether `value` is an incomplete `whole`, with some of its members or items missing."""
    match value, whole:
        case dict(), dict():
            return all(name in whole and is_part(each, whole[name]) for name, each in value.items())
        case list(), list():
            return all(each in whole for each in value)
        case _:
            return bool(value == whole)


def read_back(test: ResourceTestCase, made: CreatedResource) -> Operation:
    """Read by the primary identifier alone, and judge `create.read.primary`."""
    read = test.read(made.identifier)
    identity = identity_of(test.schema, model_of(read))
    nameless = model_of(read) is not None and identity is None
    if read.status == "FAILED" or (read.succeeded and (nameless or identity == made.identity)):
        said = outcome(read) if not read.succeeded else "SUCCESS without it"
        message = f"READ by the primaryIdentifier right after CREATE SUCCESS is {said}"
        test.judge("create.read.primary", identity == made.identity, message, [made.operation, read])
    return read


def reduced(test: ResourceTestCase, request: Model) -> dict[str, Any]:
    """`request` with one member less in every object, map and list that an update may change, as far as that is valid.

    What an update leaves out of a collection must be gone: this is the update that shows it.
    """
    schema = test.schema
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
            if test.subject.is_valid_input(attempt):
                smaller = attempt
                break
    return smaller


def _less(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: each for key, each in value.items() if key != name}


def judge_missing(test: ResourceTestCase, clause: str, what: str, shown: Sequence[Operation]) -> None:
    """A clause that asks for FAILED with NotFound from the last of `shown`."""
    last = shown[-1]
    if last.event is None:
        return
    if (why := why_not_looked(test, last)) is not None:
        test.not_tested(clause, why)
        return
    kept = last.status == "FAILED" and error_code(last) == "NotFound"
    test.judge(clause, kept, f"{what} is {outcome(last)} instead of FAILED with NotFound", shown)


def additional_paths(
    test: ResourceTestCase, made: CreatedResource, read: Operation | None
) -> list[tuple[tuple[PropertyPath, ...], Model]]:
    """Return each additional identifier with a model that holds its values, as far as they are known."""
    found: list[tuple[tuple[PropertyPath, ...], Model]] = []
    for paths in test.schema.additional_identifiers:
        for model in (made.model, (model_of(read) if read else None) or {}, made.request):
            if all(value_at(model, path) not in (ABSENT, None) for path in paths):
                found.append((paths, model))
                break
    return found


def leave_unknown(
    test: ResourceTestCase,
    clause: str,
    known: Sequence[tuple[tuple[PropertyPath, ...], Model]],
    *,
    wanted: Sequence[tuple[PropertyPath, ...]] | None = None,
) -> None:
    """Leave `clause` open for the additional identifiers, or those `wanted` of them, without a `known` value.

    A value that the service gives is the handler's to tell; any other is for the inputs to have.
    """
    for paths in test.schema.additional_identifiers if wanted is None else wanted:
        if any(paths == each for each, _ in known):
            continue
        names = ", ".join("/" + "/".join(path) for path in paths)
        if all(test.subject.is_read_only(path) for path in paths):
            why = f"no answer tells the additional identifier {names}, which the service gives"
            test.leave_gap(clause, names, why, ClauseState.NOT_TESTED)
        else:
            test.leave_gap(clause, names, f"the inputs give no value for {names}")


def parted(test: ResourceTestCase, one: Model, other: Model) -> list[ModelDifference]:
    """Return where two models that READ returned differ, by the schema's equality; readOnly values may live."""
    schema = test.schema
    found = []
    for name in {**one, **other}:
        if below_any((name,), (*schema.read_only, *schema.write_only, *schema.non_public)) or _holds_live(test, name):
            continue
        before, after = one.get(name, ABSENT), other.get(name, ABSENT)
        same = before is not ABSENT and after is not ABSENT and schema.equal((name,), before, after)
        if not same:
            found.append(ModelDifference(render_pointer((name,)), before, after))
    return found


def _holds_live(test: ResourceTestCase, name: str) -> bool:
    """Return whether the property has readOnly parts, which may change between two reads."""
    return any(path[0] == name and len(path) > 1 for path in test.schema.read_only)
