"""What an operation on one resource must leave alone: the others."""

from formwork.contract.inputs import identities_of
from formwork.contract.requirement import proves
from formwork.contract.steps import is_another, judge_applied, parted
from formwork.contract.trial import Made, NotProvableError, Trial, is_deleted, model_of, outcome
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
def contract_update_neighbour(trial: Trial) -> None:
    """An update, and a delete, change the resource that they name and no other."""
    given = trial.inputs.given
    models = trial.several(2) if given else [trial.inputs.create(Extent.MAXIMAL) for _ in range(2)]
    if len(models) < 2 or identities_of(trial.schema, models[0]) & identities_of(trial.schema, models[1]):
        raise NotProvableError("one resource has no neighbours: add inputs_2_create.json with another identifier")
    neighbour = trial.make(models[1])
    before = trial.read(neighbour.identifier)
    made = trial.make(models[0])
    if trial.subject.has("update"):
        desired = wanted_update(trial, made, Extent.MAXIMAL)
        updated = run_update(trial, made, desired)
        judge_applied(trial, "update", desired, updated, trial.read(made.identifier), made.request)
        _judge_unchanged(trial, neighbour, before, updated)
    readable = trial.read(made.identifier).succeeded
    deleted = trial.delete(neighbour.identifier)
    if is_deleted(deleted) and readable:
        read = trial.read(made.identifier)
        message = f"after DELETE of another resource, READ is {outcome(read)}"
        trial.judge("create.read.primary", read.succeeded, message, [made.operation, deleted, read])


def _judge_unchanged(trial: Trial, made: Made, before: Operation, updated: Operation) -> None:
    """The resource reads as it did before another one was updated."""
    read = trial.read(made.identifier)
    earlier, model = model_of(before), model_of(read)
    if not before.succeeded or earlier is None or is_another(trial, earlier, made.model):
        return
    message = f"after UPDATE of another resource, READ is {outcome(read)}"
    if not trial.judge("create.read.primary", read.succeeded, message, [made.operation, before, updated, read]):
        return
    if model is None or is_another(trial, model, made.model):
        return
    changed = parted(trial, earlier, model)
    message = "UPDATE of another resource changed this one"
    shown = [made.operation, before, updated, read]
    if changed:
        trial.violate("create.applied", message, shown, differences=changed[:5])
