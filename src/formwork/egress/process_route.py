"""The route of one handler process: where its requests arrive, and what is known of them."""

import contextlib
import functools
import hmac
import secrets
import selectors
import socket
import threading
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path

from formwork.egress.connection import Answering, CalledHost, HandlerConnection
from formwork.egress.names import answer_query
from formwork.egress.packets import first_packet
from formwork.egress.refusals import RefusalCause
from formwork.lambda_host.outgoing_calls import OutgoingCall
from formwork.lambda_host.way_out import NamespaceRequest, NamespaceSockets

_USER = "formwork"
_LONGEST_QUERY = 4096
_LONGEST_PACKET = 256
_QUERY_SECONDS = 10.0
_NAMES_PORT, _API_PORT = 53, 9001


class ProcessRoute:
    """The way out of one process: a `ProcessExit`."""

    def __init__(self, gate: Answering, called: Callable[[OutgoingCall], None], *, sealed: bool) -> None:
        """Listen on 127.0.0.1, unless `sealed`: then the process's own network is served, once it has one.

        `called` receives each call.
        """
        self.address = ""
        self.environment: Mapping[str, str] = {}
        self.namespace: NamespaceRequest | None = None
        self._gate = gate
        self._called = called
        self._password = secrets.token_urlsafe(24)
        self._lock = threading.Lock()
        self._calls: list[OutgoingCall] = []
        self._selector = selectors.DefaultSelector()
        self._wake, self._woken = socket.socketpair()
        self._sockets: list[socket.socket] = [self._wake, self._woken]
        self._pid = 0
        self._kill: Callable[[], None] = lambda: None
        self._own_ports: frozenset[int] = frozenset()
        self._watch(self._woken, lambda: None)
        self._closed = self._started = False
        if not sealed:
            listener = socket.create_server(("127.0.0.1", 0), backlog=128)
            self.address = f"127.0.0.1:{listener.getsockname()[1]}"
            self._sockets.append(listener)
            self._watch(listener, lambda: self._accept(listener, own=True))
            self._start()

    @property
    def proxy_url(self) -> str:
        """The route's URL as a proxy, with user and password."""
        return f"http://{_USER}:{self._password}@{self.address}"

    def admits(self, authorization: str) -> bool:
        """Return whether a Proxy-Authorization header is this process's, since others can reach the port too."""
        expected = f"Basic {b64encode(f'{_USER}:{self._password}'.encode()).decode()}"
        return hmac.compare_digest(authorization.encode("latin-1"), expected.encode())

    def serve(self, sockets: NamespaceSockets, pid: int) -> None:
        """Serve the sockets of the process's own network."""
        self._pid = pid
        self._own_ports = frozenset({_API_PORT, _NAMES_PORT, *(each.getsockname()[1] for each in sockets.listeners)})
        for each in sockets.listeners:
            self._watch(each, functools.partial(self._accept, each, own=False))
        self._watch(sockets.names_udp, lambda: self._tell_address(sockets.names_udp))
        self._watch(sockets.names_tcp, lambda: self._accept_query(sockets.names_tcp))
        self._sockets += [*sockets.listeners, sockets.names_udp, sockets.names_tcp]
        if sockets.packets is not None:
            packets = sockets.packets
            self._sockets.append(packets)
            self._watch(packets, lambda: self._look_at_packet(packets))
        self._start()

    def note(self, call: OutgoingCall) -> None:
        """Record a call."""
        with self._lock:
            self._calls.append(call)
        self._called(call)

    def attach(self, kill: Callable[[], None]) -> None:
        """Note how the process is killed."""
        self._kill = kill

    def kill(self) -> None:
        """Kill the process."""
        self._kill()

    def take_calls(self) -> tuple[OutgoingCall, ...]:
        """Return the calls that ended since the last time, in the order of their ends."""
        with self._lock:
            found, self._calls = self._calls, []
        return tuple(found)

    def close(self) -> None:
        """Refuse new requests; requests in progress end with the process."""
        with self._lock:
            closed, self._closed = self._closed, True
        if not closed:
            with contextlib.suppress(OSError):
                self._wake.send(b".")
            if not self._started:
                self._clean()

    # -- the thread that accepts

    def _start(self) -> None:
        self._started = True
        threading.Thread(target=self._run, name="egress-route", daemon=True).start()

    def _watch(self, watched: socket.socket, act: Callable[[], object]) -> None:
        self._selector.register(watched, selectors.EVENT_READ, act)

    def _run(self) -> None:
        while not self._closed:
            for key, _ in self._selector.select():
                with contextlib.suppress(OSError):
                    key.data()
        self._clean()

    def _clean(self) -> None:
        self._selector.close()
        for each in self._sockets:
            each.close()

    def _accept(self, listener: socket.socket, *, own: bool) -> None:
        connection, _ = listener.accept()
        target = None
        if not own:
            address, port = connection.getsockname()[:2]
            target = CalledHost(self._gate.names.name_of(address), port)
        serving = HandlerConnection(self._gate, self, connection, target)
        threading.Thread(target=serving.serve, name="egress-call", daemon=True).start()

    def _tell_address(self, names: socket.socket) -> None:
        query, asker = names.recvfrom(_LONGEST_QUERY)
        if (answer := answer_query(query, self._gate.names)) is not None:
            names.sendto(answer, asker)

    def _accept_query(self, names: socket.socket) -> None:
        connection, _ = names.accept()
        threading.Thread(target=self._serve_queries, args=(connection,), name="egress-names", daemon=True).start()

    def _serve_queries(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream, contextlib.suppress(OSError):
            connection.settimeout(_QUERY_SECONDS)
            while length := stream.read(2):
                answer = answer_query(stream.read(int.from_bytes(length, "big")), self._gate.names)
                if answer is None:
                    return
                connection.sendall(len(answer).to_bytes(2, "big") + answer)

    def _look_at_packet(self, packets: socket.socket) -> None:
        """Record a connection to a port without a listener: the kernel refused it, and only this socket saw it."""
        packet, origin = packets.recvfrom(_LONGEST_PACKET)
        found = None if origin[2] == socket.PACKET_OUTGOING else first_packet(packet)  # each is seen both ways
        if found is None or found.port in self._own_ports or found.source_port == _NAMES_PORT:
            return
        if not (found.is_loopback and _is_listened_on(self._pid, found.port)):
            host = self._gate.names.name_of(found.address)
            self._gate.refuse_connection(host, found.port, RefusalCause.NOT_HTTP, self.note)


def _is_listened_on(pid: int, port: int) -> bool:
    """Return whether a process of the same network listens on a port: a handler may start servers of its own."""
    for table in ("tcp", "tcp6", "udp", "udp6"):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/net/{table}").read_text("ascii").splitlines()[1:]
            places = [line.split()[1:4] for line in lines]
            # 0A: a socket that listens; 07: one of UDP.
            if any(state in ("0A", "07") and int(place.rpartition(":")[2], 16) == port for place, _, state in places):
                return True
    return False
