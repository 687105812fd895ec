"""One connection of a handler process: its target is found, and its requests answered, passed on or refused."""

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from formwork.egress.client_hello import server_name
from formwork.egress.destinations import Destinations, Opening
from formwork.egress.messages import BrokenConnectionError, Outgoing, Reply
from formwork.egress.names import NameMap
from formwork.egress.refusals import RefusalCause, RefusedCall, refusal_warning
from formwork.lambda_host.http_connection import BadRequestError, ServerConnection
from formwork.lambda_host.http_messages import Request, Response
from formwork.lambda_host.outgoing_calls import AnsweredBy, OutgoingCall
from formwork.request_guard import HostKind, RequestGuard, kind_of_host

if TYPE_CHECKING:
    from collections.abc import Callable

    from formwork.egress.authority import RunAuthority  # it needs `cryptography`, which may be absent

_CONNECT_SECONDS = 20.0
_BLOCK = 64 * 1024
_MAX_BODY = 256 * 1024 * 1024
_END_OF_HEAD = b"\r\n\r\n"
_TLS_HANDSHAKE = b"\x16"  # the first byte of a TLS connection
# A fatal alert: access denied (RFC 8446, 6.2).
_ACCESS_DENIED = b"\x15\x03\x03\x00\x02\x02\x31"
_HELLO_SECONDS = 5.0
_GUARD = RequestGuard()
_CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"
_BODILESS = frozenset({204, 304})
_HTTP, _HTTPS = 80, 443
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # struct linger: on, for 0 s


class CalledHost(Struct, frozen=True):
    """The host and port that a connection is for."""

    host: str
    port: int


class Answering(Protocol):
    """The gate, as far as connections need it."""

    destinations: Destinations
    names: NameMap
    authority: "RunAuthority | None"

    def answer(self, outgoing: Outgoing, note: "Callable[[OutgoingCall], None]", *, endpoint: bool = False) -> Reply:
        """Answer a request as the rules say, and `note` it."""
        ...

    def refuse_connection(
        self, host: str, port: int, cause: RefusalCause, note: "Callable[[OutgoingCall], None]"
    ) -> None:
        """Report a connection that was refused before a request could be read, and `note` it."""
        ...


class OwnRoute(Protocol):
    """The route that a connection came to."""

    address: str

    def admits(self, authorization: str) -> bool:
        """Return whether a Proxy-Authorization header is the process's."""
        ...

    def note(self, call: OutgoingCall) -> None:
        """Record a call."""
        ...

    def kill(self) -> None:
        """Kill the process."""
        ...


class HandlerConnection:
    """Serves one connection.

    With a `target` it was made to that host, in the process's own network. Without one it was made to the route: by a
    client that takes it for a proxy, by one whose AWS_ENDPOINT_URL it is, or redirected here within the process.
    """

    def __init__(self, gate: Answering, route: OwnRoute, connection: socket.socket, target: CalledHost | None) -> None:
        self._gate = gate
        self._route = route
        self._connection = connection
        self._target = target
        self._http = ServerConnection(self._receive, connection.sendall, max_body=_MAX_BODY)

    def serve(self) -> None:
        """Serve it to its end."""
        with self._connection, contextlib.suppress(OSError, BadRequestError, BrokenConnectionError):
            self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._target is not None:
                self._serve_target(self._target)
            elif self._connection.recv(1, socket.MSG_PEEK) == _TLS_HANDSHAKE:
                self._serve_named_host()
            else:
                while request := self._http.read_request():
                    self._respond(request)
                    if not self._http.reusable:
                        return

    def _receive(self) -> bytes:
        """Receive what has arrived, but no more than a head: what follows a CONNECT is not HTTP."""
        ahead = self._connection.recv(_BLOCK, socket.MSG_PEEK)
        end = ahead.find(_END_OF_HEAD)
        return self._connection.recv(len(ahead) if end < 0 else end + len(_END_OF_HEAD))

    # -- a connection that was made to a host

    def _serve_target(self, target: CalledHost) -> None:
        """Serve the rest of the connection as the host `target`."""
        decision = self._gate.destinations.decide(target.host, target.port, certificates=self._certificates)
        if decision is Opening.TUNNEL:
            self._connect_through(target)
            return
        # A client that waits for the server to speak first is neither TLS nor HTTP: such ports are tunnels alone.
        is_tls = self._connection.recv(1, socket.MSG_PEEK) == _TLS_HANDSHAKE
        if isinstance(decision, RefusalCause):
            if is_tls:
                self._refuse_tls(target, decision)
            else:
                self._serve_requests(self._connection, "http", target)
        elif is_tls:
            self._serve_tls(target)
        else:
            self._serve_requests(self._connection, "http", target)

    @property
    def _certificates(self) -> bool:
        return self._gate.authority is not None

    def _refuse_tls(self, target: CalledHost, cause: RefusalCause) -> None:
        """Refuse in the words of TLS, by a name that the client gives where it connected to an address."""
        hello = self._peek_hello()
        name = server_name(hello) or target.host
        self._gate.refuse_connection(name, target.port, cause, self._route.note)
        self._connection.sendall(_ACCESS_DENIED)

    def _peek_hello(self) -> bytes:
        self._connection.settimeout(_HELLO_SECONDS)
        return self._connection.recv(_BLOCK, socket.MSG_PEEK)

    def _serve_tls(self, target: CalledHost) -> None:
        authority = self._gate.authority
        assert authority is not None
        try:
            secured = authority.server_context(target.host).wrap_socket(self._connection, server_side=True)
        except ssl.SSLError as error:
            if "ALERT" in (error.reason or ""):  # a client that rejects the certificate sends an alert
                self._gate.refuse_connection(target.host, target.port, RefusalCause.NOT_TRUSTED, self._route.note)
            raise
        with secured:
            self._serve_requests(secured, "https", target)
            secured.unwrap()

    def _serve_requests(self, connection: socket.socket, scheme: str, target: CalledHost) -> None:
        served = ServerConnection(lambda: connection.recv(_BLOCK), connection.sendall, max_body=_MAX_BODY)
        try:
            while request := served.read_request():
                self._exchange(Outgoing(scheme, target.host, target.port, request), served)
                if not served.reusable:
                    return
        except BrokenConnectionError:
            # Closing it then sends a reset (RST), in place of an end that a client may take for a short reply.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            raise

    def _exchange(self, outgoing: Outgoing, served: ServerConnection, *, endpoint: bool = False) -> None:
        if outgoing.request.too_large:
            served.send_response(Response(413, b"the request is too large"), close=True)
            return
        # In a network of its own AWS_ENDPOINT_URL is the loopback interface's port 80.
        endpoint = endpoint or (self._target is not None and outgoing.host == "127.0.0.1" and outgoing.port == _HTTP)
        try:
            reply = self._gate.answer(outgoing, self._route.note, endpoint=endpoint)
        except BrokenConnectionError as broken:
            if broken.kills:
                self._route.kill()
            raise
        _send(reply, outgoing, served)

    def _connect_through(self, target: CalledHost, opening: bytes = b"") -> None:
        """Pass bytes on to a host and back, unread; `opening` is sent to the client once the host is reached."""
        try:
            there = socket.create_connection((target.host, target.port), timeout=_CONNECT_SECONDS)
        except (OSError, UnicodeError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).encode("ascii", "replace").decode()
            self._note_tunnel(target, reason)
            if opening:
                self._refuse(502, f"{target.host}: {reason}")
            return
        with there:
            there.settimeout(None)
            self._note_tunnel(target, "")
            self._connection.sendall(opening)
            back = threading.Thread(target=_copy, args=(there, self._connection), name="egress-back", daemon=True)
            back.start()
            _copy(self._connection, there)
            back.join()

    def _note_tunnel(self, target: CalledHost, reason: str) -> None:
        by = AnsweredBy.AWS if kind_of_host(target.host, target.port) is HostKind.AWS_API else AnsweredBy.REAL
        call = OutgoingCall(target.host, target.port, None, None, None, None, 0.0, by, reason)
        self._route.note(call)

    # -- a request to the route

    def _respond(self, request: Request) -> None:
        if request.method == "CONNECT":
            host, _, port = request.path.rpartition(":")
            if self._admits(request) and port.isdigit():
                self._tunnel(CalledHost(host.strip("[]").lower(), int(port)))
            return
        place = urlsplit(request.path)
        if not place.scheme:
            self._respond_as_host(request)
        elif self._admits(request):
            target = _split(place.netloc, _HTTP)
            outgoing = Outgoing("http", target.host, target.port, replace(request, path=place.path or "/"))
            self._exchange(outgoing, self._http)

    def _respond_as_host(self, request: Request) -> None:
        """Answer a request that came by AWS_ENDPOINT_URL, or was redirected here within the process."""
        if (refusal := _GUARD.refusal(request.headers)) is not None:
            self._refuse(403, refusal)
            return
        host = request.headers.get("host", "")
        target = _split(host, _HTTP)
        endpoint = host == self._route.address
        if not endpoint and kind_of_host(target.host, target.port) is HostKind.THIRD_PARTY:
            self._refuse(501, "this proxy has no resources of its own")
            return
        self._exchange(Outgoing("http", target.host, target.port, request), self._http, endpoint=endpoint)

    def _admits(self, request: Request) -> bool:
        """Return whether the client is one of this run's; refuse it if not."""
        if self._route.admits(request.headers.get("proxy-authorization", "")):
            return True
        self._refuse(407, "this proxy only serves the handlers of one run", {"Proxy-Authenticate": "Basic"})
        return False

    def _tunnel(self, target: CalledHost) -> None:
        decision = self._gate.destinations.decide(target.host, target.port, certificates=self._certificates)
        if isinstance(decision, RefusalCause):
            self._gate.refuse_connection(target.host, target.port, decision, self._route.note)
            words = refusal_warning(RefusedCall(target.host, target.port, decision))
            self._refuse(403, f"Formwork {words}")
        elif decision is Opening.TUNNEL:
            self._connect_through(target, _CONNECTED)
        else:
            self._connection.sendall(_CONNECTED)
            self._serve_target(target)

    def _refuse(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        """Refuse with `reason` in the status line: clients show that of a proxy."""
        self._http.send_response(Response(status, headers=headers or {}, reason=reason), close=True)

    def _serve_named_host(self) -> None:
        """Answer TLS that was redirected here within the process, as the host that its first message names."""
        name = server_name(self._peek_hello())
        self._connection.settimeout(None)
        if name is not None and self._certificates and kind_of_host(name, _HTTPS) is HostKind.AWS_API:
            self._serve_tls(CalledHost(name, _HTTPS))


def _send(reply: Reply, outgoing: Outgoing, served: ServerConnection) -> None:
    names = {name.lower() for name, _ in reply.headers}
    headers = list(reply.headers)
    bodiless = outgoing.request.method == "HEAD" or reply.status in _BODILESS
    if "content-length" not in names and reply.status != 204:
        headers.append(("Content-Length", str(len(reply.body))))
    served.send_stream(reply.status, reply.reason or "", headers, () if bodiless or not reply.body else (reply.body,))


def _split(place: str, port: int) -> CalledHost:
    """Host and port of a Host header; `port` where it has none."""
    found = urlsplit(f"//{place}")
    try:
        return CalledHost(found.hostname or "", found.port or port)
    except ValueError:
        raise BadRequestError(400, f'"{place}" is not a host') from None


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while block := source.recv(_BLOCK):
            target.sendall(block)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
