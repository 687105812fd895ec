"""Tests of callbacks that are delivered twice."""

from formwork.contract.listing import list_all
from formwork.contract.models import identity_of
from formwork.contract.outcomes import model_of, outcome
from formwork.contract.redelivery import deliver_twice, expect_callbacks, judge_redelivered, others_made
from formwork.contract.requirement import proves
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.contract.steps import judge_missing
from formwork.contract.updates import wanted_update
from formwork.instances import Extent


@proves(
    "create.idempotent",
    "practice.redelivery",
    needs=("create", "delete"),
    provable_where="a create answers IN_PROGRESS and ends",
    refuted_by="a second delivery of a callback fails, or leads to another resource",
)
def contract_create_callback_twice(test: ResourceTestCase) -> None:
    """A create whose callbacks are delivered twice makes one resource."""
    request = test.inputs.create(Extent.MAXIMAL)
    before = list_all(test, request) if test.subject.has("list") else None
    done = expect_callbacks(deliver_twice(test, "CREATE", request))
    others = others_made(test, done)
    if others:
        message = "a callback that was delivered a second time, token and all, made a second resource"
        test.violate("create.idempotent", message, [done.operation, *others[:1]])
    if not judge_redelivered(test, "CREATE", done) or others:
        return
    made = test.made({}, done.operation)
    if test.subject.has("read"):
        read = test.read(made.identifier)
        message = f"after a create whose callbacks were delivered twice, READ is {outcome(read)}"
        test.judge("practice.redelivery", read.succeeded, message, [*done.shown, read])
    if before is not None and before.complete:
        after = list_all(test, made.model, looking_for=made.identity)
        new = test.unaccounted(set(after.identities) - set(before.identities))
        if after.complete and new and not _makes_more_anyway(test, made):
            message = "a callback that was delivered a second time, token and all, left a second resource behind"
            test.violate("create.idempotent", message, [*done.shown, *after.pages[-1:]])
            for entry in after.entries:
                if identity_of(test.schema, entry) in new:
                    test.adopt(entry)


def _makes_more_anyway(test: ResourceTestCase, made: CreatedResource) -> bool:
    """Whether creates make more than one resource without any callback delivered twice: `create.one` is about that."""
    test.delete(made.identifier)
    request = test.inputs.create(Extent.MAXIMAL)
    before = list_all(test, request)
    once = test.make(request)
    after = list_all(test, once.model, looking_for=once.identity)
    return bool(test.unaccounted(set(after.identities) - set(before.identities)))


@proves(
    "practice.redelivery",
    needs=("create", "update", "delete"),
    provable_where="an update answers IN_PROGRESS and ends",
    refuted_by="a second delivery of a callback fails, or the update answers with another identifier",
)
def contract_update_callback_twice(test: ResourceTestCase) -> None:
    """An update whose callbacks are delivered twice ends as if they had been delivered once."""
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    desired = wanted_update(test, made, Extent.MAXIMAL)
    done = expect_callbacks(deliver_twice(test, "UPDATE", desired, made.model))
    if judge_redelivered(test, "UPDATE", done):
        same = identity_of(test.schema, model_of(done.operation)) == made.identity
        test.judge("update.identity", same, "UPDATE answered with another primaryIdentifier", done.shown)


@proves(
    "practice.redelivery",
    needs=("create", "delete"),
    provable_where="a delete answers IN_PROGRESS and ends",
    refuted_by="a second delivery of a callback fails other than with NotFound",
)
def contract_delete_callback_twice(test: ResourceTestCase) -> None:
    """A delete whose callbacks are delivered twice deletes; the late delivery may find nothing."""
    made = test.make()
    done = deliver_twice(test, "DELETE", made.identifier)
    if done.operation.succeeded:
        test.forget(made.model)
    expect_callbacks(done)
    if judge_redelivered(test, "DELETE", done, allowed=("NotFound",)) and test.subject.has("read"):
        with test.expecting_failure():
            read = test.read(made.identifier)
        judge_missing(test, "delete.read", "READ of a deleted resource", [done.operation, read])
