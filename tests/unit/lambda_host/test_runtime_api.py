"""The Runtime API towards runtime clients of other makes: chunked answers, strange orders, unknown paths."""

import json
import sys

import pytest

from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.host import LambdaHost, UnknownFunctionError
from formwork.lambda_host.outcome import OutcomeKind
from formwork.lambda_host.pool import HostSettings

CLIENT = """
import http.client, json, os, sys, threading, time
api, _, secret = os.environ["AWS_LAMBDA_RUNTIME_API"].partition("/")
def call(method, path, body=None, **more):
    connection = http.client.HTTPConnection(api)
    connection.request(method, f"/{secret}/2018-06-01/runtime/{path}", body, **more)
    response = connection.getresponse()
    return response.status, dict(response.getheaders()), response.read()
def next():
    status, headers, body = call("GET", "invocation/next")
    if status != 200: sys.exit()
    return headers["Lambda-Runtime-Aws-Request-Id"], headers, body
"""


def run(tmp_path, body, *, payload=b"{}", timeout=3.0, times=1, **settings):
    script = tmp_path / "client.py"
    script.write_text(CLIENT + body, encoding="utf-8")
    launch = Launch((sys.executable, str(script)), {}, tmp_path)
    function = LambdaFunction("F", "any", "provided.al2", tmp_path, lambda: launch, timeout=timeout, memory_mb=None)
    with LambdaHost([function], settings=HostSettings(**settings)) as host:
        outcomes = [host.invoke("F", payload) for _ in range(times)]
    return outcomes if times > 1 else outcomes[0]


ECHO = """
while True:
    id, headers, body = next()
    call("POST", f"invocation/{id}/response", body)
"""


def test_an_ordinary_client(tmp_path):
    first, second = run(tmp_path, ECHO, payload=b'{"a": 1}', times=2)
    assert (first.kind, first.body) == (OutcomeKind.RETURNED, b'{"a": 1}')
    assert first.init_seconds is not None
    assert second.init_seconds is None


def test_a_chunked_answer(tmp_path):
    body = """
while True:
    id, headers, body = next()
    call("POST", f"invocation/{id}/response", iter([b'{"chunks"', b': ', b'3}']), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
"""
    assert run(tmp_path, body).body == b'{"chunks": 3}'


def test_a_chunked_answer_over_the_limit(tmp_path):
    body = """
id, headers, body = next()
print(call("POST", f"invocation/{id}/response", (b"x" * 1_000_000 for _ in range(10)), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})[0])
"""
    assert run(tmp_path, body).kind is OutcomeKind.RESPONSE_TOO_LARGE


def test_the_headers_of_an_event(tmp_path):
    body = """
id, headers, body = next()
call("POST", f"invocation/{id}/response", json.dumps({**headers, "now": time.time()}).encode())
next()
"""
    headers = json.loads(run(tmp_path, body).body)
    assert headers["Lambda-Runtime-Invoked-Function-Arn"] == "arn:aws:lambda:us-east-1:123456789012:function:F"
    assert 2 < int(headers["Lambda-Runtime-Deadline-Ms"]) / 1000 - headers["now"] <= 3
    assert headers["Lambda-Runtime-Trace-Id"].startswith("Root=1-")


def test_answers_that_nobody_waits_for_are_refused(tmp_path):
    body = """
id, headers, body = next()
seen = [call("POST", "invocation/00000000-0000-0000-0000-000000000000/response", b"1")[0]]
seen.append(call("GET", "invocation")[0])
seen.append(call("POST", "exit/error", b"1")[0])
print(seen, flush=True)
call("POST", f"invocation/{id}/response", json.dumps(seen).encode())
call("POST", f"invocation/{id}/response", b"again")
next()
"""
    assert json.loads(run(tmp_path, body).body) == [400, 404, 404]


def test_two_threads_that_ask_get_one_event(tmp_path):
    body = """
seen = []
def ask():
    try:
        seen.append(next()[0])
    except SystemExit:
        pass
for _ in range(2): threading.Thread(target=ask, daemon=True).start()
while not seen: time.sleep(0.01)
time.sleep(0.2)
call("POST", f"invocation/{seen[0]}/response", json.dumps(len(seen)).encode())
time.sleep(60)
"""
    assert run(tmp_path, body, freeze=False).body == b"1"


def test_a_failed_start_is_told_even_where_the_process_stays(tmp_path):
    body = """
call("POST", "init/error", json.dumps({"errorType": "Runtime.NoSuchHandler", "errorMessage": "gone"}).encode())
time.sleep(60)
"""
    outcome = run(tmp_path, body)
    assert outcome.kind is OutcomeKind.INIT_ERROR
    assert json.loads(outcome.body)["errorType"] == "Runtime.NoSuchHandler"


def test_a_process_that_never_asks_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("formwork.lambda_host.sandbox.LEAST_INIT_SECONDS", 0.3)
    outcome = run(tmp_path, "time.sleep(60)", timeout=0.2)
    assert outcome.kind is OutcomeKind.TIMED_OUT


def test_what_is_printed_while_loading_is_the_first_invocations_log(tmp_path):
    outcome = run(tmp_path, "print('loading', flush=True)\n" + ECHO)
    assert outcome.log == "loading\n"


def test_a_program_that_cannot_be_started(tmp_path):
    launch = Launch((str(tmp_path / "absent"),), {}, tmp_path)
    function = LambdaFunction("F", "any", "provided.al2", tmp_path, lambda: launch)
    with LambdaHost([function]) as host, pytest.raises(EnvironmentProblemError, match="could not be started"):
        host.invoke("F", b"{}")


def test_what_the_host_refuses(tmp_path):
    with LambdaHost([]) as host, pytest.raises(UnknownFunctionError, match='function "F" not found'):
        host.invoke("F", b"{}")
    with LambdaHost([]) as host, pytest.raises(BadInputError, match="Lambda takes at most 6,291,456"):
        host.invoke("F", b"x" * 6_291_457)
    launch = Launch((sys.executable, "-c", ""), {}, tmp_path)
    host = LambdaHost([LambdaFunction("F", "any", "provided.al2", tmp_path, lambda: launch)])
    host.close()
    with pytest.raises(EnvironmentProblemError, match="is stopped"):
        host.invoke("F", b"{}")
