"""What the registry and the engine ask of durable background work, whoever does it."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

# The arguments and results of workflows and steps are JSON values: they outlive releases.
Body: TypeAlias = Callable[..., Any]


class Work(Protocol):
    """Runs named workflows; `Workflows` does it on DBOS, tests may run them at once."""

    def register(self, name: str, body: Body) -> None:
        """Have `body(*arguments)` run as the workflow `name`; before the launch."""

    def start(self, name: str, workflow_id: str, *arguments: Any) -> None:
        """Start a workflow, once: a second start with the same id does nothing."""

    def step(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Inside a workflow: the result of `function`, computed once and remembered over a crash.

        It may run again if the process dies between its end and the checkpoint. Steps are known by their position, so
        a workflow must ask for them in the same order each time.
        """

    def sleep(self, seconds: float) -> None:
        """Inside a workflow: wait; after a restart only for what is left."""
