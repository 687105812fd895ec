"""The console's pages of stacks, resources and types, as a person goes through them; without a browser."""

import json
import re
import time

import pytest
from botocore.exceptions import WaiterError

from support.console import ConsoleBrowser
from support.registry import THING
from support.things import serving_things

SECRET = "hunter2-of-the-template"
WRITTEN = "s3cret-of-the-property"
TEMPLATE = {
    "Description": "<b>orders</b>",
    "Parameters": {
        "Label": {"Type": "String", "Default": "a"},
        "Password": {"Type": "String", "NoEcho": True, "Default": SECRET},
    },
    "Resources": {
        "One": {"Type": THING, "Properties": {"Name": "one", "Label": {"Ref": "Label"}, "Secret": WRITTEN}},
        "Two": {"Type": THING, "Properties": {"Name": "two", "Label": {"Ref": "Password"}}, "DependsOn": "One"},
    },
    "Outputs": {"Name": {"Value": {"Ref": "One"}, "Export": {"Name": "orders-name"}}},
}
IMPORTER = {
    "Resources": {
        "Three": {"Type": THING, "Properties": {"Name": "three", "Label": {"Fn::ImportValue": "orders-name"}}}
    }
}
BROKEN = {
    "Resources": {
        "Good": {"Type": THING, "Properties": {"Name": "good"}},
        "Bad": {"Type": THING, "Properties": {"Name": "bad-one"}, "DependsOn": "Good"},
    }
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving_things(tmp_path_factory.mktemp("console")) as running:
        yield running


@pytest.fixture(scope="module")
def client(server):
    return server.client("cloudformation")


@pytest.fixture(scope="module")
def orders(client):
    """A stack with two resources, the id of which is in addresses."""
    return create(client, "orders", TEMPLATE)


@pytest.fixture
def browser(server):
    return ConsoleBrowser.entered(server)


def create(client, name, template):
    arn = client.create_stack(StackName=name, TemplateBody=json.dumps(template))["StackId"]
    client.get_waiter("stack_create_complete").wait(StackName=arn)
    return arn.rpartition("/")[2]


def read(browser, path):
    status, text = browser.get(path)
    assert status == 200, text[-2000:]
    return text


def plain(text):
    """The text of a page, without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_no_page_shows_a_secret_or_markup_of_a_template(browser, client, orders):
    base = f"/stacks/{orders}"
    for part in ("", "/events", "/resources", "/resources/One", "/resources/Two", "/graph", "/values", "/template",
                 "/template?stage=processed", "/change-sets", "/do/delete"):  # fmt: skip
        text = read(browser, base + part)
        assert SECRET not in text
        assert WRITTEN not in text
        assert "<b>orders" not in text
        assert " style=" not in text
        assert not re.search(r"<script(?! src=)|\son\w+=", text)
    changed = json.loads(json.dumps(TEMPLATE).replace(WRITTEN, f"{WRITTEN}-2").replace(SECRET, f"{SECRET}-2"))
    made = client.create_change_set(StackName="orders", ChangeSetName="secrets", TemplateBody=json.dumps(changed))
    client.get_waiter("change_set_create_complete").wait(ChangeSetName=made["Id"])
    text = read(browser, f"{base}/change-sets/secrets")
    assert "/Properties/Secret" in text
    assert WRITTEN not in text
    assert SECRET not in text
    read(browser, f"/deploy?stack={orders}")
    status, text = browser.post("/deploy/parameters", stack=orders, source="keep")
    assert status == 200
    assert SECRET not in text


def test_the_overview_shows_bars_and_events(browser, orders):
    text = read(browser, f"/stacks/{orders}")
    assert text.count('class="line critical"') == 2
    assert text.count('class="bar call"') >= 4  # two calls of CREATE, and reads
    assert "CREATE_COMPLETE" in text


def test_the_first_failure_is_named_with_its_reason(browser, client):
    with pytest.raises(WaiterError):  # it is rolled back
        create(client, "broken", BROKEN)
    (described,) = client.describe_stacks(StackName="broken")["Stacks"]
    broken = described["StackId"].rpartition("/")[2]
    text = plain(read(browser, f"/stacks/{broken}"))
    assert "Bad failed first: " in text
    assert "a bad name" in text
    place = re.search(r'href="([^"]+/template\?operation=[^"]+)#in-Bad"', read(browser, f"/stacks/{broken}"))[1]
    text = plain(read(browser, place))
    assert re.search(r"&#34;Bad&#34;.* CREATE_FAILED .*a bad name", text)
    events = plain(read(browser, f"/stacks/{broken}/events?failed=1"))
    assert "a bad name" in events
    assert "CREATE_COMPLETE" not in events
    assert "No event matches" in read(browser, f"/stacks/{broken}/events?q=%25nothing")
    assert "ROLLBACK_COMPLETE" in read(browser, f"/stacks/{broken}/events?q=rollback_complete")
    text = plain(read(browser, f"/stacks/{broken}/resources/Bad"))
    assert "not in the stack any more" in text or "DELETE_COMPLETE" in text
    assert "InvalidRequest" in text  # the handler's answer


def test_a_resource_shows_its_exchanges_and_its_drift(server, browser, client, orders):
    text = read(browser, f"/stacks/{orders}/resources/One")
    assert "&#34;action&#34;: &#34;CREATE&#34;" in text
    assert "********" in text or "****" in text
    server.change("one", Label="changed")
    _, text = browser.post(f"/stacks/{orders}/do/detect-drift")
    for _ in range(100):
        if "DRIFTED" in text:
            break
        text = read(browser, f"/stacks/{orders}")
    assert "MODIFIED" in read(browser, f"/stacks/{orders}/resources")
    text = plain(read(browser, f"/stacks/{orders}/resources/One"))
    assert "/Label a changed NOT_EQUAL" in text
    server.change("one", Label="a")
    _, text = browser.post(f"/stacks/{orders}/resources/One/detect-drift")
    assert "IN_SYNC" in text
    assert "DetectStackResourceDrift" in text or "detect_stack_resource_drift" in text
    assert "asks to be called again with" in text


def test_exports_name_the_stacks_that_import_them(browser, client, orders):
    create(client, "importer", IMPORTER)
    text = read(browser, f"/stacks/{orders}/values")
    assert "orders-name" in text
    imported = re.search(r'href="(/stacks/[^"]+)">importer</a>', text)[1]
    assert f'href="/stacks/{orders}">orders</a>' in read(browser, f"{imported}/values")
    assert "****" in text


def test_the_graph_has_a_box_for_each_resource(browser, orders):
    text = read(browser, f"/stacks/{orders}/graph")
    assert text.count("<rect") == 2
    assert "Two depends on One" in text


def test_a_template_is_deployed_reviewed_updated_and_deleted(browser, client):
    template = json.dumps({"Parameters": {"Label": {"Type": "String", "Default": "x"}}, "Resources": {
        "Made": {"Type": THING, "Properties": {"Name": "made", "Label": {"Ref": "Label"}}}}})  # fmt: skip
    where = {"name": "made-here", "region": "us-east-1", "account": "111111111111", "template": template}
    status, text = browser.post("/deploy/parameters", **where)
    assert (status, 'name="parameter.Label" value="x"' in text) == (200, True)
    assert "cfn stack deploy made-here template.yaml --no-execute --parameter Label=x" in text
    status, text = browser.post("/deploy/change-set", **where, **{"parameter.Label": "y"})
    assert status == 200, text[-2000:]
    identifier, change_set = re.search(r"/stacks/([^/]+)/change-sets/(console-[0-9-]+)/", text).groups()
    client.get_waiter("change_set_create_complete").wait(ChangeSetName=change_set, StackName="made-here")
    text = read(browser, f"/stacks/{identifier}/change-sets/{change_set}")
    assert "Add" in text
    assert f"cfn stack execute made-here {change_set}" in text
    status, text = browser.post(f"/stacks/{identifier}/change-sets/{change_set}/execute")
    assert status == 200
    client.get_waiter("stack_create_complete").wait(StackName="made-here")
    update = {"stack": identifier, "source": "keep", "parameter.Label": "z"}
    status, text = browser.post("/deploy/change-set", **update)
    assert status == 200, text[-2000:]
    (second,) = set(re.findall(r"change-sets/(console-[0-9-]+)/", text))
    client.get_waiter("change_set_create_complete").wait(ChangeSetName=second, StackName="made-here")
    text = plain(read(browser, f"/stacks/{identifier}/change-sets/{second}"))
    assert "/Properties/Label y z Never the parameter Label" in text
    browser.post(f"/stacks/{identifier}/change-sets/{second}/delete")
    assert second not in read(browser, f"/stacks/{identifier}/change-sets")
    status, text = browser.post(f"/stacks/{identifier}/do/delete", confirmation="made")
    assert (status, "to confirm" in text) == (400, True)
    status, text = browser.post(f"/stacks/{identifier}/do/delete", confirmation="made-here")
    assert status == 200
    client.get_waiter("stack_delete_complete").wait(StackName="made-here")
    assert "DELETE_COMPLETE" in read(browser, f"/stacks/{identifier}")


@pytest.mark.parametrize("template", ["", "{", "Resources: [", '{"Resources": {"A": {"Type": "No::Such::Type"}}}'])
def test_a_template_that_is_refused_stays_in_the_form(browser, template):
    status, text = browser.post("/deploy/parameters", name="refused", template=template, account="111111111111")
    assert status == 400
    assert 'role="alert"' in text
    assert 'name="template"' in text


def test_settings_of_a_stack_are_changed(browser, client, orders):
    values = f"/stacks/{orders}/values"
    assert "Set the stack policy" in read(browser, values)
    assert "set_stack_policy" in read(browser, f"/stacks/{orders}/do/set-policy")
    status, text = browser.post(f"/stacks/{orders}/do/set-policy", policy="{")
    assert (status, 'role="alert"' in text) == (400, True)
    policy = '{"Statement": [{"Effect": "Allow", "Action": "Update:Modify", "Principal": "*", "Resource": "*"}]}'
    _, text = browser.post(f"/stacks/{orders}/do/set-policy", policy=policy)
    assert "Update:Modify" in text
    browser.post(f"/stacks/{orders}/do/protect")
    assert client.describe_stacks(StackName="orders")["Stacks"][0]["EnableTerminationProtection"] is True
    status, text = browser.post(f"/stacks/{orders}/do/delete", confirmation="orders")
    assert (status, "TerminationProtection is enabled" in text) == (400, True)
    browser.post(f"/stacks/{orders}/do/unprotect")
    assert client.describe_stacks(StackName="orders")["Stacks"][0]["EnableTerminationProtection"] is False


def test_a_stack_set_shows_its_instances_over_accounts_and_regions(browser, client):
    template = json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
    client.create_stack_set(StackSetName="everywhere", TemplateBody=template, Description="<i>topics</i>")
    accounts, regions = ["111111111111", "222222222222"], ["us-east-1", "eu-west-1"]
    made = client.create_stack_instances(StackSetName="everywhere", Accounts=accounts, Regions=regions)["OperationId"]
    listed = read(browser, "/stack-sets")
    assert "<i>topics" not in listed
    page = re.search(r'href="(/stack-sets/[^"]+)">everywhere</a>', listed)[1]
    for _ in range(600):
        text = read(browser, page)
        if client.describe_stack_set_operation(StackSetName="everywhere", OperationId=made)["StackSetOperation"][
            "Status"
        ] == "SUCCEEDED":  # fmt: skip
            break
    text = plain(read(browser, page))
    assert text.count("CURRENT") == 4
    assert all(each in text for each in (*accounts, *regions, made))
    assert "detect-stack-set-drift" in read(browser, f"{page}/do/detect-drift")
    status, text = browser.post(f"{page}/do/detect-drift")
    assert (status, "DETECT_DRIFT" in text) == (200, True)
    assert browser.post(f"{page}/do/stop", operation=made)[0] == 400
    assert browser.get(f"{page}/do/nothing")[0] == 404
    assert browser.get("/stack-sets/nothing")[0] == 404


def test_a_stack_set_is_made_changed_and_deleted(browser, client):
    parameters = {"Name": {"Type": "String", "Default": "a"}, "Key": {"Type": "String", "NoEcho": True}}
    topic = {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Name"}}}
    fields = {"name": "of-the-console", "template": json.dumps({"Parameters": parameters, "Resources": {"T": topic}})}
    assert browser.post("/stack-sets/parameters", name="x", template="{")[0] == 400
    here = {"account": "111111111111", "region": "us-east-1"}
    status, text = browser.post("/stack-sets/parameters", **fields, **here)
    assert (status, 'name="parameter.Name" value="a"' in text, 'type="password"' in text) == (200, True, True)
    status, text = browser.post("/stack-sets/save", **fields, **here, **{"parameter.Key": SECRET}, description="few")
    assert (status, SECRET in text, "few" in text) == (200, False, True)
    page = re.search(r'hx-get="(/stack-sets/[^"?]+)', text)[1]
    assert "create-stack-instances" in read(browser, f"{page}/instances/add")
    assert browser.post(f"{page}/instances/add", accounts="1", regions="us-east-1")[0] == 400
    assert browser.post(f"{page}/instances/add", accounts="111111111111", regions="us-east-1, eu-west-1")[0] == 200
    wait_for_set(browser, page, "CURRENT", 2)
    identifier = page.rpartition("/")[2]
    kept = {"stack_set": identifier, "source": "keep"}
    assert 'placeholder="few"' in read(browser, f"/stack-sets/{identifier}/update")
    assert "update-stack-set" in browser.post("/stack-sets/parameters", **kept)[1]
    assert browser.post("/stack-sets/save", **kept, **{"parameter.Name": "b"})[0] == 200
    wait_for_set(browser, page, "CURRENT", 2)
    found = client.describe_stack_set(StackSetName="of-the-console")["StackSet"]
    assert {each["ParameterKey"]: each["ParameterValue"] for each in found["Parameters"]}["Name"] == "b"
    assert found["Description"] == "few"  # its field was left empty
    assert browser.post(f"{page}/do/delete", confirmation="of-the-console")[0] == 400  # it has instances
    assert browser.post(f"{page}/instances/remove", accounts="111111111111", regions="us-east-1 eu-west-1")[0] == 200
    wait_for_set(browser, page, "It has no instances", 1)
    assert browser.post(f"{page}/do/delete", confirmation="x")[0] == 400
    assert browser.post(f"{page}/do/delete", confirmation="of-the-console")[0] == 200
    assert "of-the-console" not in read(browser, "/stack-sets")
    assert browser.get(f"{page}/instances/nothing")[0] == 404


def wait_for_set(browser, page, text, count):
    for _ in range(600):
        shown = plain(read(browser, page))
        if shown.count(text) == count and not re.search("RUNNING|QUEUED", shown):
            return
        time.sleep(0.05)
    raise AssertionError(shown)


def test_the_apis_refusals_are_shown(browser, orders):
    status, text = browser.post(f"/stacks/{orders}/do/cancel-update")
    assert (status, "CancelUpdateStack" in text) == (400, True)


@pytest.mark.parametrize(
    "path",
    [
        "/stacks/x",
        "/stacks/x/graph",
        "/registry/THING/x",
        "/registry?account=1",
        "/registry?region=%3Cscript%3E",
        "/deploy?stack=x",
        "/x",
    ],
)
def test_what_does_not_exist_is_not_found(browser, path):
    status, text = browser.get(path)
    assert status == 404
    assert "<script>" not in text


def test_a_type_shows_its_schema_and_what_a_version_changed(server, browser, client):
    listed = read(browser, "/registry?account=111111111111&region=us-east-1")
    assert f">{THING}</a>" in listed
    page, here = f"/registry/RESOURCE/{THING}", "?account=111111111111&region=us-east-1"
    text = read(browser, f"{page}{here}")
    assert '<strong class="mono">Name</strong>' in text
    assert "write-only" in text
    assert "00000001" in read(browser, f"{page}/versions{here}")
    assert '<strong class="mono">Value</strong>' in read(browser, "/registry/RESOURCE/AWS::SSM::Parameter")


def test_the_log_of_a_running_call_is_shown_masked(server, browser, client):
    properties = {"Name": "watched", "Label": "watched", "Secret": WRITTEN}
    template = {"Resources": {"Watched": {"Type": THING, "Properties": properties}}}
    arn = client.create_stack(StackName="watched", TemplateBody=json.dumps(template))["StackId"]
    path = f"/stacks/{arn.rpartition('/')[2]}/resources/Watched"
    for _ in range(200):
        status, text = browser.get(path)
        if status == 200 and "waiting with" in text:
            break
        time.sleep(0.1)
    assert "CREATE running" in plain(text)
    assert WRITTEN not in text
    server.let_go()
    client.get_waiter("stack_create_complete").wait(StackName=arn)
    text = read(browser, path)
    assert "running" not in plain(text)
    assert "waiting with" in text
