"""Durable workflows on DBOS, in the database that everything else is in.

Only this module, `pickles` and `dbos_tables` import DBOS. It is one a process, launched where work is done and nowhere
else (its import costs 0.5 s). The application version is pinned to the form of what is stored, so that an upgrade of
Formwork does not strand what runs; arguments and results are JSON, not pickles. DBOS recovers only what the very
executor left behind; `heartbeat` finds the dead.
"""

import contextlib
import contextvars
import json
import logging
import os
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Self

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable.database import Database
from formwork.durable.dbos_tables import expect_known_tables
from formwork.durable.heartbeat import Heartbeat
from formwork.durable.pickles import PickleGuard
from formwork.durable.pruning import DAY, Pruning
from formwork.durable.work import Body, WorkStopped

if TYPE_CHECKING:
    from types import TracebackType

# Changes when stored arguments, results or the order of steps do: then older workflows can't go on.
STATE_FORMAT = "formwork-1"
_ERROR = "$error"
_QUEUE = "formwork"
_LAUNCH_LOCK = 7_133_208_002  # any number that nobody else uses
_LOOK_SECONDS = 0.2  # how often a worker looks into the queue
_AWAY_SECONDS = 1.0  # before a database that was away is asked again
_PATIENCE_SECONDS = 3.0  # how long the end of the process waits for workflows to stop where they are
_ONE = threading.Lock()


class WorkflowFailedError(Exception):
    """What a step or a workflow raised in an earlier life of the process, as far as it can be told."""


class Workflows:
    """Workflows of this process: `register` them all, `launch`, `start`; close it at the end.

    On SQLite a workflow runs in the process that starts it, the only one. On PostgreSQL it goes into a queue, from
    which every process that has launched its workflows takes: `cfn serve` and any number of workers.
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
        """`beat_seconds` is how often a sign of life is written; a worker silent for `dead_seconds` counts as dead.

        What a workflow did is remembered for `keep_seconds` after its end. On PostgreSQL a process that does not `work`
        leaves the queue to others. `on_problem` hears of rows that were refused.
        """
        self._pickles = PickleGuard(database, on_problem)
        self._works = works
        self._executor = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._database = database
        self._heart = Heartbeat(
            database, self._executor, self._resume, beat_seconds=beat_seconds, dead_seconds=dead_seconds
        )
        self._bodies: dict[str, Body] = {}
        self._functions: dict[str, Callable[..., Any]] = {}
        self._keep_seconds = keep_seconds
        self._pruning: Pruning | None = None
        self._stop = threading.Event()
        self._at_work = _Count()
        self._engine: Any = None
        self._dbos: Any = None

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
        if self._dbos is not None:
            raise RuntimeError("workflows are registered before the launch")
        self._bodies[name] = body

    def launch(self, revive: Callable[[], None] = lambda: None) -> None:
        """Start to work: what this executor starts, and what dead ones left.

        `revive` is asked, each time others were found dead, to start what they noted and never started.

        Raises:
            EnvironmentProblemError: another Workflows works in this process, or the database can't be used.
        """
        if not _ONE.acquire(blocking=False):
            raise EnvironmentProblemError("this process has durable workflows already")
        try:
            with self._alone():
                self._launch()
            self._heart.start(revive)
        except BaseException:
            self._tear_down()
            raise

    def start(self, name: str, workflow_id: str, *arguments: Any) -> None:
        """See `Work.start`."""
        from dbos import SetWorkflowID  # noqa: PLC0415 - see the module

        # In a context of its own: whoever starts it may be a workflow, and it is no part of that one.
        contextvars.Context().run(self._start, SetWorkflowID(workflow_id), name, arguments)

    def _start(self, identified: contextlib.AbstractContextManager[Any], name: str, arguments: tuple[Any, ...]) -> None:
        with identified:
            if self._database.shared:
                self._dbos.enqueue_workflow(_QUEUE, self._functions[name], *arguments)
            else:
                self._dbos.start_workflow(self._functions[name], *arguments)

    def step(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """See `Work.step`."""

        def whole() -> Any:
            result = self._patiently(function, arguments)
            self.check()  # what has failed because the process ends has not failed
            return result

        self.check()
        return self._dbos.run_step({"name": name}, whole)

    def _patiently(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """A database that is away for a while is no failure of the work either."""
        from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - see the module

        while True:
            try:
                return function(*arguments)
            except OperationalError:
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
        """See `Work.threads`; whatever hangs in one when the work stops is not waited for."""
        pool = ThreadPoolExecutor(most, thread_name_prefix="work")
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def result(self, workflow_id: str) -> Any:
        """The result of a workflow; waits for its end.

        Raises:
            Exception: what it raised.
        """
        return self._dbos.retrieve_workflow(workflow_id).get_result(polling_interval_sec=0.05)

    def close(self) -> None:
        """Stop working; what runs is left for the next launch, or for another worker."""
        if self._dbos is None:
            return
        self._stop.set()
        if not self._at_work.wait_for_none(_PATIENCE_SECONDS):
            self._database.hold_to_the_end()  # another process must not do the same work at the same time
        leaves_work = True
        with contextlib.suppress(Exception):  # without a database the others find out by themselves
            leaves_work = bool(self._pending(self._executor))
        self._heart.stop(leaves_work=leaves_work)
        if self._pruning is not None:
            self._pruning.stop()
        self._tear_down()

    def _launch(self) -> None:
        from dbos import DBOS  # noqa: PLC0415 - see the module

        _quieten()
        expect_known_tables()
        self._heart.beat()
        self._engine = self._database.workflow_engine()
        self._dbos = DBOS
        serializer = _serializer()
        self._pickles.install(serializer)
        self._pickles.remove_rows()
        DBOS(
            config={
                "name": "formwork",
                "system_database_url": self._database.url,
                "system_database_engine": self._engine,
                "application_version": STATE_FORMAT,
                "executor_id": self._executor,
                "serializer": serializer,
                "use_listen_notify": False,
                "log_level": "ERROR",
                "console_log_level": "CRITICAL",
                "notification_listener_polling_interval_sec": 0.2,
                "scheduler_polling_interval_sec": 3600.0,
            }
        )
        for name, body in self._bodies.items():
            self._functions[name] = DBOS.workflow(name=name)(_plain(name, self._at_work.counted(body)))
        if not self._works:
            DBOS.listen_queues([])
        DBOS.launch()
        if self._database.shared:
            DBOS.register_queue(_QUEUE, polling_interval_sec=_LOOK_SECONDS, on_conflict="always_update")
        self._pruning = Pruning(DBOS, keep_seconds=self._keep_seconds)
        self._pruning.start()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """The first processes on a database must not make DBOS's tables at the same time.

        Nobody waits within a statement: DBOS makes indexes concurrently, which waits for the end of all statements.
        """
        if not self._database.shared:
            yield
            return
        with self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            while not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_LAUNCH_LOCK})").scalar():
                self.sleep(_LOOK_SECONDS)
            try:
                yield
            finally:
                connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LAUNCH_LOCK})")

    def _tear_down(self) -> None:
        if self._dbos is not None:
            self._dbos.destroy(destroy_registry=True)
            self._dbos = None
        if self._engine is not None and self._engine is not self._database.engine:
            self._engine.dispose()
        self._engine = None
        _ONE.release()

    def _pending(self, executor: str) -> list[str]:
        found = self._dbos.list_workflows(status="PENDING", executor_id=[executor], load_input=False, load_output=False)
        return [each.workflow_id for each in found]

    def _resume(self, executor: str) -> None:
        """Have what an executor left go on."""
        self._pickles.remove_rows()
        if pending := self._pending(executor):
            queue = {"queue_name": _QUEUE} if self._database.shared else {}
            self._dbos.resume_workflows(pending, **queue)


class _Count:
    """How many workflows this process is in."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._number = 0

    def counted(self, body: Body) -> Body:
        """The same body, counted while it runs."""

        def run(*arguments: Any) -> Any:
            self._add(1)
            try:
                return body(*arguments)
            finally:
                self._add(-1)

        return run

    def wait_for_none(self, seconds: float) -> bool:
        """Wait until no workflow runs any more, so long at most; whether none does."""
        with self._changed:
            return self._changed.wait_for(lambda: self._number == 0, seconds)

    def _add(self, number: int) -> None:
        with self._changed:
            self._number += number
            self._changed.notify_all()


def _plain(name: str, body: Body) -> Callable[..., Any]:
    """A function of its own for each workflow, as DBOS tells them apart by their code."""

    def workflow(*arguments: Any) -> Any:
        return body(*arguments)

    workflow.__name__ = workflow.__qualname__ = name
    return workflow


def _quieten() -> None:
    """DBOS logs to the console by itself; what matters of it is told by those who wait for the result."""
    logger = logging.getLogger("dbos")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    logger.propagate = False


def _serializer() -> Any:
    from dbos import Serializer  # noqa: PLC0415 - see the module

    class JsonSerializer(Serializer):
        """JSON texts; an exception becomes its type's name and its message."""

        def serialize(self, data: Any) -> str:
            return json.dumps(data, default=_encode)

        def deserialize(self, serialized_data: str) -> Any:
            return json.loads(serialized_data, object_hook=_decode)

        def name(self) -> str:
            return "formwork_json"

    return JsonSerializer()


def _encode(value: Any) -> Any:
    if isinstance(value, BaseException):
        return {_ERROR: [type(value).__name__, str(value)]}
    msg = f"{type(value).__name__} is no JSON value: workflows and steps take and give nothing else"
    raise TypeError(msg)


def _decode(value: dict[str, Any]) -> Any:
    if _ERROR in value:
        kind, message = value[_ERROR]
        return WorkflowFailedError(f"{kind}: {message}")
    return value
