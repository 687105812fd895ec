"""HTTP requests and responses as values, between the servers of this package and what answers."""

from collections.abc import Mapping

from msgspec import Struct, field


class Request(Struct, frozen=True):
    """A request; header names are lower-case, `path` comes without the query and still percent-encoded.

    `too_large` says that the body was over the limit and was dropped.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    too_large: bool = False


class Response(Struct, frozen=True):
    """A response; the connection adds the headers of its framing. `reason` is None for the usual one of the status."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    reason: str | None = None
