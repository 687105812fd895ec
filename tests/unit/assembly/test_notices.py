"""Events on their way to a file or a webhook."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from sqlalchemy import select

from formwork.assembly.notices import notice_sender
from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.durable import open_database
from formwork.stacks.store.notices import add_notice, first_notice, take_notice
from formwork.stacks.store.tables import notices


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


@pytest.fixture
def database(tmp_path):
    opened = open_database(tmp_path / "state")
    opened.migrate()
    yield opened
    opened.close()


def add(database, *numbers, now=None):
    with database.begin() as connection:
        for number in numbers:
            add_notice(connection, {"id": f"notice-{number}", "n": number, "text": "line\nbreak"}, now or time.time())


def left(database):
    with database.read() as connection:
        return list(connection.execute(select(notices.c.id).order_by(notices.c.number)).scalars())


def heard(webhook):
    return [(status, event["n"]) for status, _, event in webhook.heard]


def until(true):
    end = time.monotonic() + 30
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    assert true()


def test_a_line_an_event(tmp_path, database):
    file = tmp_path / "there" / "events.jsonl"
    for number in (1, 2):
        sender = notice_sender(str(file), pytest.fail)
        with sender.deliver_from(database):
            add(database, number)
            sender.wake()
    assert [json.loads(line)["n"] for line in file.read_text().splitlines()] == [1, 2]
    assert left(database) == []


def test_a_post_an_event_in_their_order(webhook, database):
    add(database, 0, 1, 2, 1)  # one that is told again is the same
    with notice_sender(webhook.url, pytest.fail).deliver_from(database):
        pass
    assert [content_type for _, content_type, _ in webhook.heard] == ["application/json"] * 3
    assert heard(webhook) == [(204, 0), (204, 1), (204, 2)]


def test_a_webhook_that_fails_is_tried_again_in_order(webhook, database, monkeypatch):
    monkeypatch.setattr("formwork.assembly.notices._FIRST_PAUSE", 0.01)
    problems = []
    webhook.statuses = [503, 429, 204, 400, 400]
    add(database, 0, 1, 2, 3)
    with notice_sender(webhook.url, problems.append).deliver_from(database):
        until(lambda: len(webhook.heard) == 6)
    assert heard(webhook) == [(503, 0), (429, 0), (204, 0), (400, 1), (400, 2), (204, 3)]
    assert [each.partition(" are ")[0] for each in problems] == [
        "warning: events can't be delivered now, and",
        "warning: events",
    ]
    assert problems[1].startswith("warning: events are lost: HTTP Error 400")
    assert left(database) == []


def test_what_nobody_took_is_delivered_by_the_next_process(webhook, database):
    problems = []
    add(database, 0, 1)
    with notice_sender("http://127.0.0.1:9/nobody", problems.append).deliver_from(database):
        until(lambda: problems)
    assert left(database) == ["notice-0", "notice-1"]
    with notice_sender(webhook.url, pytest.fail).deliver_from(database):
        pass
    assert heard(webhook) == [(204, 0), (204, 1)]


def test_after_a_day_an_event_is_of_no_use(webhook, database):
    problems = []
    webhook.statuses = [503]
    add(database, 0, now=time.time() - 25 * 3600)
    add(database, 1)
    with notice_sender(webhook.url, problems.append).deliver_from(database):
        until(lambda: len(webhook.heard) == 2)
    assert heard(webhook) == [(503, 0), (204, 1)]
    assert "are lost: HTTP Error 503" in problems[0]


def test_only_one_process_delivers_a_notice(database):
    add(database, 0)
    with database.begin() as connection:
        notice = first_notice(connection)
        assert [take_notice(connection, notice, 5.0), take_notice(connection, notice, 6.0)] == [True, False]


def test_nowhere_to_send_to(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblemError):
        notice_sender(str(tmp_path / "file" / "events"), print)
    with pytest.raises(UsageError):
        notice_sender("ftp://example.com/", print)
    assert notice_sender(None, print) is None
