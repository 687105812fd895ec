"""The console in a real Chromium: a person's tasks, accessibility, a dozen tabs, markup that must stay text.

With FORMWORK_PICTURES set the pictures of docs/how-to/use-the-console.md are written anew.
"""

import json
import os
from pathlib import Path

import pytest

from support.browser_pages import BrowserPage
from support.chromium import browser_of_tests
from support.console import make_link
from support.registry import THING, resource_package, resource_schema
from support.serving import register
from support.things import HANDLERS, serving_things

pytestmark = pytest.mark.acceptance

PICTURES = Path(__file__).parents[2] / "docs" / "how-to" / "pictures"
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


def take(page, name):
    if os.environ.get("FORMWORK_PICTURES"):
        page.picture(PICTURES / f"{name}.png")


def deploy(page, name, template):
    page.open(address(page, "/deploy"))
    page.fill("input[name=name]", name)
    page.fill("input[name=account]", "111111111111")
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
    page.wait_for("document.querySelectorAll('.line a.name').length === 4")
    assert page.value("window.same") is True  # by the stream, not by another page
    assert page.value("document.querySelectorAll('.line.critical').length") >= 2
    take(page, "timeline")

    page.click("Graph")
    assert page.value("document.querySelectorAll('svg.graph .node.good').length") == 4
    before = page.value("document.querySelector('svg.graph').clientWidth")
    page.value("document.querySelector('[data-zoom=in]').click()")
    assert page.value("document.querySelector('svg.graph').clientWidth") > before
    page.value("document.querySelector('[data-zoom=fit]').click()")
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
    page.value("document.querySelector('details[id^=exchange]').open = true")
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
    take(page, "failure")

    page.click("Delete")
    page.fill("input[name=confirmation]", "orders")
    page.click("Delete")
    page.wait_for("document.querySelector('#head .status').innerText.includes('DELETE_COMPLETE')")
    assert not page.problems


def test_a_person_upgrades_a_type(browser, server):
    page = enter(browser, server)
    schema = resource_schema(properties={"Name": {"type": "string"}, "Label": {"type": "string"}})
    del schema["writeOnlyProperties"]
    handlers = HANDLERS % str(server.folder / "things.json")
    register(server, key="two.zip", content=resource_package(schema=schema, handlers=handlers))
    page.open(address(page, f"/registry/RESOURCE/{THING}?account=111111111111&region=us-east-1&version=00000002"))
    page.click("Versions")
    page.click("Compare")
    page.wait_for_text("breaking")
    page.click("Make it the default")
    page.wait_for("[...document.querySelectorAll('tr')].some((each) => /00000002 *default/.test(each.innerText))")
    take(page, "type")
    page.click("Make it the default")  # the first one again
    page.wait_for("[...document.querySelectorAll('tr')].some((each) => /00000001 *default/.test(each.innerText))")
    assert not page.problems


def pages_of(console, stack):
    parts = ("", "/events", "/resources", "/resources/Store", "/graph", "/values", "/template", "/change-sets",
             "/change-sets/next", "/do/delete", "/do/detect-drift", "/do/set-policy", "/events?failed=1",
             "/template?stage=processed")  # fmt: skip
    type_page = f"/registry/RESOURCE/{THING}?account=111111111111&region=us-east-1"
    return ["/stacks", "/stack-sets", "/deploy", f"/deploy?stack={stack}", "/registry", type_page, "/nothing",
            *(f"/stacks/{stack}{each}" for each in parts)]  # fmt: skip


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
    return made["StackId"].rpartition("/")[2]


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (360, False)])
def test_axe_core_finds_no_violation(browser, server, stack, width, dark):
    page = enter(browser, server, width=width, dark=dark)
    found = {}
    for path in pages_of(page, stack):
        page.open(address(page, path))
        if violations := page.violations():
            found[path] = violations
        wide = page.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            found[f"{path} scrolls sideways"] = wide
    assert not found, json.dumps(found, indent=1)


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
    handle = {"Resources": {"Wait": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}
    client.create_stack(StackName="seen-by-all", TemplateBody=json.dumps(handle))
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
