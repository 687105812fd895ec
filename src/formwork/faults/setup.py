"""What a command prepares for a run with failures: the injector in the gate, and the services that it may look into."""

from collections.abc import Mapping

from msgspec import Struct, field

from formwork.egress.faults.injector import Injector
from formwork.faults.world import World, WorldPart

# AWS's SDKs repeat a call that failed, and wait before. Without that the handler sees each failure at once.
NO_RETRIES: Mapping[str, str] = {"AWS_MAX_ATTEMPTS": "1"}


class FaultSetup(Struct):
    """`parts` are the stand-ins that show what exists, `unseen` names services that do not.

    `environment` are variables of the handlers' processes.
    """

    injector: Injector = field(default_factory=Injector)
    parts: list[WorldPart] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def world(self) -> World:
        """The visible state of all services behind the handlers."""
        return World(tuple(self.parts), tuple(self.unseen))
