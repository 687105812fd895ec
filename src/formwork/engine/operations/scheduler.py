"""Resources of a phase in the order of a graph, as many at once as may be.

Each resource is a workflow of its own, started when what it waits for is done. The order in which they are started
matters to nobody: each goes on by itself after a crash, and is started again under the same id, which does nothing.
"""

import contextvars
import queue
from collections.abc import Callable, Mapping

from formwork.engine.operations.parts import Parts
from formwork.engine.store.operations import list_states
from formwork.engine.store.records import Phase, StepState

WORKFLOW = "resource-step"
_AT_ONCE = 50
_LOOK_SECONDS = 1.0  # how long what another process has done may go unseen


def run_phase(
    parts: Parts,
    operation_id: str,
    phase: Phase,
    graph: Mapping[str, tuple[str, ...]],
    stop: Callable[[], bool] = lambda: False,
) -> dict[str, StepState]:
    """Run a phase for every resource of the graph; how each that was begun ended.

    In the deploy phase nothing more is started after a failure; in the others what waits for the failed resource is
    left out. `stop` is asked before each start.
    """
    heard = parts.signals.listen(operation_id, str(phase))
    try:
        return _Schedule(parts, operation_id, phase, graph, stop).run(heard)
    finally:
        parts.signals.forget(operation_id, str(phase))


class _Schedule:
    def __init__(
        self,
        parts: Parts,
        operation_id: str,
        phase: Phase,
        graph: Mapping[str, tuple[str, ...]],
        stop: Callable[[], bool],
    ) -> None:
        self._parts = parts
        self._operation_id = operation_id
        self._phase = phase
        self._stop = stop
        self._users: dict[str, list[str]] = {name: [] for name in graph}
        self._needs = {name: {each for each in needs if each in graph} for name, needs in graph.items()}
        for name, needs in self._needs.items():
            for each in needs:
                self._users[each].append(name)
        self._ready = [name for name, needs in self._needs.items() if not needs]
        self._running: set[str] = set()
        self._ended: dict[str, StepState] = {}

    def run(self, heard: "queue.SimpleQueue[tuple[str, StepState]]") -> dict[str, StepState]:
        self._look()
        while True:
            self._start_ready()
            if not self._running:
                return self._ended
            try:
                self._end(*heard.get(timeout=_LOOK_SECONDS))
            except queue.Empty:
                self._look()

    def _look(self) -> None:
        """What the store knows: steps that ended before a crash, or in another process."""
        with self._parts.database.read() as connection:
            states = list_states(connection, self._operation_id, self._phase)
        for name, state in states.items():
            if state is not StepState.RUNNING:
                self._end(name, state)

    def _end(self, name: str, state: StepState) -> None:
        if name in self._ended or name not in self._users:
            return
        self._ended[name] = state
        self._running.discard(name)
        if name in self._ready:
            self._ready.remove(name)
        if state is StepState.DONE:
            for user in self._users[name]:
                self._needs[user].discard(name)
                if not self._needs[user] and user not in self._ended:
                    self._ready.append(user)
        elif self._phase is Phase.DEPLOY:
            self._ready.clear()
            self._users = {each: [] for each in self._users}

    def _start_ready(self) -> None:
        if self._ready and self._stop():
            self._ready.clear()
        while self._ready and len(self._running) < _AT_ONCE:
            name = self._ready.pop(0)
            self._running.add(name)
            identifier = f"{self._operation_id}/{self._phase}/{name}"
            # In a context of its own: it is no part of the step that asks for it.
            contextvars.Context().run(
                self._parts.work.start, WORKFLOW, identifier, self._operation_id, str(self._phase), name
            )
