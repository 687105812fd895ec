"""The documentation site is built without dead links, loads nothing from other hosts, and works in a real browser."""

import contextlib
import functools
import http.server
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from support.browser_pages import BrowserPage
from support.built_site import read_site, target
from support.chromium import browser_of_tests
from support.corpus import REPOSITORY
from support.toolchains import must_be_complete

sys.path.insert(0, str(REPOSITORY / "docs"))

from site_pages.sources import README, page_names

# One worker builds the site, once.
pytestmark = [pytest.mark.acceptance, pytest.mark.xdist_group("documentation-site")]

BIN = Path(sys.executable).parent
SPELLED = ("docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md")
# What shows whether a page has the form that GitHub gives it.
ELEMENTS = ("li", "ol", "ul", "pre", "tr", "td", "h2", "h3", "code", "strong", "em", "img")
LOOKED_AT = (
    "index",
    "tutorial/first-resource-type",
    "how-to/use-the-console",
    "reference/cli",
    "reference/rules/unknown-type",
)


def needs(command):
    """The path of what `make acceptance` installs for the site."""
    if not (BIN / command).is_file():
        missing = pytest.fail if must_be_complete() else pytest.skip
        missing(f"{command} is not installed: run `make site`")
    return BIN / command


@pytest.fixture(scope="module")
def version(tmp_path_factory):
    """The folder of the only version in a site that was just built."""
    needs("zensical")
    site = tmp_path_factory.mktemp("documentation") / "site"
    words = [sys.executable, REPOSITORY / "docs" / "build_site.py", "--into", site]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (folder,) = (path for path in site.iterdir() if path.is_dir())
    return folder


@pytest.fixture(scope="module")
def pages(version):
    """{path: page}."""
    return read_site(version)


def built_name(page):
    return page.removesuffix(".md") + ".html"


def test_every_page_is_built(pages):
    assert set(pages) == {built_name(page) for page in [*page_names().values(), "install.md"]}


def test_no_link_or_anchor_is_dead(version, pages):
    dead, followed = [], 0
    for name, page in pages.items():
        for link in [*page.links, *page.loads]:
            there = target(name, link)
            if there is None:
                continue
            followed += 1
            path, fragment = there
            if not (version / path).is_file() or (fragment and fragment not in pages[path].anchors):
                dead.append((name, link))
    assert dead == []
    assert followed > 10_000


def test_pages_and_styles_load_nothing_from_other_hosts(version, pages):
    assert [(name, link) for name, page in pages.items() for link in page.loads if target(name, link) is None] == []
    loading = re.compile(r"url\(\s*[\"']?(?:https?:)?//|@import")
    styles = [*version.rglob("*.css"), *version.rglob("*.html")]
    assert [path.name for path in styles if loading.search(path.read_text(encoding="utf-8"))] == []


def test_every_page_is_reached_by_the_navigation(pages):
    reached, waiting = set(), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        there = (target(name, link) for link in pages[name].navigation)
        waiting += [each[0] for each in there if each and each[0] in pages]
    assert set(pages) - reached == set()


def elements(text):
    return {name: len(re.findall(f"<{name}[ >]", text)) for name in ELEMENTS}


def test_pages_have_the_lists_tables_and_code_that_github_shows(version):
    github = MarkdownIt("commonmark").enable("table")
    different = {}
    for file, page in page_names().items():
        if file == README:  # two pages
            continue
        expected = elements(github.render(file.read_text(encoding="utf-8")))
        text = (version / built_name(page)).read_text(encoding="utf-8")
        shown = elements(text.partition("<article")[2].partition("</article>")[0])
        if shown != expected:
            different[page] = {name: (expected[name], shown[name]) for name in shown if expected[name] != shown[name]}
    assert different == {}


def test_the_words_are_spelled():
    words = [needs("typos"), "--config", "docs/site_pages/typos.toml", "--format", "brief", *SPELLED]
    ended = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_spell_check_finds_a_misspelled_word(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("We recieve it.\n")
    words = [needs("typos"), "--config", REPOSITORY / "docs" / "site_pages" / "typos.toml", page]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 2


@contextlib.contextmanager
def served(folder):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    server.handle_error = lambda *_about: None  # the browser leaves a page before it has all of it
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def requested(browser):
    """The addresses that pages asked for."""
    asked = (event["params"] for event in browser.events if event.get("method") == "Network.requestWillBeSent")
    return {each["request"]["url"] for each in asked}


def test_pages_work_in_a_browser_without_other_hosts(version, tmp_path):
    with served(version.parent) as address, browser_of_tests(tmp_path / "profile") as browser:
        colours = []
        for dark in (False, True):
            page = BrowserPage(browser, dark=dark)
            page.call("Network.enable")
            for name in LOOKED_AT:
                page.open(f"{address}/{version.name}/{name}.html")
                page.wait_for_text(version.name)
            colours.append(page.value("getComputedStyle(document.body).backgroundColor"))
            assert page.problems == []
        assert colours[0] != colours[1]
        others = {url for url in requested(browser) if not url.startswith((f"{address}/", "data:", "blob:"))}
        assert others == set()
        assert f"{address}/versions.json" in requested(browser)


def test_the_search_finds_a_rule_and_the_first_page_leads_to_the_version(version, tmp_path):
    with served(version.parent) as address, browser_of_tests(tmp_path / "profile") as browser:
        page = BrowserPage(browser)
        page.open(f"{address}/")
        page.wait_for(f"location.pathname === '/{version.name}/index.html' && document.readyState === 'complete'")
        page.wait_for("document.querySelector('.md-search__button')")
        page.value("document.querySelector('.md-search__button').click()")
        # The search is in a shadow root at the end of the page.
        shown = "document.body.lastElementChild.shadowRoot"
        page.wait_for(f"{shown} && {shown}.activeElement && {shown}.activeElement.tagName === 'INPUT'")
        page.call("Input.insertText", text="schema.unknown-type")
        page.wait_for(f"{shown}.textContent.includes('A type is none of JSON Schema')")
        first = page.value(f"{shown}.querySelector('ol a, li a, a').href")
        assert first.startswith(f"{address}/{version.name}/reference/rules/unknown-type.html")
