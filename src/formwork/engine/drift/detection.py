"""Drift detection: each resource is read and compared with its declaration in the template.

Source: user guide (seed 002), "Preventing false drift"; CloudFormation user guide, "Detect unmanaged configuration
changes".
"""

import uuid
from collections.abc import Iterable

from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.durable import Work
from formwork.engine.deployed.drift_comparison import ResourceDriftStatus
from formwork.engine.drift.live_states import DRIFTED, LiveStates
from formwork.engine.engine import Engine
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import DRIFT_CHECKABLE
from formwork.stacks.store.drifts import (
    DetectionRecord,
    FoundDrift,
    get_detection,
    list_drifts,
    write_detection,
    write_drift,
)
from formwork.stacks.store.event_notices import announce_detection
from formwork.stacks.store.records import ResourceRecord, StackRecord
from formwork.stacks.store.resources import get_resource, list_resources
from formwork.stacks.store.stacks import find_stack, get_stack, write_stack

WORKFLOW = "drift-detection"


class DriftDetection:
    """Detects the drift of an engine's stacks. It must be created before the work is launched."""

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine = engine
        self._work = work
        self._live = LiveStates(engine)
        work.register(WORKFLOW, lambda identifier: work.step("detect", self._run, identifier))

    def detect_stack(self, scope: Scope, name: str, names: Iterable[str] | None = None) -> str:
        """Start a detection for all resources of a stack, or those named; return its id.

        Raises:
            StackError: the stack is not found, or its status forbids it.
        """
        stack = self._expect(scope, name)
        detection = DetectionRecord(
            id=str(uuid.uuid4()),
            stack_id=stack.id,
            status="DETECTION_IN_PROGRESS",
            reason=None,
            drift_status="UNKNOWN",
            drifted=0,
            names=None if names is None else tuple(names),
            started=self._engine.settings.now(),
        )
        with self._engine.database.begin() as connection:
            write_detection(connection, detection)
            announce_detection(connection, detection, stack, detection.started)
        self._work.start(WORKFLOW, detection.id, detection.id)
        return detection.id

    def describe(self, identifier: str) -> tuple[DetectionRecord, StackRecord]:
        """Return a detection and its stack.

        Raises:
            StackError: it is not found.
        """
        with self._engine.database.read() as connection:
            detection = get_detection(connection, identifier)
            stack = None if detection is None else get_stack(connection, detection.stack_id)
        if detection is None or stack is None:
            raise StackError(f"Drift detection {identifier} does not exist")
        return detection, stack

    def detect_resource(
        self, scope: Scope, name: str, logical_id: str
    ) -> tuple[StackRecord, ResourceRecord, FoundDrift]:
        """Detect the drift of one resource; return when it is done.

        Raises:
            StackError: the stack or the resource is not found, or the stack's status forbids it.
        """
        stack = self._expect(scope, name)
        with self._engine.database.read() as connection:
            resource = get_resource(connection, stack.id, logical_id)
        if resource is None:
            raise StackError(f"Resource {logical_id} does not exist for stack {stack.name}")
        return stack, resource, self._look(stack, resource)

    def list_drifts(
        self, scope: Scope, name: str
    ) -> tuple[StackRecord, dict[str, ResourceRecord], dict[str, FoundDrift]]:
        """Return a stack, its resources, and their latest drift."""
        with self._engine.database.read() as connection:
            stack = self._engine.lookups.expect(connection, scope, name)
            return stack, list_resources(connection, stack.id), list_drifts(connection, stack.id)

    def _expect(self, scope: Scope, name: str) -> StackRecord:
        with self._engine.database.read() as connection:
            stack = find_stack(connection, scope, name)
        if stack is None:
            raise StackError(f"Stack [{name}] does not exist")
        if stack.status not in DRIFT_CHECKABLE:
            raise StackError(f"Drift detection cannot be performed on stack while in {stack.status} state")
        return stack

    def _run(self, identifier: str) -> None:
        detection, stack = self.describe(identifier)
        with self._engine.database.read() as connection:
            resources = list_resources(connection, stack.id)
        wanted = (
            resources
            if detection.names is None
            else {name: resources[name] for name in detection.names if name in resources}
        )
        found = {name: self._look(stack, each) for name, each in wanted.items()}
        unknown = sorted(name for name, each in found.items() if each.status == ResourceDriftStatus.UNKNOWN)
        drifted = sum(each.status in DRIFTED for each in found.values())
        now = self._engine.settings.now()
        reason = f"Failed to detect drift on resource(s) [{', '.join(unknown)}]" if unknown else None
        done = replace(
            detection,
            status="DETECTION_FAILED" if unknown else "DETECTION_COMPLETE",
            reason=reason,
            drift_status="DRIFTED" if drifted else "IN_SYNC",
            drifted=drifted,
        )
        with self._engine.database.begin() as connection:
            write_detection(connection, done)
            announce_detection(connection, done, stack, now)
            current = get_stack(connection, stack.id)
            assert current is not None
            write_stack(connection, replace(current, drift_status=done.drift_status, drift_checked=now))
        self._engine.settings.observer.changed()

    def _look(self, stack: StackRecord, resource: ResourceRecord) -> FoundDrift:
        found, _ = self._live.look(stack, resource)
        with self._engine.database.begin() as connection:
            write_drift(connection, stack.id, resource.logical_id, found)
        return found
