"""Tests of the update handler, and of the state after it."""

from formwork.contract.completeness import judge_complete, judge_partial
from formwork.contract.derived_names import derived_resources
from formwork.contract.listing import expect_complete, explain, list_all
from formwork.contract.models import (
    Model,
    below_any,
    has_value,
    identity_of,
    is_read_only,
    only,
    value_at,
    with_value,
    without,
)
from formwork.contract.outcomes import model_of, outcome
from formwork.contract.recording import BlockedError, CoveredElsewhereError, NotApplicableError, NotProvableError
from formwork.contract.requirement import proves
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.contract.steps import additional_paths, judge_applied, judge_echo, leave_unknown, reduced
from formwork.contract.updates import desired_state, run_update, wanted_update
from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import ABSENT, ModelDifference
from formwork.diagnostics import render_pointer
from formwork.instances import Extent
from formwork.invoke import Operation
from formwork.schema import PropertyPath

# What every update that is read back afterwards is judged by.
_UPDATED = (
    "update.applied",
    "update.echo",
    "update.complete",
    "update.identity",
    "update.replace",
    "update.partial",
    "update.tags",
)


@proves(
    *_UPDATED,
    needs=("create", "read", "update", "delete"),
    each_input=True,
    provable_where="there is an update input; a create, the update and a read succeed",
    refuted_by="the update's last model, or the read after it, lacks, changes or adds to what was requested",
)
def contract_update_read(test: ResourceTestCase) -> None:
    """What was updated can be read, and is what was requested, in full."""
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    desired = wanted_update(test, made, Extent.MAXIMAL)
    updated = _update_and_judge(test, made, desired, made.request)
    if test.inputs.given:
        back = test.inputs.update(desired)
        less = None if back is None else desired_state(test, back, made)
    else:
        less = reduced(test, desired)
    if less is not None and less != desired:
        _update_and_judge(test, made, less, desired, model_of(updated))


@proves(
    *_UPDATED,
    needs=("create", "read", "update", "delete"),
    provable_where="inputs are generated; a create, the update and a read succeed",
    refuted_by="the read does not show what the update adds",
)
def contract_update_more(test: ResourceTestCase) -> None:
    """An update that adds what the create left out applies it."""
    _expect_generated(test)
    made = test.make(test.inputs.create(Extent.MINIMAL))
    _update_and_judge(test, made, wanted_update(test, made, Extent.MAXIMAL), made.request)


@proves(
    *_UPDATED,
    needs=("create", "read", "update", "delete"),
    provable_where="inputs are generated; a create, the update and a read succeed",
    refuted_by="the read shows what the update takes out of a list or a nested object",
)
def contract_update_less(test: ResourceTestCase) -> None:
    """What an update takes away, inside nested objects and collections too, is gone: a handler that merges keeps it."""
    _expect_generated(test)
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    less = test.inputs.thinner(made.request)
    if less is not None:
        _update_and_judge(test, made, desired_state(test, less, made), made.request)
    desired = wanted_update(test, made, Extent.RANDOM)
    _update_and_judge(test, made, desired, made.request if less is None else less)


def _expect_generated(test: ResourceTestCase) -> None:
    if test.inputs.given:
        raise CoveredElsewhereError("the inputs/ folder says what to update with, and contract_update_read does")


def _update_and_judge(
    test: ResourceTestCase, made: CreatedResource, desired: Model, earlier: Model, previous: Model | None = None
) -> Operation:
    updated = run_update(test, made, desired, previous)
    judge_echo(test, "update", desired, updated, earlier)
    judge_partial(test, "update", desired, updated, made.model if previous is None else previous)
    if not updated.had_callbacks:
        test.not_applicable("update.partial", "the handler answered without an IN_PROGRESS event")
    read = test.read(made.identifier)
    if read.status == "FAILED":
        _judge_unreadable(test, made, updated, read)
    judge_applied(test, "update", desired, updated, read, earlier)
    judge_complete(test, "update", desired, updated, read)
    return updated


def _judge_unreadable(test: ResourceTestCase, made: CreatedResource, updated: Operation, read: Operation) -> None:
    """A read that fails after an update is the update's fault, unless one after a create fails as well."""
    test.delete(made.identifier)
    again = test.make(made.request)
    if test.read(again.identifier).status != "FAILED":
        message = f"READ right after UPDATE SUCCESS is {outcome(read)}"
        test.violate("update.applied", message, [updated, read])
    raise BlockedError(f"READ is {outcome(read)}")


@proves(
    "update.dropped",
    needs=("create", "read", "update", "delete"),
    each_input=True,
    provable_where="the update input leaves out a property of the create input; the update and a read succeed",
    refuted_by="the read shows the property with its earlier value, which is not its default",
)
def contract_update_dropped(test: ResourceTestCase) -> None:
    """A property that an update leaves out is gone, or back at its default."""
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    desired = wanted_update(test, made, Extent.MINIMAL)
    dropped = [
        name
        for name, value in made.request.items()
        if name not in desired and value not in (None, [], {}, "") and not below_any((name,), _unjudged(test))
    ]
    if not dropped:
        raise NotProvableError("the update leaves out nothing that the create had")
    updated = run_update(test, made, desired)
    read = test.read(made.identifier)
    model = model_of(read)
    if not read.succeeded or model is None:
        return
    kept = [
        ModelDifference(render_pointer((name,)), ABSENT, model[name])
        for name in dropped
        if name in model
        and test.schema.equal((name,), made.request[name], model[name])
        and not _is_default(test, name, model[name])
    ]
    message = "properties that the update leaves out still have their earlier values"
    test.judge("update.dropped", not kept, message, [updated, read], differences=kept[:8])


def _unjudged(test: ResourceTestCase) -> tuple[PropertyPath, ...]:
    schema = test.schema
    return (*schema.write_only, *schema.read_only, *schema.create_only, *schema.deprecated, *schema.non_public)


def _is_default(test: ResourceTestCase, name: str, value: object) -> bool:
    default = test.subject.defaults.of_root.get(name)
    return default is not None and test.schema.equal((name,), default, value)


@proves(
    "update.list",
    "update.one",
    needs=("create", "update", "list", "delete"),
    provable_where="there is an update input; the update succeeds, and the lists around it are complete",
    refuted_by="LIST fails, the list lacks the resource, or another is new there twice; a readOnly identifier changes",
)
def contract_update_list(test: ResourceTestCase) -> None:
    """What was updated is in the list, once, and no other resource has appeared."""
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    before = list_all(test, made.model, looking_for=made.identity)
    desired = wanted_update(test, made, Extent.MAXIMAL)
    updated = run_update(test, made, desired)
    after = list_all(test, made.model, looking_for=made.identity)
    expect_complete(test, after, "update.list", shown=[updated])
    message = "the complete list lacks the resource that was just updated"
    test.judge("update.list", made.identity in after, message, [updated, *after.pages[-2:]])
    if not _judge_identifiers(test, made, updated):
        return
    copies = derived_resources(test, made, after, before)
    if copies and "create.one" not in test.subject.memory.violated:
        message = f"the update made a new resource: {min(copies)}"
        test.violate("update.one", message, [updated, *after.pages[-1:]])
        for entry in copies.values():
            test.adopt(entry)
        return
    if not before.complete:
        test.not_tested("update.one", f"before the update, {explain(before)}")
        return
    new = test.unaccounted(set(after.identities) - set(before.identities))
    if not new:
        test.hold("update.one")
        return
    # Another user of the account may have created it: it must happen again to count, best with another name.
    if not test.inputs.given:
        made = test.make(test.inputs.create(Extent.MAXIMAL))
        desired, back = made.model, wanted_update(test, made, Extent.MAXIMAL)
    else:
        back = {**made.request, **only(made.model, test.schema.primary_identifier)}
    again = list_all(test, made.model)
    repeated = run_update(test, made, back, desired)
    last = list_all(test, made.model)
    more = test.unaccounted(set(last.identities) - set(again.identities))
    message = f"the update made a new resource: {min(new)}"
    test.judge("update.one", not more, message, [*before.pages[-1:], updated, repeated, *last.pages[-1:]])
    for entry in last.entries:
        if identity_of(test.schema, entry) in new | more:
            test.adopt(entry)


def _judge_identifiers(test: ResourceTestCase, made: CreatedResource, updated: Operation) -> bool:
    """ReadOnly identifiers, such as an Arn, name the physical resource: they stay."""
    model = model_of(updated) or {}
    changed = []
    for paths in test.schema.additional_identifiers:
        for path in paths:
            before, after = value_at(made.model, path), value_at(model, path)
            if is_read_only(test.schema, path) and before is not ABSENT and after is not ABSENT and before != after:
                changed.append(ModelDifference(render_pointer(path), before, after))
    changed += [
        ModelDifference(render_pointer(path), value_at(made.model, path), value_at(model, path))
        for path in test.schema.read_only
        if path[-1] in {"Arn", "ARN"}
        and value_at(made.model, path) is not ABSENT
        and value_at(model, path) not in (ABSENT, value_at(made.model, path))
        and all(each.pointer != render_pointer(path) for each in changed)
    ]
    if changed:
        message = "an identifier that the service gives changed: the update made a new physical resource"
        test.violate("update.one", message, [made.operation, updated], differences=changed)
    return not changed


@proves(
    "update.tags",
    needs=("create", "read", "update", "delete"),
    provable_where="the type takes tags on update, and the update input changes them",
    refuted_by="a read afterwards shows other tags",
)
def contract_update_tag_updatable(test: ResourceTestCase) -> None:
    """Changed and removed tags are applied."""
    schema = test.schema
    tagging = schema.tagging
    if not tagging.taggable or not tagging.tag_updatable or schema.subschema_at(tagging.tag_property) is None:
        raise NotApplicableError("the schema says that update takes no tags")
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    desired = wanted_update(test, made, Extent.MAXIMAL)
    before, after = value_at(made.request, tagging.tag_property), value_at(desired, tagging.tag_property)
    if before == after or after is ABSENT:
        place = "/" + "/".join(tagging.tag_property)
        raise NotProvableError(f"the update input changes nothing at {place}; change, add and remove tags in it")
    updated = run_update(test, made, desired)
    judge_applied(test, "update", desired, updated, test.read(made.identifier), made.request)
    if test.inputs.given or not isinstance(after, list | dict) or len(after) < 2:
        return
    fewer = after[:1] if isinstance(after, list) else dict(list(after.items())[:1])
    reduced = with_value(desired, tagging.tag_property, fewer)
    if not test.subject.is_valid_input(reduced):
        return
    again = run_update(test, made, reduced, model_of(updated))
    judge_applied(test, "update", reduced, again, test.read(made.identifier), desired)


@proves(
    "update.additional",
    needs=("create", "read", "update", "delete"),
    provable_where="the schema has additionalIdentifiers, and an input or an answer has a value for one",
    refuted_by="an update by it instead of the primary one fails or answers with another resource",
)
def contract_update_additional(test: ResourceTestCase) -> None:
    """An update by each additional identifier instead of the primary one succeeds."""
    schema = test.schema
    if not schema.additional_identifiers:
        raise NotApplicableError("the schema has no additionalIdentifiers")
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    read = test.read(made.identifier)
    known = additional_paths(test, made, read)
    leave_unknown(test, "update.additional", known)
    for paths, model in known:
        desired = wanted_update(test, made, Extent.MAXIMAL)
        for path in schema.primary_identifier:
            if path not in paths:
                desired = without(desired, path)
        for path in paths:
            desired = with_value(desired, path, value_at(model, path))
        updated = test.update(desired, made.model)
        if updated.event is None:
            continue
        needed = any(path[0] in schema.required for path in schema.primary_identifier if path not in paths)
        names = ", ".join("/" + "/".join(path) for path in paths)
        same = updated.succeeded and identity_of(schema, model_of(updated)) == made.identity
        said = outcome(updated) if not updated.succeeded else "SUCCESS for another resource"
        message = f"UPDATE by the additional identifier {names} instead of the primary one is {said}"
        # Where the schema requires the primary identifier, a request without it is not valid input either.
        level = Level.SHOULD if needed else None
        if test.judge("update.additional", same, message, [made.operation, updated], level=level):
            test.fill("update.additional", names)


@proves(
    "update.createonly",
    needs=("create", "read", "update", "delete"),
    provable_where="a createOnly property outside the identifiers has a value, another fits, and an update succeeds",
    refuted_by="an update with the other value is not FAILED, or a read afterwards shows it",
)
def contract_update_createonly(test: ResourceTestCase) -> None:
    """A changed createOnly property is refused, and nothing changes."""
    schema = test.schema
    identifiers = {path for each in (schema.primary_identifier, *schema.additional_identifiers) for path in each}
    candidates = [
        path
        for path in schema.create_only
        if path not in identifiers
        and path not in schema.read_only
        and "*" not in path
        and path not in schema.write_only
        and schema.subschema_at(path) is not None
    ]
    if not candidates:
        raise NotApplicableError("the schema has no createOnly property outside the identifiers")
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    known = [(path, model) for model in (made.request, made.model) for path in candidates if has_value(model, path)]
    if not known:
        names = ", ".join("/" + "/".join(path) for path in candidates)
        raise NotProvableError(f"the resource has no value for a createOnly property; give one of {names}")
    path = known[0][0]
    desired = desired_state(test, made.request, made)
    before = value_at(known[0][1], path)
    other = next((v for v in (test.inputs.value_at(path) for _ in range(12)) if v is not None and v != before), None)
    if other is None:
        raise NotProvableError(f"no other value fits /{'/'.join(path)}")
    with test.probing():
        updated = test.update(with_value(desired, path, other), made.model)
    if updated.event is None:
        return
    name = "/" + "/".join(path)
    message = f"UPDATE with another value for the createOnly property {name} is {outcome(updated)} instead of FAILED"
    if updated.status != "FAILED":
        test.violate("update.createonly", message, [made.operation, updated])
        return
    read = test.read(made.identifier)
    model = model_of(read)
    if model is None:
        raise BlockedError(f"READ is {outcome(read)}")
    if path in schema.deprecated or path in schema.non_public:  # a read need not show it
        test.hold("update.createonly")
        return
    after = value_at(model, path)
    message = f"a refused UPDATE changed the createOnly property {name} all the same"
    differences = [ModelDifference(render_pointer(path), before, after)]
    test.judge(
        "update.createonly",
        after is ABSENT or schema.equal(path, before, after),
        message,
        [updated, read],
        differences=differences,
    )


@proves(
    "create.runtime",
    needs=("create", "update", "delete"),
    provable_where="there is an update input, and a create succeeds",
    refuted_by="nothing: the clause may be kept or not",
)
def contract_update_create(test: ResourceTestCase) -> None:
    """Right after create, an update is not refused because the resource is busy."""
    made = test.make()
    updated = test.update(wanted_update(test, made), made.model)
    if any((exchange.event or {}).get("errorCode") == "ResourceConflict" for exchange in updated.exchanges):
        test.not_applicable(
            "create.runtime", "an update right after create is refused with ResourceConflict, which it may be"
        )
    elif updated.succeeded:
        test.hold("create.runtime")
