"""Bodies of requests: within bounds, and read on even where they are too much, so that the client hears why."""

from collections.abc import Callable

from starlette.requests import Request as HttpRequest

# How much of a refused body is read on; after that the connection breaks.
_DRAIN_BYTES = 64 * 1024 * 1024


class BodyTooLargeError(Exception):
    """The body passes the bound."""


async def read_body(request: HttpRequest, *, limit: int) -> bytes:
    """The body.

    Raises:
        BodyTooLargeError: it has more than `limit` bytes.
    """
    body = bytearray()
    total = 0
    async for piece in request.stream():
        total += len(piece)
        if total <= limit:
            body += piece
        elif total > _DRAIN_BYTES:
            break
    if total > limit:
        raise BodyTooLargeError
    return bytes(body)


async def pour_body(request: HttpRequest, take: Callable[[bytes], None]) -> None:
    """Hand the body to `take` piece by piece; where that raises, read on for a while, and raise that."""
    failure: Exception | None = None
    drained = 0
    async for piece in request.stream():
        if failure is None:
            try:
                take(piece)
            except Exception as error:  # noqa: BLE001 - raised below, when the client has said all
                failure = error
        elif (drained := drained + len(piece)) > _DRAIN_BYTES:
            break
    if failure is not None:
        raise failure
