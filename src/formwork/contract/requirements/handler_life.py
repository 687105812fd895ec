"""Whole lives of resources, several at a time."""

from formwork.contract.machine import live
from formwork.contract.requirement import proves
from formwork.contract.trial import NotProvableError, Trial


@proves(
    "create.applied",
    "create.echo",
    "create.idempotent",
    "create.list",
    "create.read.primary",
    "update.applied",
    "update.echo",
    "update.identity",
    "delete.minimal",
    "delete.read",
    "delete.list",
    needs=("create", "delete"),
    alone=True,
    adapts=True,
)
def contract_whole_life(trial: Trial) -> None:
    """Random sequences of operations on several resources keep every clause; a failing one is shrunk."""
    subject = trial.subject
    slow = subject.memory.fastest_create or 0.0
    if subject.examples is None and subject.creates_slowly and subject.effort == "quick":
        raise NotProvableError(f"a create takes {slow:.1f} s: ask for whole lives with --examples N")
    live(trial)
