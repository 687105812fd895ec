"""Bodies of requests: within bounds, and read on even where they are too much, so that the client hears why."""

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.requests import Request as HttpRequest

from formwork.api.wire import ApiError

# How much of a refused body is read on; after that the connection breaks.
_DRAIN_BYTES = 16 * 1024 * 1024
# How long a client may say nothing in the middle of its body.
_SILENCE_SECONDS = 30.0


class BodyTooLargeError(Exception):
    """The body passes the bound."""


async def read_body(request: HttpRequest, *, limit: int) -> bytes:
    """Return the body.

    Raises:
        ApiError: nothing came for too long.
        BodyTooLargeError: it has more than `limit` bytes.
    """
    body = bytearray()
    total = 0
    async for piece in _pieces(request):
        total += len(piece)
        if total <= limit:
            body += piece
        elif total > _DRAIN_BYTES:
            break
    if total > limit:
        raise BodyTooLargeError
    return bytes(body)


async def pour_body(request: HttpRequest, take: Callable[[bytes], None]) -> None:
    """Hand the body to `take` piece by piece; where that raises, read on for a while, and raise that.

    Raises:
        ApiError: nothing came for too long.
    """
    failure: Exception | None = None
    drained = 0
    async for piece in _pieces(request):
        if failure is None:
            try:
                take(piece)
            except Exception as error:  # noqa: BLE001 - raised below, when the client has said all
                failure = error
        elif (drained := drained + len(piece)) > _DRAIN_BYTES:
            break
    if failure is not None:
        raise failure


async def _pieces(request: HttpRequest) -> AsyncIterator[bytes]:
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(_SILENCE_SECONDS):
                piece = await anext(stream)
        except StopAsyncIteration:
            return
        except TimeoutError:
            message = "Your socket connection to the server was not read from or written to within the timeout period."
            raise ApiError("RequestTimeout", message) from None
        yield piece
