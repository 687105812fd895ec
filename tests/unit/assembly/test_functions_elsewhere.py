"""Functions that neither a stack nor the project has are invoked at another Lambda service."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from formwork.assembly.functions import Functions
from formwork.aws.scope import Scope
from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import open_database
from formwork.lambda_host import http_messages
from formwork.lambda_host.outcome import OutcomeKind

SCOPE = Scope("123456789012", "us-east-1")


class LambdaService(BaseHTTPRequestHandler):
    """Answers with what it is sent; Fails fails, Missing is not there."""

    def do_POST(self):
        payload = self.rfile.read(int(self.headers["Content-Length"]))
        name = self.path.split("/")[3]
        self.send_response(404 if name == "Missing" else 200)
        if name == "Fails":
            self.send_header("X-Amz-Function-Error", "Unhandled")
        if name == "Missing":
            self.send_header("x-amzn-ErrorType", "ResourceNotFoundException")
        body = json.dumps({"name": name, "payload": json.loads(payload)}).encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words):
        """Write nothing."""


@pytest.fixture
def endpoint():
    with HTTPServer(("127.0.0.1", 0), LambdaService) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def functions(tmp_path, endpoint):
    def project(request):
        status = 200 if "/Project/" in request.path else 404
        return http_messages.Response(status, b'"of the project"', {})

    with contextlib.closing(open_database(tmp_path / "state")) as database:
        database.migrate()
        yield lambda elsewhere=endpoint: Functions(database, None, project, elsewhere)


def test_the_project_comes_first(functions):
    assert functions().invoke(SCOPE, "Project", b"{}").body == b'"of the project"'


def test_another_service_is_asked_last(functions):
    outcome = functions().invoke(SCOPE, "Other", b'{"a": 1}')
    assert (outcome.kind, json.loads(outcome.body)) == (OutcomeKind.RETURNED, {"name": "Other", "payload": {"a": 1}})
    assert functions().invoke(SCOPE, "Fails", b"{}").kind is OutcomeKind.HANDLER_ERROR


def test_a_function_that_is_nowhere(functions):
    with pytest.raises(EnvironmentProblemError, match="refused to invoke Missing: ResourceNotFoundException"):
        functions().invoke(SCOPE, "Missing", b"{}")
    assert functions(None).invoke(SCOPE, "Other", b"{}") is None
