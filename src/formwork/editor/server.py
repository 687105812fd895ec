"""The language server: requests and notifications of a client, answered from one thread in their order.

Source: Language Server Protocol 3.17.
"""

import contextlib
import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from formwork import __version__
from formwork.diagnostics import FormworkError
from formwork.diagnostics.internal_errors import error_and_place
from formwork.editor.checking import CheckTarget
from formwork.editor.features import FEATURES, capabilities
from formwork.editor.protocol.abilities import ClientAbilities
from formwork.editor.protocol.addresses import path_of
from formwork.editor.protocol.client_link import ClientLink, cancelled
from formwork.editor.protocol.debounce import Debouncer
from formwork.editor.protocol.positions import choose_encoding
from formwork.editor.protocol.requests import member_at, uri_of
from formwork.editor.protocol.texts import OpenText
from formwork.editor.protocol.wire import (
    ClientNotification,
    ClientReply,
    ClientRequest,
    ErrorCode,
    MalformedMessage,
    ProtocolError,
)
from formwork.editor.reading.view import remember_values
from formwork.editor.session import EditorDependencies, EditorSession

_QUIET = 0.06  # seconds without an edit before a check; more is felt as delay
_SLOW = "workspace/executeCommand"  # runs tests: answered when they have ended, while others are answered
_MOST = 0.6  # seconds that continuous typing can put a check off
_WATCHED = "**/{*.json,*.yaml,*.yml,*.smithy,.rpdk-config}"


class EditorServer:
    """Serves one client on two streams until it says `exit`, or the streams end."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, dependencies: EditorDependencies) -> None:
        self._link = ClientLink(incoming, outgoing)
        publish = lambda params: self._link.notify("textDocument/publishDiagnostics", params)  # noqa: E731 - one line
        self._session = EditorSession(dependencies, publish)
        self._checks: Debouncer[CheckTarget] = Debouncer(self._check, quiet=_QUIET, most=_MOST)
        self._initialized = False
        self._shut_down = False
        self._notifications: dict[str, Callable[[Any], None]] = {
            "initialized": self._on_initialized,
            "textDocument/didOpen": self._on_open,
            "textDocument/didChange": self._on_change,
            "textDocument/didSave": self._on_save,
            "textDocument/didClose": self._on_close,
            "workspace/didChangeWatchedFiles": self._on_watched,
            "workspace/didChangeWorkspaceFolders": self._on_folders,
        }

    def serve(self) -> int:
        """Answer until the end; return the exit code: 0 after `shutdown`, else 1, as the protocol has it."""
        self._link.start()
        self._checks.start()
        try:
            while (message := self._link.next()) is not None:
                match message:
                    case ClientRequest(method=method) if method == _SLOW:
                        threading.Thread(target=self._answer, args=(message,), daemon=True).start()
                    case ClientRequest():
                        self._answer(message)
                    case ClientNotification("exit"):
                        break
                    case ClientNotification():
                        self._receive(message)
                    case MalformedMessage():
                        self._link.refuse(message.id, message.error)
                    case ClientReply():
                        pass  # of requests whose answer does not matter
        finally:
            self._checks.end()
        return 0 if self._shut_down else 1

    def _answer(self, request: ClientRequest) -> None:
        check = cancelled(self._link, request.id)
        try:
            check()
            result = self._result(request, check)
        except ProtocolError as error:
            self._link.refuse(request.id, error)
        except FormworkError as error:
            self._link.refuse(request.id, ProtocolError(ErrorCode.REQUEST_FAILED, error.diagnostics[0].message))
        except Exception as error:  # noqa: BLE001 - the boundary: a defect of one answer must not end the session
            self._report_defect(request.method, error)
            self._link.refuse(request.id, ProtocolError(ErrorCode.INTERNAL, "a bug in Formwork; see the log"))
        else:
            self._link.respond(request.id, result)

    def _result(self, request: ClientRequest, check: Callable[[], None]) -> Any:
        if request.method == "initialize":
            return self._initialize(request.params)
        if not self._initialized:
            raise ProtocolError(ErrorCode.NOT_INITIALIZED, "initialize comes first")
        if self._shut_down:
            raise ProtocolError(ErrorCode.INVALID_REQUEST, "the server is shut down")
        if request.method == "shutdown":
            self._shut_down = True
            return None
        feature = FEATURES.get(request.method)
        if feature is None:
            raise ProtocolError(ErrorCode.METHOD_NOT_FOUND, f'unknown method "{request.method[:80]}"')
        if not isinstance(request.params, dict):
            raise ProtocolError(ErrorCode.INVALID_PARAMS, "the parameters are not an object")
        return feature(self._session, request.params, check)

    def _receive(self, notification: ClientNotification) -> None:
        handler = self._notifications.get(notification.method)
        if handler is None or not self._initialized or self._shut_down:
            return  # as the protocol has it: notifications that the server does not know are dropped
        try:
            handler(notification.params)
        except ProtocolError as error:
            self._log(f"{notification.method}: {error}")
        except Exception as error:  # noqa: BLE001 - the boundary, as in _answer
            self._report_defect(notification.method, error)

    def _initialize(self, params: Any) -> dict[str, Any]:
        if self._initialized:
            raise ProtocolError(ErrorCode.INVALID_REQUEST, "initialize comes once")
        given = params if isinstance(params, dict) else {}
        self._session.client = ClientAbilities(given.get("capabilities"))
        self._session.encoding = choose_encoding(self._session.client.at("general", "positionEncodings"))
        self._session.folders = tuple(_folders(given))
        self._initialized = True
        return {
            "capabilities": capabilities(self._session.encoding),
            "serverInfo": {"name": "formwork", "version": __version__},
        }

    def _on_initialized(self, _params: Any) -> None:
        if self._session.client.registers_watched_files:
            watchers = [{"globPattern": _WATCHED}]
            registration = {
                "id": "formwork-files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watchers},
            }
            self._link.ask("client/registerCapability", {"registrations": [registration]})

    def _on_open(self, params: Any) -> None:
        match params:
            case {"textDocument": {"uri": str(uri), "text": str(text), **rest}}:
                language, version = str(rest.get("languageId", "")), _number(rest.get("version"))
                self._session.open(OpenText(uri, language, version, text, self._session.encoding))
                self._checks.want(self._session.target_of(uri), at_once=True)
            case _:
                raise ProtocolError(ErrorCode.INVALID_PARAMS, "the document has no address and text")

    def _on_change(self, params: Any) -> None:
        uri = uri_of(params)
        version = _number(params["textDocument"].get("version"))
        self._session.change(uri, version, params.get("contentChanges"))
        self._checks.want(self._session.target_of(uri))

    def _on_save(self, params: Any) -> None:
        uri = uri_of(params)
        if self._session.get(uri) is not None:
            self._checks.want(self._session.target_of(uri), at_once=True)

    def _on_close(self, params: Any) -> None:
        target = self._session.close(uri_of(params))
        if target is not None and target.root is not None:
            self._checks.want(target, at_once=True)

    def _on_watched(self, _params: Any) -> None:
        for target in self._session.targets():
            self._checks.want(target)

    def _on_folders(self, params: Any) -> None:
        event = params.get("event") if isinstance(params, dict) else None
        added, removed = (set(_paths(member_at(event, key))) for key in ("added", "removed"))
        kept = [each for each in self._session.folders if each not in removed]
        self._session.folders = (*kept, *sorted(added.difference(kept)))
        self._on_watched(params)

    def _check(self, target: CheckTarget) -> None:
        try:
            remember_values(self._session, target)  # first: who sees the diagnostics may break the text at once
            with _no_collection():
                self._session.check(target, is_stale=lambda: self._checks.is_wanted(target))
        except Exception as error:  # noqa: BLE001 - the boundary of the checking thread
            self._report_defect("a check", error)

    def _report_defect(self, what: str, error: Exception) -> None:
        """Log where a defect is, and nothing of the documents."""
        self._log(f"a bug in Formwork, in {what}: {error_and_place(error)}", kind=1)

    def _log(self, message: str, *, kind: int = 2) -> None:
        self._link.notify("window/logMessage", {"type": kind, "message": message})


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Put garbage collections off: over the parts of a large schema they are a third of a check in the worst case."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _folders(params: dict[str, Any]) -> list[Path]:
    found = _paths(params.get("workspaceFolders"))
    if not found and isinstance(params.get("rootUri"), str):
        found = [path for path in (path_of(params["rootUri"]),) if path is not None]
    return found


def _paths(folders: Any) -> list[Path]:
    named = [member_at(each, "uri") for each in folders] if isinstance(folders, list) else []
    return [path for each in named if isinstance(each, str) and (path := path_of(each)) is not None]


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
