"""A client of `cfn lsp` for measurements: it writes requests, and waits for the message that is measured."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


class LanguageServer:
    """A process of `cfn lsp` that has answered `initialize`."""

    def __init__(self) -> None:
        words = [str(Path(sys.executable).with_name("cfn")), "lsp"]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._requests = 0
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.notify("initialized", {})

    def ask(self, method: str, parameters: Any = None) -> Any:
        """Send a request, and return its result; what the server sends before it is dropped."""
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": parameters})
        while (message := self._receive()).get("id") != self._requests or "method" in message:
            pass
        return message["result"]

    def notify(self, method: str, parameters: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": parameters})

    def await_diagnostics(self, version: int) -> None:
        """Wait for the diagnostics of a version of the one open document."""
        while (message := self._receive()).get("method") != "textDocument/publishDiagnostics" or (
            message["params"].get("version") != version
        ):
            pass

    def close(self) -> None:
        """End the session as editors do."""
        self.ask("shutdown")
        self.notify("exit", None)
        assert self._process.wait(60) == 0

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        stream, length = self._process.stdout, 0
        assert stream is not None
        while line := stream.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(stream.read(length))
        return message
