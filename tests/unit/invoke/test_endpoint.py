"""The transport to a Lambda endpoint, against services that behave and services that don't."""

import contextlib
import json
import socket
import threading

import pytest

from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.invoke.endpoint import LambdaEndpointTransport
from formwork.invoke.local import LocalLambdaTransport
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.http_messages import Response
from formwork.lambda_host.http_server import HttpServer
from support.lambdas import make_function


def reaching(address, function="F"):
    return contextlib.closing(LambdaEndpointTransport(address, function))


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    with LambdaHost([make_function(tmp_path_factory.mktemp("endpoint") / "f")]) as made:
        yield made


@pytest.fixture(scope="module", params=["endpoint", "local"])
def transport(request, host):
    if request.param == "local":
        yield LocalLambdaTransport(host, "TypeFunction")
        return
    with reaching(host.serve(port=0), "TypeFunction") as transport:
        yield transport


def test_an_answer(transport):
    for number in (1, 2):
        answer = transport.invoke({"n": number, "text": "é"})
        assert json.loads(answer.body)["event"] == {"n": number, "text": "é"}
        assert answer.function_error is None
        assert 0 < answer.seconds < 10


def test_a_function_error_and_its_log(transport):
    answer = transport.invoke({"what": "raise"})
    assert answer.function_error == "Unhandled"
    assert json.loads(answer.body)["errorType"] == "LookupError"
    assert "[ERROR] LookupError: no such thing" in answer.log


def test_a_time_limit_is_an_answer(transport):
    answer = transport.invoke({"what": "sleep", "seconds": 3}, timeout=0.3)
    assert answer.function_error == "Unhandled"
    assert "Task timed out after 0.30 seconds" in json.loads(answer.body)["errorMessage"]
    assert answer.seconds < 2


@contextlib.contextmanager
def service(respond):
    server = HttpServer(respond, max_body=1_000_000)
    yield f"http://{server.address}"
    server.close()


@pytest.mark.parametrize(
    ("response", "says"),
    [
        (
            Response(
                404, b'{"Message": "no such function"}', {"x-amzn-ErrorType": "ResourceNotFoundException:http://x"}
            ),
            "ResourceNotFoundException: no such function",
        ),
        (Response(500, b"<html>oops</html>"), "HTTP 500: <html>oops</html>"),
        (Response(502, b"[" * 100_000), "HTTP 502: [[["),
        (Response(400, b"[]"), "HTTP 400"),
    ],
)
def test_a_refusal(response, says):
    with (
        service(lambda _request: response) as address,
        reaching(address) as transport,
        pytest.raises(EnvironmentProblemError) as refused,
    ):
        transport.invoke({})
    assert says in str(refused.value)


def test_the_function_name_is_quoted():
    seen = []

    def respond(request):
        seen.append(request.path)
        return Response(200, b"{}")

    with service(respond) as address, reaching(address + "/", "arn:aws:lambda:x:1:function:F/../G") as transport:
        transport.invoke({})
    assert seen == ["/2015-03-31/functions/arn%3Aaws%3Alambda%3Ax%3A1%3Afunction%3AF%2F..%2FG/invocations"]


def test_nothing_listens():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(EnvironmentProblemError, match=f"nothing answers at http://127.0.0.1:{port}") as refused:
        LambdaEndpointTransport(f"http://127.0.0.1:{port}", "F").invoke({})
    assert "cfn serve" in refused.value.diagnostics[0].hint


def talk(replies):
    """A server that answers each connection with the given bytes, whatever it is asked; its address."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run():
        for reply in replies:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(reply)
        listener.close()

    threading.Thread(target=run, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.mark.parametrize("reply", [b"", b"HELLO\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}"])
def test_what_is_no_lambda_service(reply):
    with pytest.raises(EnvironmentProblemError, match="broke the connection"):
        LambdaEndpointTransport(talk([reply]), "F").invoke({})


def test_a_connection_that_the_service_closed_meanwhile_is_made_anew():
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    with reaching(talk([answer, answer])) as transport:
        assert transport.invoke({}).body == b"{}"
        assert transport.invoke({}).body == b"{}"


@pytest.mark.parametrize("endpoint", ["", "127.0.0.1:3001", "https://x", "http://", "http://host:port", "http://[::1"])
def test_what_is_no_endpoint(endpoint):
    with pytest.raises(UsageError):
        LambdaEndpointTransport(endpoint, "F")
