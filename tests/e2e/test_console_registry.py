"""The console's pages of the registry, forms from schemas, replays and the template editor, without a browser."""

import json
import re
import time

import pytest

from support.console import ConsoleBrowser
from support.registry import GUARD, SHELF, THING, resource_package
from support.registry_samples import second_schema, serving_registry
from support.serving import register

HERE = "account=111111111111&region=us-east-1"
TYPE = f"/registry/RESOURCE/{THING}"
CANARY = "canary-of-the-console"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving_registry(tmp_path_factory.mktemp("registry")) as running:
        yield running


@pytest.fixture
def browser(server):
    return ConsoleBrowser.entered(server)


def show(browser, path, status=200, **query):
    asked = "&".join([HERE, *(f"{name}={value}" for name, value in query.items())])
    found, text = browser.get(f"{path}?{asked}")
    assert found == status, text
    assert "<script>alert" not in text
    return text


def post(browser, path, status=200, query="", headers=(), **fields):
    found, text = browser.post(f"{path}?{HERE}{query}", headers, **fields)
    assert found == status, text
    return text


def wait_for(look, wanted):
    end = time.monotonic() + 90
    while wanted not in (text := look()):
        assert time.monotonic() < end, text
        time.sleep(0.2)
    return text


def test_types_are_listed_and_searched(browser):
    for name in (THING, GUARD, SHELF):
        assert f">{name}</a>" in show(browser, "/registry")
    text = show(browser, "/registry", kind="HOOK")
    assert GUARD in text
    assert THING not in text
    assert "contains “nothing”" in show(browser, "/registry", q="nothing")
    public = show(browser, "/registry/public", q="AWS::Hooks")
    assert "AWS::Hooks::GuardHook" in public
    assert "list-types" in public


def test_a_schema_is_a_tree_with_an_example(browser):
    text = show(browser, TYPE)
    for shown in (
        "create-only: replaced when it changes",
        "write-only",
        "required",
        "identifier",
        "minimum",
        f"Type: {THING}",
    ):
        assert shown in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "preCreate" in show(browser, f"/registry/HOOK/{GUARD}")
    assert "AWS::S3::Bucket" in show(browser, f"/registry/MODULE/{SHELF}")
    assert show(browser, "/registry/RESOURCE/No::Such::Type", 400)
    assert show(browser, "/registry/OTHER/No::Such::Type", 404)


def test_two_versions_are_compared_and_breaking_changes_marked(browser):
    text = show(browser, f"{TYPE}/versions", old="00000001", new="00000002")
    assert re.search(r"<strong>[1-9]\d*</strong> breaking", text)
    assert "the property &#34;Size&#34; is new" in text
    assert "registry:Acme::Store::Thing@00000001" in text
    assert "cfn registry set-default Acme::Store::Thing 00000002" in show(browser, f"{TYPE}/versions")
    back = show(browser, f"{TYPE}/versions", old="00000002", new="00000001")
    assert "change.property-removed" in back or "breaking" in back


def test_the_default_is_set_and_a_version_deregistered_after_a_confirmation(server, browser):
    register(server, content=resource_package(schema=second_schema()), key="third.zip")
    show(browser, TYPE)
    text = post(browser, f"{TYPE}/deregister", version="00000003")
    assert "to confirm" in text
    assert "not the text" in post(browser, f"{TYPE}/deregister", version="00000003", confirmation="yes")
    client = server.client("cloudformation")
    assert client.describe_type(Type="RESOURCE", TypeName=THING, VersionId="00000003")["DeprecatedStatus"] == "LIVE"
    text = post(browser, f"{TYPE}/deregister", version="00000003", confirmation=f"{THING} 00000003")
    assert "deregistered" in text
    post(browser, f"{TYPE}/default", version="00000001")
    assert client.describe_type(Type="RESOURCE", TypeName=THING)["DefaultVersionId"] == "00000001"
    post(browser, f"{TYPE}/default", version="00000002")


def test_a_configuration_is_set_and_never_shown(server, browser):
    show(browser, f"{TYPE}/configuration")
    refused = post(browser, f"{TYPE}/configuration", 400, configuration=json.dumps({"Other": CANARY}))
    assert "ApiKey" in refused
    assert CANARY not in refused
    text = post(browser, f"{TYPE}/configuration", configuration=json.dumps({"ApiKey": CANARY}))
    assert "ApiKey" in text
    assert CANARY not in text
    text = post(browser, f"{TYPE}/configuration/remove")
    assert "None is set" in text
    post(browser, f"{TYPE}/configuration", configuration=json.dumps({"ApiKey": CANARY}))


def test_a_form_makes_reads_updates_and_deletes_a_resource(server, browser):
    form = show(browser, f"{TYPE}/resources/new")
    assert 'name="f:/Size"' in form
    assert 'type="password"' in form
    part = {"HX-Request": "true"}
    wrong = {"f:/Size": "0", "f:/Label": "green", "f:/Secret": CANARY}
    text = post(browser, f"{TYPE}/resources/new", headers=part, check="1", **wrong)
    assert re.search(r'id="ef-Name"[^>]*>Required property \[Name\] not found', text), text
    assert re.search(r'id="ef-Size"[^>]*>[^<]*0 is not greater or equal to 1', text), text
    assert CANARY not in text
    assert "create-resource" in text
    assert server.things() == {}
    text = post(browser, f"{TYPE}/resources/new", 400, **wrong)
    assert 'aria-invalid="true"' in text
    assert CANARY not in text
    text = post(browser, f"{TYPE}/resources/new", add="/Tags", **{"f:/Name": "one"})
    assert 'name="f:/Tags/0/Key"' in text
    assert 'value="one"' in text
    fields = {"f:/Name": "one", "f:/Size": "3", "f:/Secret": CANARY, "f:/Tags/0/Key": "k", "f:/Tags/1/Key": "l"}
    text = post(browser, f"{TYPE}/resources/new", remove="/Tags/0", **fields)
    assert 'value="l"' in text
    assert 'name="f:/Tags/1/Key"' not in text
    made = post(browser, f"{TYPE}/resources/new", present="/Tags/0", **fields)
    address = re.search(r'hx-get="(/registry/[^"]+/requests/[^"?]+)', made)[1]
    done = wait_for(lambda: show(browser, address), "SUCCESS")
    assert CANARY not in done
    assert "/calls/" in done
    assert server.things()["one"] == {"Name": "one", "Size": 3, "Tags": [{"Key": "k"}, {"Key": "l"}]}
    assert "one" in show(browser, f"{TYPE}/resources")

    text = show(browser, f"{TYPE}/resources/one", id="one")
    assert re.search(r'name="f:/Name" value="one"[^>]*readonly', text)
    changed = post(browser, f"{TYPE}/resources/one", query="&id=one", **{"f:/Name": "one", "f:/Size": "4"})
    address = re.search(r'hx-get="(/registry/[^"]+/requests/[^"?]+)', changed)[1]
    wait_for(lambda: show(browser, address), "SUCCESS")
    assert str(server.things()["one"]["Size"]) == "4"  # as the wire has it
    assert "Tags" not in server.things()["one"]
    assert "to confirm" in post(browser, f"{TYPE}/resources/delete", query="&id=one")
    gone = post(browser, f"{TYPE}/resources/delete", query="&id=one", confirmation="one")
    address = re.search(r'hx-get="(/registry/[^"]+/requests/[^"?]+)', gone)[1]
    wait_for(lambda: show(browser, address), "SUCCESS")
    assert server.things() == {}


def test_a_model_is_entered_as_json(server, browser):
    text = post(browser, f"{TYPE}/resources/new", **{"as": "json", "f:/Name": "two", "f:/Secret": CANARY})
    assert "&#34;Name&#34;: &#34;two&#34;" in text
    assert CANARY not in text
    assert "this is not JSON" in post(browser, f"{TYPE}/resources/new", 400, json="{")
    made = post(browser, f"{TYPE}/resources/new", json='{"Name": "bad-one"}')
    address = re.search(r'hx-get="(/registry/[^"]+/requests/[^"?]+)', made)[1]
    wait_for(lambda: show(browser, address), "a bad name")


def test_a_recorded_call_is_sent_again(server, browser):
    made = post(browser, f"{TYPE}/resources/new", **{"f:/Name": "three", "f:/Secret": CANARY})
    address = re.search(r'hx-get="(/registry/[^"]+/requests/[^"?]+)', made)[1]
    done = wait_for(lambda: show(browser, address), "SUCCESS")
    number = re.findall(r"/calls/(\d+)", done)[-1]
    page = show(browser, f"{TYPE}/calls/{number}")
    assert "<code>/requestData/resourceProperties/Secret</code>" in page
    assert CANARY not in page
    request = re.search(r'<textarea id="request"[^>]*>(.*?)</textarea>', page, re.DOTALL)[1].replace("&#34;", '"')
    refused = post(browser, f"{TYPE}/calls/{number}", 400, request=request)
    assert "/requestData/resourceProperties/Secret" in refused
    value = json.loads(request)
    value["requestData"]["resourceProperties"] = {"Name": "replayed", "Secret": CANARY}
    answered = post(browser, f"{TYPE}/calls/{number}", request=json.dumps(value), token="1")
    assert "Answer of the replay" in answered
    assert "IN_PROGRESS" in answered
    assert "follow the callbacks to see the end" in answered
    value["callbackContext"] = {"n": 1}
    post(browser, f"{TYPE}/calls/{number}", request=json.dumps(value))
    assert "replayed" in server.things()
    del value["callbackContext"]
    value["requestData"]["resourceProperties"]["Name"] = "followed"
    answered = post(browser, f"{TYPE}/calls/{number}", request=json.dumps(value), token="1", follow="1")
    assert "Answers of the replay" in answered
    assert "asks to be called again" not in answered
    assert "followed" in server.things()
    for wrong in ("{", "[]", "{}", json.dumps({**value, "resourceType": "Other::Type::X"})):
        assert 'id="problem"' in post(browser, f"{TYPE}/calls/{number}", 400, request=wrong)
    assert show(browser, f"{TYPE}/calls/999999", 404)
    for name in ("three", "replayed", "followed"):
        server.change(name, gone=True)


def test_the_editor_has_the_codes_of_the_command_line_and_expands_modules(browser):
    show(browser, "/templates")
    part = {"HX-Request": "true"}

    def check(text):
        return post(
            browser, "/templates/check", headers=part, template=text, account="111111111111", region="us-east-1"
        )

    wrong = f"""
Resources:
  One:
    Type: {THING}
    Properties: {{Size: 0, Lable: green, Label: <script>alert(2)</script>}}
  Two: {{Type: No::Such::Type}}
Outputs: {{O: {{Value: !Ref Three}}}}
"""
    text = check(wrong)
    for code in ("module.unknown-property", "module.missing-property", "template.unresolved-reference"):
        assert code in text
    assert 'data-line="7"' in text
    assert "document.syntax" in check("{")
    assert "template.no-resources" in check("{}")
    sound = wrong.replace("Lable: green, ", "Name: a, ").replace("!Ref Three", "!Ref Two")
    text = check(sound)
    assert "template.property-value" in text
    assert "template.unknown-type" in text
    assert "<script>alert" not in text
    text = check(f"Resources: {{Shelf: {{Type: '{SHELF}', Properties: {{Label: books}}}}}}")
    assert "With its modules expanded" in text
    assert "ShelfBucket" in text
    assert "module.unknown" in check("Resources: {Shelf: {Type: 'No::Such::Thing::MODULE'}}")


def test_hooks_are_tried_on_a_template(server, browser):
    show(browser, "/templates")
    fields = {"template": f"Resources: {{One: {{Type: '{THING}', Properties: {{Name: a, Label: red}}}}}}"}
    fields |= {"account": "111111111111", "region": "us-east-1", "action": "CREATE"}
    part = {"HX-Request": "true"}
    assert "No hook is enabled" in post(browser, "/templates/hooks", headers=part, **fields)
    settings = {
        "HookInvocationStatus": "ENABLED",
        "TargetOperations": ["RESOURCE"],
        "FailureMode": "FAIL",
        "Properties": {},
    }
    configuration = json.dumps({"CloudFormationConfiguration": {"HookConfiguration": settings}})
    show(browser, f"/registry/HOOK/{GUARD}/configuration")
    post(browser, f"/registry/HOOK/{GUARD}/configuration", configuration=configuration)
    text = post(browser, "/templates/hooks", headers=part, **fields)
    assert "REFUSED" in text
    assert "hook.refused" in text
    assert "&lt;b&gt;red&lt;/b&gt; is not allowed" in text
    fine = {**fields, "template": fields["template"].replace("red", "green")}
    assert "No hook objects" in post(browser, "/templates/hooks", headers=part, **fine)
    assert "cannot be prepared" in post(browser, "/templates/hooks", headers=part, **{**fields, "template": "{"})
    text = post(browser, "/templates/hooks", headers=part, **{**fine, "parameters": "Name=one\nOther"})
    assert "line 2 of the parameters is not NAME=VALUE" in text
    assert server.things() == {}
    calls = show(browser, f"/registry/HOOK/{GUARD}/calls")
    number = re.findall(r"/calls/(\d+)", calls)[-1]
    page = show(browser, f"/registry/HOOK/{GUARD}/calls/{number}")
    request = re.search(r'<textarea id="request"[^>]*>(.*?)</textarea>', page, re.DOTALL)[1].replace("&#34;", '"')
    assert "Answer of the replay" in post(browser, f"/registry/HOOK/{GUARD}/calls/{number}", request=request)
    post(browser, f"/registry/HOOK/{GUARD}/configuration/remove")


def test_contract_tests_run_and_their_report_is_shown_in_place(server, browser):
    show(browser, f"/registry/MODULE/{SHELF}/tests")
    post(browser, f"/registry/MODULE/{SHELF}/tests")
    text = wait_for(lambda: show(browser, f"/registry/MODULE/{SHELF}/tests"), "PASSED")
    assert "The module meets the requirements for publishing" in text
    post(browser, f"/registry/MODULE/{SHELF}/publishing", 400)
    text = post(browser, f"/registry/MODULE/{SHELF}/publishing", terms="1")
    assert "1.0.0" in text
    public = show(browser, "/registry/public", q="Acme")
    address = re.search(r'href="(/registry/public/MODULE/[^"?]+)', public)[1]
    status, other = browser.get(f"{address}?account=222222222222&region=us-east-1")
    assert (status, "Activate" in other) == (200, True)
    _, shown = browser.post(
        f"{address}?account=222222222222&region=us-east-1", alias="Acme::Other::Shelf::MODULE", follow="1"
    )
    assert "activated" in shown
    _, gone = browser.post(
        "/registry/MODULE/Acme::Other::Shelf::MODULE/deactivate?account=222222222222&region=us-east-1"
    )
    assert "No types are registered here" in gone
