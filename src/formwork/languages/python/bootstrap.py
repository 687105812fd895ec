"""The program of a Python handler process: loads the handler, then asks the Runtime API for events until it is killed.

Run as `python -I -S -u -X utf8 bootstrap.py` with Lambda's variables, and in FORMWORK_BOOTSTRAP a JSON object:
`paths` (folders to import from, the task root first), `packages` (top-level package → the folder that contains it),
`bytecode` (where compiled files of the task root go, since that is the user's folder), `debug_port` (or null),
`coverage` (null, or an object: `recorder`, the file of the line recorder, `folder` and `files` as it takes them).

Python 3.9 to 3.14, standard library only. It speaks HTTP over a plain socket: http.client alone would double the time
of a cold start, and its only server is the process that started it.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import json
import logging
import os
import site
import socket
import sys
import time
import traceback

TYPE_CHECKING = False  # typing would slow down the start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType
    from typing import Any, NoReturn

_SEPARATOR = b"\r\n\r\n"


class RuntimeApi:
    """A connection to the Runtime API."""

    def __init__(self, address: str) -> None:
        place, _, secret = address.partition("/")
        host, _, port = place.rpartition(":")
        self._start = f"/{secret}/2018-06-01/runtime/" if secret else "/2018-06-01/runtime/"
        self._socket = socket.create_connection((host.strip("[]"), int(port)))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def next(self) -> tuple[dict[str, str], bytes]:
        """Return the next event's headers (lower-case names) and body; wait for it."""
        return self._call("GET", "invocation/next", b"")

    def post(self, path: str, body: bytes, error_type: str = "") -> None:
        """Send an answer."""
        extra = f"Lambda-Runtime-Function-Error-Type: {error_type}\r\n" if error_type else ""
        self._call("POST", path, body, extra)

    def _call(self, method: str, path: str, body: bytes, extra: str = "") -> tuple[dict[str, str], bytes]:
        start = f"{method} {self._start}{path} HTTP/1.1\r\nHost: localhost\r\n"
        head = f"{start}{extra}Content-Length: {len(body)}\r\n\r\n"
        self._socket.sendall(head.encode("latin-1", "replace") + body)
        return self._receive()

    def _receive(self) -> tuple[dict[str, str], bytes]:
        data = bytearray()
        while (end := data.find(_SEPARATOR)) < 0:
            data += self._read(65536)
        lines = data[:end].decode("latin-1").split("\r\n")
        if lines[0].split()[1] == "410":
            os._exit(0)
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = data[end + len(_SEPARATOR) :]
        size = int(headers.get("content-length", "0"))
        while len(body) < size:
            body += self._read(size - len(body))
        return headers, bytes(body)

    def _read(self, size: int) -> bytes:
        piece = self._socket.recv(size)
        if not piece:
            os._exit(0)  # the process that started this one has ended
        return piece


class Context:
    """The context object of a Lambda function."""

    identity = None
    tenant_id = None

    def __init__(self, headers: Mapping[str, str]) -> None:
        self.aws_request_id = headers["lambda-runtime-aws-request-id"]
        self.invoked_function_arn = headers.get("lambda-runtime-invoked-function-arn", "")
        self.function_name = os.environ.get("AWS_LAMBDA_FUNCTION_NAME", "")
        self.function_version = os.environ.get("AWS_LAMBDA_FUNCTION_VERSION", "")
        self.memory_limit_in_mb = os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "")
        self.log_group_name = os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME", "")
        self.log_stream_name = os.environ.get("AWS_LAMBDA_LOG_STREAM_NAME", "")
        client_context = headers.get("lambda-runtime-client-context")
        self.client_context = json.loads(client_context) if client_context else None
        self._deadline_ms = int(headers["lambda-runtime-deadline-ms"])

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until the function's timeout, 0 afterwards."""
        return max(0, self._deadline_ms - int(time.time() * 1000))

    def log(self, message: object) -> None:
        """Write to the function's log."""
        sys.stdout.write(str(message))

    def __repr__(self) -> str:
        return f"LambdaContext(aws_request_id={self.aws_request_id}, function_name={self.function_name})"


class _TaskLoader(importlib.machinery.SourceFileLoader):
    """Loads the project's own modules and stores their bytecode outside of the project's folder."""

    bytecode: str | None = None
    recorder: Any = None

    def get_code(self, fullname: str) -> CodeType | None:
        before, sys.pycache_prefix = sys.pycache_prefix, self.bytecode
        try:
            code = super().get_code(fullname)
        finally:
            sys.pycache_prefix = before
        if self.recorder is not None and code is not None:
            self.recorder.loaded(code)
        return code


class _PackageFinder:
    """Finds single packages in folders, without making other packages of these folders importable."""

    def __init__(self, packages: Mapping[str, str]) -> None:
        self._packages = packages

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """Return the spec of one of the packages."""
        folder = self._packages.get(name) if path is None else None
        return importlib.machinery.PathFinder.find_spec(name, [folder], target) if folder else None

    def find_distributions(self, context: Any = None) -> Any:
        """Return the distributions of the packages for importlib.metadata, if they have the package's name."""
        folder = self._packages.get(getattr(context, "name", None) or "")
        if folder is None:
            return []
        metadata = importlib.import_module("importlib.metadata")  # slow, and rarely used
        where = metadata.DistributionFinder.Context(name=context.name, path=[folder])
        return metadata.MetadataPathFinder.find_distributions(where)

    def invalidate_caches(self) -> None:
        """Do nothing: this finder has no caches."""


def _prepare_imports(settings: dict[str, Any]) -> None:
    paths = settings["paths"]
    bytecode = settings.get("bytecode")
    if bytecode:
        _TaskLoader.bytecode = bytecode
        details = (
            (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
            (_TaskLoader, importlib.machinery.SOURCE_SUFFIXES),
            (importlib.machinery.SourcelessFileLoader, importlib.machinery.BYTECODE_SUFFIXES),
        )
        root = os.path.join(paths[0], "")

        def hook(path: str) -> importlib.machinery.FileFinder:
            if not os.path.join(path, "").startswith(root):
                raise ImportError
            return importlib.machinery.FileFinder(path, *details)

        sys.path_hooks.insert(0, hook)
    given = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]
    sys.path[:0] = paths + given
    os.environ["PYTHONPATH"] = os.pathsep.join(paths + given)  # for Python processes that the handler starts
    sys.meta_path.append(_PackageFinder(settings["packages"]))


def _load_recorder(settings: dict[str, Any]) -> Any:
    """Return the line recorder; the handler can't import its module."""
    module = type(sys)("formwork_line_recorder")
    importlib.machinery.SourceFileLoader(module.__name__, settings["recorder"]).exec_module(module)
    return module.LineRecorder(settings["folder"], settings["files"])


class _LogFormatter(logging.Formatter):
    converter = staticmethod(time.gmtime)
    request_id = ""

    def format(self, record: logging.LogRecord) -> str:
        record.aws_request_id = self.request_id
        return super().format(record)


def _prepare_logging() -> _LogFormatter:
    # Libraries rely on the handler that Lambda's runtime adds to the root logger.
    handler = logging.StreamHandler(sys.stdout)
    layout = "[%(levelname)s]\t%(asctime)s.%(msecs)03dZ\t%(aws_request_id)s\t%(message)s"
    formatter = _LogFormatter(layout, "%Y-%m-%dT%H:%M:%S")
    handler.setFormatter(formatter)
    logging.getLogger().addHandler(handler)
    return formatter


class _LoadError(Exception):
    """The handler can't be loaded; `kind` is Lambda's errorType."""

    def __init__(self, kind: str, message: str, trace: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.trace = list(trace)


def _load(name: str) -> Callable[[Any, Any], Any]:
    module_name, dot, attribute = name.rpartition(".")
    if not dot or not module_name:
        raise _LoadError("Runtime.MalformedHandlerName", f"Bad handler '{name}': it is not MODULE.FUNCTION")
    module_name = module_name.replace("/", ".")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise _LoadError(
            "Runtime.ImportModuleError", f"Unable to import module '{module_name}': {error}", _trace(error)
        ) from error
    except SyntaxError as error:
        place = f'File "{error.filename}" Line {error.lineno}'
        raise _LoadError(
            "Runtime.UserCodeSyntaxError", f"Syntax error in module '{module_name}': {error}", [place]
        ) from error
    if not hasattr(module, attribute):
        raise _LoadError("Runtime.HandlerNotFound", f"Handler '{attribute}' missing on module '{module_name}'")
    function: Callable[[Any, Any], Any] = getattr(module, attribute)
    return function


def _trace(error: BaseException) -> list[str]:
    """Return the traceback from the first frame outside of this file and the import system."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__ and "importlib" not in frame.filename]
    return traceback.format_list(own)


def _error_document(error: Exception) -> tuple[str, dict[str, Any]]:
    if isinstance(error, _LoadError):
        return error.kind, {"errorMessage": str(error), "errorType": error.kind, "stackTrace": error.trace}
    kind = type(error).__name__
    return kind, {"errorMessage": _words(error), "errorType": kind, "stackTrace": _trace(error)}


def _words(error: object) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - an exception of the handler's that can't be shown is still its answer
        return "(an exception that can't be shown)"


def _encode_decimal(value: Any) -> float:
    if type(value).__name__ == "Decimal":
        return float(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _answer(function: Callable[[Any, Any], Any], event_body: bytes, context: Context) -> tuple[bytes, str]:
    """Return the response as bytes and "", or the error document as bytes and the error's type."""
    try:
        event = json.loads(event_body)
    except ValueError as error:
        document = {"errorMessage": f"Unable to unmarshal input: {error}", "errorType": "Runtime.UnmarshalError"}
        return json.dumps(document).encode(), "Runtime.UnmarshalError"
    try:
        result = function(event, context)
    except Exception as error:  # noqa: BLE001 - the boundary of the handler's code
        return _report(error)
    try:
        return json.dumps(result, ensure_ascii=False, default=_encode_decimal).encode(), ""
    except Exception as error:  # noqa: BLE001 - whatever the handler returned
        document = {"errorMessage": f"Unable to marshal response: {error}", "errorType": "Runtime.MarshalError"}
        return json.dumps({**document, "stackTrace": []}).encode(), "Runtime.MarshalError"


def _report(error: Exception) -> tuple[bytes, str]:
    kind, document = _error_document(error)
    text = "".join(document["stackTrace"])
    _log(f"[ERROR] {kind}: {document['errorMessage']}\nTraceback (most recent call last):\n{text}")
    return json.dumps(document).encode(), kind


def _log(text: str) -> None:
    """Write to the log and flush it, even if the handler has replaced the streams."""
    try:
        sys.stdout.write(text.encode(errors="backslashreplace").decode())
        sys.stdout.flush()
        sys.stderr.flush()
    except Exception:  # noqa: BLE001, S110 - a stream that the handler closed or replaced: nothing can be said there
        pass


def _exit(code: object) -> NoReturn:
    if code is None or isinstance(code, int):
        _log("")
        os._exit((code or 0) & 0xFF)
    _log(f"{_words(code)}\n")
    os._exit(1)


def _wait_for_debugger(port: int) -> None:
    debugpy = importlib.import_module("debugpy")
    debugpy.listen(("127.0.0.1", port))
    sys.stderr.write(f"waiting for a debugger on 127.0.0.1:{port}\n")
    debugpy.wait_for_client()


def main() -> None:
    """Process events until the process is killed."""
    settings = json.loads(os.environ.pop("FORMWORK_BOOTSTRAP"))
    api = RuntimeApi(os.environ["AWS_LAMBDA_RUNTIME_API"])
    _prepare_imports(settings)
    site.setquit()  # `-S` leaves out exit() and quit()
    formatter = _prepare_logging()
    if settings.get("coverage"):
        _TaskLoader.recorder = _load_recorder(settings["coverage"])
    try:
        if settings.get("debug_port"):
            _wait_for_debugger(settings["debug_port"])
        function = _load(os.environ["_HANDLER"])
    except Exception as error:  # noqa: BLE001 - the boundary of the handler's module
        body, kind = _report(error)
        api.post("init/error", body, kind)
        _exit(1)
    own = os.getpid()
    while True:
        headers, body = api.next()
        context = Context(headers)
        formatter.request_id = context.aws_request_id
        os.environ["_X_AMZN_TRACE_ID"] = headers.get("lambda-runtime-trace-id", "")
        answer, error_type = _answer(function, body, context)
        if os.getpid() != own:
            _exit(0)  # a process that the handler forked returned here; only the original may answer
        _log("")
        api.post(f"invocation/{context.aws_request_id}/{'error' if error_type else 'response'}", answer, error_type)


if __name__ == "__main__":
    sys.argv = [os.environ.get("_HANDLER", "")]
    try:
        main()
    except SystemExit as stop:  # the handler's threads must not keep the process alive
        _exit(stop.code)
