"""Whole lives of resources, several at a time."""

from formwork.contract.machine import live
from formwork.contract.requirement import proves
from formwork.contract.trial import StopTestError, Trial


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
    provable_where="creates succeed, and take no more than half a second or --examples is given",
    refuted_by="after some sequence of operations an answer is not what the operations before it make true",
)
def contract_whole_life(trial: Trial) -> None:
    """Random sequences of operations on several resources keep every clause; a failing one is shrunk."""
    subject = trial.subject
    slow = subject.memory.fastest_create or 0.0
    if subject.examples is None and subject.creates_slowly and subject.effort == "quick":
        raise StopTestError(f"a create takes {slow:.1f} s, so that no sequence was tried: --examples N tries N")
    live(trial)
