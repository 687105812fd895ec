"""Runs the steps of a phase in the order of a graph, independent ones concurrently.

A phase is one step of its operation's workflow. Inside it, a resource is advanced on a thread, but holds none while
it waits for its handler's next call. The table of steps has the progress of each resource: after a crash the phase
runs again, skips resources that have ended, and continues those that have begun.

The reasons are in docs/decisions/1260.
"""

import heapq
import itertools
import queue
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import TypeAlias

from sqlalchemy.exc import OperationalError

from formwork.durable import WorkStopped
from formwork.engine.operations.resource_step import advance, break_off
from formwork.engine.operations.services import OperationServices
from formwork.stacks.store.operations import list_states
from formwork.stacks.store.steps import Phase, StepState

# Concurrent calls of handlers. Resources that wait for their next call do not count.
_CALLS = 16
_AHEAD = 2 * _CALLS  # tasks queued in advance, so that no thread waits for this loop
# Within which time the end of the process, or a cancelled operation, is noticed.
_LOOK_SECONDS = 0.5

# The result of an advance: the final state of the step, or the seconds until its next call.
_Come: TypeAlias = StepState | float | BaseException


def run_phase(
    services: OperationServices,
    operation_id: str,
    phase: Phase,
    graph: Mapping[str, tuple[str, ...]],
    stop: Callable[[], bool] = lambda: False,
) -> dict[str, StepState]:
    """Run a phase for the resources of the graph; return the final state of each step that has begun.

    After a failure in the deploy phase, no further step is started, and steps that wait for a callback are cancelled;
    in other phases the dependents of the failed resource are left out. `stop` is called before each start and while
    steps wait; once it returns true, the phase continues as after a failure.
    """
    with services.database.read() as connection:
        known = list_states(connection, operation_id, phase)
    schedule = _Schedule(services, operation_id, phase, graph, known)
    return schedule.run(stop)


class _Schedule:
    def __init__(
        self,
        services: OperationServices,
        operation_id: str,
        phase: Phase,
        graph: Mapping[str, tuple[str, ...]],
        known: Mapping[str, StepState],
    ) -> None:
        self._services = services
        self._operation_id = operation_id
        self._phase = phase
        self._users: dict[str, list[str]] = {name: [] for name in graph}
        self._needs = {name: {each for each in needs if each in graph} for name, needs in graph.items()}
        for name, needs in self._needs.items():
            for each in needs:
                self._users[each].append(name)
        self._ready = dict.fromkeys(name for name, needs in self._needs.items() if not needs)
        self._begun = {name for name, state in known.items() if state is StepState.RUNNING}
        self._running: set[str] = set()
        self._waiting: list[tuple[float, int, str]] = []  # a heap of (time, tie-breaker, logical id)
        self._numbers = itertools.count()
        self._ended: dict[str, StepState] = {}
        self._failed = False
        self._come: queue.SimpleQueue[tuple[str, _Come]] = queue.SimpleQueue()
        for name, state in known.items():
            if state is not StepState.RUNNING and name in self._users:
                self._end(name, state)

    def run(self, stop: Callable[[], bool]) -> dict[str, StepState]:
        with self._services.work.threads(_CALLS) as pool:
            try:
                return self._run(pool, stop)
            except Exception:
                while self._running:  # they must have ended before another process runs the phase again
                    self._hear()
                raise

    def _run(self, pool: Executor, stop: Callable[[], bool]) -> dict[str, StepState]:
        while True:
            if (self._ready or self._waiting) and not self._failed and stop():
                self._give_up()
            self._wake()
            self._start(pool)
            if self._running:
                self._hear()
            elif self._waiting:
                self._services.work.sleep(min(_LOOK_SECONDS, max(0.0, self._waiting[0][0] - self._services.now())))
            else:
                return self._ended

    def _wake(self) -> None:
        """Queue the waiting steps that are due, or all of them once the phase no longer waits."""
        while self._waiting and (self._failed or self._waiting[0][0] <= self._services.now()):
            self._ready[heapq.heappop(self._waiting)[2]] = None

    def _start(self, pool: Executor) -> None:
        for name in list(itertools.islice(self._ready, max(0, _AHEAD - len(self._running)))):
            del self._ready[name]
            self._begun.add(name)
            self._running.add(name)
            pool.submit(self._advance, name)

    def _advance(self, name: str) -> None:
        what = self._services, self._operation_id, self._phase, name
        try:
            come: _Come = advance(*what, lambda: self._failed)
        except OperationalError:  # the database can't be reached
            come = _LOOK_SECONDS
        except WorkStopped as stopped:
            come = stopped
        except Exception as error:  # noqa: BLE001 - a bug of ours: the resource fails, and the operation continues
            come = _break_off(*what, error)
        self._come.put((name, come))

    def _hear(self) -> None:
        """Wait for results until the next step is due, and record them."""
        wait = _LOOK_SECONDS
        if self._waiting:
            wait = min(wait, max(0.0, self._waiting[0][0] - self._services.now()))
        try:
            name, come = self._come.get(timeout=wait)
        except queue.Empty:
            self._services.work.check()
            return
        self._running.discard(name)
        match come:
            case StepState():
                self._end(name, come)
            case BaseException():
                raise come
            case _:
                heapq.heappush(self._waiting, (self._services.now() + come, next(self._numbers), name))

    def _end(self, name: str, state: StepState) -> None:
        self._ended[name] = state
        self._ready.pop(name, None)
        if state is StepState.DONE:
            for user in self._users[name]:
                self._needs[user].discard(name)
                if not self._needs[user] and user not in self._ended and not self._failed:
                    self._ready[user] = None
        elif self._phase is Phase.DEPLOY:
            self._give_up()

    def _give_up(self) -> None:
        """Start no further step, and end those that have begun without waiting for callbacks."""
        self._failed = True
        self._ready = {name: None for name in self._ready if name in self._begun}
        self._users = {name: [] for name in self._users}


def _break_off(services: OperationServices, operation_id: str, phase: Phase, name: str, error: Exception) -> _Come:
    try:
        return break_off(services, operation_id, phase, name, error)
    except BaseException as worse:  # noqa: BLE001 - raised again in the thread that runs the phase
        return worse
