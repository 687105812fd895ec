"""Marks: facts that a run has observed and that a clause needs to count as proved.

A request that sets only what no answer shows (write-only, read-only, deprecated or non-public properties) proves
nothing: the clause is not provable, or not applicable where the schema has nothing else.
"""

from collections.abc import Collection, Iterable

from formwork.contract.hook_targets import InvocationPoint
from formwork.contract_results.findings import ClauseState, Undecided

# An action that succeeded on a live resource of the run; LIST: it showed one.
CREATE, READ, UPDATE, DELETE, LIST = "CREATE", "READ", "UPDATE", "DELETE", "LIST"
# A live resource was created with a value for a writeOnly property.
WRITE_ONLY = "WRITE_ONLY"
# A hook answered about a target that it names. An InvocationPoint is a mark too: its handler passed a target.
ANSWER = "ANSWER"

_WHY = {
    CREATE: "no resource could be created",
    READ: "no READ of a live resource succeeded, so that its refusals show nothing",
    UPDATE: "no UPDATE of a live resource succeeded, so that its refusals show nothing",
    DELETE: "no DELETE of a live resource succeeded, so that its refusals show nothing",
    LIST: "no LIST showed a live resource, so that what it does not show means nothing",
    ANSWER: "no handler answered about a target that it names",
}


def why_missing(marks: Iterable[str], *, tried: Collection[str] = ()) -> Undecided:
    """Why a clause that was kept is not proved: `marks` are those that it lacks, at least one; some were `tried`."""
    lacking = set(marks)
    for mark, reason in _WHY.items():
        if mark in lacking:
            return Undecided(ClauseState.NOT_TESTED, reason)
    if WRITE_ONLY in lacking and WRITE_ONLY in tried:
        return Undecided(ClauseState.NOT_TESTED, "no request with a value for a writeOnly property succeeded")
    if WRITE_ONLY in lacking:
        return Undecided(ClauseState.NOT_PROVABLE, "no input gives a writeOnly property a value")
    point = InvocationPoint(min(lacking))
    return Undecided(ClauseState.NOT_TESTED, f"{point.handler} passed nothing, so that its refusals show nothing")
