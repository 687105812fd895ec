"""An operation on a stack set from its beginning to its end.

The workflow is one step. Whom an operation has got to is in the store, and what it asks of the engine it asks with the
same tokens again, so that it resumes where it was after a crash.
"""

import contextvars

from msgspec.structs import replace

from formwork.durable import Work
from formwork.engine.drift.detection import DriftDetection
from formwork.engine.engine import Engine
from formwork.stack_sets.drift import summarize_drift
from formwork.stack_sets.records import (
    DetailedStatus,
    Result,
    SetOperation,
    SetOperationAction,
    SetOperationStatus,
    StackSetRecord,
)
from formwork.stack_sets.store import (
    delete_instance,
    get_instance,
    get_operation,
    get_stack_set,
    list_instances,
    list_operations,
    list_results,
    list_running,
    write_instance,
    write_operation,
    write_result,
    write_stack_set,
)
from formwork.stack_sets.working import Worker

WORKFLOW = "stack-set-operation"
_SOONEST = 0.02
_LATEST = 0.5
_EXCEEDED = "Cancelled since failure tolerance has exceeded"
_STOPPED = "Cancelled since the operation was stopped"


class Runner:
    """Runs the operations of an engine's stack sets; made before the work is launched."""

    def __init__(self, engine: Engine, drift: DriftDetection, work: Work) -> None:
        self._engine = engine
        self._work = work
        self._worker = Worker(engine, drift)
        work.register(WORKFLOW, lambda number: work.step("run", self._run, number))

    def start(self, number: int) -> None:
        """Start an operation that is in the store."""
        self._work.start(WORKFLOW, f"stack-set-operation/{number}", number)

    def resume(self) -> None:
        """Start the operations that were requested and have not begun."""
        with self._engine.database.read() as connection:
            running = list_running(connection)
        for number in running:
            self.start(number)

    def _run(self, number: int) -> None:
        # In a context of its own: the workflows of stacks do not belong to the step that starts them.
        contextvars.Context().run(self._go, number)

    def _go(self, number: int) -> None:
        wait = _SOONEST
        while self._advance(number):
            self._engine.settings.observer.changed()
            self._work.sleep(wait)
            wait = min(wait * 1.5, _LATEST)
        self._engine.settings.observer.changed()

    def _advance(self, number: int) -> bool:
        """Do what can be done now; return whether more is left."""
        with self._engine.database.read() as connection:
            operation = get_operation(connection, number)
            stack_set = get_stack_set(connection, operation.stack_set_id)
            results = list_results(connection, number)
        if operation.status.ended:
            return False
        for place, each in enumerate(results):
            if each.status == DetailedStatus.RUNNING:
                results[place] = self._work_on(stack_set, operation, place, each)
        over = _regions_over(operation, results)
        for place, reason in _doomed(operation, results, over).items():
            results[place] = self._cancel(operation, place, results[place], reason)
        for place in _next(operation, results):
            results[place] = self._work_on(stack_set, operation, place, results[place])
        if not all(DetailedStatus(each.status).ended for each in results):
            return True
        self._end(operation, results, failed=bool(_regions_over(operation, results)))
        return False

    def _work_on(self, stack_set: StackSetRecord, operation: SetOperation, place: int, result: Result) -> Result:
        with self._engine.database.read() as connection:
            instance = get_instance(connection, stack_set.id, result.account, result.region)
        if instance is None:  # a second time over, after a crash
            done, kept = replace(result, status=DetailedStatus.SUCCEEDED), None
        else:
            done, kept = self._worker.go_on(stack_set, operation, instance, result)
        if (done, kept) == (result, instance):
            return result
        assert operation.number is not None
        with self._engine.database.begin() as connection:
            write_result(connection, operation.number, place, done)
            if kept is None:
                delete_instance(connection, stack_set.id, result.account, result.region)
            else:
                write_instance(connection, stack_set.id, kept)
        return done

    def _cancel(self, operation: SetOperation, place: int, result: Result, reason: str) -> Result:
        done = replace(result, status=DetailedStatus.CANCELLED, reason=reason)
        assert operation.number is not None
        with self._engine.database.begin() as connection:
            write_result(connection, operation.number, place, done)
            instance = get_instance(connection, operation.stack_set_id, result.account, result.region)
            if instance is not None and operation.action is not SetOperationAction.DETECT_DRIFT:
                cancelled = replace(instance, detailed=DetailedStatus.CANCELLED, reason=reason)
                write_instance(connection, operation.stack_set_id, cancelled)
        return done

    def _end(self, operation: SetOperation, results: list[Result], *, failed: bool) -> None:
        """End the operation, and begin the next one in the queue."""
        assert operation.number is not None
        waiting: SetOperation | None = None
        with self._engine.database.begin() as connection:
            stack_set = get_stack_set(connection, operation.stack_set_id)
            stopped = get_operation(connection, operation.number).status is SetOperationStatus.STOPPING
            status = SetOperationStatus.FAILED if failed else SetOperationStatus.SUCCEEDED
            ended = replace(
                operation,
                status=SetOperationStatus.STOPPED if stopped else status,
                ended=self._engine.settings.now(),
                reason=_EXCEEDED if failed and not stopped else None,
            )
            if operation.action is SetOperationAction.DETECT_DRIFT:
                instances = list_instances(connection, stack_set.id)
                ended = replace(ended, drift=summarize_drift(ended, results, instances, self._engine.settings.now()))
                write_stack_set(connection, replace(stack_set, drift=ended.drift))
            write_operation(connection, ended)
            queued = [
                each for each in list_operations(connection, stack_set.id) if each.status is SetOperationStatus.QUEUED
            ]
            if queued:
                waiting = queued[-1]
                write_operation(connection, replace(waiting, status=SetOperationStatus.RUNNING))
        if waiting is not None and waiting.number is not None:
            self.start(waiting.number)


def _by_region(results: list[Result]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, each in enumerate(results):
        places.setdefault(each.region, []).append(place)
    return places


def _count(results: list[Result], places: list[int], status: DetailedStatus) -> int:
    return sum(results[place].status == status for place in places)


def _regions_over(operation: SetOperation, results: list[Result]) -> list[str]:
    """Return the Regions in which more accounts have failed than the preferences tolerate."""
    return [
        region
        for region, places in _by_region(results).items()
        if _count(results, places, DetailedStatus.FAILED) > operation.preferences.tolerance(len(places))
    ]


def _doomed(operation: SetOperation, results: list[Result], over: list[str]) -> dict[int, str]:
    """Return the targets to skip, and why: a Region's failure also ends the Regions after it."""
    pending = [place for place, each in enumerate(results) if each.status == DetailedStatus.PENDING]
    if operation.status is SetOperationStatus.STOPPING:
        return dict.fromkeys(pending, _STOPPED)
    if not operation.preferences.parallel and over:
        return dict.fromkeys(pending, _EXCEEDED)
    return {place: _EXCEEDED for place in pending if results[place].region in over}


def _next(operation: SetOperation, results: list[Result]) -> list[int]:
    """Return the targets that the operation works on next."""
    chosen: list[int] = []
    for places in _by_region(results).values():
        failed = _count(results, places, DetailedStatus.FAILED)
        running = _count(results, places, DetailedStatus.RUNNING)
        room = max(0, operation.preferences.at_once(len(places), failed) - running)
        chosen += [place for place in places if results[place].status == DetailedStatus.PENDING][:room]
        unfinished = any(not DetailedStatus(results[place].status).ended for place in places)
        if unfinished and not operation.preferences.parallel:
            break
    return chosen
