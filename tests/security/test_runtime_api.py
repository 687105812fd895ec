"""Another process on this machine asks a handler's Runtime API for its events, and answers them in its place."""

import contextlib
import http.client
import json
import os
import pwd
import subprocess
import threading

import pytest

from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.pool import HostSettings
from support.lambdas import make_function

# It loads slowly, so that the attacker comes first; then it waits, so that the attacker can answer first.
SLOW = """
import os, pathlib, time

def wait_for(name):
    while not pathlib.Path(__file__).with_name(name).exists():
        time.sleep(0.02)

wait_for("load")

def handler(event, context):
    wait_for("answer")
    return {"by": "handler", "api": os.environ["AWS_LAMBDA_RUNTIME_API"], "pid": os.getpid()}
"""
RUNTIME = "/2018-06-01/runtime"


@pytest.fixture
def running(tmp_path):
    """A function that is being invoked with a secret; its address, how to let it load and answer, its outcome."""
    with LambdaHost(
        [make_function(tmp_path / "f", source=SLOW, timeout=60)], settings=HostSettings(freeze=False)
    ) as host:
        outcomes = []
        calling = threading.Thread(target=lambda: outcomes.append(host.invoke("TypeFunction", b'{"secret": "canary"}')))
        calling.start()
        (sandbox,) = _sandboxes(host)

        def release(name):
            (tmp_path / "f" / "handlers" / name).touch()

        try:
            yield sandbox, release, lambda: (calling.join(60), outcomes[0])[1]
        finally:
            release("load")
            release("answer")
            calling.join(60)


def _sandboxes(host):
    pool = host._pools["TypeFunction"]
    with pool._changed:
        pool._changed.wait_for(lambda: pool._all, 30)
        return list(pool._all)


def send(sandbox, method, path, body=b"", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", sandbox._api.port, timeout=5)
    with contextlib.closing(connection):
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, str(answer.headers), answer.read()


@pytest.mark.parametrize("secret", ["", "/x", "//", "/%2e"])
def test_a_foreign_process_gets_no_event_and_forges_no_answer(running, secret):
    sandbox, release, outcome = running
    for path in (f"{secret}{RUNTIME}/invocation/next", "/", RUNTIME):
        status, headers, body = send(sandbox, "GET", path)
        assert (status, "canary" in f"{headers}{body}", "Request-Id" in headers) == (403, False, False)
    release("load")
    request_id = sandbox._current.request_id  # had it been guessed
    for what in ("response", "error"):
        assert send(sandbox, "POST", f"{secret}{RUNTIME}/invocation/{request_id}/{what}", b'{"by": "me"}')[0] == 403
    assert send(sandbox, "POST", f"{secret}{RUNTIME}/init/error", b'{"by": "me"}')[0] == 403
    release("answer")
    assert json.loads(outcome().body)["by"] == "handler"


def test_a_page_that_knows_the_secret_is_refused_too(running):
    sandbox, release, outcome = running
    release("load")
    release("answer")
    prefix = json.loads(outcome().body)["api"].partition("/")[2]
    assert len(prefix) >= 32
    for headers in ({"Origin": "http://localhost"}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "none"}):
        assert send(sandbox, "GET", f"/{prefix}{RUNTIME}/invocation/next", **headers)[0] == 403


def test_each_process_has_a_secret_of_its_own(tmp_path):
    with LambdaHost([make_function(tmp_path / "f")]) as host:

        def api():
            return json.loads(host.invoke("TypeFunction", b'{"what": "environment"}').body)["AWS_LAMBDA_RUNTIME_API"]

        first = api()
        host.invoke("TypeFunction", b'{"what": "os._exit", "code": 1}')
        assert first.partition("/")[2] != api().partition("/")[2]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root, to become another user")
def test_another_user_can_not_read_the_secret_where_the_handler_has_it(running):
    sandbox, release, outcome = running
    release("load")
    nobody = pwd.getpwnam("nobody").pw_uid
    command = ["cat", f"/proc/{sandbox._process.pid}/environ"]
    ended = subprocess.run(command, user=nobody, capture_output=True, text=True, check=False)
    assert (ended.stdout, "Permission denied" in ended.stderr) == ("", True)
    release("answer")
    assert outcome().kind == "returned"
