"""Whole lives of resources, several at a time.

Where creates take seconds, one fixed sequence of eleven steps replaces the eight random ones, which would take minutes:
two creates in progress at a time, an update and a delete beside a neighbour, a list, a repeated callback and a repeated
token. It is not shrunk.
"""

from formwork.contract.lives import EXAMPLES, SHORT_SEQUENCE, live, live_briefly
from formwork.contract.memory import Effort
from formwork.contract.recording import StopTestError
from formwork.contract.requirement import proves
from formwork.contract.resource_case import ResourceTestCase


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
    provable_where="creates succeed; where they take more than half a second, as far as one short sequence shows it",
    refuted_by="after some sequence of operations an answer is not what the operations before it make true",
)
def contract_whole_life(test: ResourceTestCase) -> None:
    """Random sequences of operations on several resources keep every clause; a failing one is shrunk."""
    subject = test.subject
    if subject.examples is not None or not subject.creates_slowly or subject.effort is not Effort.QUICK:
        live(test)
        return
    lived = live_briefly(test)
    done = len(lived.steps)
    length = f"{done} of the {len(SHORT_SEQUENCE)} steps" if done < len(SHORT_SEQUENCE) else f"all {done} steps"
    why = "" if lived.stopped is None else f" ({lived.stopped})"
    seconds = subject.memory.fastest_create or 0.0
    raise StopTestError(
        f"a create takes {seconds:.1f} s, so that {length} of one short sequence{why} were tried"
        f" instead of {EXAMPLES[subject.effort]} sequences: --examples N tries N"
    )
