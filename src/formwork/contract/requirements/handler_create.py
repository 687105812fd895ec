"""Tests of the create handler, and of the state after it."""

from typing import Any

from formwork.contract.completeness import judge_complete, judge_partial
from formwork.contract.derived_names import derived_resources
from formwork.contract.failed_creates import explain_failed_create
from formwork.contract.listing import Listing, expect_complete, explain, list_all
from formwork.contract.memory import Effort
from formwork.contract.models import identity_of, only, value_at, with_value
from formwork.contract.outcomes import failed_with, is_deleted, model_of, outcome
from formwork.contract.recording import BlockedError, NotApplicableError, NotProvableError
from formwork.contract.requirement import proves
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.contract.steps import additional_paths, judge_applied, judge_echo, read_back
from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import ABSENT
from formwork.instances import Extent
from formwork.invoke import Operation

_ENOUGH_ACCEPTED = 2
# Each is a create that a sound handler refuses at once.
_READ_ONLY_TRIED = 4
_SYSTEM_TAGS = {"aws:cloudformation:stack-name": "formwork", "aws:cloudformation:logical-id": "Contract"}


@proves(
    "create.exists",
    "event.identifier",
    needs=("create", "delete"),
    provable_where="the create input names the primary identifier",
    refuted_by="a second create of the resource, with another token, ends otherwise than FAILED with AlreadyExists",
)
def contract_create_create(test: ResourceTestCase) -> None:
    """Creating what exists already fails with AlreadyExists."""
    if test.subject.generated_identifier:
        raise NotApplicableError("the identifier is readOnly, so that every create makes another resource")
    made = test.make()
    if not test.subject.knows_identifier(made.request):
        raise NotApplicableError("the create request leaves the identifier to the handler")
    with test.expecting_failure():
        second = test.create(made.request)
    if second.event is None:
        return
    kept = failed_with(second, "AlreadyExists")
    message = f"creating the same resource a second time is {outcome(second)} instead of FAILED with AlreadyExists"
    test.judge("create.exists", kept, message, [made.operation, second])


@proves(
    "create.read.primary",
    "create.applied",
    "create.echo",
    "create.complete",
    "create.partial",
    "read.complete",
    "read.model",
    needs=("create", "read", "delete"),
    each_input=True,
    provable_where="a create and a read of it succeed",
    refuted_by="the create's last model, or the read after it, lacks, changes or adds to what was requested",
)
def contract_create_read(test: ResourceTestCase) -> None:
    """What was created can be read, and is what was requested."""
    requests = _requests_to_read_back(test)
    for request in requests:
        made = test.make(request)
        judge_echo(test, "create", made.request, made.operation)
        judge_partial(test, "create", made.request, made.operation)
        read = read_back(test, made)
        judge_applied(test, "create", made.request, made.operation, read)
        judge_complete(test, "create", made.request, made.operation, read)
        if not made.operation.had_callbacks:
            test.not_applicable("create.partial", "the handler answered without an IN_PROGRESS event")
        if len(requests) > 1:
            test.clean_up()


def _requests_to_read_back(test: ResourceTestCase) -> list[dict[str, Any]]:
    """Return the author's, or generated ones of every extent: the last leaves inner objects to their defaults."""
    if test.inputs.given:
        return [test.inputs.create()]
    requests = [test.inputs.create(each) for each in (Extent.MAXIMAL, Extent.MINIMAL, Extent.RANDOM)]
    bare = test.subject.defaults.left_to_them(test.inputs.create(Extent.MAXIMAL))
    if any(True for _ in test.subject.defaults.absent(bare)) and test.subject.is_valid_input(bare):
        requests.append(bare)
    return requests


@proves(
    "create.echo",
    "delete.minimal",
    needs=("create", "delete"),
    provable_where="a create succeeds",
    refuted_by="the create's last model is not what was requested, or a delete with it does not succeed",
)
def contract_create_delete(test: ResourceTestCase) -> None:
    """What was created is deleted with the model that create returned."""
    made = test.make()
    judge_echo(test, "create", made.request, made.operation)
    deleted = test.delete(made.model)
    if deleted.event is not None:
        message = f"deleting what was just created is {outcome(deleted)}"
        test.judge("delete.minimal", is_deleted(deleted), message, [made.operation, deleted])


@proves(
    "create.list",
    "create.one",
    "list.array",
    "list.ends",
    needs=("create", "list", "delete"),
    provable_where="a create succeeds, and the lists before and after it are complete",
    refuted_by="LIST fails, the list lacks the resource, or another resource is new there two times in a row",
)
def contract_create_list(test: ResourceTestCase) -> None:
    """What was created is in the list, and nothing else is new there."""
    request = test.inputs.create()
    before = list_all(test, request)
    made = test.make(request)
    after = list_all(test, made.model, looking_for=made.identity)
    expect_complete(test, after, "create.list", shown=[made.operation])
    message = "the complete list lacks the resource that was just created"
    if not test.judge("create.list", made.identity in after, message, [made.operation, *after.pages[-2:]]):
        return
    if copies := derived_resources(test, made, after, before):
        message = f"one create made more than one resource: {', '.join(sorted(copies)[:3])} appeared with it"
        test.violate("create.one", message, [made.operation, *after.pages[-1:]])
        _adopt(test, after, set(copies))
        return
    if not before.complete:
        test.not_tested("create.one", f"before the create, {explain(before)}")
        return
    _judge_one(test, before, made, after)


def _judge_one(test: ResourceTestCase, before: Listing, made: CreatedResource, after: Listing) -> None:
    """One create makes one resource; others may be at work in the account, so that a second create must confirm."""
    new = test.unaccounted(set(after.identities) - set(before.identities))
    if not new:
        test.hold("create.one")
        return
    test.delete(made.identifier)
    request = made.request if test.inputs.given else test.inputs.create()
    again_before = list_all(test, request)
    again = test.make(request)
    again_after = list_all(test, again.model, looking_for=again.identity)
    more = test.unaccounted(set(again_after.identities) - set(again_before.identities))
    message = f"one create made more than one resource: {', '.join(sorted(new)[:3])} appeared with it"
    kept = not more
    test.judge("create.one", kept, message, [*before.pages[-1:], made.operation, *after.pages[-1:]])
    if not kept:
        _adopt(test, after, new)
        _adopt(test, again_after, more)


def _adopt(test: ResourceTestCase, listing: Listing, identities: set[str]) -> None:
    for entry in listing.entries:
        if identity_of(test.schema, entry) in identities:
            test.adopt(entry)


@proves(
    "create.read.additional",
    needs=("create", "read", "delete"),
    provable_where="the schema has additionalIdentifiers, and an input or an answer has a value for each",
    refuted_by="a read by one of them alone fails or answers with another resource",
)
def contract_create_read_additional(test: ResourceTestCase) -> None:
    """What was created can be read by each additional identifier alone."""
    if not test.schema.additional_identifiers:
        raise NotApplicableError("the schema has no additionalIdentifiers")
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    read = test.read(made.identifier)
    known = additional_paths(test, made, read)
    for paths, model in known:
        by = test.read(only(model, paths))
        if by.succeeded and model_of(by) is None:
            continue  # `read.model` says so
        same = by.succeeded and identity_of(test.schema, model_of(by)) == made.identity
        names = ", ".join("/" + "/".join(path) for path in paths)
        said = outcome(by) if not by.succeeded else "SUCCESS with another resource"
        message = f"READ by the additional identifier {names} alone is {said}"
        if test.judge("create.read.additional", same, message, [made.operation, by]):
            test.fill("create.read.additional", names)
    for paths in test.schema.additional_identifiers:
        if all(paths != each for each, _ in known):
            _judge_unknown_additional(test, paths, [made.operation, read])


def _judge_unknown_additional(
    test: ResourceTestCase, paths: tuple[tuple[str, ...], ...], shown: list[Operation]
) -> None:
    names = ", ".join("/" + "/".join(path) for path in paths)
    if all(test.subject.is_read_only(path) for path in paths):
        message = f"no answer tells the additional identifier {names}, which the service gives"
        test.violate("create.read.additional", message, shown)
    else:
        test.leave_gap("create.read.additional", names, f"the inputs give no value for {names}")


@proves(
    "create.idempotent",
    needs=("create", "delete"),
    provable_where="a create succeeds",
    refuted_by="a second call with the same token answers with another resource, or leaves one behind",
)
def contract_create_idempotent(test: ResourceTestCase) -> None:
    """The same request with the same client request token makes one resource."""
    model = test.inputs.create()
    request = test.request("CREATE", model)
    first = test.create(model, token=request["bearerToken"], logical_id=request["requestData"]["logicalResourceId"])
    if not first.succeeded:
        raise BlockedError(explain_failed_create(test, model, first))
    made = test.made(model, first)
    before = list_all(test, made.model, looking_for=made.identity) if test.subject.has("list") else None
    second = test.create(model, token=request["bearerToken"], logical_id=request["requestData"]["logicalResourceId"])
    other = identity_of(test.schema, model_of(second))
    shown = [first, second]
    if second.succeeded and other is not None:
        message = "the same request with the same token made a second resource"
        test.judge("create.idempotent", other == made.identity, message, shown)
        if other != made.identity:
            return
    elif second.status == "FAILED":
        message = f"the same request with the same token is {outcome(second)} instead of the resource it made before"
        test.violate("create.idempotent", message, shown, level=Level.SHOULD)
    if before is not None and before.complete:
        after = list_all(test, made.model, looking_for=made.identity)
        new = test.unaccounted(set(after.identities) - set(before.identities))
        if after.complete and len(new) > 0 and not test.subject.knows_identifier(model):
            message = "the same request with the same token left a second resource behind"
            test.violate("create.idempotent", message, [*shown, *after.pages[-1:]])
            _adopt(test, after, new)


@proves(
    "tags.declared",
    "create.tags",
    needs=("create", "read", "delete"),
    provable_where="the type takes tags on create, and the create input has some",
    refuted_by="a read shows other tags, or the schema says that the type is taggable and has no property for tags",
)
def contract_create_taggable(test: ResourceTestCase) -> None:
    """Tags that a create asks for are applied; a type without tags says so."""
    schema = test.schema
    tagging = schema.tagging
    _judge_declared(test)
    if not tagging.taggable or not tagging.tag_on_create or schema.subschema_at(tagging.tag_property) is None:
        why = "the schema says that create takes no tags" if tagging.declared else "the type declares no tags"
        test.not_applicable("create.tags", why)
        return
    model = test.inputs.create(Extent.MAXIMAL)
    if value_at(model, tagging.tag_property) in (ABSENT, None, [], {}):
        place = "/" + "/".join(tagging.tag_property)
        test.not_provable("create.tags", f"the create input has no {place}; add tags to it")
        return
    made = test.make(model)
    judge_applied(test, "create", made.request, made.operation, test.read(made.identifier))


def _judge_declared(test: ResourceTestCase) -> None:
    schema = test.schema
    tagging = schema.tagging
    if not tagging.declared and "taggable" not in schema.value:
        has = schema.subschema_at(tagging.tag_property) is not None
        default = (
            "with its defaults, tags are taken on create and update" if has else 'without tags, say "taggable": false'
        )
        test.violate("tags.declared", f'the schema has no "tagging"; {default}', level=Level.SHOULD)
    elif tagging.taggable and schema.subschema_at(tagging.tag_property) is None:
        place = "/properties/" + "/".join(tagging.tag_property)
        test.violate("tags.declared", f"the schema says that the type is taggable, and {place} does not exist")
    else:
        test.hold("tags.declared")


@proves(
    "tags.system",
    needs=("create", "delete"),
    provable_where="the schema says that create takes the service's tags",
    refuted_by="a create that succeeds without them fails with them",
)
def contract_create_system_tags(test: ResourceTestCase) -> None:
    """The service's own aws: tags are accepted on create."""
    tagging = test.schema.tagging
    if not tagging.taggable or not tagging.system_tags:
        raise NotApplicableError("the schema says that the type takes no system tags")
    if test.schema.subschema_at(tagging.tag_property) is None:
        raise NotApplicableError("the type has no property for tags")
    plain = test.make()
    deleted = test.delete(plain.identifier)
    if not is_deleted(deleted):
        raise BlockedError(f"DELETE did not succeed ({outcome(deleted)}), and the input may be taken")
    model = plain.request if test.inputs.given else test.inputs.create()
    tagged = test.create(model, system_tags=_SYSTEM_TAGS)
    if tagged.event is not None:
        message = f"CREATE with the service's aws: tags is {outcome(tagged)}"
        test.judge("tags.system", tagged.succeeded, message, [tagged])


@proves(
    "create.readonly",
    needs=("create", "delete"),
    provable_where="a value fits a readOnly property at the top, and a create without it succeeds",
    refuted_by="a create with it is not FAILED",
)
def contract_create_readonly(test: ResourceTestCase) -> None:
    """A create request with a readOnly property is refused, whichever it is."""
    schema = test.schema
    candidates = [path for path in schema.read_only if len(path) == 1 and path[0] in schema.properties]
    if not candidates:
        raise NotApplicableError("the schema has no readOnly properties at the top")
    candidates.sort(key=lambda path: path in schema.primary_identifier)
    values = [(path, test.inputs.value_at(path)) for path in candidates[:_READ_ONLY_TRIED]]
    requested = [(path, value) for path, value in values if value is not None]
    if not requested:
        raise NotProvableError(f"no value fits /{candidates[0][0]}")
    for path, value in requested:
        with test.probing():
            created = test.create(with_value(test.inputs.create(), path, value))
        if created.event is None:
            return
        message = f"CREATE with the readOnly property /{path[0]} is {outcome(created)} instead of FAILED"
        if not test.judge("create.readonly", created.status == "FAILED", message, [created]):
            return


@proves(
    "practice.invalid",
    "event.identifier",
    "event.failed.code",
    "event.failed.message",
    needs=("create", "delete"),
    alone=True,  # others must not meet what comes of invalid input
    each_input=True,
    provable_where="there is an invalid input, given or made by breaking a constraint, and a valid one succeeds",
    refuted_by="a create of one succeeds, or fails and leaves a resource behind",
)
def contract_create_invalid(test: ResourceTestCase) -> None:
    """A create of invalid input is refused, and leaves nothing behind."""
    cases = test.inputs.invalid()
    if not cases:
        raise NotProvableError("there is no invalid input")
    listed, valid = test.subject.has("list"), test.inputs.create()
    quick = test.subject.effort is Effort.QUICK
    accepted: list[tuple[str, Operation]] = []
    for case in cases[: 6 if quick else 40]:
        before = list_all(test, valid) if listed else None
        with test.probing():
            created = test.create(case.model)
            test.clean_up()
        if created.succeeded:
            accepted.append((case.why, created))
            if quick and len(accepted) >= _ENOUGH_ACCEPTED:
                break
        if created.status == "FAILED" and before is not None and before.complete:
            _judge_leak(test, case.why, before, created, valid)
    message = f"CREATE accepts invalid input: {'; '.join(why for why, _ in accepted[:5])}"
    test.judge("practice.invalid", not accepted, message, [each for _, each in accepted[:2]])


def _judge_leak(test: ResourceTestCase, why: str, before: Listing, created: Operation, valid: dict[str, Any]) -> None:
    after = list_all(test, valid)
    left = test.unaccounted(set(after.identities) - set(before.identities))
    if not after.complete or not left or identity_of(test.schema, model_of(created)) is not None:
        return
    message = f"a FAILED create ({why}) without an identifier left a resource behind: {min(left)}"
    # A handler may assume valid input; what the author calls invalid it must cope with.
    level = None if test.inputs.given else Level.SHOULD
    test.violate("event.identifier", message, [created, *after.pages[-1:]], level=level)
    _adopt(test, after, left)
