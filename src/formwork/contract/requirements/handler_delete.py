"""Tests of the delete handler, and of the state after it."""

from formwork.contract.failed_creates import explain_failed_create
from formwork.contract.listing import expect_complete, explain, list_all
from formwork.contract.models import only
from formwork.contract.never_created import finds_anything
from formwork.contract.outcomes import failed_with, is_deleted, outcome
from formwork.contract.recording import BlockedError, NotApplicableError
from formwork.contract.requirement import proves
from formwork.contract.requirements.handler_update_invalid import stranger
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.contract.steps import additional_paths, judge_missing, leave_unknown
from formwork.contract.updates import change_of, desired_state
from formwork.contract_results.findings import ClauseState
from formwork.instances import Extent
from formwork.invoke import Operation


def _deleted(test: ResourceTestCase, request: dict[str, object] | None = None) -> tuple[CreatedResource, Operation]:
    """Return a resource that was created and deleted by its primary identifier alone."""
    made = test.make(request)
    deleted = test.delete(made.identifier)
    if deleted.event is not None:
        message = f"DELETE by the primaryIdentifier alone is {outcome(deleted)}"
        test.judge("delete.minimal", is_deleted(deleted), message, [made.operation, deleted])
    if not is_deleted(deleted):
        raise BlockedError(f"DELETE did not succeed ({outcome(deleted)})")
    return made, deleted


@proves(
    "delete.read",
    needs=("create", "delete", "read"),
    provable_where="a create and a delete succeed, and a read of a live resource does",
    refuted_by="a read afterwards ends otherwise than FAILED with NotFound",
)
def contract_delete_read(test: ResourceTestCase) -> None:
    """What was deleted cannot be read."""
    made, deleted = _deleted(test)
    with test.expecting_failure():
        read = test.read(made.identifier)
    if read.succeeded:
        test.adopt(made.model)
    judge_missing(test, "delete.read", "READ of a deleted resource", [deleted, read])


@proves(
    "delete.list",
    "delete.leak",
    needs=("create", "delete", "list"),
    provable_where="a create and a delete succeed, the lists around them are complete, and one showed a live resource",
    refuted_by="LIST fails, the list still has the resource, or another one stays two times in a row",
)
def contract_delete_list(test: ResourceTestCase) -> None:
    """What was deleted is not in the list, and nothing else stays behind."""
    request = test.inputs.create()
    before = list_all(test, request)
    made, deleted = _deleted(test, request)
    after = list_all(test, made.model)
    expect_complete(test, after, "delete.list", shown=[deleted])
    message = "the complete list still holds the resource that was just deleted"
    if not test.judge("delete.list", made.identity not in after, message, [deleted, *after.pages[-2:]]):
        test.adopt(made.model)
    left = test.unaccounted(set(after.identities) - set(before.identities)) | ({made.identity} & set(after.identities))
    if not before.complete:
        test.not_tested("delete.leak", f"before the create, {explain(before)}")
        return
    if left and left != {made.identity}:
        # Another user of the account may have created it: it must happen again to count.
        again, _ = _deleted(test, made.request if test.inputs.given else None)
        last = list_all(test, again.model)
        more = test.unaccounted(set(last.identities) - set(after.identities))
        left = left | more if more else left & {made.identity}
    message = f"after the delete the list is not what it was before the create: {', '.join(sorted(left)[:3])} stayed"
    test.judge("delete.leak", not left, message, [*before.pages[-1:], made.operation, deleted, *after.pages[-1:]])


@proves(
    "delete.update",
    needs=("create", "delete", "update"),
    provable_where="a create and a delete succeed, there is an update input, and an update of a live resource succeeds",
    refuted_by="an update afterwards ends otherwise than FAILED with NotFound",
)
def contract_delete_update(test: ResourceTestCase) -> None:
    """What was deleted cannot be updated."""
    made, deleted = _deleted(test)
    desired = desired_state(test, change_of(test, made.request), made)
    with test.expecting_failure():
        updated = test.update(desired, made.model)
    if updated.succeeded:
        test.adopt(made.model)
    judge_missing(test, "delete.update", "UPDATE of a deleted resource", [deleted, updated])


@proves(
    "delete.missing",
    needs=("create", "delete"),
    provable_where="a create and a delete succeed",
    refuted_by="a second delete ends otherwise than FAILED with NotFound",
)
def contract_delete_delete(test: ResourceTestCase) -> None:
    """A second delete fails with NotFound."""
    made, deleted = _deleted(test)
    with test.expecting_failure():
        second = test.delete(made.identifier)
    judge_missing(test, "delete.missing", "a second DELETE", [deleted, second])


@proves(
    "delete.missing",
    needs=("create", "delete"),
    provable_where="an identifier can be made that no resource has, and a delete of a live resource succeeds",
    refuted_by="a delete of it ends otherwise than FAILED with NotFound",
)
def contract_delete_without_create(test: ResourceTestCase) -> None:
    """Deleting what was never created fails with NotFound."""
    identifier = only(stranger(test), test.schema.primary_identifier)
    with test.expecting_failure():
        deleted = test.delete(identifier)
    judge_missing(test, "delete.missing", "DELETE of a resource that was never created", [deleted])


@proves(
    "delete.create",
    needs=("create", "delete"),
    provable_where="the create input names the primary identifier; a create and a delete succeed",
    refuted_by="a create of the same is FAILED with AlreadyExists",
)
def contract_delete_create(test: ResourceTestCase) -> None:
    """What was deleted can be created again with the same identifiers."""
    request = test.inputs.create()
    if not test.subject.knows_identifier(request):
        raise NotApplicableError("the identifier is not in the create request, so that it cannot be used again")
    made, deleted = _deleted(test, request)
    again = test.create(made.request)
    if again.succeeded:
        test.hold("delete.create")
    elif failed_with(again, "AlreadyExists"):
        message = "CREATE with the identifiers of a deleted resource is FAILED with AlreadyExists"
        test.violate("delete.create", message, [deleted, again])
    else:
        raise BlockedError(explain_failed_create(test, made.request, again))


@proves(
    "delete.additional",
    needs=("create", "delete"),
    provable_where="the schema has additionalIdentifiers, and an input or an answer has a value for each",
    refuted_by="a delete by one of them alone does not succeed, or deletes nothing",
)
def contract_delete_additional(test: ResourceTestCase) -> None:
    """A delete by each additional identifier alone succeeds."""
    schema = test.schema
    if not schema.additional_identifiers:
        raise NotApplicableError("the schema has no additionalIdentifiers")
    for wanted in schema.additional_identifiers:
        made = test.make(test.inputs.create(Extent.MAXIMAL))
        read = test.read(made.identifier) if test.subject.has("read") else None
        known = [(paths, model) for paths, model in additional_paths(test, made, read) if paths == wanted]
        if not known:
            leave_unknown(test, "delete.additional", known, wanted=[wanted])
            continue
        paths, model = known[0]
        deleted = test.delete(only(model, paths))
        if deleted.event is None:
            continue
        names = ", ".join("/" + "/".join(path) for path in paths)
        message = f"DELETE by the additional identifier {names} alone is {outcome(deleted)}"
        if test.judge("delete.additional", is_deleted(deleted), message, [made.operation, deleted]):
            _judge_gone(test, made, deleted, names)


def _judge_gone(test: ResourceTestCase, made: CreatedResource, deleted: Operation, names: str) -> None:
    if not test.subject.has("read"):
        test.forget(made.model)
        test.fill("delete.additional", names)
        return
    with test.expecting_failure():
        read = test.read(made.identifier)
    if not read.succeeded:
        if failed_with(read, "NotFound"):  # of another code `delete.read` speaks
            test.forget(made.model)
        test.fill("delete.additional", names)
        return
    with test.expecting_failure():
        again = test.delete(made.identifier)
    if failed_with(again, "NotFound"):
        test.fill("delete.additional", names)  # it is gone, and READ is wrong
        return
    if (why := finds_anything(test, made.request | made.identifier)) is not None:
        test.leave_gap("delete.additional", names, why, ClauseState.NOT_TESTED)
        return
    message = f"after DELETE by {names} was SUCCESS, READ is SUCCESS and DELETE {outcome(again)}: nothing was deleted"
    test.violate("delete.additional", message, [deleted, read, again])
