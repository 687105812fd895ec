"""A web page in the user's browser sends requests to ports of this machine: none of them has an effect or an answer."""

import contextlib
import html
import http.client
import json
import os
import socket
import subprocess
from urllib.parse import urlencode, urlsplit

import pytest

from formwork.aws.moto import MotoServer
from formwork.diagnostics import EnvironmentProblemError
from formwork.egress.opening import open_gate
from formwork.egress.settings import EgressSettings
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.http_messages import Response
from support.api import serve_api
from support.browsers import running_browser, serving_pages, wait_for_quiet
from support.chromium import find_chromium
from support.commands import CFN, Desk, refuses
from support.lambdas import make_function
from support.toolchains import must_be_complete

SIGNATURE = {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Date": "20261122T040000Z",
    "X-Amz-SignedHeaders": "host",
    "X-Amz-Signature": "0" * 64,
}


def signed_for(service):
    """A signature that costs nothing: no key is known, and no signature verified, without --require-auth."""
    return {**SIGNATURE, "X-Amz-Credential": f"111111111111/20261122/us-east-1/{service}/aws4_request"}


CREATE = urlencode(
    {"Action": "CreateStack", "Version": "2010-05-15", "StackName": "evil", "TemplateBody": "{}"}
    | signed_for("cloudformation")
)
DESCRIBE = urlencode({"Action": "DescribeStacks", "Version": "2010-05-15"} | signed_for("cloudformation"))
GET_CREATE = ("GET", f"/?{CREATE}", None)
# What has an effect, by each way that a request can take.
EFFECTS = {
    "query": ("POST", f"/?{CREATE}", b""),
    "lambda": ("POST", "/2015-03-31/functions/F/invocations", b"{}"),
    "s3": ("PUT", f"/evil?{urlencode(signed_for('s3'))}", b""),
    "signal": ("PUT", "/cloudformation-waitcondition-us-east-1/x", b"{}"),
}
# What browsers add by themselves; a page can keep neither all of them away nor forge any.
BROWSER_HEADERS = [
    {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Mode": "no-cors"},
    {"Sec-Fetch-Dest": "image"},
    {"Sec-CH-UA": '"Chromium";v="156"'},
    {"Origin": "http://localhost:8000"},
    {"Origin": "null"},
    {"Referer": "http://127.0.0.1:8000/"},
    {"Cookie": "a=b"},
    {"Upgrade-Insecure-Requests": "1"},
]
FOREIGN_HOSTS = ["evil.example", "evil.localhost:3001", "localhost.", "127.0.0.1.evil.example", "169.254.169.254", ""]


@pytest.fixture
def effects():
    """What requests have brought about."""
    return []


@pytest.fixture
def served(tmp_path, effects):
    def note(name, answer):
        def operation(*_given):
            effects.append(name)
            return answer

        return operation

    table = {
        ("cloudformation", "CreateStack"): note("CreateStack", {"StackId": "arn"}),
        ("cloudformation", "DescribeStacks"): note("DescribeStacks", {"Stacks": []}),
        ("cloudcontrol", "DeleteResource"): note("DeleteResource", {"ProgressEvent": {}}),
        ("cloudformation-waitcondition", "Put"): note("signal", {}),
    }
    with serve_api(tmp_path, operations=table, invoke=note("lambda", Response(200, b"{}"))) as running:
        yield running


def happened(served, effects):
    """All effects: of operations, and what is stored in S3."""
    return [*effects, *(path.name for path in served.objects.rglob("*") if "evil" in str(path))]


@pytest.mark.parametrize("headers", BROWSER_HEADERS, ids="; ".join)
def test_what_a_browser_sends_is_refused_at_every_operation_of_the_api(served, effects, headers):
    for method, path, body in EFFECTS.values():
        assert served.send(method, path, headers=headers, body=body)[0] == 403, path
    assert served.send("GET", f"/?{DESCRIBE}", headers=headers)[0] == 403
    assert served.send("OPTIONS", "/", headers=headers)[0] == 403
    assert happened(served, effects) == []


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_host_name_that_was_rebound_to_this_machine_is_refused(served, effects, host):
    for method, path, body in EFFECTS.values():
        if (host, path) != ("evil.localhost:3001", EFFECTS["s3"][1]):  # the bucket `evil`, in S3's own form
            assert served.send(method, path, headers={"Host": host}, body=body)[0] == 403, path
    assert served.send("GET", f"/?{DESCRIBE}", headers={"Host": host})[0] == 403
    assert happened(served, effects) == []


def test_two_host_headers_or_none_are_refused(served, effects):
    for hosts in ("", "Host: localhost\r\nHost: evil.example\r\n"):
        with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
            connection.sendall(f"POST /?{CREATE} HTTP/1.0\r\n{hosts}Content-Length: 0\r\n\r\n".encode())
            assert connection.recv(100).split()[1] in (b"400", b"403")
    assert effects == []


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH"])
def test_an_opened_link_of_a_browser_that_sends_no_metadata_changes_nothing(served, effects, method):
    status, _, body = served.send(method, f"/?{CREATE}")
    assert status == 405
    assert method == "HEAD" or b"<Code>MethodNotAllowed</Code>" in body
    target = {"X-Amz-Target": "CloudApiService.DeleteResource", "Content-Type": "application/x-amz-json-1.0"}
    asked = json.dumps({"TypeName": "A::B::C", "Identifier": "x"})
    assert served.send(method, f"/?{urlencode(signed_for('cloudcontrolapi'))}", headers=target, body=asked)[0] == 405
    assert effects == []


def test_programs_are_answered(served, effects):
    """Reading by GET, as presigned URLs of GetCallerIdentity do; every effect by POST and PUT; Node's own fetch."""
    assert served.send("GET", f"/?{DESCRIBE}")[0] == 200
    for method, path, body in EFFECTS.values():
        assert served.send(method, path, headers={"Sec-Fetch-Mode": "cors"}, body=body)[0] == 200, path
    assert effects == ["DescribeStacks", "CreateStack", "lambda", "signal"]
    assert "evil" in happened(served, effects)


def test_a_server_for_other_machines_has_a_list_of_names_too(tmp_path):
    """With `--host 0.0.0.0`: the names of the machine, the address that was connected to, and what the user adds."""
    words = [CFN, "serve", "--host", "0.0.0.0", "--port", "0", "--ephemeral", "--allow-host", "Forward.test:8080"]
    own = {**os.environ, "FORMWORK_CACHE": str(tmp_path), "FORMWORK_STATE": str(tmp_path)}
    with subprocess.Popen(words, cwd=tmp_path, env=own, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            port = int(process.stdout.readline().rpartition(b":")[2])

            def status(host):
                with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
                    connection.request("GET", "/", headers={"Host": host})
                    answer = connection.getresponse()
                    return answer.status, b"is not a host name of this service" in answer.read()

            ours = ["127.0.0.1", "localhost", "[::1]", f"0.0.0.0:{port}", socket.gethostname(), "forward.test:80"]
            assert {host for host in ours if status(host)[1]} == set()
            theirs = [*FOREIGN_HOSTS[2:], "evil.example", "evil.forward.test", "8.8.8.8", "[2001:db8::1]"]
            assert [status(host) for host in theirs] == [(403, True)] * len(theirs)
        finally:
            process.terminate()
            process.communicate()


@pytest.mark.parametrize("name", ["", "http://name", "a/b", "a b", "name:port"])
def test_what_is_not_a_host_name_is_refused_as_one(name, tmp_path):
    refuses(Desk(tmp_path).cfn("serve", "--allow-host", name, cwd=tmp_path), 2, "a host name or an IP address")


@pytest.fixture(params=["gate without AWS", "gate", "LambdaHost", "moto"])
def listener(request, tmp_path):
    """The address of each other port that a command of Formwork listens on."""
    with contextlib.ExitStack() as stack:
        match request.param:
            case "gate without AWS" | "gate":
                given = None if request.param != "gate" else {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}
                gate = stack.enter_context(contextlib.closing(open_gate(given, EgressSettings())))
                url = stack.enter_context(contextlib.closing(gate.open("python3.12"))).proxy_url
            case "LambdaHost":
                url = stack.enter_context(LambdaHost([make_function(tmp_path / "f")])).serve(port=0)
            case _:
                url = stack.enter_context(contextlib.closing(MotoServer({}))).url
        yield urlsplit(url)


def test_every_other_port_refuses_web_pages(listener):
    def send(method, path, **headers):
        connection = http.client.HTTPConnection(listener.hostname, listener.port, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, b"", {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, dict(answer.headers), answer.read()

    aws = {"Host": "s3.amazonaws.com", "Origin": "https://s3.amazonaws.com"}
    attacks = [*BROWSER_HEADERS, aws, {"Host": "evil.example"}, {"Host": "evil.localhost"}]
    for headers in attacks:
        for method, path in [
            ("GET", "/"),
            ("POST", "/moto-api/reset"),
            ("OPTIONS", "/"),
            ("GET", "/2015-03-31/functions"),
        ]:
            status, told, _ = send(method, path, **headers)
            assert status in (403, 501), (headers, path)  # the gate has no resources of its own
            assert not [name for name in told if name.lower().startswith("access-control")]


PAGE = """
<!doctype html>
<title>waits</title>
{frames}
<script>
const target = {target!r};
const forms = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];
for (const method of ["GET", "POST"]) {{
  fetch(target, {{ method, mode: "no-cors", credentials: "include" }}).catch(() => 0);
  fetch(target, {{ method }}).catch(() => 0);
}}
for (const path of {paths!r}) {{
  fetch(new URL(path, target), {{ method: "PUT", body: "{{}}" }}).catch(() => 0);
  fetch(new URL(path, target), {{ method: "POST", mode: "no-cors", body: "{{}}" }}).catch(() => 0);
  navigator.sendBeacon(new URL(path, target), "{{}}");
}}
navigator.sendBeacon(target, "");
new Image().src = target;
document.querySelectorAll("form").forEach((form) => form.submit());
</script>
"""
FRAMES = """
<img src="{0}"><iframe src="{0}"></iframe><script src="{0}"></script><link rel="stylesheet" href="{0}">
<object data="{0}"></object><video src="{0}"></video><link rel="prefetch" href="{0}">
<iframe name="a"></iframe><form target="a" method="post" action="{0}"><input name="x" value="y"></form>
<iframe name="b"></iframe><form target="b" method="get" action="{1}">{2}</form>
<iframe name="c"></iframe><form target="c" method="post" enctype="text/plain" action="{0}"><input name="x"></form>
"""


def page_against(target):
    """A page that sends all that a page can send to `target` without the user's doing."""
    place = target.partition("?")[0]
    fields = [each.split("=") for each in CREATE.split("&")]
    inputs = "".join(f'<input name="{name}" value="{html.escape(value)}">' for name, value in fields)
    frames = FRAMES.format(html.escape(target), place, inputs)
    return PAGE.format(frames=frames, target=target, paths=[path for _, path, _ in EFFECTS.values()])


@pytest.fixture
def chromium():
    try:
        return find_chromium()
    except EnvironmentProblemError as error:
        (diagnostic,) = error.diagnostics
        missing = pytest.fail if must_be_complete() else pytest.skip
        missing(f"{diagnostic.message}: {diagnostic.hint}")


def test_chromium(chromium, served, effects, tmp_path):
    """Links, forms, images, frames, fetches, beacons; of other sites, other ports, rebound names and same-origin pages."""
    target = f"{served.url}/?{CREATE}"
    rebound = f"http://rebound.example:{served.port}"
    local = f"http://evil.localhost:{served.port}"
    page = page_against(f"{local}/?{CREATE}")
    served.send("PUT", f"/pages?{urlencode(signed_for('s3'))}", body=b"")
    served.send("PUT", f"/pages/page.html?{urlencode(signed_for('s3'))}", body=page_against(target).encode(),
                headers={"Content-Type": "text/html"})  # fmt: skip
    opened = f"{served.url}/pages/page.html?{urlencode(signed_for('s3'))}"
    pages = {
        "/all": page_against(target) + page.replace("const target", "var target").replace("const forms", "var forms"),
        "/link": f'<meta http-equiv="refresh" content="0; url={html.escape(target)}">',
        "/click": f'<a rel="noreferrer" href="{html.escape(target)}">x</a><script>document.links[0].click()</script>',
    }
    names = ["site.example", "rebound.example"]
    with serving_pages(pages) as own, running_browser(chromium, tmp_path / "profile", resolve=names) as browser:
        port = own.rpartition(":")[2]
        addresses = [
            f"http://{own}/all",
            f"http://site.example:{port}/all",
            f"http://{own}/link",
            f"http://localhost:{port}/click",
            target,
            f"{rebound}/?{CREATE}",
            f"{local}/?{CREATE}",
            opened,
        ]
        windows = [browser.open(address) for address in addresses]
        wait_for_quiet(lambda: len(served.answered), least=40)
        documents = [browser.document(window) for window in windows]
    own, sent = served.answered[:2], served.answered[2:]
    assert [each.status for each in own] == [200, 200]
    assert {each.operation for each in sent} >= {"lambda Invoke", "s3 GET", "s3 OPTIONS", "signal", "unknown operation"}
    assert (len(sent) > 40, {each.status for each in sent}) == (True, {403})
    assert happened(served, effects) == []
    assert ["AccessDenied" in each for each in documents[4:]] == [True] * 4
