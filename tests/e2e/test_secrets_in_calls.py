"""A secret in every header, body and URL that a handler sends, to hosts that answer and hosts that are refused."""

import pytest

from support.canaries import Canaries, Leaks
from support.commands import Desk
from support.handler_projects import SCHEMA, make_project, write_json
from support.namespaces import needs_namespaces

pytestmark = needs_namespaces

HANDLERS = """
import http.client, json, ssl, time
from urllib.parse import quote

HEADERS = ("Authorization", "Cookie", "X-Api-Key", "X-Other", "User-Agent", "X-Amz-Tagging", "If-Match", "Referer")

def send(kind, host, method, path, body=None, content="application/json", headers=()):
    try:
        there = kind(host, timeout=20)
        there.request(method, path, body, {"Content-Type": content, **dict(headers)})
        there.getresponse().read()
    except (OSError, http.client.HTTPException) as error:
        print("not sent:", type(error).__name__)

def calls(secret):
    coded, document = quote(secret, safe=""), {"name": secret, "a": [{"b": secret}], secret: 1}
    for kind, hosts in ((http.client.HTTPSConnection, ("api.example.com", "refused.example.com", "s3.us-east-1.amazonaws.com")),
                        (http.client.HTTPConnection, ("plain.example.com", "refused.example.net"))):
        for host in hosts:
            for header in HEADERS:
                send(kind, host, "GET", "/v1/things", headers={header: secret.encode().decode("latin-1")})
            send(kind, host, "GET", f"/v1/things/{coded}")
            send(kind, host, "DELETE", f"/v1/things/{coded}/parts/{coded}?{coded}={coded}#{coded}")
            send(kind, host, "GET", f"/v1/things?name={coded}&{coded}=1")
            send(kind, host, "POST", "/v1/things", json.dumps(document))
            send(kind, host, "POST", "/v1/things", f"name={coded}&{coded}=1", "application/x-www-form-urlencoded")
            send(kind, host, "PUT", "/v1/things/1", secret.encode(), "text/plain")
            send(kind, host, "PATCH", "/v1/things/1", f"<a b='{coded}'>{coded}</a>", "application/xml")
        send(kind, "".join(filter(str.isalnum, secret))[:60] + ".example.com", "GET", "/")

def resource(event, context):
    model = event["requestData"].get("resourceProperties") or {}
    if model.get("Password"):
        calls(model.pop("Password"))
    if event["action"] == "DELETE":
        return {"status": "SUCCESS"}
    return {"status": "SUCCESS", "resourceModel": {**model, "Id": "one"}}
"""
THING = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
FOUND = {"description": "it", "content": {"application/json": {"schema": THING}}}
ALL = {"description": "all", "content": {"application/json": {"schema": {"type": "array", "items": THING}}}}
API = {
    "openapi": "3.1.0",
    "info": {"title": "Things", "version": "1"},
    "servers": [{"url": "/v1"}],
    "paths": {
        "/things": {
            "get": {"responses": {"200": ALL}},
            "post": {
                "requestBody": {"content": {"application/json": {"schema": THING}}},
                "responses": {"201": FOUND},
            },
        },
        "/things/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "get": {"responses": {"200": FOUND, "404": {"description": "none"}}},
        },
    },
}


@pytest.mark.parametrize("shape", ["plain", "quoted"])
def test_a_secret_that_handlers_send_is_in_no_cassette_log_or_report(tmp_path, shape):
    """Also not in what a replay of the recording says."""
    desk, canaries = Desk(tmp_path), Canaries()
    leaks, said = Leaks(canaries), []
    project = make_project(tmp_path / "thing", handlers=HANDLERS, schema=SCHEMA)
    write_json(project / "api.json", API)
    (project / "inputs").mkdir()
    secret = canaries.plant("the input's Password", shape)
    write_json(project / "inputs/inputs_1_create.json", {"Name": "one", "Password": secret})
    stubs = [word for host in ("api", "plain") for word in ("--stub", f"{host}.example.com=api.json")]
    parts = ("-k", "contract_create_delete", "--no-coverage", "-v", "--seed", "1")
    for report, answered in (
        ("json", [*stubs, "--record", "cassettes"]),
        ("html", ["--replay", "cassettes"]),
        ("junit", []),
    ):
        files = ("--report", report, "--report-file", f"report.{report}", "--log-file", f"{report}.log")
        done = desk.cfn("test", *parts, *files, *answered, cwd=project)
        assert "POST api.example.com/v1/things" in done.err or not answered, str(done)
        assert "refused a call of the handlers to" in done.err, str(done)
        said.append(done.said)
        leaks.search(f"terminal, {report}", done.said)
        assert (project / f"report.{report}").is_file(), str(done)
    kept = [each for each in (project / "cassettes").iterdir() if "/v1/things" in each.read_text(encoding="utf-8")]
    assert len(kept) == 2
    assert all("********" in each.read_text(encoding="utf-8") for each in kept)
    leaks.search_files(project, skip=lambda path: path.parent.name == "inputs")
    assert not leaks, f"{leaks}"
    if secret.isalnum():  # and so part of a host name, which the gate reads in lower case
        texts = [each.read_text(encoding="utf-8") for each in project.glob("*.*") if each.suffix != ".zip"]
        assert not [each for each in (*said, *texts) if secret.lower() in each]
        assert any("refused a call of the handlers to GET ********.example.com/" in each for each in said)
