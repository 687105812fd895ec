"""The interface of durable background work, as the registry and the engine use it."""

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

# The arguments and results of workflows and steps are JSON values: they outlive releases.
Body: TypeAlias = Callable[..., Any]


class WorkStopped(BaseException):
    """Raised through the code of a workflow when its process stops; another process, or the next one, continues it.

    Not an `Exception`, so that no handler of exceptions takes it for a failure of the work.
    """


class Work(Protocol):
    """Runs named workflows: `Workflows` runs them on threads, test doubles may run them in the caller.

    `executor` names this process among those that work on the same database.
    """

    @property
    def executor(self) -> str:
        """See the class."""

    def register(self, name: str, body: Body) -> None:
        """Register `body(*arguments)` as the body of the workflow `name`; before the launch."""

    def start(self, name: str, workflow_id: str, *arguments: Any) -> None:
        """Start a workflow, once: a second start with the same id does nothing."""

    def step(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Inside a workflow: return the result of `function`, computed once and recorded, so that it survives a crash.

        It may run again if the process dies between its end and the record of its result. Steps are identified
        by position and name, so a workflow must call them in the same order each time.
        """

    def sleep(self, seconds: float) -> None:
        """Inside a workflow: wait. The wait is not recorded: after a restart the workflow computes what is left of it.

        Raises:
            WorkStopped: this process stops working.
        """

    def check(self) -> None:
        """Inside a workflow: return if it may continue.

        Raises:
            WorkStopped: this process stops working.
        """

    def threads(self, most: int) -> AbstractContextManager[Executor]:
        """Inside a workflow: provide at most `most` threads for parts of its work, until the end of the block."""
