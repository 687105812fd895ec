"""What handlers should do where a callback is delivered twice."""

from formwork.contract.listing import list_all
from formwork.contract.models import identity_of
from formwork.contract.redelivery import deliver_twice, expect_callbacks, judge_redelivered, others_made
from formwork.contract.requirement import proves
from formwork.contract.steps import judge_missing
from formwork.contract.trial import Made, Trial, model_of, outcome
from formwork.contract.updates import wanted_update
from formwork.instances import Extent


@proves(
    "create.idempotent",
    "practice.redelivery",
    needs=("create", "delete"),
    provable_where="a create answers IN_PROGRESS and ends",
    refuted_by="a second delivery of a callback fails, or leads to another resource",
)
def contract_create_callback_twice(trial: Trial) -> None:
    """A create whose callbacks are delivered twice makes one resource."""
    request = trial.inputs.create(Extent.MAXIMAL)
    before = list_all(trial, request) if trial.subject.has("list") else None
    done = expect_callbacks(deliver_twice(trial, "CREATE", request))
    others = others_made(trial, done)
    if others:
        message = "a callback that was delivered a second time, token and all, made a second resource"
        trial.violate("create.idempotent", message, [done.operation, *others[:1]])
    if not judge_redelivered(trial, "CREATE", done) or others:
        return
    made = trial.made({}, done.operation)
    if trial.subject.has("read"):
        read = trial.read(made.identifier)
        message = f"after a create whose callbacks were delivered twice, READ is {outcome(read)}"
        trial.judge("practice.redelivery", read.succeeded, message, [*done.shown, read])
    if before is not None and before.complete:
        after = list_all(trial, made.model, looking_for=made.identity)
        new = trial.unaccounted(set(after.identities) - set(before.identities))
        if after.complete and new and not _makes_more_anyway(trial, made):
            message = "a callback that was delivered a second time, token and all, left a second resource behind"
            trial.violate("create.idempotent", message, [*done.shown, *after.pages[-1:]])
            for entry in after.entries:
                if identity_of(trial.schema, entry) in new:
                    trial.adopt(entry)


def _makes_more_anyway(trial: Trial, made: Made) -> bool:
    """Whether creates make more than one resource without any callback delivered twice: `create.one` is about that."""
    trial.delete(made.identifier)
    request = trial.inputs.create(Extent.MAXIMAL)
    before = list_all(trial, request)
    once = trial.make(request)
    after = list_all(trial, once.model, looking_for=once.identity)
    return bool(trial.unaccounted(set(after.identities) - set(before.identities)))


@proves(
    "practice.redelivery",
    needs=("create", "update", "delete"),
    provable_where="an update answers IN_PROGRESS and ends",
    refuted_by="a second delivery of a callback fails, or the update answers with another identifier",
)
def contract_update_callback_twice(trial: Trial) -> None:
    """An update whose callbacks are delivered twice ends as if they had been delivered once."""
    made = trial.make(trial.inputs.create(Extent.MAXIMAL))
    desired = wanted_update(trial, made, Extent.MAXIMAL)
    done = expect_callbacks(deliver_twice(trial, "UPDATE", desired, made.model))
    if judge_redelivered(trial, "UPDATE", done):
        same = identity_of(trial.schema, model_of(done.operation)) == made.identity
        trial.judge("update.identity", same, "UPDATE answered with another primaryIdentifier", done.shown)


@proves(
    "practice.redelivery",
    needs=("create", "delete"),
    provable_where="a delete answers IN_PROGRESS and ends",
    refuted_by="a second delivery of a callback fails other than with NotFound",
)
def contract_delete_callback_twice(trial: Trial) -> None:
    """A delete whose callbacks are delivered twice deletes; the late delivery may find nothing."""
    made = trial.make()
    done = deliver_twice(trial, "DELETE", made.identifier)
    if done.operation.succeeded:
        trial.forget(made.model)
    expect_callbacks(done)
    if judge_redelivered(trial, "DELETE", done, allowed=("NotFound",)) and trial.subject.has("read"):
        with trial.expecting_failure():
            read = trial.read(made.identifier)
        judge_missing(trial, "delete.read", "READ of a deleted resource", [done.operation, read])
