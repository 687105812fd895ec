"""Processes on the machine's network: calls for AWS arrive at the stand-in or are refused; other hosts are reached."""

import base64
import contextlib
import http.client
import json
import socket
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from formwork.egress.opening import open_gate
from formwork.egress.refusals import RefusalCause, RefusedCall
from formwork.egress.settings import EgressSettings
from formwork.lambda_host.http_messages import Response
from formwork.lambda_host.http_server import HttpServer
from formwork.request_guard import RequestGuard

SQS = "sqs.us-east-1.amazonaws.com"


@pytest.fixture
def endpoint():
    """A server that answers with what it was asked; `asked` are the requests."""
    asked = []

    def respond(request):
        asked.append(request)
        told = {"host": request.headers.get("host"), "path": request.path, "query": request.query}
        status = 404 if "missing" in request.path else 200
        return Response(status, json.dumps({**told, "body": request.body.decode()}).encode(), {"X-Two": "2"})

    server = HttpServer(respond, max_body=1 << 26)
    server.asked = asked
    yield server
    server.close()


@contextlib.contextmanager
def opened(endpoint_url, **more):
    """A gate; `told` are the calls that it refused, `calls` all."""
    told, calls = [], []
    given = None if endpoint_url is None else {"AWS_ENDPOINT_URL": endpoint_url, **more}
    gate = open_gate(given, EgressSettings(refused=told.append, called=calls.append))
    gate.told, gate.calls, gate.routes = told, calls, []
    try:
        yield gate
    finally:
        for each in gate.routes:
            each.close()
        gate.close()


def environment(gate, runtime="python3.12"):
    """The variables of a new process."""
    gate.routes.append(gate.open(runtime))
    return gate.routes[-1].environment


@pytest.fixture
def sealed():
    with opened(None) as gate:
        yield gate


@pytest.fixture
def leading(endpoint):
    with opened(f"http://{endpoint.address}") as gate:
        yield gate


def proxy_of(gate):
    if not gate.routes:
        environment(gate)
    return urlsplit(gate.routes[0].proxy_url)


def basic(proxy, password=None):
    return f"Basic {base64.b64encode(f'formwork:{password or proxy.password}'.encode()).decode()}"


def connect(gate, target, *, password=None):
    proxy = proxy_of(gate)
    connection = socket.create_connection((proxy.hostname, proxy.port), timeout=10)
    key = basic(proxy, password)
    connection.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\nProxy-Authorization: {key}\r\n\r\n".encode())
    return connection


def answer(connection):
    with connection, connection.makefile("rb") as stream:
        return stream.readline().decode().strip()


def ask(gate, url, data=None, method=None):
    """What a program in Python that knows only the environment gets: status and body."""
    program = (
        "import sys, urllib.request, urllib.error\n"
        "request = urllib.request.Request(sys.argv[1], data=sys.argv[2].encode() or None, method=sys.argv[3] or None)\n"
        "try: answer = urllib.request.urlopen(request, timeout=20)\n"
        "except urllib.error.HTTPError as error: answer = error\n"
        "print(answer.status, answer.read().decode(), end='')\n"
    )
    words = [sys.executable, "-I", "-c", program, url, data or "", method or ""]
    ended = subprocess.run(words, env=environment(gate), capture_output=True, text=True, timeout=60, check=False)
    return ended.stdout or ended.stderr


@pytest.mark.parametrize(
    "host",
    [
        SQS,
        "S3.amazonaws.com",
        "sts.cn-north-1.amazonaws.com.cn",
        "lambda.us-east-1.api.aws",
        "s3.eusc-de-east-1.amazonaws.eu",
    ],
)
def test_a_call_to_aws_is_refused_and_told_where_there_is_none(sealed, host):
    assert answer(connect(sealed, f"{host}:443")).startswith("HTTP/1.1 403 Formwork refused a call")
    assert sealed.told == [RefusedCall(host.lower(), 443, RefusalCause.NO_AWS)]


@pytest.mark.parametrize("host", ["amazonaws.com.example.org", "notamazonaws.com", "x.lambda-url.us-east-1.on.aws"])
def test_other_hosts_are_not_taken_for_aws(leading, host):
    status = answer(connect(leading, f"{host}:1"))
    assert " 403 " not in status
    assert leading.told == []


def test_what_is_sent_to_another_host_arrives_and_comes_back(leading):
    with socket.create_server(("127.0.0.1", 0)) as there:

        def echo():
            connection, _ = there.accept()
            with connection:
                connection.sendall(connection.recv(100)[::-1])

        threading.Thread(target=echo, daemon=True).start()
        connection = connect(leading, f"127.0.0.1:{there.getsockname()[1]}")
        with connection, connection.makefile("rb") as stream:
            assert stream.readline() == b"HTTP/1.1 200 Connection established\r\n"
            stream.readline()
            connection.sendall(b"forwards")
            assert stream.read(8) == b"sdrawrof"


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_call_to_aws_arrives_at_the_endpoint_with_its_own_host(leading, endpoint, scheme):
    said = ask(leading, f"{scheme}://bucket.s3.us-east-1.amazonaws.com/a%2Fb?list-type=2", data="content", method="PUT")
    assert said.startswith("200 "), said
    assert json.loads(said[4:]) == {
        "host": "bucket.s3.us-east-1.amazonaws.com",
        "path": "/a%2Fb",
        "query": "list-type=2",
        "body": "content",
    }
    assert leading.told == []
    assert not any(name.startswith("proxy-") for name in endpoint.asked[0].headers), "its secret stays with the gate"


def test_an_error_of_the_endpoint_is_passed_on(leading):
    assert ask(leading, f"https://{SQS}/missing").startswith("404 ")


def test_the_path_of_the_endpoint_is_kept(endpoint):
    with opened(f"http://{endpoint.address}/aws/") as gate:
        assert json.loads(ask(gate, f"https://{SQS}/queue")[4:])["path"] == "/aws/queue"


@pytest.mark.parametrize(
    ("host", "arrives_at"),
    [
        ("cloudformation.us-east-1.amazonaws.com", "/stacks/x"),
        ("cloudformation-fips.us-gov-west-1.amazonaws.com", "/stacks/x"),
        ("cloudformation.eu-west-1.api.aws", "/stacks/x"),
        ("cloudformation.s3.us-east-1.amazonaws.com", "/moto/x"),
        (SQS, "/moto/x"),
    ],
)
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_calls_for_cloudformation_arrive_at_its_own_endpoint(endpoint, scheme, host, arrives_at):
    url = f"http://{endpoint.address}"
    with opened(f"{url}/moto", AWS_ENDPOINT_URL_CLOUDFORMATION=f"{url}/stacks") as gate:
        assert json.loads(ask(gate, f"{scheme}://{host}/x")[4:])["path"] == arrives_at


def test_an_endpoint_that_is_gone_is_named():
    with opened("http://127.0.0.1:1") as gate:
        assert ask(gate, f"https://{SQS}/") == "502 http://127.0.0.1:1 does not answer: Connection refused"


def test_one_connection_carries_many_requests_of_any_kind(leading, endpoint):
    connection = connect(leading, f"{SQS}:443")
    assert connection.recv(1000).startswith(b"HTTP/1.1 200")
    trust = ssl.create_default_context(cafile=environment(leading, "go1.x")["SSL_CERT_FILE"])
    with trust.wrap_socket(connection, server_hostname=SQS) as secured:
        client = http.client.HTTPSConnection(SQS)
        client.sock = secured
        client.request(
            "PUT", "/", body=iter([b"a" * 100_000, b"b"]), headers={"Expect": "100-continue"}, encode_chunked=True
        )
        assert len(json.loads(client.getresponse().read())["body"]) == 100_001
        client.request("HEAD", "/x")
        head = client.getresponse()
        assert int(head.headers["Content-Length"]) > 0, "of what a GET has"
        assert head.read() == b""
        client.request("GET", "/y")
        assert client.getresponse().headers["X-Two"] == "2"
    assert [each.method for each in endpoint.asked] == ["PUT", "HEAD", "GET"]


def test_other_hosts_of_plain_http_are_reached(leading, endpoint, monkeypatch):
    proxy = proxy_of(leading)
    client = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=10)
    client.request("GET", f"http://{endpoint.address}/here?x=1", headers={"Proxy-Authorization": basic(proxy)})
    told = json.loads(client.getresponse().read())
    client.close()
    assert (told["host"], told["path"], told["query"]) == (endpoint.address, "/here", "x=1")


@pytest.mark.parametrize("target", ["console.aws.amazon.com:443", "mine.rds.amazonaws.com:3306"])
def test_hosts_of_aws_that_nothing_stands_in_for_are_refused(leading, target):
    assert " 403 " in answer(connect(leading, target))
    assert leading.told == [RefusedCall(target.split(":")[0], int(target.split(":")[1]), RefusalCause.NOT_AN_API)]


def test_a_client_that_trusts_its_own_certificates_alone_is_told(leading):
    connection = connect(leading, f"{SQS}:443")
    assert connection.recv(1000).startswith(b"HTTP/1.1 200")
    with pytest.raises(ssl.SSLCertVerificationError):
        ssl.create_default_context().wrap_socket(connection, server_hostname=SQS)
    deadline = threading.Event()
    for _ in range(100):
        if leading.told:
            break
        deadline.wait(0.05)
    assert leading.told == [RefusedCall(SQS, 443, RefusalCause.NOT_TRUSTED)]


def test_without_the_library_for_certificates_calls_are_refused_as_before(endpoint, monkeypatch):
    monkeypatch.setattr("formwork.egress.gate.find_spec", lambda _name: None)
    with opened(f"http://{endpoint.address}") as gate:
        assert " 403 " in answer(connect(gate, f"{SQS}:443"))
        assert gate.told == [RefusedCall(SQS, 443, RefusalCause.NO_CERTIFICATES)]
        assert "SSL_CERT_FILE" not in environment(gate, "go1.x")


def test_the_proxy_is_for_who_has_the_secret_of_the_run(leading):
    assert answer(connect(leading, "127.0.0.1:1", password="guessed")).startswith("HTTP/1.1 407 ")
    proxy = proxy_of(leading)
    with pytest.raises(urllib.error.HTTPError, match="501"):
        urllib.request.urlopen(f"http://localhost:{proxy.port}", timeout=10)
    with opened(None) as other:
        assert proxy_of(other).password != proxy.password


def test_the_authority_certifies_hosts_of_aws_alone_and_its_key_is_in_no_file(leading, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with opened("http://127.0.0.1:1") as gate:
        assert ask(gate, f"https://{SQS}/").startswith("502")
        bundle = Path(environment(gate)["SSL_CERT_FILE"])
        assert bundle.parent.stat().st_mode & 0o077 == 0
        assert "PRIVATE" not in "".join(each.read_text() for each in tmp_path.rglob("*.pem"))
        assert gate.authority.server_context("x.example.org")  # signed, and no client accepts it:
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
            shake_hands(gate.authority.server_context("x.example.org"), bundle, "x.example.org")
        shake_hands(gate.authority.server_context(SQS), bundle, SQS)
    assert list(tmp_path.iterdir()) == [], "nothing of it outlives the run"


def shake_hands(server_context, bundle, host):
    """TLS between a server and a client of this process."""
    there, here = socket.socketpair()

    def serve():
        with contextlib.suppress(OSError), there, server_context.wrap_socket(there, server_side=True) as secured:
            secured.recv(1)

    serving = threading.Thread(target=serve, daemon=True)
    serving.start()
    with here, ssl.create_default_context(cafile=bundle).wrap_socket(here, server_hostname=host):
        pass
    serving.join(10)


@pytest.mark.parametrize(("host", "passes"), [(SQS, True), ("amazonaws.com.example.org", False), ("x.on.aws", False)])
def test_the_guard_of_every_port_lets_redirected_calls_pass(host, passes):
    assert (RequestGuard().refusal({"host": host}) is None) is passes
    assert RequestGuard().refusal({"host": host, "origin": "https://example.org"}) is not None


def test_an_error_of_a_client_names_the_refusal(sealed):
    assert "Formwork refused a call" in ask(sealed, "https://dynamodb.us-east-1.amazonaws.com/")
    assert [each.host for each in sealed.told] == ["dynamodb.us-east-1.amazonaws.com"]


@pytest.mark.parametrize(
    ("given", "runtime", "proxied"),
    [
        (None, "provided.al2", True),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "python3.9", True),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "java17", False),
        ({"AWS_ACCESS_KEY_ID": "real"}, "provided.al2", False),
    ],
)
def test_processes_are_told_of_the_gate(given, runtime, proxied):
    told = []
    with (
        contextlib.closing(open_gate(given, EgressSettings(refused=told.append))) as gate,
        contextlib.closing(gate.open(runtime)) as route,
    ):
        assert ("HTTPS_PROXY" in route.environment) is proxied
        assert ("AWS_ENDPOINT_URL" in route.environment) is ("AWS_ACCESS_KEY_ID" not in (given or {}))
        if given and "AWS_ENDPOINT_URL" in given:
            proxy = urlsplit(route.proxy_url)
            target = "console.aws.amazon.com:443"
            words = f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\nProxy-Authorization: {basic(proxy)}\r\n\r\n"
            for _ in range(2):
                with socket.create_connection((proxy.hostname, proxy.port), timeout=10) as connection:
                    connection.sendall(words.encode())
                    connection.makefile("rb").read()
            assert [each.host for each in told] == ["console.aws.amazon.com"], "once a host"


def test_calls_by_the_endpoint_variable_are_seen_and_forwarded(leading, endpoint):
    url = environment(leading)["AWS_ENDPOINT_URL"]
    scope = "AWS4-HMAC-SHA256 Credential=KEY/20261122/eu-west-1/sqs/aws4_request, SignedHeaders=host, Signature=x"
    headers = {"Authorization": scope, "X-Amz-Target": "AmazonSQS.CreateQueue"}
    request = urllib.request.Request(f"{url}/", data=b"{}", headers=headers)
    assert json.loads(urllib.request.urlopen(request, timeout=10).read())["body"] == "{}"
    (call,) = leading.routes[0].take_calls()
    assert (call.aws.service, call.aws.region, call.aws.operation) == ("sqs", "eu-west-1", "CreateQueue")
    assert (call.status, call.answered_by, call.name) == (200, "stand-in", "sqs CreateQueue")
    assert leading.routes[0].take_calls() == ()


def test_a_jvm_on_the_machines_network_keeps_its_own_certificates(leading):
    """Its SDKs are redirected in the process; other hosts are called with the certificates that it has."""
    assert not [name for name in environment(leading, "java17") if "TRUST" in name]
    assert environment(leading, "java17")["AWS_ENDPOINT_URL"].startswith("http://127.0.0.1:")
