"""Requests of handlers on their way out, and the replies to them, as values; and what answers them."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct, field

from formwork.lambda_host.http_messages import Request


class Outgoing(Struct, frozen=True):
    """A request of a handler: `request`, and the server that it is for.

    `scheme` is "http" or "https", `host` a name or an address in lower case without a final dot.
    """

    scheme: str
    host: str
    port: int
    request: Request

    @property
    def path(self) -> str:
        """The path without the query, percent-encoded."""
        return self.request.path


class Reply(Struct, frozen=True):
    """The whole reply to a request. `headers` are in order, names as they came; without those of the framing.

    `fault` names the failure that was injected, "" where the service answered itself.
    """

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = field(default=())
    reason: str | None = None
    fault: str = ""


class BrokenConnectionError(Exception):
    """The connection of a request is reset in place of a reply; `kills` says that the process that sent it ends, too.

    The message names the failure that was injected.
    """

    def __init__(self, fault: str, *, kills: bool = False) -> None:
        super().__init__(fault)
        self.kills = kills


class NoRecordingError(Exception):
    """A request that no recorded one matches; the message names it, and the nearest ones with what differs."""


# Answers a request; raises UnreachableError (formwork.lambda_host.http_forwarding) where no server can be reached.
Responder: TypeAlias = Callable[[Outgoing], Reply]
