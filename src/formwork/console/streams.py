"""The stream of changes in the form of server-sent events."""

import json
from collections.abc import AsyncIterator, Callable

from formwork.console.parts import ConsoleParts
from formwork.console.sessions import BrowserSession
from formwork.stacks.store.events import new_events

_RETRY = b"retry: 1000\n\n"


async def stream_changes(
    parts: ConsoleParts, session: BrowserSession, lasts: Callable[[], bool]
) -> AsyncIterator[bytes]:
    """Yield the messages of the stream: the ids of stacks that have changed, and whether anything else has.

    The stream ends when the session does not last.
    """

    def look(after: int | None) -> tuple[tuple[str, ...], int]:
        with parts.services().engine.database.read() as connection:
            return new_events(connection, after, session.account)

    yield _RETRY
    async for message in parts.feed.messages(look, session.account):
        if not lasts():
            return
        if message is None:
            yield b": nothing new\n\n"
            continue
        text = json.dumps({"stacks": message.stacks, "other": message.other, "version": message.version})
        yield f"event: change\ndata: {text}\n\n".encode()
