"""The Invoke API towards boto3's own client, and towards whatever else speaks HTTP."""

import base64
import concurrent.futures
import http.client
import json
import socket
import time

import boto3
import botocore.exceptions
import pytest
from botocore.config import Config

from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.pool import HostSettings
from support.lambdas import make_function

ARN = "arn:aws:lambda:us-east-1:123456789012:function:TypeFunction"


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    functions = [make_function(tmp_path_factory.mktemp("api") / "f")]
    with LambdaHost(functions, settings=HostSettings(concurrency=4)) as made:
        yield made


@pytest.fixture(scope="module")
def address(host):
    return host.serve(port=0).removeprefix("http://")


@pytest.fixture(scope="module")
def client(address):
    return boto3.client(
        "lambda",
        endpoint_url=f"http://{address}",
        region_name="us-east-1",
        aws_access_key_id="x",
        aws_secret_access_key="y",
        config=Config(retries={"max_attempts": 0}, max_pool_connections=20),
    )


def test_an_invocation(client):
    answer = client.invoke(FunctionName="TypeFunction", Payload=b'{"a": "\\u00e9"}')
    assert answer["StatusCode"] == 200
    assert answer["ExecutedVersion"] == "$LATEST"
    assert "FunctionError" not in answer
    assert "LogResult" not in answer
    assert json.loads(answer["Payload"].read())["event"] == {"a": "é"}


def test_a_function_error(client):
    answer = client.invoke(FunctionName="TypeFunction", Payload=b'{"what": "raise"}')
    assert answer["StatusCode"] == 200
    assert answer["FunctionError"] == "Unhandled"
    assert json.loads(answer["Payload"].read())["errorType"] == "LookupError"


def test_the_tail_of_the_log(client):
    answer = client.invoke(FunctionName="TypeFunction", Payload=b'{"what": "print"}', LogType="Tail")
    log = base64.b64decode(answer["LogResult"]).decode()
    request_id = answer["ResponseMetadata"]["RequestId"]
    assert log.startswith(f"START RequestId: {request_id} Version: $LATEST\nto stdout\n")
    assert f"END RequestId: {request_id}\nREPORT RequestId: {request_id}\tDuration: " in log
    flood = client.invoke(FunctionName="TypeFunction", Payload=b'{"what": "flood"}', LogType="Tail")
    tail = base64.b64decode(flood["LogResult"]).decode()
    assert len(tail) <= 4096
    assert "bytes of log dropped]" in tail  # one line of megabytes: without its beginning none of it can be masked
    many = client.invoke(FunctionName="TypeFunction", Payload=b'{"what": "lines"}', LogType="Tail")
    assert len(base64.b64decode(many["LogResult"])) == 4096


def test_dry_runs_and_events(client, host):
    assert client.invoke(FunctionName="TypeFunction", InvocationType="DryRun")["StatusCode"] == 204
    assert (
        client.invoke(FunctionName="TypeFunction", InvocationType="Event", Payload=b'{"what": "tick"}')["StatusCode"]
        == 202
    )


@pytest.mark.parametrize(
    ("name", "more"),
    [
        (ARN, {}),
        (f"{ARN}:$LATEST", {}),
        ("123456789012:function:TypeFunction", {}),
        ("TypeFunction:$LATEST", {}),
        ("TypeFunction", {"Qualifier": "$LATEST"}),
    ],
)
def test_names_of_a_function(client, name, more):
    assert client.invoke(FunctionName=name, **more)["StatusCode"] == 200


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ({"FunctionName": "Nope"}, "ResourceNotFoundException", "function:Nope (known here: TypeFunction)"),
        ({"FunctionName": "TypeFunction", "Qualifier": "7"}, "ResourceNotFoundException", "Function not found"),
        ({"FunctionName": "TypeFunction:live"}, "ResourceNotFoundException", "Function not found"),
        ({"FunctionName": "TypeFunction", "Payload": b"{"}, "InvalidRequestContentException", "Could not parse"),
        ({"FunctionName": "TypeFunction", "Payload": b"[" * 100_000}, "InvalidRequestContentException", "too deeply"),
        (
            {"FunctionName": "TypeFunction", "Payload": b'"' + b"x" * 6_291_456 + b'"'},
            "RequestTooLargeException",
            "6291456",
        ),
        (
            {"FunctionName": "TypeFunction", "Payload": b'"' + b"x" * 20_000_000 + b'"'},
            "RequestTooLargeException",
            "6291456",
        ),
    ],
)
def test_refusals(client, arguments, code, says):
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        client.invoke(**arguments)
    assert refused.value.response["Error"]["Code"] == code
    assert says in refused.value.response["Error"]["Message"]
    assert type(refused.value).__name__ == code, "boto3 knows it as its own exception"
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] in (400, 404, 413)


def test_a_request_of_just_under_six_megabytes(client):
    payload = json.dumps({"what": "none", "pad": "x" * 3_000_000}).encode()
    answer = client.invoke(FunctionName="TypeFunction", Payload=payload)
    assert len(json.loads(answer["Payload"].read())["event"]["pad"]) == 3_000_000


def test_a_client_context_reaches_the_handler(tmp_path, client):
    source = "def handler(event, context): return context.client_context"
    with LambdaHost([make_function(tmp_path / "f", source=source)]) as host:
        address = host.serve(port=0)
        client = boto3.client(
            "lambda", endpoint_url=address, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y"
        )
        context = base64.b64encode(b'{"custom": {"a": "b"}}').decode()
        answer = client.invoke(FunctionName="TypeFunction", ClientContext=context)
        assert json.loads(answer["Payload"].read()) == {"custom": {"a": "b"}}
        with pytest.raises(botocore.exceptions.ClientError):
            client.invoke(FunctionName="TypeFunction", ClientContext="no base64!")


def test_parallel_invocations_run_side_by_side_up_to_the_limit(client):
    def sleep(_n):
        started = time.monotonic()
        body = client.invoke(FunctionName="TypeFunction", Payload=b'{"what": "sleep", "seconds": 0.3}')[
            "Payload"
        ].read()
        return started, json.loads(body)["pid"]

    list(map(sleep, range(1)))
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        pids = {pid for _, pid in pool.map(sleep, range(8))}
    assert len(pids) <= 4, "no more processes than the concurrency"
    assert len(pids) > 1
    assert time.monotonic() - began < 8 * 0.3


def test_each_of_many_parallel_answers_goes_to_its_own_caller(client):
    def call(number):
        return json.loads(
            client.invoke(FunctionName="TypeFunction", Payload=json.dumps({"n": number}).encode())["Payload"].read()
        )["event"]["n"]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, range(100))) == list(range(100))


def raw(address, data):
    host, _, port = address.partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


INVOKE = b"POST /2015-03-31/functions/TypeFunction/invocations HTTP/1.1\r\nHost: 127.0.0.1:1\r\n"


def test_a_chunked_request_on_a_connection_that_is_kept(address):
    chunked = INVOKE + b'Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n4\r\n: 1}\r\n0\r\n\r\n'
    answer = raw(address, chunked + INVOKE + b"Content-Length: 2\r\nConnection: close\r\n\r\n{}")
    assert answer.count(b"HTTP/1.1 200 OK") == 2
    assert b'"event": {"a": 1}' in answer
    assert b'"event": {}' in answer


def test_a_client_that_expects_to_be_told_to_continue(address):
    host, _, port = address.partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(INVOKE + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"{}")
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")


def test_a_program_on_this_machine_is_not(address):
    for name in (b"localhost", b"127.0.0.1:3001", b"[::1]:3001", b"[::1]"):
        request = INVOKE.replace(b"127.0.0.1:1", name) + b"Content-Length: 2\r\n\r\n{}"
        assert raw(address, request).startswith(b"HTTP/1.1 200"), name


@pytest.mark.parametrize("header", [b"Origin: https://evil.example\r\n", b"Host: evil.example\r\n"])
def test_a_web_page_is_refused(address, header):
    start = INVOKE.replace(b"Host: 127.0.0.1:1\r\n", b"") if header.startswith(b"Host") else INVOKE
    request = start + header + b"Content-Length: 2\r\n\r\n{}"
    assert raw(address, request).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        (b"DELETE /2015-03-31/functions/TypeFunction HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        (INVOKE + b"X-Amz-Invocation-Type: Nonsense\r\nContent-Length: 2\r\n\r\n{}", b"400"),
    ],
)
def test_other_requests(address, data, status):
    assert raw(address, data).startswith(b"HTTP/1.1 " + status)


def test_the_functions_are_listed(address):
    connection = http.client.HTTPConnection(address)
    connection.request("GET", "/2015-03-31/functions/")
    assert json.loads(connection.getresponse().read()) == {
        "Functions": [{"FunctionName": "TypeFunction", "FunctionArn": ARN}]
    }
    connection.close()


def test_a_port_in_use(host, address):
    with pytest.raises(EnvironmentProblemError, match="Address already in use") as refused:
        host.serve(port=int(address.rpartition(":")[2]))
    assert "--port" in refused.value.diagnostics[0].hint
    with pytest.raises(UsageError):
        host.serve(port=70_000)


def test_the_arn_of_other_partitions():
    arn = LambdaHost([], settings=HostSettings(region="us-gov-west-1")).arn("F")
    assert arn == "arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:F"
    assert LambdaHost([], settings=HostSettings(region="cn-north-1")).arn("F").startswith("arn:aws-cn:")
