"""What handlers send to other services, in `cfn test` and `cfn invoke`: shown, stubbed, recorded, replayed, refused."""

import json
import shutil

import pytest

from support.handler_projects import SCHEMA, make_project, write_json
from support.namespaces import needs_namespaces

pytestmark = needs_namespaces

SECRET = "canary-4f1d7a"
# A resource of a REST service at https://api.example.com, which has the password as a token.
HANDLERS = """
import json, urllib.error, urllib.request

def ask(method, path, token, body=None):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request("https://api.example.com/v1" + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read() or "null")

def resource(event, context):
    data = event["requestData"]
    model = data.get("resourceProperties") or {}
    token = model.pop("Password", "canary-4f1d7a")
    try:
        if event["action"] == "CREATE":
            made = ask("POST", "/things", token, {"name": model.get("Name", "it")})
            return {"status": "SUCCESS", "resourceModel": {**model, "Id": str(made["id"])}}
        found = ask("GET", "/things/" + model["Id"], token)
        if event["action"] == "DELETE":
            ask("DELETE", "/things/" + model["Id"], token)
            return {"status": "SUCCESS"}
        return {"status": "SUCCESS", "resourceModel": {"Id": str(found["id"]), "Name": found["name"]}}
    except urllib.error.HTTPError as error:
        code = "NotFound" if error.code == 404 else "GeneralServiceException"
        return {"status": "FAILED", "errorCode": code, "message": str(error)}
    except OSError as error:
        return {"status": "FAILED", "errorCode": "NetworkFailure", "message": str(error)}
"""
THING = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {"id": {"type": "integer", "readOnly": True}, "name": {"type": "string"}},
}
ONE = {"200": {"description": "one", "content": {"application/json": {"schema": THING}}}}
API = {
    "openapi": "3.1.0",
    "info": {"title": "Things", "version": "1"},
    "servers": [{"url": "https://api.example.com/v1"}],
    "paths": {
        "/things": {
            "post": {
                "requestBody": {"required": True, "content": {"application/json": {"schema": THING}}},
                "responses": {"201": {"description": "made", "content": {"application/json": {"schema": THING}}}},
            }
        },
        "/things/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "get": {"responses": {**ONE, "404": {"description": "no such thing"}}},
            "delete": {"responses": {"204": {"description": "gone"}, "404": {"description": "no such thing"}}},
        },
    },
}


@pytest.fixture
def project(tmp_path):
    made = make_project(
        tmp_path / "thing", handlers=HANDLERS, schema={**SCHEMA, "readOnlyProperties": ["/properties/Id"]}
    )
    write_json(made / "api.json", API)
    write_json(made / "request.json", {"desiredResourceState": {"Name": "one", "Password": SECRET}})
    return made


def test_a_host_without_a_rule_is_refused_with_the_choices(desk, project):
    done = desk.cfn("test", "--", "-k", "contract_create_read", cwd=project)
    assert done.code == 1
    assert "refused a call of the handlers to api.example.com: no rule of this run allows the host" in done.err
    assert "--allow api.example.com" in done.err
    assert "--stub api.example.com=openapi.yaml" in done.err
    assert "api.example.com:443: refused, no rule allows the host" in done.out


def test_a_stub_answers_and_is_recorded_and_replayed(desk, project):
    words = ("invoke", "CREATE", "request.json", "-v")
    done = desk.cfn(*words, "--stub", "api.example.com=api.json", "--record", "cassettes", cwd=project)
    assert done.code == 0, str(done)
    assert "> POST api.example.com/v1/things: 201 in " in done.err
    assert "(stub)" in done.err
    assert "recorded the calls of 1 hosts in cassettes" in done.err
    kept = "".join(each.read_text() for each in (project / "cassettes").iterdir())
    assert "/v1/things" in kept
    assert SECRET not in kept + done.out + done.err
    again = desk.cfn(*words, "--replay", "cassettes", cwd=project)
    assert again.code == 0, str(again)
    assert "(cassette)" in again.err
    assert again.out.splitlines()[-1] == done.out.splitlines()[-1], "the same answer"
    write_json(project / "request.json", {"desiredResourceState": {"Id": "99", "Name": "one"}})
    other = desk.cfn("invoke", "READ", "request.json", "--replay", "cassettes", cwd=project)
    assert other.code == 1
    assert "v1/things/99" in other.err, str(other)
    assert "warning: no call of this run is" in other.err, "the recorded one is stale"


def test_the_rules_of_the_project_hold_in_both_commands(desk, project):
    (project / "egress.yml").write_text("hosts:\n  api.example.com: {stub: api.json}\n")
    done = desk.cfn("invoke", "CREATE", "request.json", cwd=project)
    assert done.code == 0, str(done)
    done = desk.cfn("test", "--", "-k", "contract_create_read or contract_create_delete", cwd=project)
    assert "POST api.example.com/v1/things: 201" in done.out or done.code == 0, str(done)
    (project / "egress.yml").write_text("hosts:\n  api.example.com: {stab: api.json}\n")
    done = desk.cfn("invoke", "CREATE", "request.json", cwd=project)
    assert done.code == 1
    assert "egress.yml:2" in done.err


def test_options_that_have_no_effect_are_refused(desk, project):
    for words in (
        ("--unsealed", "--allow", "a.example.com"),
        ("--simulated", "--record", "x"),
        ("--endpoint", "http://127.0.0.1:1", "--replay", "x"),
    ):
        done = desk.cfn("test", *words, cwd=project)
        assert done.code == 2, str(done)
        assert f"{words[-2]} cannot be used with {words[0]}" in done.err
    done = desk.cfn("test", "--stub", "api.example.com", cwd=project)
    assert done.code == 2
    done = desk.cfn("test", "--replay", "nothing-here", cwd=project)
    assert done.code == 1
    shutil.rmtree(project / "src")


def test_a_service_of_aws_can_have_a_rule_of_its_own(desk, project):
    (project / "egress.yml").write_text("aws: none\nservices:\n  sts: moto\n")
    done = desk.cfn("invoke", "CREATE", "request.json", cwd=project)
    assert done.code == 2
    assert 'egress.yml answers "sts" with moto, and --aws is none' in done.err
    assert json.loads((project / "request.json").read_text())
