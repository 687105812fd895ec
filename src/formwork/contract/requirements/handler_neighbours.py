"""Tests that an operation on one resource does not change others."""

from formwork.contract.inputs import identities_of
from formwork.contract.outcomes import is_deleted, model_of, outcome
from formwork.contract.recording import NotProvableError
from formwork.contract.requirement import proves
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.contract.steps import is_another, judge_applied, parted
from formwork.contract.updates import run_update, wanted_update
from formwork.instances import Extent
from formwork.invoke import Operation


@proves(
    "create.applied",
    "create.read.primary",
    "update.applied",
    "update.identity",
    needs=("create", "read", "delete"),  # of types without an update the rest is judged
    several=True,
    adapts=True,
    provable_where="the inputs give two resources, and creates and reads of both succeed",
    refuted_by="an update or a delete of the one changes what a read of the other shows",
)
def contract_update_neighbour(test: ResourceTestCase) -> None:
    """An update, and a delete, change the resource that they name and no other."""
    given = test.inputs.given
    models = test.several(2) if given else [test.inputs.create(Extent.MAXIMAL) for _ in range(2)]
    if len(models) < 2 or identities_of(test.schema, models[0]) & identities_of(test.schema, models[1]):
        raise NotProvableError("one resource has no neighbours: add inputs_2_create.json with another identifier")
    neighbour = test.make(models[1])
    before = test.read(neighbour.identifier)
    made = test.make(models[0])
    if test.subject.has("update"):
        desired = wanted_update(test, made, Extent.MAXIMAL)
        updated = run_update(test, made, desired)
        judge_applied(test, "update", desired, updated, test.read(made.identifier), made.request)
        _judge_unchanged(test, neighbour, before, updated)
    readable = test.read(made.identifier).succeeded
    deleted = test.delete(neighbour.identifier)
    if is_deleted(deleted) and readable:
        read = test.read(made.identifier)
        message = f"after DELETE of another resource, READ is {outcome(read)}"
        test.judge("create.read.primary", read.succeeded, message, [made.operation, deleted, read])


def _judge_unchanged(test: ResourceTestCase, made: CreatedResource, before: Operation, updated: Operation) -> None:
    """The resource reads as it did before another one was updated."""
    read = test.read(made.identifier)
    earlier, model = model_of(before), model_of(read)
    if not before.succeeded or earlier is None or is_another(test, earlier, made.model):
        return
    message = f"after UPDATE of another resource, READ is {outcome(read)}"
    if not test.judge("create.read.primary", read.succeeded, message, [made.operation, before, updated, read]):
        return
    if model is None or is_another(test, model, made.model):
        return
    changed = parted(test, earlier, model)
    message = "UPDATE of another resource changed this one"
    shown = [made.operation, before, updated, read]
    if changed:
        test.violate("create.applied", message, shown, differences=changed[:5])
