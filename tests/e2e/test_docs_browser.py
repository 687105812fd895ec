"""The site of `cfn docs` in a real Chromium, from its folder: it loads nothing, is accessible, and fits its window."""

import os
from pathlib import Path

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.extensions import ExtensionKind
from formwork.generate.write import write_plan
from formwork.type_pages import describe_type, plan_pages
from support.browser_pages import BrowserPage
from support.browsers import running_browser
from support.cdk_cases import SHELF, shelf_schema
from support.chromium import find_chromium

pytestmark = pytest.mark.acceptance


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    try:
        chromium = find_chromium()
    except EnvironmentProblemError as error:
        if os.environ.get("FORMWORK_ALL_TOOLCHAINS") == "1":
            raise
        pytest.skip(str(error))
    with running_browser(chromium, tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("site")
    older = {**SHELF, "properties": {name: each for name, each in SHELF["properties"].items() if name != "Labels"}}
    schema = shelf_schema()
    page = describe_type(schema, [("00000001", shelf_schema(older)), ("00000002", schema)])
    assert page.kind is ExtensionKind.RESOURCE
    write_plan(plan_pages([page], title="Types of Acme", as_html=True), folder)
    return folder


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (360, False)])
def test_the_site_opens_from_its_folder(browser, site, width, dark):
    window = BrowserPage(browser, width=width, dark=dark)
    for name in ("index.html", "acme-store-shelf.html"):
        window.open((site / name).as_uri())
        style = window.value("getComputedStyle(document.body).display")
        assert style == ("grid" if width > 800 else "block"), "the style sheet is not applied"
        window.value("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert window.problems == []
        assert window.value("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert window.value("document.querySelectorAll('.tree li').length") > 10
    window.open((site / "index.html").as_uri())
    window.value("document.querySelector('main a').click()")
    window.wait_for("document.querySelector('h1')?.textContent === 'Acme::Store::Shelf'")


@pytest.mark.parametrize("dark", [False, True])
def test_axe_core_finds_no_violation(browser, site, dark):
    window = BrowserPage(browser, dark=dark)
    for name in ("index.html", "acme-store-shelf.html"):
        # axe-core itself is evaluated through the protocol, so that the policy of the page stays as it is.
        window.open((site / name).as_uri())
        window.value("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert window.violations() == []
