"""Limits of connections, so that none shuts others out: for heads that never end, and for idle clients.

uvicorn has a time limit between requests, but none for a request's head, and no bound on idle connections.
"""

import contextlib
import errno
import socket
import sys
from asyncio import AbstractEventLoop, TimerHandle, Transport
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

_HEAD_SECONDS = 30.0
# Descriptors that the service needs for other things than connections: the database, logs, handler processes.
_RESERVED = 256
_LEAST_CONNECTIONS = 64
_WANTED_DESCRIPTORS = 16_384
_OUT_OF_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE})


class BoundedProtocol(H11Protocol):
    """A connection that is closed if the head of a request takes too long, or to admit a newer connection."""

    most = _LEAST_CONNECTIONS  # how many connections there may be at once
    _head_timer: TimerHandle | None = None
    heard = 0.0  # when data arrived last, by the loop's clock

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        # asyncio does this only for sockets that name TCP as their protocol, which those of `create_server` don't: the
        # body of an answer, which follows its head, would wait some 40 ms for the client's delayed acknowledgement.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.heard = self.loop.time()
        self._await_head()
        if len(self.connections) > self.most:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        self.heard = self.loop.time()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._head_timer is None:  # the beginning of the next request on this connection
            self._await_head()

    @property
    def idle(self) -> bool:
        """Whether no request is being answered on this connection."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request, whatever uvicorn's types say
        return cycle is None or cycle.response_complete

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(_HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        self._head_timer = None
        if self.idle and not self.transport.is_closing():
            self.transport.abort()

    def _make_room(self) -> None:
        """Close the idle connection that has been silent for longest; its client opens another one when needed."""
        idle = [
            each
            for each in self.connections
            if isinstance(each, BoundedProtocol) and each.idle and not each.transport.is_closing()
        ]
        oldest = min((each for each in idle if each is not self), key=lambda each: each.heard, default=self)
        oldest.transport.abort()


def make_protocol() -> type[BoundedProtocol]:
    """Raise the limit of file descriptors, and return a protocol with a bound on connections that leaves some free."""
    most = max(_LEAST_CONNECTIONS, _raise_descriptors() - _RESERVED)
    return type("Connection", (BoundedProtocol,), {"most": most})


def hear_accept_errors(loop: AbstractEventLoop, on_problem: Callable[[str], None]) -> None:
    """Call `on_problem` once when no more connections can be accepted, instead of one traceback for each."""
    told = False

    def hear(loop: AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _OUT_OF_DESCRIPTORS:
            loop.default_exception_handler(context)
        elif not told:
            told = True
            on_problem("warning: no connection can be accepted for now: this process has too many files open")

    loop.set_exception_handler(hear)


def _raise_descriptors() -> int:
    """Raise the limit of open files, to a bound; return the limit."""
    if sys.platform == "win32":
        return _WANTED_DESCRIPTORS
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= _WANTED_DESCRIPTORS:
        return _WANTED_DESCRIPTORS
    wanted = _WANTED_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _WANTED_DESCRIPTORS)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft
