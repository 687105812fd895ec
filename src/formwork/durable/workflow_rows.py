"""Reads and writes the rows of workflows and steps, for one executor.

Each statement that claims a workflow, or records the outcome of a step or a workflow, checks in the same transaction
whether the executor owns the workflow (docs/decisions/1261): a worker that was suspended while another one took over
its work writes nothing.
"""

import time
from collections.abc import Collection
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, TextClause, bindparam, text

from formwork.durable.database import Database
from formwork.durable.outcomes import RecordedOutcome
from formwork.durable.sealed_text import with_seals
from formwork.durable.workflow_tables import steps, workflows

_ADD = with_seals(
    text(
        "INSERT INTO durable_workflow (id, name, arguments_json, owner, created)"
        " VALUES (:id, :name, :arguments_json, :owner, :created) ON CONFLICT DO NOTHING"
    ),
    workflows,
)
_OWNED = "FROM durable_workflow WHERE id = :workflow_id AND owner = :owner AND ended IS NULL"
_ADD_STEP = (
    "INSERT INTO durable_step (workflow_id, position, name, ended, result_json, error)"
    f" SELECT id, :position, :name, :now, :result_json, :error {_OWNED}"
)
# A commit is repeated when the connection was lost before its answer: an existing row is then this executor's own.
_ADDED = " ON CONFLICT (workflow_id, position) DO UPDATE SET ended = excluded.ended"
_FINISH = with_seals(
    text(
        "UPDATE durable_workflow SET ended = :now, result_json = :result_json, error = :error"
        " WHERE id = :id AND owner = :owner AND ended IS NULL"
    ),
    workflows,
)
# What another machine's clock dates later than now is claimed at once.
_CLAIM = (
    "UPDATE durable_workflow SET owner = :owner WHERE id IN (SELECT id FROM durable_workflow"
    " WHERE owner IS NULL AND ended IS NULL AND name IN :names"
    " AND NOT created BETWEEN :since AND :now AND EXISTS (SELECT 1 FROM worker WHERE id = :owner)"
    " ORDER BY created LIMIT :most{locked}) RETURNING id, name"
)
_ARGUMENTS = text("SELECT arguments_json FROM durable_workflow WHERE id = :id").columns(workflows.c.arguments_json)
_STEPS = text("SELECT position, name, result_json, error FROM durable_step WHERE workflow_id = :id").columns(
    steps.c.position, steps.c.name, steps.c.result_json, steps.c.error
)
_OUTCOME = text("SELECT result_json, error FROM durable_workflow WHERE id = :id AND ended IS NOT NULL").columns(
    workflows.c.result_json, workflows.c.error
)
_HAS_WORK = text("SELECT 1 FROM durable_workflow WHERE owner = :owner AND ended IS NULL LIMIT 1")
_RELEASE = text("UPDATE durable_workflow SET owner = NULL WHERE owner = :owner AND ended IS NULL")
_RELEASE_ORPHANS = text(
    "UPDATE durable_workflow SET owner = NULL"
    " WHERE ended IS NULL AND owner IS NOT NULL AND owner NOT IN (SELECT id FROM worker)"
)
_FORGET = text(
    "DELETE FROM durable_workflow WHERE id IN (SELECT id FROM durable_workflow WHERE ended < :before LIMIT :most)"
)


class StartedWorkflow(Struct, frozen=True):
    """A workflow that has been started and has not ended."""

    id: str
    name: str


class RecordedStep(Struct, frozen=True):
    """The name and the outcome of a step that has ended."""

    name: str
    outcome: RecordedOutcome


class WorkflowRows:
    """The rows of workflows and steps in a database, as the executor `owner` reads and writes them."""

    def __init__(self, database: Database, owner: str) -> None:
        """See the class."""
        self._database = database
        self._owner = owner
        self._add_step, self._claim = _statements(shared=database.shared)

    def add(self, workflow: StartedWorkflow, arguments_json: str, *, owned: bool) -> bool:
        """Add a workflow, `owned` by this executor or waiting for one; return False if the id exists already."""
        values = {
            "id": workflow.id,
            "name": workflow.name,
            "arguments_json": arguments_json,
            "owner": self._owner if owned else None,
            "created": time.time(),
        }
        with self._database.begin() as connection:
            return connection.execute(_ADD, values).rowcount == 1

    def claim(self, names: Collection[str], most: int, *, waiting: float = 0.0) -> list[StartedWorkflow]:
        """Claim at most `most` workflows with these names that have had no owner for `waiting` seconds; return them."""
        now = time.time()
        values = {"owner": self._owner, "names": list(names), "most": most, "since": now - waiting, "now": now}
        with self._database.begin() as connection:
            found = connection.execute(self._claim, values).all()
        return [StartedWorkflow(row.id, row.name) for row in found]

    def arguments(self, workflow_id: str) -> str:
        """Return the JSON text of a workflow's arguments."""
        with self._database.read() as connection:
            return str(connection.execute(_ARGUMENTS, {"id": workflow_id}).scalar_one())

    def steps(self, workflow_id: str) -> dict[int, RecordedStep]:
        """Return the steps of a workflow that have ended, by position."""
        with self._database.read() as connection:
            found = connection.execute(_STEPS, {"id": workflow_id}).all()
        return {row.position: RecordedStep(row.name, RecordedOutcome(row.result_json, row.error)) for row in found}

    def add_step(self, workflow_id: str, position: int, name: str, outcome: RecordedOutcome) -> bool:
        """Record the outcome of a step; return False if this executor does not own the workflow any more."""
        values = {"workflow_id": workflow_id, "position": position, "name": name, **self._end(outcome)}
        with self._database.begin() as connection:
            return connection.execute(self._add_step, values).rowcount == 1

    def finish(self, workflow_id: str, outcome: RecordedOutcome) -> bool:
        """Record the end of a workflow; return False if this executor does not own it any more."""
        with self._database.begin() as connection:
            return connection.execute(_FINISH, {"id": workflow_id, **self._end(outcome)}).rowcount == 1

    def outcome(self, workflow_id: str) -> RecordedOutcome | None:
        """Return how a workflow ended; None for one that has not ended."""
        with self._database.read() as connection:
            row = connection.execute(_OUTCOME, {"id": workflow_id}).first()
        return None if row is None else RecordedOutcome(row.result_json, row.error)

    def has_work(self) -> bool:
        """Return whether this executor owns workflows that have not ended."""
        with self._database.read() as connection:
            return connection.execute(_HAS_WORK, {"owner": self._owner}).first() is not None

    def forget(self, before: float, most: int) -> int:
        """Delete at most `most` workflows that ended before a time, and their steps; return how many."""
        with self._database.begin() as connection:
            return connection.execute(_FORGET, {"before": before, "most": most}).rowcount

    def _end(self, outcome: RecordedOutcome) -> dict[str, Any]:
        return {
            "owner": self._owner,
            "now": time.time(),
            "result_json": outcome.result_json,
            "error": outcome.error,
        }


def release_work(connection: Connection, executor: str) -> None:
    """Let others claim the workflows that a dead executor owned."""
    connection.execute(_RELEASE, {"owner": executor})


def release_orphans(connection: Connection) -> bool:
    """Release workflows whose executors are no longer registered; return whether there were any."""
    return connection.execute(_RELEASE_ORPHANS).rowcount > 0


def _statements(*, shared: bool) -> tuple[TextClause, TextClause]:
    """Return the statements, with row locks where several processes share the database."""
    add_step = f"{_ADD_STEP} FOR SHARE{_ADDED}" if shared else f"{_ADD_STEP}{_ADDED}"
    claim = text(_CLAIM.format(locked=" FOR UPDATE SKIP LOCKED" if shared else ""))
    claim = claim.bindparams(bindparam("names", expanding=True))
    return with_seals(text(add_step), steps), claim
