"""The registry and the template editor of the console in a real Chromium, as a person uses them."""

import json
import os
from pathlib import Path

import pytest

from formwork.diagnostics import EnvironmentProblemError
from support.browser_pages import BrowserPage
from support.browsers import running_browser
from support.chromium import find_chromium
from support.console import make_link
from support.registry import GUARD, SHELF, THING
from support.registry_samples import serving_registry
from support.toolchains import must_be_complete

pytestmark = pytest.mark.acceptance

PICTURES = Path(__file__).parents[2] / "docs" / "how-to" / "pictures"
HERE = "?account=111111111111&region=us-east-1"
TYPE = f"/registry/RESOURCE/{THING}"
TEMPLATE = f"""Resources:
  Shelf:
    Type: {SHELF}
    Properties:
      Label: books
  One:
    Type: {THING}
    Properties:
      Name: one
      Label: LABEL
      Size: SIZE
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving_registry(tmp_path_factory.mktemp("registry")) as running:
        settings = {"HookInvocationStatus": "ENABLED", "TargetOperations": ["RESOURCE"], "FailureMode": "FAIL"}
        configuration = {"CloudFormationConfiguration": {"HookConfiguration": {**settings, "Properties": {}}}}
        client = running.client("cloudformation")
        client.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=json.dumps(configuration))
        yield running


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    try:
        chromium = find_chromium()
    except EnvironmentProblemError as error:
        (diagnostic,) = error.diagnostics
        missing = pytest.fail if must_be_complete() else pytest.skip
        missing(f"{diagnostic.message}: {diagnostic.hint}")
    with running_browser(chromium, tmp_path_factory.mktemp("profile")) as running:
        yield running


def enter(browser, server, **options):
    page = BrowserPage(browser, **options)
    page.open(make_link(server))
    page.wait_for("location.pathname === '/stacks' && document.readyState === 'complete'")
    return page


def visit(page, path):
    page.open(page.value("location.origin") + path)


def take(page, name):
    if os.environ.get("FORMWORK_PICTURES"):
        page.picture(PICTURES / f"{name}.png")


def test_a_form_from_the_schema_makes_a_resource_and_its_call_is_replayed(browser, server):
    page = enter(browser, server)
    visit(page, f"{TYPE}/resources/new{HERE}")
    page.fill("[name='f:/Secret']", "typed-once")
    page.fill("[name='f:/Size']", "0")
    page.wait_for_text("0 is not greater or equal to 1")
    page.wait_for("document.querySelector('[name=\"f:/Name\"]').getAttribute('aria-invalid') === 'true'")
    assert page.value("document.querySelector('[name=\"f:/Secret\"]').value") == "typed-once"  # the form is as it was
    assert page.violations() == []
    take(page, "resource-form")
    page.value("[...document.querySelectorAll('#faults a')].find((each) => each.innerText === 'Size').click()")
    assert page.value("document.activeElement.name") == "f:/Size"
    page.fill("[name='f:/Size']", "5")
    page.fill("[name='f:/Name']", "first")
    page.wait_for_text("Nothing is wrong with it.")
    page.value("document.querySelector('details.commands').open = true")
    assert "create-resource" in page.text
    assert "typed-once" not in page.text
    page.click("Create")
    page.wait_for_text("SUCCESS")
    assert server.things()["first"]["Size"] in {5, "5"}
    visit(page, f"{TYPE}/calls{HERE}")
    page.value("window.left = true; document.querySelector('#call-rows a').click()")
    page.wait_for("document.getElementById('request')")
    request = json.loads(page.value("document.getElementById('request').value"))
    request["requestData"]["resourceProperties"] = {"Name": "first"}
    request |= {"action": "READ", "callbackContext": None}
    page.fill("#request", json.dumps(request))
    page.click("Send it to the handler")
    page.wait_for_text("Answer of the replay")
    assert page.violations() == []
    assert page.problems == []


def test_the_editor_marks_what_is_wrong_while_one_types_and_tries_hooks(browser, server):
    page = enter(browser, server)
    visit(page, f"/templates{HERE}")
    page.fill("#template", TEMPLATE.replace("LABEL", "purple").replace("SIZE", "0"))
    page.wait_for_text("purple is not a valid enum value")
    page.wait_for("document.querySelectorAll('.marks mark.error').length === 2")
    marked = page.value("[...document.querySelectorAll('.marks mark')].map((each) => each.textContent).join()")
    assert marked == "purple,0"
    assert page.value("document.querySelectorAll('.gutter .error')[0].textContent") == "10"
    page.value("document.querySelector('.finding .place').click()")
    start = page.value("document.getElementById('template').selectionStart")
    assert page.value("document.getElementById('template').value").startswith("purple", start)
    assert page.violations() == []
    page.fill("#template", TEMPLATE.replace("LABEL", "red").replace("SIZE", "1"))
    page.wait_for_text("With its modules expanded")
    assert "ShelfBucket" in page.text
    same = "document.querySelector('.colours').textContent === `${document.getElementById('template').value}\n`"
    assert page.value(same)
    assert page.value("document.querySelectorAll('.colours .name').length") > 5
    take(page, "template-editor")
    page.value("document.querySelector('button[formaction=\"/templates/hooks\"]').click()")
    page.wait_for_text("is not allowed")
    assert "<b>red</b> is not allowed" in page.text  # as text
    assert page.violations() == []
    # Without the mouse: Enter keeps the indentation, Tab leaves the text.
    page.value("document.getElementById('template').focus()")
    end = "document.getElementById('template')"
    page.value(f"{end}.setSelectionRange({end}.value.length - 1, {end}.value.length - 1)")
    for kind in ("rawKeyDown", "char", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13)
    assert page.value(f"{end}.value").endswith("Size: 1\n      \n")
    assert page.problems == []


def test_contract_tests_run_live_and_their_report_is_in_the_page(browser, server):
    page = enter(browser, server)
    visit(page, f"/registry/HOOK/{GUARD}/tests{HERE}")
    page.wait_for("document.getElementById('stream').dataset.state === 'live'")
    page.click("Run the contract tests of 00000001")
    page.value("window.same = true")
    page.wait_for("document.querySelector('iframe.report')")
    assert page.value("window.same") is True
    page.wait_for("document.querySelector('svg.proof')")
    assert "clauses:" in page.text  # the summary of the run
    frame = page.value("document.querySelector('iframe.report').src")
    assert page.value("document.querySelector('iframe.report').contentDocument") is None  # an origin of its own
    take(page, "contract-report")
    assert page.violations() == []
    assert page.problems == []
    page.open(frame)
    page.wait_for_text(GUARD)
    assert page.value("window.origin") == "null"
    assert page.problems == []


ADDRESSES = [
    f"/registry{HERE}",
    f"/registry/public{HERE}&q=AWS::",
    f"{TYPE}{HERE}",
    f"{TYPE}/versions{HERE}&old=00000001&new=00000002",
    f"{TYPE}/configuration{HERE}",
    f"{TYPE}/tests{HERE}",
    f"{TYPE}/publishing{HERE}",
    f"{TYPE}/resources{HERE}",
    f"{TYPE}/resources/new{HERE}",
    f"/registry/MODULE/{SHELF}{HERE}",
    f"/templates{HERE}",
]


@pytest.mark.parametrize(("width", "dark"), [(360, True), (3840, False)], ids=["phone-dark", "4k"])
def test_pages_fit_every_width_and_are_accessible(browser, server, width, dark):
    page = enter(browser, server, width=width, dark=dark)
    for address in ADDRESSES:
        visit(page, address)
        assert page.value("document.documentElement.scrollWidth <= window.innerWidth"), (address, width)
        assert page.violations() == [], address
    assert page.problems == []
