"""What a delete handler must do, and what must be true after it."""

from formwork.contract.failed_creates import explain_failed_create
from formwork.contract.findings import ClauseState
from formwork.contract.listing import expect_complete, explain, list_all
from formwork.contract.models import only
from formwork.contract.never_created import finds_anything
from formwork.contract.requirement import proves
from formwork.contract.requirements.handler_update_invalid import stranger
from formwork.contract.steps import additional_paths, judge_missing, leave_unknown
from formwork.contract.trial import (
    BlockedError,
    Made,
    NotApplicableError,
    Trial,
    failed_with,
    is_deleted,
    outcome,
)
from formwork.contract.updates import change_of, desired_state
from formwork.instances import Extent
from formwork.invoke import Operation


def _deleted(trial: Trial, request: dict[str, object] | None = None) -> tuple[Made, Operation]:
    """A resource that was created and deleted by its primary identifier alone."""
    made = trial.make(request)
    deleted = trial.delete(made.identifier)
    if deleted.event is not None:
        message = f"DELETE by the primaryIdentifier alone is {outcome(deleted)}"
        trial.judge("delete.minimal", is_deleted(deleted), message, [made.operation, deleted])
    if not is_deleted(deleted):
        raise BlockedError(f"DELETE did not succeed ({outcome(deleted)})")
    return made, deleted


@proves(
    "delete.read",
    needs=("create", "delete", "read"),
    provable_where="a create and a delete succeed, and a read of a live resource does",
    refuted_by="a read afterwards ends otherwise than FAILED with NotFound",
)
def contract_delete_read(trial: Trial) -> None:
    """What was deleted cannot be read."""
    made, deleted = _deleted(trial)
    with trial.expecting_failure():
        read = trial.read(made.identifier)
    if read.succeeded:
        trial.adopt(made.model)
    judge_missing(trial, "delete.read", "READ of a deleted resource", [deleted, read])


@proves(
    "delete.list",
    "delete.leak",
    needs=("create", "delete", "list"),
    provable_where="a create and a delete succeed, the lists around them are complete, and one showed a live resource",
    refuted_by="LIST fails, the list still has the resource, or another one stays two times in a row",
)
def contract_delete_list(trial: Trial) -> None:
    """What was deleted is not in the list, and nothing else stays behind."""
    request = trial.inputs.create()
    before = list_all(trial, request)
    made, deleted = _deleted(trial, request)
    after = list_all(trial, made.model)
    expect_complete(trial, after, "delete.list", shown=[deleted])
    message = "the complete list still holds the resource that was just deleted"
    if not trial.judge("delete.list", made.identity not in after, message, [deleted, *after.pages[-2:]]):
        trial.adopt(made.model)
    left = trial.unaccounted(set(after.identities) - set(before.identities)) | ({made.identity} & set(after.identities))
    if not before.complete:
        trial.not_tested("delete.leak", f"before the create, {explain(before)}")
        return
    if left and left != {made.identity}:
        # Somebody else in the account may have made it: it must happen again to count.
        again, _ = _deleted(trial, made.request if trial.inputs.given else None)
        last = list_all(trial, again.model)
        more = trial.unaccounted(set(last.identities) - set(after.identities))
        left = left | more if more else left & {made.identity}
    message = f"after the delete the list is not what it was before the create: {', '.join(sorted(left)[:3])} stayed"
    trial.judge("delete.leak", not left, message, [*before.pages[-1:], made.operation, deleted, *after.pages[-1:]])


@proves(
    "delete.update",
    needs=("create", "delete", "update"),
    provable_where="a create and a delete succeed, there is an update input, and an update of a live resource succeeds",
    refuted_by="an update afterwards ends otherwise than FAILED with NotFound",
)
def contract_delete_update(trial: Trial) -> None:
    """What was deleted cannot be updated."""
    made, deleted = _deleted(trial)
    desired = desired_state(trial, change_of(trial, made.request), made)
    with trial.expecting_failure():
        updated = trial.update(desired, made.model)
    if updated.succeeded:
        trial.adopt(made.model)
    judge_missing(trial, "delete.update", "UPDATE of a deleted resource", [deleted, updated])


@proves(
    "delete.missing",
    needs=("create", "delete"),
    provable_where="a create and a delete succeed",
    refuted_by="a second delete ends otherwise than FAILED with NotFound",
)
def contract_delete_delete(trial: Trial) -> None:
    """A second delete fails with NotFound."""
    made, deleted = _deleted(trial)
    with trial.expecting_failure():
        second = trial.delete(made.identifier)
    judge_missing(trial, "delete.missing", "a second DELETE", [deleted, second])


@proves(
    "delete.missing",
    needs=("create", "delete"),
    provable_where="an identifier can be made that no resource has, and a delete of a live resource succeeds",
    refuted_by="a delete of it ends otherwise than FAILED with NotFound",
)
def contract_delete_without_create(trial: Trial) -> None:
    """Deleting what was never created fails with NotFound."""
    identifier = only(stranger(trial), trial.schema.primary_identifier)
    with trial.expecting_failure():
        deleted = trial.delete(identifier)
    judge_missing(trial, "delete.missing", "DELETE of a resource that was never created", [deleted])


@proves(
    "delete.create",
    needs=("create", "delete"),
    provable_where="the create input names the primary identifier; a create and a delete succeed",
    refuted_by="a create of the same is FAILED with AlreadyExists",
)
def contract_delete_create(trial: Trial) -> None:
    """What was deleted can be created again with the same identifiers."""
    request = trial.inputs.create()
    if not trial.subject.knows_identifier(request):
        raise NotApplicableError("the identifier is not in the create request, so that it cannot be used again")
    made, deleted = _deleted(trial, request)
    again = trial.create(made.request)
    if again.succeeded:
        trial.hold("delete.create")
    elif failed_with(again, "AlreadyExists"):
        message = "CREATE with the identifiers of a deleted resource is FAILED with AlreadyExists"
        trial.violate("delete.create", message, [deleted, again])
    else:
        raise BlockedError(explain_failed_create(trial, made.request, again))


@proves(
    "delete.additional",
    needs=("create", "delete"),
    provable_where="the schema has additionalIdentifiers, and an input or an answer has a value for each",
    refuted_by="a delete by one of them alone does not succeed, or deletes nothing",
)
def contract_delete_additional(trial: Trial) -> None:
    """A delete by each additional identifier alone succeeds."""
    schema = trial.schema
    if not schema.additional_identifiers:
        raise NotApplicableError("the schema has no additionalIdentifiers")
    for wanted in schema.additional_identifiers:
        made = trial.make(trial.inputs.create(Extent.MAXIMAL))
        read = trial.read(made.identifier) if trial.subject.has("read") else None
        known = [(paths, model) for paths, model in additional_paths(trial, made, read) if paths == wanted]
        if not known:
            leave_unknown(trial, "delete.additional", known, wanted=[wanted])
            continue
        paths, model = known[0]
        deleted = trial.delete(only(model, paths))
        if deleted.event is None:
            continue
        names = ", ".join("/" + "/".join(path) for path in paths)
        message = f"DELETE by the additional identifier {names} alone is {outcome(deleted)}"
        if trial.judge("delete.additional", is_deleted(deleted), message, [made.operation, deleted]):
            _judge_gone(trial, made, deleted, names)


def _judge_gone(trial: Trial, made: Made, deleted: Operation, names: str) -> None:
    if not trial.subject.has("read"):
        trial.forget(made.model)
        trial.fill("delete.additional", names)
        return
    with trial.expecting_failure():
        read = trial.read(made.identifier)
    if not read.succeeded:
        if failed_with(read, "NotFound"):  # of another code `delete.read` speaks
            trial.forget(made.model)
        trial.fill("delete.additional", names)
        return
    with trial.expecting_failure():
        again = trial.delete(made.identifier)
    if failed_with(again, "NotFound"):
        trial.fill("delete.additional", names)  # it is gone, and READ is wrong
        return
    if (why := finds_anything(trial, made.request | made.identifier)) is not None:
        trial.leave_gap("delete.additional", names, why, ClauseState.NOT_TESTED)
        return
    message = f"after DELETE by {names} was SUCCESS, READ is SUCCESS and DELETE {outcome(again)}: nothing was deleted"
    trial.violate("delete.additional", message, [deleted, read, again])
