"""The payloads of stacks and change sets behind a URL of this machine, for as long as a dry run lasts."""

import json
import secrets
import threading
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from formwork.aws.scope import Scope


class PayloadServer:
    """`Payloads` served on a loopback port under URLs that can't be guessed; to be closed."""

    def __init__(self) -> None:
        contents: dict[str, bytes] = {}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = contents.get(self.path)
                self.send_response(HTTPStatus.NOT_FOUND if content is None else HTTPStatus.OK)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
                """Write nothing."""

        self._contents = contents
        self._paths: dict[str, str] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, name="payloads", daemon=True).start()

    def publish(self, scope: Scope, name: str, payload: Mapping[str, Any]) -> str:
        """See `Payloads.publish`."""
        del scope
        path = self._paths.setdefault(name, f"/{secrets.token_urlsafe(32)}")
        self._contents[path] = json.dumps(payload).encode()
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def withdraw(self, scope: Scope, name: str) -> None:
        """See `Payloads.withdraw`."""
        del scope
        self._contents.pop(self._paths.pop(name, ""), None)

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
