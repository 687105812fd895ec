"""How long the service waits for one answer of a registered handler.

Source: user guide (seed 002), "each handler times out after one minute"; the service's hooks guide, "Timeout and retry
limits". What AWS does next is known from users' reports alone: the resource fails with "Resource handler timed out.",
sometimes after more calls with the same token, while Lambda still runs the first one. Here the first one is stopped,
and fails the resource.
"""

from msgspec import Struct


class CallLimits(Struct, frozen=True):
    """The seconds that one call of a handler may take: of a resource type, and of a hook."""

    resource: float = 60.0
    hook: float = 30.0
