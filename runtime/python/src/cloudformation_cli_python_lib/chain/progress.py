"""Events between steps: `then` runs the next step, or returns the event that ends the chain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable

from cloudformation_cli_python_lib.interface import OperationStatus, ProgressEvent


class Progress(ProgressEvent):
    """A ProgressEvent with `then`; what a chain returns and a handler may return as it is."""

    _leave = False

    @classmethod
    def of(cls, event: ProgressEvent) -> Progress:
        """Return the event as one that `then` can follow."""
        return event if isinstance(event, Progress) else cls(**vars(event))

    def leaving(self) -> Progress:
        """The event, ending this invocation whatever its delay."""
        self._leave = True
        return self

    @property
    def can_continue(self) -> bool:
        """Whether the next step may run in this invocation."""
        return self.status == OperationStatus.IN_PROGRESS and self.callbackDelaySeconds == 0 and not self._leave

    def then(self, step: Callable[[Progress], ProgressEvent]) -> Progress:
        """Run the next step, unless the operation has ended or waits to be called again."""
        if not self.can_continue:
            return self
        event = step(self)
        if not isinstance(event, ProgressEvent):
            raise TypeError(f"a step of the chain returned {type(event).__name__} instead of a ProgressEvent")
        return Progress.of(event)

    def on_success(self, step: Callable[[Progress], ProgressEvent]) -> Progress:
        """Run something more once the operation has succeeded."""
        return Progress.of(step(self)) if self.status == OperationStatus.SUCCESS else self

    def success(self) -> Progress:
        """End the operation with SUCCESS and the model, if nothing ended it before."""
        return self.then(lambda event: ProgressEvent(OperationStatus.SUCCESS, resourceModel=event.resourceModel))

    def _members(self) -> Mapping[str, Any]:
        return {name: value for name, value in super()._members().items() if name != "_leave"}
