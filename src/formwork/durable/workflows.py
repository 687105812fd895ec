"""Durable workflows on DBOS, in the database that everything else is in; the only module that imports it.

DBOS is one a process. It is launched where work is done and nowhere else (its import costs 0.5 s). The application
version is pinned to the form of what is stored, so that an upgrade of Formwork does not strand what runs; arguments
and results are JSON, not pickles. DBOS recovers only what the very executor left behind: every worker writes a
heartbeat, and whoever finds one that has stopped takes its workflows over.
"""

import contextlib
import json
import logging
import os
import threading
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable.database import Database
from formwork.durable.work import Body

if TYPE_CHECKING:
    from types import TracebackType

    from sqlalchemy import TextClause

# Changes when stored arguments, results or the order of steps do: then older workflows can't go on.
STATE_FORMAT = "formwork-1"
_ERROR = "$error"
_ONE = threading.Lock()


class WorkflowFailedError(Exception):
    """What a step or a workflow raised in an earlier life of the process, as far as it can be told."""


class Workflows:
    """Workflows of this process: `register` them all, `launch`, `start`; close it at the end."""

    def __init__(self, database: Database, *, beat_seconds: float = 2.0, dead_seconds: float = 10.0) -> None:
        """`beat_seconds` is how often a sign of life is written; a worker silent for `dead_seconds` counts as dead."""
        self.executor = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._database = database
        self._beat_seconds = beat_seconds
        self._dead_seconds = dead_seconds
        self._bodies: dict[str, Body] = {}
        self._functions: dict[str, Callable[..., Any]] = {}
        self._stop = threading.Event()
        self._heart: threading.Thread | None = None
        self._engine: Any = None
        self._dbos: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: "type[BaseException] | None", error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        self.close()

    def register(self, name: str, body: Body) -> None:
        """See `Work.register`."""
        if self._dbos is not None:
            raise RuntimeError("workflows are registered before the launch")
        self._bodies[name] = body

    def launch(self) -> None:
        """Start to work: what this executor starts, and what dead ones left.

        Raises:
            EnvironmentProblemError: another Workflows works in this process, or the database can't be used.
        """
        if not _ONE.acquire(blocking=False):
            raise EnvironmentProblemError("this process has durable workflows already")
        try:
            self._launch()
        except BaseException:
            self._tear_down()
            raise

    def start(self, name: str, workflow_id: str, *arguments: Any) -> None:
        """See `Work.start`."""
        from dbos import SetWorkflowID  # noqa: PLC0415 - see the module

        with SetWorkflowID(workflow_id):
            self._dbos.start_workflow(self._functions[name], *arguments)

    def step(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """See `Work.step`."""
        return self._dbos.run_step({"name": name}, function, *arguments)

    def sleep(self, seconds: float) -> None:
        """See `Work.sleep`."""
        self._dbos.sleep(seconds)

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
        if self._heart is not None:
            self._heart.join(10)
        self._tear_down()
        with contextlib.suppress(Exception), self._database.begin() as connection:
            connection.execute(_sql("DELETE FROM worker WHERE id = :id"), {"id": self.executor})

    def _launch(self) -> None:
        from dbos import DBOS  # noqa: PLC0415 - see the module

        _quieten()
        self._beat()
        self._engine = self._database.workflow_engine()
        self._dbos = DBOS
        DBOS(
            config={
                "name": "formwork",
                "system_database_url": self._database.url,
                "system_database_engine": self._engine,
                "application_version": STATE_FORMAT,
                "executor_id": self.executor,
                "serializer": _serializer(),
                "use_listen_notify": False,
                "log_level": "ERROR",
                "console_log_level": "CRITICAL",
                "notification_listener_polling_interval_sec": 0.2,
                "scheduler_polling_interval_sec": 3600.0,
            }
        )
        for name, body in self._bodies.items():
            self._functions[name] = DBOS.workflow(name=name)(_plain(name, body))
        DBOS.launch()
        self._take_over()
        self._heart = threading.Thread(target=self._live, name="heartbeat", daemon=True)
        self._heart.start()

    def _tear_down(self) -> None:
        if self._dbos is not None:
            self._dbos.destroy(destroy_registry=True)
            self._dbos = None
        if self._engine is not None and self._engine is not self._database.engine:
            self._engine.dispose()
        self._engine = None
        _ONE.release()

    def _live(self) -> None:
        while not self._stop.wait(self._beat_seconds):
            with contextlib.suppress(Exception):  # the database may be away for a while; the next beat tries again
                self._beat()
                self._take_over()

    def _beat(self) -> None:
        now = time.time()
        with self._database.begin() as connection:
            beaten = connection.execute(
                _sql("UPDATE worker SET seen = :now WHERE id = :id"), {"now": now, "id": self.executor}
            )
            if beaten.rowcount == 0:
                connection.execute(
                    _sql("INSERT INTO worker (id, started, seen) VALUES (:id, :now, :now)"),
                    {"id": self.executor, "now": now},
                )

    def _take_over(self) -> None:
        """Go on with the workflows of workers that are dead; on SQLite that is everybody else."""
        silent = time.time() - (self._dead_seconds if self._database.shared else 0)
        with self._database.begin() as connection:
            found = connection.execute(
                _sql("SELECT id FROM worker WHERE id <> :id AND seen < :silent"),
                {"id": self.executor, "silent": silent},
            )
            dead = [row.id for row in found]
        for worker in dead:
            pending = self._dbos.list_workflows(
                status="PENDING", executor_id=[worker], load_input=False, load_output=False
            )
            if pending:
                self._dbos.resume_workflows([each.workflow_id for each in pending])
            with self._database.begin() as connection:
                connection.execute(_sql("DELETE FROM worker WHERE id = :id"), {"id": worker})


def _plain(name: str, body: Body) -> Callable[..., Any]:
    """A function of its own for each workflow, as DBOS tells them apart by their code."""

    def workflow(*arguments: Any) -> Any:
        return body(*arguments)

    workflow.__name__ = workflow.__qualname__ = name
    return workflow


def _sql(text: str) -> "TextClause":
    from sqlalchemy import text as clause  # noqa: PLC0415 - see the module

    return clause(text)


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
