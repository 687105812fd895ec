"""HTTP requests and responses as values, between the servers of this package and what answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """A request; header names are lower-case, `path` comes without the query and still percent-encoded.

    `too_large` says that the body was over the limit and was dropped.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    too_large: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    """A response; the connection adds the headers of its framing. `reason` is None for the usual one of the status."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    reason: str | None = None
