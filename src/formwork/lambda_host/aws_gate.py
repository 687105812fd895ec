"""The way out of handler processes whose AWS is a stand-in: AWS's own hosts are closed and told, others are reached.

SDKs older than AWS_ENDPOINT_URL (aws-sdk-go v1, boto3 before 1.28), and clients that were given an endpoint or a
resolver by hand, call AWS itself. Their HTTP clients take the proxy that the environment names: this one. It reads the
host of a CONNECT, and nothing that is sent there.
"""

import contextlib
import re
import socket
import threading
from collections.abc import Callable
from typing import BinaryIO, cast

from formwork.lambda_host.http11 import BadRequestError, read_request

# AWS's API endpoints in every partition; `on.aws` is not among them: functions of anybody have such addresses.
_AWS = re.compile(
    r"(?:.+\.)?(?:amazonaws\.com|amazonaws\.com\.cn|api\.aws|api\.amazonwebservices\.com\.cn)\.?", re.IGNORECASE
)
_CONNECT_SECONDS = 20.0
_BLOCK = 64 * 1024
# Runtimes whose HTTP clients take their proxy from the environment and tunnel through it as they should.
_RUNTIMES = ("go", "provided", "python")
_LOOPBACK = "localhost,127.0.0.1,::1"


def takes_gate(runtime: str) -> bool:
    """Whether processes of a Lambda runtime find the gate by the environment."""
    return runtime.startswith(_RUNTIMES)


class AwsGate:
    """Listens on loopback until `close`; `environment` is what handler processes get to find it."""

    def __init__(self, on_escape: Callable[[str], None]) -> None:
        """`on_escape` hears of each call that was for AWS itself: its host."""
        self._on_escape = on_escape
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.environment = dict.fromkeys(("HTTPS_PROXY", "https_proxy"), url) | dict.fromkeys(
            ("NO_PROXY", "no_proxy"), _LOOPBACK
        )
        threading.Thread(target=self._accept, name="aws-gate", daemon=True).start()

    def close(self) -> None:
        """Let nothing more through; what is being sent ends with the processes that send it."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self._serve, args=(connection,), name="aws-gate-call", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, BadRequestError):
            stream = cast("BinaryIO", connection.makefile("rb", buffering=0))
            request = read_request(stream, max_body=0, send_continue=lambda: None)
            if request is None:
                return
            host, _, port = request.path.rpartition(":")
            if request.method != "CONNECT" or not port.isdigit():
                _answer(connection, 501, "this proxy knows CONNECT alone")
            elif _AWS.fullmatch(host):
                self._on_escape(host)
                _answer(connection, 403, f"Formwork refused this call: {host} is AWS itself and --aws says otherwise")
            else:
                _pass_on(connection, host.strip("[]"), int(port))


def _answer(connection: socket.socket, status: int, phrase: str) -> None:
    """Say it in the status line: that is what clients show of a proxy that refuses."""
    connection.sendall(f"HTTP/1.1 {status} {phrase}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode("ascii"))


def _pass_on(connection: socket.socket, host: str, port: int) -> None:
    try:
        there = socket.create_connection((host, port), timeout=_CONNECT_SECONDS)
    except (OSError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).encode("ascii", "replace").decode()
        _answer(connection, 502, f"{host}: {reason}")
        return
    with there:
        there.settimeout(None)
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        back = threading.Thread(target=_copy, args=(there, connection), name="aws-gate-back", daemon=True)
        back.start()
        _copy(connection, there)
        back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while block := source.recv(_BLOCK):
            target.sendall(block)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
