"""A stack-level hook's target, fetched from a presigned URL."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from cloudformation_cli_python_lib import Hook, HookInvocationPoint, OperationStatus, ProgressEvent
from cloudformation_cli_python_lib.envelope import EnvelopeError
from cloudformation_cli_python_lib.payload import fetch_payload

from .request_samples import hook_request
from .sample_models import Tag

TARGET = {"Template": "{}", "ChangedResources": [{"LogicalResourceId": "A", "Action": "CREATE"}]}


@pytest.fixture
def store():
    """A server that answers the next status and body of its script, the last one for ever; `.url`, `.hits`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = server.script[min(server.hits, len(server.script) - 1)]
            server.hits += 1
            if status is None:
                self.close_connection = True
                return
            self.send_response(status)
            if status == 302:
                self.send_header("Location", body)
                body = ""
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_arguments):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.hits, server.script = 0, []
    server.url = f"http://127.0.0.1:{server.server_port}/target?X-Amz-Signature=canary"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_target_is_what_stands_there(store):
    store.script = [(200, json.dumps(TARGET))]
    seen = []
    hook = Hook("Acme::Store::Check", Tag)

    @hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION)
    def handle(_session, request, _context, _configuration):
        seen.append((request.hookContext.targetType, request.hookContext.targetModel))
        return ProgressEvent(OperationStatus.SUCCESS)

    data = {"targetName": "STACK", "targetType": "STACK", "targetModel": {}, "payload": store.url}
    assert hook(hook_request(data=data), None)["hookStatus"] == "SUCCESS"
    assert seen == [("STACK", TARGET)]


def test_a_target_in_the_request_is_not_fetched(store):
    hook = Hook("Acme::Store::Check", Tag)
    hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION)(lambda *_: ProgressEvent(OperationStatus.SUCCESS))
    assert hook(hook_request(data={"payload": store.url}), None)["hookStatus"] == "SUCCESS"
    assert store.hits == 0


@pytest.mark.parametrize("trouble", [500, 502, 503, 504, None])
def test_passing_trouble_is_tried_again(store, trouble):
    store.script = [(trouble, "")] * 2 + [(200, json.dumps(TARGET))]
    pauses = []
    assert fetch_payload(store.url, pause=pauses.append) == TARGET
    assert pauses == [1.0, 2.0]


@pytest.mark.parametrize(
    ("script", "hits", "reason"),
    [
        ([(500, "")], 4, "HTTP status 500, 4 times"),
        ([(None, "")], 4, "4 times"),
        ([(403, "")], 1, "HTTP status 403"),
        ([(404, "")], 1, "HTTP status 404"),
        ([(200, "<html>")], 1, "not a JSON document"),
        ([(200, "[]")], 1, "not a JSON object"),
        ([(302, "file:///etc/passwd")], 1, "HTTP status 302"),
    ],
)
def test_a_target_that_cannot_be_had_fails_the_request(store, script, hits, reason):
    store.script = script
    with pytest.raises(EnvelopeError) as raised:
        fetch_payload(store.url, pause=lambda _seconds: None)
    assert reason in str(raised.value)
    assert store.hits == hits
    assert "canary" not in str(raised.value), "the URL is a credential"


def test_a_server_that_is_not_there():
    unused_port = 1
    with pytest.raises(EnvelopeError, match="ConnectionRefusedError, 4 times"):
        fetch_payload(f"http://127.0.0.1:{unused_port}/", pause=lambda _seconds: None)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.com/x", "target", "data:application/json,{}"])
def test_other_places_are_refused(url):
    with pytest.raises(EnvelopeError, match="not an http"):
        fetch_payload(url)
