"""Durable workflows, stored in the same database as the rest of the state (docs/decisions/1288).

A workflow runs on a thread of the process that owns its row. Its steps' results are recorded, so that a process that
takes it over can run the body again: steps that have ended return their recorded results, the next one runs.
"""

import contextlib
import json
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct
from sqlalchemy.exc import DBAPIError, OperationalError

from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.internal_errors import internal_error
from formwork.durable.database import Database
from formwork.durable.heartbeat import Heartbeat
from formwork.durable.outcomes import RecordedOutcome, dump_json
from formwork.durable.pruning import DAY, Pruning
from formwork.durable.work import Body, WorkStopped
from formwork.durable.workflow_rows import RecordedStep, StartedWorkflow, WorkflowRows

if TYPE_CHECKING:
    from types import TracebackType

# How often a worker looks for waiting workflows: at the shortest interval after it has found some, then less often.
_SOON_SECONDS = 0.05
_LOOK_SECONDS = 0.2
# At a time, so that workers which look at different moments share what waits.
_CLAIMS = 4
# A worker leaves work that has only just begun to wait to those that do less: for so long for each workflow it runs.
_LEFT_SECONDS, _MOST_LEFT_SECONDS = 0.02, 0.5
_ALL = 1_000_000
_RESULT_SECONDS = 0.02
_AWAY_SECONDS = 1.0  # before a database that was out of reach is tried again
_START_TRIES = 5
_PATIENCE_SECONDS = 3.0  # how long closing waits for running workflows to stop


class StepMismatchError(Exception):
    """A workflow calls another step than the one recorded at its position, so its code has changed."""


class _Run(Struct):
    """A workflow that runs: its recorded steps by position, and the position of the step that it called last."""

    id: str
    steps: dict[int, RecordedStep]
    position: int = 0


# The workflow whose body runs; None within its steps, since steps do not nest.
_RUN: ContextVar[_Run | None] = ContextVar("formwork_workflow", default=None)


class Workflows:
    """The workflows of this process. `register` all of them, `launch`, then `start` some; `close` at the end.

    On SQLite a workflow runs in the process that starts it, the only one. On PostgreSQL it waits until a process that
    has launched its workflows claims it: `cfn serve` and any number of workers.
    """

    def __init__(  # noqa: PLR0913 - one option each
        self,
        database: Database,
        *,
        beat_seconds: float = 2.0,
        dead_seconds: float = 15.0,
        keep_seconds: float = DAY,
        works: bool = True,
        on_problem: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """Write a heartbeat every `beat_seconds`; a worker without one for `dead_seconds` counts as dead.

        The record of a workflow is kept for `keep_seconds` after its end. On PostgreSQL a process without `works`
        leaves waiting workflows to others. `on_problem` receives a line for each workflow that can't continue.
        """
        self._works = works
        self._on_problem = on_problem
        self._executor = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._database = database
        self._rows = WorkflowRows(database, self._executor)
        self._heart = Heartbeat(database, self._executor, beat_seconds=beat_seconds, dead_seconds=dead_seconds)
        self._pruning = Pruning(self._rows, keep_seconds=keep_seconds)
        self._bodies: dict[str, Body] = {}
        self._stop = threading.Event()
        self._running: set[threading.Thread] = set()
        self._looking = threading.Thread(target=self._look, name="workflows", daemon=True)
        self._launched = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: "type[BaseException] | None", error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        self.close()

    @property
    def executor(self) -> str:
        """See `Work`."""
        return self._executor

    def register(self, name: str, body: Body) -> None:
        """See `Work.register`."""
        if self._launched:
            raise RuntimeError("workflows are registered before the launch")
        self._bodies[name] = body

    def launch(self, revive: Callable[[], None] = lambda: None) -> None:
        """Start to run workflows: those that this executor starts, and those that dead executors left.

        `revive` is called each time dead executors were found, to start the work that they recorded but never started.
        """
        self._launched = True
        self._heart.beat()
        self._heart.start(revive)
        if not self._database.shared:
            self._claim(_ALL)
        elif self._works:
            self._looking.start()
        self._pruning.start()

    def start(self, name: str, workflow_id: str, *arguments: Any) -> None:
        """See `Work.start`.

        Raises:
            TypeError: an argument is not a JSON value.
        """
        workflow, arguments_json = StartedWorkflow(workflow_id, name), dump_json(arguments)
        if self._database.shared:
            self._add_to_wait(workflow, arguments_json)
        elif self._rows.add(workflow, arguments_json, owned=True):
            self._spawn(workflow, arguments_json)

    def _add_to_wait(self, workflow: StartedWorkflow, arguments_json: str) -> None:
        """Add a workflow that waits for an executor; retried, as after an error only the next launch would start it."""
        for _ in range(_START_TRIES - 1):
            try:
                self._rows.add(workflow, arguments_json, owned=False)
            except DBAPIError as error:
                if not _is_away(error) or self._stop.wait(_AWAY_SECONDS):
                    raise
            else:
                return
        self._rows.add(workflow, arguments_json, owned=False)

    def step(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """See `Work.step`.

        Raises:
            StepMismatchError: another step is recorded at this position.
        """
        self.check()
        run = _RUN.get()
        if run is None:
            return self._patiently(function, *arguments)
        run.position += 1
        recorded = run.steps.get(run.position)
        if recorded is None:
            return self._run_step(run, name, function, arguments)
        if recorded.name != name:
            raise StepMismatchError(
                f'step {run.position} of workflow "{run.id}" is "{name}" and was recorded as "{recorded.name}"'
            )
        return recorded.outcome.unwrap()

    def _run_step(self, run: _Run, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        within = _RUN.set(None)
        try:
            result = self._patiently(function, *arguments)
            self.check()  # a step that returned because the process ends is not recorded
            self._record(run, name, RecordedOutcome.of_result(result))
        except Exception as error:
            self.check()  # the same
            self._record(run, name, RecordedOutcome.of_error(error))
            raise
        finally:
            _RUN.reset(within)
        return result

    def _record(self, run: _Run, name: str, outcome: RecordedOutcome) -> None:
        if not self._patiently(self._rows.add_step, run.id, run.position, name, outcome):
            raise WorkStopped  # another executor has taken it over

    def _patiently(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function until the database can be reached: its absence for a while is not a failure of the work."""
        while True:
            try:
                return function(*arguments)
            except DBAPIError as error:
                if not _is_away(error):
                    raise
                self.sleep(_AWAY_SECONDS)

    def sleep(self, seconds: float) -> None:
        """See `Work.sleep`."""
        self._stop.wait(seconds)
        self.check()

    def check(self) -> None:
        """See `Work.check`."""
        if self._stop.is_set():
            raise WorkStopped

    @contextlib.contextmanager
    def threads(self, most: int) -> Iterator[Executor]:
        """See `Work.threads`; when the work stops, hanging threads are not waited for."""
        pool = ThreadPoolExecutor(most, thread_name_prefix="work")
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def result(self, workflow_id: str) -> Any:
        """Return the result of a workflow; waits for its end.

        Raises:
            WorkflowFailedError: it raised an exception.
        """
        while (outcome := self._rows.outcome(workflow_id)) is None:
            time.sleep(_RESULT_SECONDS)
        return outcome.unwrap()

    def close(self) -> None:
        """Stop; workflows that run are left for the next launch, or for another worker."""
        if not self._launched:
            return
        self._stop.set()
        if self._looking.is_alive():
            self._looking.join(10)
        if not self._wait_for_running():
            self._database.hold_to_the_end()  # another process must not do the same work at the same time
        leaves_work = True
        with contextlib.suppress(Exception):  # without a database the others find out by the missing heartbeat
            leaves_work = self._rows.has_work()
        self._heart.stop(leaves_work=leaves_work)
        self._pruning.stop()

    def _wait_for_running(self) -> bool:
        """Wait for the workflows of this process to stop at their next check; return whether all have."""
        ends = time.monotonic() + _PATIENCE_SECONDS
        for thread in list(self._running):
            thread.join(max(0.0, ends - time.monotonic()))
        return not any(thread.is_alive() for thread in list(self._running))

    def _look(self) -> None:
        wait = _SOON_SECONDS
        while not self._stop.wait(wait):
            try:
                wait = _SOON_SECONDS if self._claim(_CLAIMS) else min(1.5 * wait, _LOOK_SECONDS)
            except Exception:  # noqa: BLE001 - the database may be away for a while
                wait = _AWAY_SECONDS

    def _claim(self, most: int) -> bool:
        waiting = min(_LEFT_SECONDS * len(self._running), _MOST_LEFT_SECONDS) if self._database.shared else 0.0
        claimed = self._rows.claim(self._bodies, most, waiting=waiting)
        for workflow in claimed:
            self._spawn(workflow)
        return bool(claimed)

    def _spawn(self, workflow: StartedWorkflow, new_arguments_json: str | None = None) -> None:
        thread = threading.Thread(target=self._run, args=(workflow, new_arguments_json), daemon=True)
        thread.name = f"workflow {workflow.name}"
        self._running.add(thread)
        thread.start()

    def _run(self, workflow: StartedWorkflow, new_arguments_json: str | None) -> None:
        """Run a workflow to its end; without `new_arguments_json` it was started earlier, and may have steps."""
        try:
            self._run_from(workflow, new_arguments_json)
        except WorkStopped:
            pass  # another process continues it
        except Exception as error:  # noqa: BLE001 - a thread has no caller who could report it
            reason = error if isinstance(error, EnvironmentProblemError) else internal_error(error)
            self._on_problem(f'workflow "{workflow.id}" is interrupted until the next start: {reason}')
        finally:
            self._running.discard(threading.current_thread())

    def _run_from(self, workflow: StartedWorkflow, new_arguments_json: str | None) -> None:
        if new_arguments_json is None:
            arguments_json = self._patiently(self._rows.arguments, workflow.id)
            steps = self._patiently(self._rows.steps, workflow.id)
        else:
            arguments_json, steps = new_arguments_json, {}
        _RUN.set(_Run(workflow.id, steps))
        outcome = self._outcome(workflow, arguments_json)
        self._patiently(self._rows.finish, workflow.id, outcome)

    def _outcome(self, workflow: StartedWorkflow, arguments_json: str) -> RecordedOutcome:
        try:
            return RecordedOutcome.of_result(self._bodies[workflow.name](*json.loads(arguments_json)))
        except Exception as error:  # noqa: BLE001 - whatever a body raises is its outcome
            self.check()  # a failure caused by the end of the process is not recorded
            if isinstance(error, StepMismatchError):
                self._on_problem(str(error))
            return RecordedOutcome.of_error(error)


def _is_away(error: DBAPIError) -> bool:
    return isinstance(error, OperationalError) or error.connection_invalidated
