"""What the registry and the engine ask of durable background work, whoever does it."""

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

# The arguments and results of workflows and steps are JSON values: they outlive releases.
Body: TypeAlias = Callable[..., Any]


class WorkStopped(BaseException):
    """Goes through everything that a workflow is doing when its process stops: what was begun goes on elsewhere.

    No Exception, since nothing of it must be taken for a failure of the work.
    """


class Work(Protocol):
    """Runs named workflows; `Workflows` does it on threads, tests may run them at once.

    `executor` names this process among those that work on the same database.
    """

    @property
    def executor(self) -> str:
        """See the class."""

    def register(self, name: str, body: Body) -> None:
        """Have `body(*arguments)` run as the workflow `name`; before the launch."""

    def start(self, name: str, workflow_id: str, *arguments: Any) -> None:
        """Start a workflow, once: a second start with the same id does nothing."""

    def step(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Inside a workflow: the result of `function`, computed once and remembered over a crash.

        It may run again if the process dies between its end and the record of its result. Steps are known by their
        position and name, so a workflow must ask for them in the same order each time.
        """

    def sleep(self, seconds: float) -> None:
        """Inside a workflow: wait. What is left of it after a restart is for the workflow to know.

        Raises:
            WorkStopped: this process stops working.
        """

    def check(self) -> None:
        """Inside a workflow: see whether it may go on.

        Raises:
            WorkStopped: this process stops working.
        """

    def threads(self, most: int) -> AbstractContextManager[Executor]:
        """Inside a workflow: threads to do parts of its work on, `most` at once, until the end of the block."""
