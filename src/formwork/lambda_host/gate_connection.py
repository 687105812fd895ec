"""One connection to the gate: where it is for, and what becomes of it."""

import contextlib
import hmac
import socket
import ssl
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO, cast
from urllib.parse import urlsplit

from formwork.lambda_host.gate_rules import EscapeCause, EscapedCall, GateRules, Opening
from formwork.lambda_host.http11 import BadRequestError, Request, Response, read_request, render_response
from formwork.lambda_host.http_forwarding import UnreachableError, forward
from formwork.request_guard import HostKind, RequestGuard, kind_of_host

_CONNECT_SECONDS = 20.0
_BLOCK = 64 * 1024
_MAX_BODY = 256 * 1024 * 1024
_TLS_HANDSHAKE = b"\x16"  # the first byte of a TLS connection
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_GUARD = RequestGuard()
_CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class GateConnection:
    """Serves `connection` as a proxy does; and TLS that was led here as if it were the host that it names."""

    def __init__(self, rules: GateRules, connection: socket.socket) -> None:
        self._rules = rules
        self._connection = connection

    def serve(self) -> None:
        """Serve it to its end."""
        with self._connection, contextlib.suppress(OSError, BadRequestError):
            if self._connection.recv(1, socket.MSG_PEEK) == _TLS_HANDSHAKE:
                self._serve_named_host()
                return
            # Unbuffered: what follows a CONNECT is not read here.
            stream = cast("BinaryIO", self._connection.makefile("rb", buffering=0))
            while request := _read(self._connection, stream):
                if not self._respond(request) or not request.keep_alive:
                    return

    # -- a request to the proxy

    def _respond(self, request: Request) -> bool:
        """Return whether another request may follow."""
        if request.method == "CONNECT":
            host, _, port = request.path.rpartition(":")
            if self._admits(request) and port.isdigit():
                self._tunnel(host.strip("[]"), int(port))
            return False
        place = urlsplit(request.path)
        if not place.scheme:  # led here by the process itself, as if this were the host that it names
            if (refusal := _GUARD.refusal(request.headers)) is not None:
                self._say(403, refusal)
                return False
            return self._lead_plain(request, request.headers.get("host", ""))
        if not self._admits(request):
            return False
        target = replace(request, path=place.path or "/", keep_alive=False)
        if kind_of_host(place.hostname or "", place.port or 80) is not HostKind.THIRD_PARTY:
            return self._lead_plain(target, place.netloc)
        _exchange(target, f"http://{place.netloc}", self._connection)
        return False

    def _admits(self, request: Request) -> bool:
        """Return whether the client is one of this run's: others that find the port must not use it."""
        given = request.headers.get("proxy-authorization", "")
        if hmac.compare_digest(given.encode("latin-1"), self._rules.authorization.encode()):
            return True
        self._say(407, "this proxy only serves the handlers of one run", "Proxy-Authenticate: Basic\r\n")
        return False

    def _lead_plain(self, request: Request, place: str) -> bool:
        host, port = _split(place, 80)
        if kind_of_host(host, port) is HostKind.THIRD_PARTY:
            self._say(501, "this proxy has no resources of its own")
            return False
        if (opening := self._expect_opening(host, port)) is None:
            return False
        _exchange(request, opening.endpoint_of(host), self._connection)
        return True

    def _expect_opening(self, host: str, port: int) -> Opening | None:
        """Return where calls for a host of AWS's go; None where they are refused, which is said then."""
        if kind_of_host(host, port) is not HostKind.AWS_API:
            cause = EscapeCause.NOT_AN_API
        elif self._rules.opening is not None:
            return self._rules.opening
        else:
            cause = EscapeCause.NO_AWS if self._rules.sealed else EscapeCause.NO_CERTIFICATES
        self._rules.on_escape(EscapedCall(host, cause))
        self._say(403, f"Formwork refused this call: {host} is AWS itself and --aws says otherwise")
        return None

    def _say(self, status: int, phrase: str, headers: str = "") -> None:
        """Say it in the status line: that is what clients show of a proxy that refuses."""
        head = f"HTTP/1.1 {status} {phrase}\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n"
        self._connection.sendall(head.encode("ascii", "replace"))

    # -- connections through the proxy

    def _tunnel(self, host: str, port: int) -> None:
        if kind_of_host(host, port) is HostKind.THIRD_PARTY:
            self._connect_through(host, port)
        elif (opening := self._expect_opening(host, port)) is not None:
            self._connection.sendall(_CONNECTED)
            if self._connection.recv(1, socket.MSG_PEEK) == _TLS_HANDSHAKE:
                self._serve_tls(opening, opening.authority.server_context(host), (host,))
            else:
                _lead_all(self._connection, opening.endpoint_of(host))

    def _serve_named_host(self) -> None:
        """Answer TLS as the host that its first message names."""
        opening = self._rules.opening
        if opening is None:
            return  # the process knows that there is none, and refuses by itself
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
        """Lead what comes by TLS to the endpoint; `names` is the host's name, as soon as it is known."""
        try:
            secured = context.wrap_socket(self._connection, server_side=True)
        except ssl.SSLError as error:
            if names and "ALERT" in (error.reason or ""):  # so says a client that refuses the certificate
                self._rules.on_escape(EscapedCall(names[0], EscapeCause.NOT_TRUSTED))
            raise
        with secured:
            _lead_all(secured, opening.endpoint_of(names[0]))
            secured.unwrap()

    def _connect_through(self, host: str, port: int) -> None:
        try:
            there = socket.create_connection((host, port), timeout=_CONNECT_SECONDS)
        except (OSError, UnicodeError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).encode("ascii", "replace").decode()
            self._say(502, f"{host}: {reason}")
            return
        with there:
            there.settimeout(None)
            self._connection.sendall(_CONNECTED)
            back = threading.Thread(target=_copy, args=(there, self._connection), name="aws-gate-back", daemon=True)
            back.start()
            _copy(self._connection, there)
            back.join()


def _read(connection: socket.socket, stream: BinaryIO) -> Request | None:
    return read_request(stream, max_body=_MAX_BODY, send_continue=lambda: connection.sendall(_CONTINUE))


def _lead_all(connection: socket.socket, endpoint: str) -> None:
    """Lead the requests of one connection to `endpoint`, until there are no more."""
    with connection.makefile("rb", buffering=_BLOCK) as stream:
        while request := _read(connection, cast("BinaryIO", stream)):
            _exchange(request, endpoint, connection)
            if not request.keep_alive:
                return


def _exchange(request: Request, origin: str, connection: socket.socket) -> None:
    if request.too_large:
        connection.sendall(render_response(Response(413, b"the request is too large"), close=True))
        return
    try:
        forward(request, origin, connection)
    except UnreachableError as error:
        body = f"{origin} does not answer: {error}".encode()
        connection.sendall(render_response(Response(502, body, content_type="text/plain"), close=False))


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
