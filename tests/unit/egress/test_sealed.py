"""Processes with a network of their own: every name and address leads to the gate, and nothing else anywhere."""

import contextlib
import json
import socket
import sys
import threading
from pathlib import Path

import pytest

from formwork.egress.destinations import HostDestination
from formwork.egress.messages import Reply
from formwork.egress.opening import open_gate
from formwork.egress.refusals import RefusalCause, RefusedCall
from formwork.egress.settings import EgressSettings
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.outgoing_calls import AnsweredBy
from formwork.lambda_host.pool import HostSettings
from support.namespaces import needs_namespaces

pytestmark = needs_namespaces

# A runtime's loop, and a handler that runs the Python of its event.
PROGRAM = """
import http.client, json, os
place, _, secret = os.environ["AWS_LAMBDA_RUNTIME_API"].partition("/")
while True:
    api = http.client.HTTPConnection(place)
    api.request("GET", f"/{secret}/2018-06-01/runtime/invocation/next")
    event = api.getresponse()
    scope = {}
    try:
        exec(json.loads(event.read()), scope)
    except Exception as error:
        scope["said"] = f"{type(error).__name__}: {error}"
    path = f"/{secret}/2018-06-01/runtime/invocation/{event.headers['Lambda-Runtime-Aws-Request-Id']}/response"
    api.request("POST", path, json.dumps(scope.get("said")))
    api.getresponse().read()
"""
FETCH = """
import urllib.request, urllib.error
try: answer = urllib.request.urlopen({url!r}, timeout=10)
except urllib.error.HTTPError as error: answer = error
said = [answer.status, answer.read().decode()]
"""


class Sealed:
    """A gate, and a host of one function behind it."""

    def __init__(self, given=None, **settings):
        self.told, self.unsealed = [], []
        egress = EgressSettings(seal=True, refused=self.told.append, unsealed=self.unsealed.append, **settings)
        self.gate = open_gate(given, egress)
        launch = Launch((sys.executable, "-I", "-c", PROGRAM), {}, Path.cwd())
        function = LambdaFunction("it", "it", "python3.12", Path.cwd(), lambda: launch, timeout=30.0)
        self.host = LambdaHost([function], settings=HostSettings(way_out=self.gate))

    def run(self, program):
        """What the program says, and the calls that it made."""
        outcome = self.host.invoke("it", json.dumps(program).encode())
        return json.loads(outcome.body), outcome.calls

    def close(self):
        self.host.close()
        self.gate.close()


@pytest.fixture
def sealed():
    with contextlib.closing(Sealed()) as made:
        yield made


@pytest.mark.parametrize("url", ["http://api.example.com/v1/things?key=1", "http://192.0.2.7/v1/things?key=1"])
def test_a_host_without_a_rule_is_refused_with_the_choices(sealed, url):
    said, calls = sealed.run(FETCH.format(url=url))
    host = url.split("/")[2]
    assert said[0] == 403
    assert f"GET {host}/v1/things: no rule of this run allows the host. --allow {host}" in said[1]
    assert sealed.told == [RefusedCall(host, 80, RefusalCause.NOT_ALLOWED, "GET /v1/things")]
    assert [(each.name, each.answered_by) for each in calls] == [(f"GET {host}/v1/things", AnsweredBy.REFUSED)]


def test_tls_is_refused_by_the_name_that_the_client_gives(sealed):
    said, calls = sealed.run(FETCH.format(url="https://api.example.com/"))
    assert "access denied" in said
    assert sealed.told == [RefusedCall("api.example.com", 443, RefusalCause.NOT_ALLOWED)]
    assert [(each.name, each.status) for each in calls] == [("api.example.com:443", None)]
    assert sealed.gate.authority is None, "nothing is permitted, so that there is no TLS"


@pytest.mark.parametrize(
    "place", [("db.example.com", 5432), ("192.0.2.9", 22), ("127.0.0.1", 5432), ("2001:db8::1", 25)]
)
def test_other_ports_are_refused_and_named(sealed, place):
    program = (
        f"import socket\ntry: socket.create_connection({place!r}, 10)\nexcept OSError as error: said = str(error)\n"
    )
    said, _ = sealed.run(program + "import time; time.sleep(0.2)")
    assert "refused" in said
    assert sealed.told == [RefusedCall(*place, RefusalCause.NOT_HTTP)]


def test_a_server_of_the_handlers_own_is_reached(sealed):
    program = """
import socket
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname(), 10)
said = "reached"
import time; time.sleep(0.2)
"""
    assert sealed.run(program) == ("reached", ())
    assert sealed.told == []


def test_packets_without_a_connection_go_nowhere(sealed):
    program = """
import socket, time
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 8125))
said = "sent"
time.sleep(0.2)
"""
    assert sealed.run(program)[0] == "sent"
    assert sealed.told == [RefusedCall("192.0.2.1", 8125, RefusalCause.NOT_HTTP)]


def test_the_machines_own_servers_are_out_of_reach(sealed):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        said, _ = sealed.run(f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 5)")
    assert said.startswith("ConnectionRefusedError")


def test_what_a_rule_answers_is_read_over_tls_and_without():
    asked = []

    def answer(outgoing):
        asked.append((outgoing.scheme, outgoing.host, outgoing.port, outgoing.request.query))
        return Reply(201, b"made", (("X-Made", "1"),))

    def of_host(host, _port):
        return HostDestination(AnsweredBy.STUB, answer) if host == "api.example.com" else None

    with contextlib.closing(Sealed(of_host=of_host, domains=("api.example.com",))) as sealed:
        for scheme, port in (("https", 443), ("http", 80)):
            said, calls = sealed.run(FETCH.format(url=f"{scheme}://api.example.com/v1?a=b"))
            assert said == [201, "made"]
            assert [(each.status, each.answered_by) for each in calls] == [(201, AnsweredBy.STUB)]
            assert asked[-1] == (scheme, "api.example.com", port, "a=b")
        said, _ = sealed.run(FETCH.format(url="https://other.example.com/"))
        assert "access denied" in said


def test_an_allowed_port_leads_to_the_host_itself():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def echo():
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"hello")
                connection.sendall(connection.recv(100)[::-1])

        threading.Thread(target=echo, daemon=True).start()

        def of_host(host, _port):
            return HostDestination(AnsweredBy.REAL) if host == "127.0.0.1" else None

        settings = {"of_host": of_host, "domains": ("127.0.0.1",), "ports": (port,)}
        with contextlib.closing(Sealed(**settings)) as sealed:
            program = f"""
import socket
connection = socket.create_connection(("127.0.0.1", {port}), 10)
said = connection.recv(5).decode()
connection.sendall(b"abc")
said += connection.recv(3).decode()
"""
            said, calls = sealed.run(program)
            assert said == "hellocba"
            assert [(each.name, each.answered_by) for each in calls] == [(f"127.0.0.1:{port}", AnsweredBy.REAL)]


def test_where_there_are_no_namespaces_the_run_says_so(monkeypatch):
    monkeypatch.setattr("formwork.lambda_host.namespace._PROGRAM", Path(__file__))  # a program that enters none
    with contextlib.closing(Sealed()) as sealed:
        said, _ = sealed.run("said = 1")
        assert said == 1
        assert len(sealed.unsealed) == 1
        assert not sealed.gate.is_sealed
        said, _ = sealed.run(FETCH.format(url="http://api.example.com/"))
        assert said[0] == 403


def test_a_command_that_is_not_there_is_an_error():
    with contextlib.closing(Sealed()) as sealed:
        missing = Launch(("/nowhere/python",), {}, Path.cwd())
        sealed.host.replace([LambdaFunction("it", "it", "python3.12", Path.cwd(), lambda: missing)])
        with pytest.raises(Exception, match="could not be started: No such file"):
            sealed.run("said = 1")


@pytest.mark.parametrize(("ports", "trusts_others"), [((), False), ((8443,), True)])
def test_what_is_passed_on_unread_keeps_its_own_certificates(ports, trusts_others):
    settings = {"of_host": lambda _host, _port: HostDestination(AnsweredBy.REAL), "domains": ("api.example.com",)}
    with contextlib.closing(Sealed(**settings, ports=ports)) as sealed:
        for runtime in ("python3.12", "java17"):
            with contextlib.closing(sealed.gate.open(runtime)) as route:
                environment = route.environment
            bundle = Path(environment.get("SSL_CERT_FILE") or environment["FORMWORK_TRUST_STORE_FILE"]).read_bytes()
            assert (len(bundle) > 20_000) is trusts_others, "the system's certificates are among them"
