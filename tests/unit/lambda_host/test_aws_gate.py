"""What leaves handler processes past the stand-in for AWS: AWS's hosts are refused and told, other hosts are reached."""

import socket
import ssl
import threading
import urllib.error
import urllib.request

import pytest

from formwork.invoke.project_host import AwsSurroundings
from formwork.lambda_host.aws_gate import AwsGate, takes_gate


@pytest.fixture
def gate():
    told = []
    made = AwsGate(told.append)
    made.told = told
    yield made
    made.close()


def connect(gate, target):
    host, port = gate.environment["HTTPS_PROXY"].removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=10)
    connection.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
    return connection


def answer(connection):
    with connection, connection.makefile("rb") as stream:
        return stream.readline().decode().strip()


@pytest.mark.parametrize(
    "host",
    ["sqs.us-east-1.amazonaws.com", "S3.amazonaws.com", "sts.cn-north-1.amazonaws.com.cn", "lambda.us-east-1.api.aws"],
)
def test_a_call_to_aws_is_refused_and_told(gate, host):
    assert answer(connect(gate, f"{host}:443")).startswith("HTTP/1.1 403 Formwork refused this call")
    assert gate.told == [host]


@pytest.mark.parametrize("host", ["amazonaws.com.example.org", "notamazonaws.com", "x.lambda-url.us-east-1.on.aws"])
def test_other_hosts_are_not_taken_for_aws(gate, host):
    status = answer(connect(gate, f"{host}:1"))
    assert " 403 " not in status
    assert gate.told == []


def test_what_is_sent_to_another_host_arrives_and_comes_back(gate):
    with socket.create_server(("127.0.0.1", 0)) as there:

        def echo():
            connection, _ = there.accept()
            with connection:
                connection.sendall(connection.recv(100)[::-1])

        threading.Thread(target=echo, daemon=True).start()
        connection = connect(gate, f"127.0.0.1:{there.getsockname()[1]}")
        with connection, connection.makefile("rb") as stream:
            assert stream.readline() == b"HTTP/1.1 200 Connection established\r\n"
            stream.readline()
            connection.sendall(b"forwards")
            assert stream.read(8) == b"sdrawrof"


def test_what_is_no_tunnel_is_refused(gate):
    url = gate.environment["HTTPS_PROXY"]
    with pytest.raises(urllib.error.HTTPError, match="501"):
        urllib.request.urlopen(url, timeout=10)


def test_an_error_of_a_client_names_the_refusal(gate, monkeypatch):
    for name, value in gate.environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(urllib.error.URLError, match="Formwork refused this call"):
        urllib.request.urlopen(
            "https://dynamodb.us-east-1.amazonaws.com/", timeout=10, context=ssl.create_default_context()
        )
    assert gate.told == ["dynamodb.us-east-1.amazonaws.com"]


@pytest.mark.parametrize(
    ("given", "runtime", "gated"),
    [
        (None, "provided.al2", True),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "python3.9", True),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "nodejs20.x", False),
        ({"AWS_ACCESS_KEY_ID": "real"}, "provided.al2", False),
    ],
)
def test_the_gate_stands_where_aws_is_not_meant(given, runtime, gated):
    told = []
    surroundings = AwsSurroundings(given, refused=lambda _call: None, escaped=told.append)
    try:
        environment = surroundings.environment(runtime)
        assert ("HTTPS_PROXY" in environment) is gated
        if gated:
            host, port = environment["HTTPS_PROXY"].removeprefix("http://").split(":")
            for _ in range(2):
                with socket.create_connection((host, int(port)), timeout=10) as connection:
                    connection.sendall(b"CONNECT sqs.us-east-1.amazonaws.com:443 HTTP/1.1\r\n\r\n")
                    connection.makefile("rb").read()
            assert told == ["sqs.us-east-1.amazonaws.com"], "once a host"
    finally:
        surroundings.close()


def test_go_and_python_find_the_gate():
    assert [takes_gate(each) for each in ("go1.x", "provided.al2023", "python3.12", "java17", "nodejs18.x")] == [
        True,
        True,
        True,
        False,
        False,
    ]
