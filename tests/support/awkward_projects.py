"""The awkward handlers in every language's runtime: one project per language and shape, whose handlers ask a service.

The handlers are the same few lines in each language (`tests/conformance/awkward/`): they take the request and the
models out of their handler library, ask what to answer, and put that into the library's models and events. What they
answer is decided here, by the very handlers of `support.awkward`: their table is not written a second time.

A port of each handler to each language (126 of them) would drift from that table.
"""

import contextlib
import json
import shutil
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PROGRAMS = Path(__file__).parents[1] / "conformance" / "awkward"
IMPORT_PATH = "example.com/acme/awkward"
_ACTIONS = ("Create", "Read", "Update", "Delete", "List")


class AwkwardService:
    """Answers what the handlers ask, as the function that is in `handlers` says."""

    def __init__(self):
        self.handlers = None
        self._one_at_a_time = threading.Lock()
        service = self

        class Asked(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body in one packet: two would wait for each other

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                text = json.dumps(service.answer(request)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
                self.wfile.flush()

            def log_message(self, *_words):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Asked)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, request):
        with self._one_at_a_time:
            return self.handlers(request)

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def awkward_service():
    service = AwkwardService()
    try:
        yield service
    finally:
        service.close()


@dataclass(frozen=True)
class Language:
    """How a project of a language is made: the words of `cfn init`, and where its handlers are by their program."""

    name: str
    words: tuple[str, ...]

    def write(self, root, type_name, programs):
        """Put the handlers of the folder `programs` into the project."""
        package = type_name.replace("::", "_").lower()
        if self.name == "python":
            _put(programs / "handlers.py", root / "src" / package / "handlers.py", type_name=type_name)
        elif self.name == "typescript":
            _put(programs / "handlers.ts", root / "src" / "handlers.ts", type_name=type_name)
        elif self.name == "go":
            _put(programs / "handlers.go", root / "cmd" / "resource" / "resource.go", import_path=IMPORT_PATH)
            (root / "cmd" / "resource" / "resource_test.go").unlink(missing_ok=True)
        else:
            shutil.rmtree(root / "src" / "test")
            folder = root.joinpath("src", "main", "java", *("com", *package.split("_")))
            named = f"com.{package.replace('_', '.')}"
            _put(programs / "CallbackContext.java", folder / "CallbackContext.java", package=named)
            for each in _ACTIONS:
                _put(programs / "Handler.java", folder / f"{each}Handler.java", package=named, action=each)


def _put(program, path, **values):
    text = program.read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"${name}", value)
    assert path.is_file(), f"`cfn init` writes no {path}"
    path.write_text(text, encoding="utf-8")


LANGUAGES = {
    each.name: each
    for each in (
        Language("python", ("python311",)),
        Language("typescript", ("typescript",)),
        Language("go", ("go", "--import-path", IMPORT_PATH)),
        Language("java", ("java",)),
    )
}


def make_project(language, schema, root, service, cfn):
    """A project for the schema whose handlers ask the service; `cfn(*words, cwd=…)` runs the command."""
    write_project(language, schema.value, root, cfn)
    template = root / "template.yml"
    text = template.read_text(encoding="utf-8")
    head = "  Function:\n"
    assert text.count(head) == 1
    variables = f"    Environment: {{Variables: {{AWKWARD_SERVICE: {service.url!r}}}}}\n"
    template.write_text(text.replace(head, head + variables), encoding="utf-8")
    return root


def write_project(language, schema, root, cfn, *, programs=PROGRAMS):
    """A project for the schema, a JSON value, with the handlers of the folder `programs`."""
    root.mkdir(parents=True)
    name = schema["typeName"]
    cfn("init", "-a", "RESOURCE", "-t", name, "--no-docker", *language.words, cwd=root)
    path = root / f"{name.replace('::', '-').lower()}.json"
    assert path.is_file()
    path.write_text(json.dumps(schema), encoding="utf-8")
    for each in (root / "inputs").glob("*"):
        each.unlink()
    language.write(root, name, programs)
    cfn("generate", cwd=root)
    return root
