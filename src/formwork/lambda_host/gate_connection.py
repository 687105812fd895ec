"""One connection to the gate: its target host is found, and the connection served, tunnelled or refused."""

import contextlib
import hmac
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from formwork.lambda_host.gate_rules import EscapeCause, EscapedCall, GateRules, Opening
from formwork.lambda_host.http_connection import BadRequestError, ServerConnection
from formwork.lambda_host.http_forwarding import UnreachableError, forward
from formwork.lambda_host.http_messages import Request, Response
from formwork.request_guard import HostKind, RequestGuard, kind_of_host

_CONNECT_SECONDS = 20.0
_BLOCK = 64 * 1024
_MAX_BODY = 256 * 1024 * 1024
_END_OF_HEAD = b"\r\n\r\n"
_TLS_HANDSHAKE = b"\x16"  # the first byte of a TLS connection
_GUARD = RequestGuard()
_CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class GateConnection:
    """Serves `connection` as a proxy; or, where TLS was redirected here, as the host that it names."""

    def __init__(self, rules: GateRules, connection: socket.socket) -> None:
        self._rules = rules
        self._connection = connection
        self._http = ServerConnection(self._receive, connection.sendall, max_body=_MAX_BODY)

    def serve(self) -> None:
        """Serve it to its end."""
        with self._connection, contextlib.suppress(OSError, BadRequestError):
            if self._connection.recv(1, socket.MSG_PEEK) == _TLS_HANDSHAKE:
                self._serve_named_host()
                return
            while request := self._http.read_request():
                self._respond(request)
                if not self._http.reusable:
                    return

    def _receive(self) -> bytes:
        """Receive what has arrived, but no more than a head: what follows a CONNECT is not HTTP."""
        ahead = self._connection.recv(_BLOCK, socket.MSG_PEEK)
        end = ahead.find(_END_OF_HEAD)
        return self._connection.recv(len(ahead) if end < 0 else end + len(_END_OF_HEAD))

    # -- a request to the proxy

    def _respond(self, request: Request) -> None:
        if request.method == "CONNECT":
            host, _, port = request.path.rpartition(":")
            if self._admits(request) and port.isdigit():
                self._tunnel(host.strip("[]"), int(port))
            return
        place = urlsplit(request.path)
        if not place.scheme:  # redirected here within the process, as if this were the host that it names
            if (refusal := _GUARD.refusal(request.headers)) is not None:
                self._refuse(403, refusal)
            else:
                self._forward_plain(request, request.headers.get("host", ""))
            return
        if not self._admits(request):
            return
        target = replace(request, path=place.path or "/")
        if kind_of_host(place.hostname or "", place.port or 80) is not HostKind.THIRD_PARTY:
            self._forward_plain(target, place.netloc)
        else:
            _exchange(target, f"http://{place.netloc}", self._http)

    def _admits(self, request: Request) -> bool:
        """Return whether the client is one of this run's, since others can find the port too; refuse it if not."""
        given = request.headers.get("proxy-authorization", "")
        if hmac.compare_digest(given.encode("latin-1"), self._rules.authorization.encode()):
            return True
        self._refuse(407, "this proxy only serves the handlers of one run", {"Proxy-Authenticate": "Basic"})
        return False

    def _forward_plain(self, request: Request, place: str) -> None:
        host, port = _split(place, 80)
        if kind_of_host(host, port) is HostKind.THIRD_PARTY:
            self._refuse(501, "this proxy has no resources of its own")
        elif (opening := self._expect_opening(host, port)) is not None:
            _exchange(request, opening.endpoint_of(host), self._http)

    def _expect_opening(self, host: str, port: int) -> Opening | None:
        """Return where calls for a host of AWS's go; None where they are refused, after refusing."""
        if kind_of_host(host, port) is not HostKind.AWS_API:
            cause = EscapeCause.NOT_AN_API
        elif self._rules.opening is not None:
            return self._rules.opening
        else:
            cause = EscapeCause.NO_AWS if self._rules.sealed else EscapeCause.NO_CERTIFICATES
        self._rules.on_escape(EscapedCall(host, cause))
        self._refuse(403, f"Formwork refused this call: {host} is AWS itself and --aws says otherwise")
        return None

    def _refuse(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        """Refuse with `reason` in the status line: clients show that of a proxy."""
        self._http.send_response(Response(status, headers=headers or {}, reason=reason), close=True)

    # -- connections through the proxy

    def _tunnel(self, host: str, port: int) -> None:
        if kind_of_host(host, port) is HostKind.THIRD_PARTY:
            self._connect_through(host, port)
        elif (opening := self._expect_opening(host, port)) is not None:
            self._connection.sendall(_CONNECTED)
            if self._connection.recv(1, socket.MSG_PEEK) == _TLS_HANDSHAKE:
                self._serve_tls(opening, opening.authority.server_context(host), (host,))
            else:
                _forward_all(self._connection, opening.endpoint_of(host))

    def _serve_named_host(self) -> None:
        """Answer TLS as the host that its first message names."""
        opening = self._rules.opening
        if opening is None:
            return  # the process knows that calls are refused, and refuses them itself
        names: list[str] = []

        def choose(secured: ssl.SSLSocket | ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> int | None:
            if name is None or kind_of_host(name, 443) is not HostKind.AWS_API:
                return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
            names.append(name)
            secured.context = opening.authority.server_context(name)
            return None

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.sni_callback = choose
        self._serve_tls(opening, context, names)

    def _serve_tls(self, opening: Opening, context: ssl.SSLContext, names: Sequence[str]) -> None:
        """Forward what arrives over TLS to the endpoint; `names` contains the host's name, once it is known."""
        try:
            secured = context.wrap_socket(self._connection, server_side=True)
        except ssl.SSLError as error:
            if names and "ALERT" in (error.reason or ""):  # a client that rejects the certificate sends an alert
                self._rules.on_escape(EscapedCall(names[0], EscapeCause.NOT_TRUSTED))
            raise
        with secured:
            _forward_all(secured, opening.endpoint_of(names[0]))
            secured.unwrap()

    def _connect_through(self, host: str, port: int) -> None:
        try:
            there = socket.create_connection((host, port), timeout=_CONNECT_SECONDS)
        except (OSError, UnicodeError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).encode("ascii", "replace").decode()
            self._refuse(502, f"{host}: {reason}")
            return
        with there:
            there.settimeout(None)
            self._connection.sendall(_CONNECTED)
            back = threading.Thread(target=_copy, args=(there, self._connection), name="aws-gate-back", daemon=True)
            back.start()
            _copy(self._connection, there)
            back.join()


def _forward_all(connection: socket.socket, endpoint: str) -> None:
    """Forward the requests of one connection to `endpoint`, until there are no more."""
    served = ServerConnection(lambda: connection.recv(_BLOCK), connection.sendall, max_body=_MAX_BODY)
    while request := served.read_request():
        _exchange(request, endpoint, served)
        if not served.reusable:
            return


def _exchange(request: Request, origin: str, connection: ServerConnection) -> None:
    if request.too_large:
        connection.send_response(Response(413, b"the request is too large"), close=True)
        return
    try:
        forward(request, origin, connection)
    except UnreachableError as error:
        body = f"{origin} does not answer: {error}".encode()
        connection.send_response(Response(502, body, content_type="text/plain"))


def _split(place: str, port: int) -> tuple[str, int]:
    """Host and port of a Host header; `port` where it has none."""
    found = urlsplit(f"//{place}")
    try:
        return found.hostname or "", found.port or port
    except ValueError:
        raise BadRequestError(400, f'"{place}" is not a host') from None


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while block := source.recv(_BLOCK):
            target.sendall(block)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
