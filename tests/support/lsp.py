"""A client of the language server: over pipes of a process, or of a server in a thread of this one.

Every message in either direction is read by lsprotocol's types, the model of the protocol that Microsoft publishes: one
that does not have the form of the protocol fails the test.
"""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

from lsprotocol import converters, types

from formwork.editor.protocol.addresses import address_of
from formwork.editor.server import EditorServer
from formwork.editor.session import EditorDependencies

CONVERTER = converters.get_converter()
PATIENCE = 120
# What the editors of today say in `initialize`.
MODERN = {
    "textDocument": {
        "completion": {"completionItem": {"documentationFormat": ["markdown", "plaintext"]}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}}},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


class LspError(Exception):
    """The server's error to a request."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class LspClient:
    """A session; `close` ends it as an editor does."""

    def __init__(self, incoming, outgoing, finish, *, checked=True):
        self._incoming, self._outgoing, self._finish = incoming, outgoing, finish
        self._checked = checked
        self._ids = 0
        self._methods = {}
        self._replies = {}
        self._arrived = threading.Condition()
        self.notifications = queue.SimpleQueue()
        self.published = {}
        self.requests = []
        self.faults = []
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def send_bytes(self, data):
        self._outgoing.write(data)
        self._outgoing.flush()

    def notify(self, method, params=None):
        if self._checked and method in types.METHOD_TO_TYPES:
            CONVERTER.structure(
                {"jsonrpc": "2.0", "method": method, "params": params}, types.METHOD_TO_TYPES[method][0]
            )
        self.send({"method": method, "params": params})

    def begin(self, method, params=None):
        """Send a request and return its id."""
        self._ids += 1
        self._methods[self._ids] = method
        message = {"id": self._ids, "method": method, "params": params}
        if self._checked and method in types.METHOD_TO_TYPES:
            CONVERTER.structure({"jsonrpc": "2.0", **message}, types.METHOD_TO_TYPES[method][0])
        self.send(message)
        return self._ids

    def end(self, identity):
        """Wait for a request's response; return its result."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: identity in self._replies or self._ended, PATIENCE), "no response"
            assert identity in self._replies, "the server ended"
            reply = self._replies.pop(identity)
        if "error" in reply:
            raise LspError(reply["error"])
        return reply["result"]

    def ask(self, method, params=None):
        return self.end(self.begin(method, params))

    def initialize(self, *folders, encodings=None, **capabilities):
        general = {"general": {"positionEncodings": encodings}} if encodings else {}
        named = [{"uri": address_of(each), "name": each.name} for each in folders]
        params = {"processId": None, "rootUri": None, "capabilities": {**MODERN, **general, **capabilities}}
        result = self.ask("initialize", {**params, "workspaceFolders": named or None})
        self.notify("initialized", {})
        return result

    def open(self, path, text=None, *, language="json", version=1):
        uri = address_of(path) if isinstance(path, Path) else path
        text = path.read_text() if text is None else text
        document = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri, version, *changes):
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def replace(self, uri, version, text):
        self.change(uri, version, {"text": text})

    def at(self, method, uri, line, character, **more):
        position = {"line": line, "character": character}
        return self.ask(method, {"textDocument": {"uri": uri}, "position": position, **more})

    def diagnostics(self, uri, version=None):
        """Wait for diagnostics of the document, of `version` if it is given."""

        def known():
            return uri in self.published and version in (None, self.published[uri].get("version"))

        with self._arrived:
            assert self._arrived.wait_for(lambda: known() or self._ended, PATIENCE), "no diagnostics"
            return self.published[uri]["diagnostics"]

    def wait(self, holds):
        """Wait until `holds()`; return whether it does, for a failing test to show what is there."""
        with self._arrived:
            return self._arrived.wait_for(lambda: holds() or self._ended, PATIENCE) and holds()

    def until(self, uri, codes):
        """Wait for diagnostics of the document with these codes."""

        def found():
            return uri in self.published and [each["code"] for each in self.published[uri]["diagnostics"]] == codes

        with self._arrived:
            assert self._arrived.wait_for(lambda: found() or self._ended, PATIENCE), self.published.get(uri)
            assert found()

    def codes(self, uri, version=None):
        return [each["code"] for each in self.diagnostics(uri, version)]

    def close(self):
        """End the session; return the server's exit code."""
        self.ask("shutdown")
        self.notify("exit")
        code = self._finish()
        assert self.faults == []
        return code

    def hang_up(self):
        self._outgoing.close()
        return self._finish()

    def _read(self):
        try:
            while (message := _receive(self._incoming)) is not None:
                self._take(message)
        finally:
            self._incoming.close()
            with self._arrived:
                self._ended = True
                self._arrived.notify_all()

    def _take(self, message):
        try:
            self._check(message)
        except Exception as error:  # noqa: BLE001 - reported where the session ends
            self.faults.append((message, repr(error)))
        with self._arrived:
            if "method" not in message:
                self._replies[message["id"]] = message
            elif message["method"] == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]
            elif "id" in message:
                self.requests.append(message)
                self.send({"id": message["id"], "result": None})
            else:
                self.notifications.put(message)
            self._arrived.notify_all()

    def _check(self, message):
        if not self._checked:
            return
        if "method" in message:
            assert message["method"] in types.METHOD_TO_TYPES
            CONVERTER.structure(message, types.METHOD_TO_TYPES[message["method"]][0])
        elif "error" in message:
            CONVERTER.structure(message, types.ResponseErrorMessage)
        elif (method := self._methods.get(message["id"])) in types.METHOD_TO_TYPES:
            CONVERTER.structure(message, types.METHOD_TO_TYPES[method][1])


def _receive(stream):
    length = 0
    while (line := stream.readline().strip()) or not length:
        if not line:
            return None
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(stream.read(length))


def served(dependencies=None, *, checked=True):
    """Return a client of a server that runs in a thread of this process."""
    to_server, to_client = os.pipe(), os.pipe()
    reading, writing = os.fdopen(to_server[0], "rb"), os.fdopen(to_client[1], "wb")
    server = EditorServer(reading, writing, dependencies or EditorDependencies())
    codes = []

    def serve():
        with writing:
            codes.append(server.serve())

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()

    def finish():
        thread.join(PATIENCE)
        client._outgoing.close()
        return codes[0]

    client = LspClient(os.fdopen(to_client[0], "rb"), os.fdopen(to_server[1], "wb"), finish, checked=checked)
    return client


def started(*words, checked=False):
    """Return a client of `cfn lsp` in a process of its own."""
    command = [str(Path(sys.executable).with_name("cfn")), "lsp", *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def finish():
        process.stdin.close()
        return process.wait(PATIENCE)

    return LspClient(process.stdout, process.stdin, finish, checked=checked)
