"""Lines that a handler writes, for the thread that invokes it, while the invocation runs."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

LineListener = Callable[[str], None]
# Called with the masked request of a call and with what masks texts of it; the block that it opens is the call.
CallWatcher = Callable[[Mapping[str, Any], Callable[[str], str]], contextlib.AbstractContextManager[LineListener]]

# Of the invoking thread: transports between it and the process have nothing to do with the lines.
_listener: ContextVar[LineListener | None] = ContextVar("line_listener", default=None)


@contextlib.contextmanager
def lines_to(listener: LineListener) -> Iterator[None]:
    """Give each line of the invocations in the block to `listener`, unmasked, in another thread."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def line_listener() -> LineListener | None:
    """Return the listener of the block around the call, None where there is none."""
    return _listener.get()
