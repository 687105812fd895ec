"""Events on their way to a file or a webhook."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from formwork.api.notices import send_notices
from formwork.diagnostics import EnvironmentProblemError, UsageError


class Received(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.server.statuses.pop(0) if self.server.statuses else 204
        self.server.heard.append((status, self.headers["Content-Type"], json.loads(body)))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_words):
        pass


@pytest.fixture
def webhook():
    with HTTPServer(("127.0.0.1", 0), Received) as server:
        server.heard, server.statuses = [], []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        server.url = f"http://127.0.0.1:{server.server_port}/events"
        yield server
        server.shutdown()
        thread.join()


def test_a_line_an_event(tmp_path):
    file = tmp_path / "there" / "events.jsonl"
    for number in (1, 2):
        with send_notices(str(file), pytest.fail) as send:
            send({"n": number, "text": "line\nbreak"})
    assert [json.loads(line)["n"] for line in file.read_text().splitlines()] == [1, 2]


def test_a_post_an_event_in_their_order(webhook):
    with send_notices(webhook.url, pytest.fail) as send:
        for number in range(3):
            send({"n": number})
    assert webhook.heard == [(204, "application/json", {"n": number}) for number in range(3)]


def test_a_webhook_that_fails_is_tried_again_and_then_told_of_once(webhook, monkeypatch):
    monkeypatch.setattr("formwork.api.notices._PAUSE_SECONDS", 0)
    problems = []
    webhook.statuses = [503, 204, 400, 400]
    with send_notices(webhook.url, problems.append) as send:
        for number in range(3):
            send({"n": number})
    assert [(status, event["n"]) for status, _, event in webhook.heard] == [(503, 0), (204, 0), (400, 1), (400, 2)]
    (problem,) = problems
    assert problem.startswith("warning: events of hooks are lost: HTTP Error 400")


def test_nowhere_to_send_to(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblemError), send_notices(str(tmp_path / "file" / "events"), print):
        pass
    with pytest.raises(UsageError), send_notices("ftp://example.com/", print):
        pass
    with send_notices(None, print) as send:
        send({})
