"""What an operation on one resource must leave alone: the others."""

from formwork.contract.compare import Part, compare_request
from formwork.contract.inputs import identities_of
from formwork.contract.requirement import proves
from formwork.contract.requirements.handler_update import run_update, wanted_update
from formwork.contract.steps import judge_applied
from formwork.contract.trial import Made, NotProvableError, Trial, model_of, outcome
from formwork.instances import Extent
from formwork.invoke import Operation


@proves(
    "create.applied",
    "create.read.primary",
    "update.applied",
    "update.identity",
    needs=("create", "read", "update", "delete"),
    several=True,
)
def contract_update_neighbour(trial: Trial) -> None:
    """An update, and a delete, change the resource that they name and no other."""
    given = trial.inputs.given
    models = trial.inputs.several(2) if given else [trial.inputs.create(Extent.MAXIMAL) for _ in range(2)]
    if len(models) < 2 or identities_of(trial.schema, models[0]) & identities_of(trial.schema, models[1]):
        raise NotProvableError("one resource has no neighbours: add inputs_2_create.json with another identifier")
    neighbour = trial.make(models[1])
    made = trial.make(models[0])
    desired = wanted_update(trial, made, Extent.MAXIMAL)
    updated = run_update(trial, made, desired)
    judge_applied(trial, "update", desired, updated, trial.read(made.identifier), made.request)
    _judge_unchanged(trial, neighbour, updated)
    deleted = trial.delete(neighbour.identifier)
    if deleted.succeeded:
        read = trial.read(made.identifier)
        message = f"after DELETE of another resource, READ is {outcome(read)}"
        trial.judge("create.read.primary", read.succeeded, message, [made.operation, deleted, read])


def _judge_unchanged(trial: Trial, made: Made, updated: Operation) -> None:
    """The resource is as it was created, after an update of another one."""
    read = trial.read(made.identifier)
    if read.event is None or read.status not in {"SUCCESS", "FAILED"}:
        return
    message = f"after UPDATE of another resource, READ is {outcome(read)}"
    if not trial.judge("create.read.primary", read.succeeded, message, [made.operation, updated, read]):
        return
    partings = [
        each
        for each in compare_request(trial.schema, made.request, model_of(read) or {})
        if each.kind is not Part.EXTRA
    ]
    message = "UPDATE of another resource changed this one"
    differences = [each.difference for each in partings[:5]]
    trial.judge("create.applied", not partings, message, [made.operation, updated, read], differences=differences)
