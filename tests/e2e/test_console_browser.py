"""The console in a real Chromium: a person's tasks, accessibility, a dozen tabs, markup that must stay text.

With FORMWORK_PICTURES set the pictures of docs/how-to/use-the-console.md are written anew.
"""

import json

import pytest

from support.browser_pages import BrowserPage, take
from support.chromium import browser_of_tests
from support.commands import Desk
from support.console import ConsoleBrowser, make_link
from support.console_crawl import STARTS, crawl, shape_of
from support.registry import GUARD, THING, hook_package, hook_schema, resource_package, resource_schema
from support.serving import register, upload
from support.things import HANDLERS, serving_things

pytestmark = pytest.mark.acceptance

SAMPLE = "Acme::Store::Shop"
LOCAL = "123456789012"  # the account of --local
HERE = "account=111111111111&region=us-east-1"
HANDLE = {"Wait": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}
HOOK = """
def resource(event, context):
    label = event["requestData"]["targetModel"]["resourceProperties"].get("Label")
    answer = {"hookStatus": "SUCCESS", "message": ""}
    if label == "purple":
        message = "purple is not a colour of this shop"
        note = {"annotationName": "colours", "status": "FAILED", "statusMessage": "the label is purple",
                "remediationMessage": "use blue"}
        answer = {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": message, "annotations": [note]}
    return {**answer, "clientRequestToken": event["clientRequestToken"]}
"""
TEMPLATE = {
    "Description": "Orders and what they need",
    "Parameters": {"Label": {"Type": "String", "Default": "blue", "Description": "the colour of the label"}},
    "Resources": {
        "Store": {"Type": THING, "Properties": {"Name": "store", "Label": {"Ref": "Label"}}},
        "Queue": {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": {"Ref": "Label"}}},
        "Orders": {"Type": THING, "Properties": {"Name": "orders", "Label": {"Ref": "Queue"}}, "DependsOn": "Store"},
        "Invoices": {"Type": THING, "Properties": {"Name": "invoices", "Label": "red"}, "DependsOn": "Orders"},
    },
    "Outputs": {"Store": {"Value": {"Ref": "Store"}, "Export": {"Name": "the-store"}}},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving_things(tmp_path_factory.mktemp("console")) as running:
        yield running


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browser_of_tests(tmp_path_factory.mktemp("profile")) as running:
        yield running


def enter(browser, server, **options):
    """A window with a session."""
    page = BrowserPage(browser, **options)
    page.open(make_link(server))
    page.wait_for("location.pathname === '/stacks' && document.readyState === 'complete'")
    return page


def address(page, path):
    return page.value("location.origin") + path


def deploy(page, name, template, account="111111111111"):
    page.open(address(page, "/deploy"))
    page.fill("input[name=name]", name)
    page.fill("input[name=account]", account)
    page.fill("#template", json.dumps(template, indent=2))
    page.click("Continue")


def test_a_person_deploys_watches_compares_updates_and_deletes(browser, server):
    page = enter(browser, server)
    page.wait_for("document.getElementById('stream').dataset.state === 'live'")

    deploy(page, "orders", TEMPLATE)
    page.wait_for_text("the colour of the label")
    page.click("Create the change set")
    page.wait_for_text("AVAILABLE")
    page.wait_for_text("4 resources change.")
    take(page, "change-set")
    page.click("Execute")
    stack = page.path
    page.value("window.same = true")
    page.wait_for("document.querySelector('#head .status').innerText.includes('CREATE_COMPLETE')")
    page.wait_for("document.querySelectorAll('.rows a.name').length === 4")
    assert page.value("window.same") is True  # by the stream, not by another page
    assert page.value("document.querySelectorAll('.line.critical').length") >= 2
    take(page, "timeline")

    page.click("Graph")
    assert page.value("document.querySelectorAll('svg.graph .node.good').length") == 4
    width = "document.querySelector('svg.graph .node').getBoundingClientRect().width"
    before = page.value(width)
    page.press_button("Zoom in")
    page.wait_for(f"{width} > {before}")
    page.press_button("Fit")
    take(page, "graph")

    server.change("orders", Label="green")
    page.click("Detect drift")
    page.click("Detect drift")
    page.wait_for_text("DRIFTED")
    page.click("Resources")
    page.wait_for_text("MODIFIED")
    page.click("Orders")
    page.wait_for_text("NOT_EQUAL")
    assert "green" in page.text
    take(page, "resource")
    page.value("document.querySelector('details[id^=exchange] summary').click()")
    assert "resourceModel" in page.text

    page.open(address(page, stack))
    page.click("Update")
    page.click("Continue")
    page.fill("input[name='parameter.Label']", "stuck")  # which the handlers refuse
    page.click("Create the change set")
    page.wait_for_text("AVAILABLE")
    page.click("Execute")
    page.wait_for_text("UPDATE_ROLLBACK_COMPLETE")
    assert "failed first" in page.text
    assert "it is stuck" in page.text
    page.click("Delete")
    page.fill("input[name=confirmation]", "orders")
    page.click("Delete")
    page.wait_for("document.querySelector('#head .status').innerText.includes('DELETE_COMPLETE')")
    assert not page.problems


def test_a_person_keeps_a_failed_update_and_rolls_it_back(browser, server):
    page = enter(browser, server)
    template = {**TEMPLATE, "Resources": {"Kept": {**TEMPLATE["Resources"]["Store"]}}, "Outputs": {}}
    template["Resources"]["Kept"]["Properties"] = {"Name": "kept", "Label": {"Ref": "Label"}}
    deploy(page, "kept", template)
    page.click("Create the change set")
    page.wait_for_text("1 resource changes.")
    page.click("Execute")
    page.wait_for("document.querySelector('#head .status').innerText.includes('CREATE_COMPLETE')")
    page.click("Update")
    page.click("Continue")
    page.fill("input[name='parameter.Label']", "stuck")  # which the handlers refuse
    page.click("Create the change set")
    page.wait_for_text("AVAILABLE")
    page.value("document.querySelector('input[name=keep]').click()")
    page.click("Execute")
    page.wait_for("document.querySelector('#head .status').innerText.includes('UPDATE_FAILED')")
    assert "it is stuck" in page.text
    page.click("Roll back")
    page.wait_for_text("The stack returns to the last state that was complete.")
    assert "aws cloudformation rollback-stack" in page.value("document.querySelector('.commands').textContent")
    page.click("Roll back")
    page.wait_for("document.querySelector('#head .status').innerText.includes('UPDATE_ROLLBACK_COMPLETE')")
    assert server.things()["kept"]["Label"] == "blue"
    assert not page.problems


def test_a_person_registers_the_sample(browser, server, tmp_path):
    desk = Desk(server.folder)
    done = desk.cfn("init", "-a", "RESOURCE", "-t", SAMPLE, "--sample", "python311", "--no-docker", cwd=tmp_path)
    assert done.code == 0, str(done)
    page = enter(browser, server)
    done = desk.cfn("submit", "--local", cwd=tmp_path, env={"FORMWORK_STATE": str(server.folder / "state")})
    assert done.code == 0, str(done)
    page.open(address(page, f"/registry?account={LOCAL}&region=us-east-1"))
    page.click(SAMPLE)
    page.wait_for_text("AccessKey")
    deploy(page, "shop", {"Resources": {"Ledger": {"Type": SAMPLE, "Properties": {"Name": "ledger"}}}}, LOCAL)
    page.click("Create the change set")
    page.wait_for_text("1 resource changes.")
    page.click("Execute")
    page.wait_for("document.querySelector('#head .status').innerText.includes('CREATE_COMPLETE')")
    page.click("Ledger", within="#lines")
    page.wait_for_text("waiting_for")  # the context of its callback
    assert not page.problems


def test_a_person_finds_why_a_hook_refused(browser, server):
    client = server.client("cloudformation")
    schema = hook_schema()
    schema["handlers"]["preCreate"]["targetNames"] = [THING]
    url = upload(server, hook_package(schema=schema, handlers=HOOK), key="hook.zip")
    token = client.register_type(Type="HOOK", TypeName=GUARD, SchemaHandlerPackage=url)["RegistrationToken"]
    client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    asked = {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}}
    configuration = {"CloudFormationConfiguration": {"HookConfiguration": asked}}
    client.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=json.dumps(configuration))

    page = enter(browser, server)
    resources = {"Refused": {"Type": THING, "Properties": {"Name": "refused", "Label": "purple"}}}
    deploy(page, "guarded", {"Resources": resources})
    page.click("Create the change set")
    page.wait_for_text("Hooks that are asked")
    page.click("Execute")
    page.wait_for("document.querySelector('#head .status').innerText.includes('ROLLBACK_COMPLETE')")
    page.wait_for_text("Refused failed first")
    assert "purple is not a colour of this shop" in page.text
    take(page, "refused")
    page.click("Show its place in the template")
    said = page.value("document.querySelector('.said.bad').innerText")
    assert "purple is not a colour of this shop" in said
    assert "colours: the label is purple (fix: use blue)" in said
    take(page, "refused-template")
    page.open(address(page, f"{page.path.rpartition('/')[0]}/resources/Refused"))
    assert "the label is purple (fix: use blue)" in " ".join(page.text.split())
    asked["TargetStacks"] = "NONE"
    client.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=json.dumps(configuration))
    assert not page.problems


def test_a_person_upgrades_a_type(browser, server):
    page = enter(browser, server)
    schema = resource_schema(properties={"Name": {"type": "string"}, "Label": {"type": "string"}})
    del schema["writeOnlyProperties"]
    handlers = HANDLERS % str(server.folder / "things.json")
    register(server, key="two.zip", content=resource_package(schema=schema, handlers=handlers))
    page.open(address(page, f"/registry/RESOURCE/{THING}?{HERE}"))
    page.click("Versions")
    page.fill("select[name=old]", "00000001")
    page.fill("select[name=new]", "00000002")
    page.click("Compare")
    page.wait_for_text("breaking")
    take(page, "versions")
    page.click("Make it the default: 00000002")
    page.wait_for("[...document.querySelectorAll('tr')].some((each) => /00000002 *default/.test(each.innerText))")
    deploy(page, "upgraded", {"Resources": {"New": {"Type": THING, "Properties": {"Name": "new", "Label": "a"}}}})
    page.click("Create the change set")
    page.wait_for_text("1 resource changes.")
    page.click("Execute")
    page.wait_for("document.querySelector('#head .status').innerText.includes('CREATE_COMPLETE')")
    page.click("New", within="#lines")
    page.wait_for_text("version 00000002")
    page.open(address(page, f"/registry/RESOURCE/{THING}/versions?{HERE}&old=00000001&new=00000001"))
    page.click("Make it the default: 00000001")
    assert not page.problems


@pytest.fixture(scope="module")
def stack(server):
    """A stack with a change set, for pages that are looked at."""
    client = server.client("cloudformation")
    template = json.loads(json.dumps(TEMPLATE).replace('"Name": "', '"Name": "seen-'))
    client.create_stack(StackName="seen", TemplateBody=json.dumps(template), Tags=[{"Key": "team", "Value": "a"}])
    client.get_waiter("stack_create_complete").wait(StackName="seen")
    parameters = [{"ParameterKey": "Label", "ParameterValue": "green"}]
    made = client.create_change_set(
        StackName="seen", ChangeSetName="next", UsePreviousTemplate=True, Parameters=parameters
    )
    client.get_waiter("change_set_create_complete").wait(ChangeSetName=made["Id"])
    client.create_stack_set(StackSetName="everywhere", TemplateBody=json.dumps({"Resources": HANDLE}))
    places = {"Accounts": ["111111111111"], "Regions": ["us-east-1", "eu-west-1"]}
    client.create_stack_instances(StackSetName="everywhere", **places)
    return made["StackId"].rpartition("/")[2]


@pytest.fixture(scope="module")
def pages(server, stack):
    """A page of each kind, as links lead to them."""
    starts = (f"/stacks/{stack}", *STARTS, f"/stacks/{stack}/resources/Store")
    found = crawl(ConsoleBrowser.entered(server), starts=starts, each=1)
    return list({shape_of(path)[0]: path for path in reversed(found)}.values())


def test_axe_core_finds_no_violation_on_any_page(browser, server, pages):
    """All rules in a wide, light window; contrast in a dark one too; and no page is wider than 360 px."""
    page = enter(browser, server)
    found = {}
    for path in pages:
        page.resize(1280)
        page.open(address(page, path))
        if violations := page.violations():
            found[path] = violations
        page.prefer("dark")
        if violations := page.violations("color-contrast"):
            found[f"{path} in the dark"] = violations
        page.prefer("light")
        page.resize(360)
        wide = page.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            found[f"{path} scrolls sideways"] = wide
    assert not found, json.dumps(found, indent=1)
    assert len(pages) > 30


def test_the_sign_in_page_has_no_violation(browser, server):
    page = BrowserPage(browser)
    page.open(make_link(server).partition("/enter")[0] + "/stacks")
    assert "cfn console" in page.text
    assert page.violations() == []


def test_twelve_tabs_share_one_stream(browser, server):
    first = enter(browser, server)
    tabs = [first, *(BrowserPage(browser, beside=first) for _ in range(11))]
    for each in tabs[1:]:
        each.open(address_of(first))
    for each in tabs:  # a stream each would leave all but six without a connection
        each.wait_for("document.getElementById('stream').dataset.state === 'live'")
    client = server.client("cloudformation")
    client.create_stack(StackName="seen-by-all", TemplateBody=json.dumps({"Resources": HANDLE}))
    for each in tabs:
        each.call("Page.bringToFront")  # what is not looked at is refreshed when it is
        each.wait_for_text("seen-by-all")


def address_of(page):
    return page.value("location.href")


def test_pages_work_with_the_keyboard(browser, server, stack):
    page = enter(browser, server)
    page.open(address(page, f"/stacks/{stack}"))
    for _ in range(2):
        key = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
        page.call("Input.dispatchKeyEvent", type="keyDown", **key)
        page.call("Input.dispatchKeyEvent", type="keyUp", **key)
        if page.value("document.activeElement.className") == "skip":
            break
    assert page.value("document.activeElement.className") == "skip"
    assert page.value("document.activeElement.getBoundingClientRect().left >= 0")


def test_an_events_way_to_the_screen_needs_no_reload(browser, server, stack):
    page = enter(browser, server)
    page.open(address(page, f"/stacks/{stack}/events"))
    page.wait_for("document.getElementById('stream').dataset.state === 'live'")
    rows = page.value("document.querySelectorAll('tbody tr').length")
    parameters = [{"ParameterKey": "Label", "ParameterValue": "yellow"}]
    client = server.client("cloudformation")
    client.update_stack(StackName="seen", UsePreviousTemplate=True, Parameters=parameters)
    page.wait_for(f"document.querySelectorAll('tbody tr').length > {rows}")
    client.get_waiter("stack_update_complete").wait(StackName="seen")
