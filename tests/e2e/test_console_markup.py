"""Two hundred hostile texts in each field that the console shows, and in each address and form: none becomes markup."""

import html
import json
import re
from urllib.parse import quote, urlsplit

import pytest

from support.browser_pages import BrowserPage
from support.chromium import browser_of_tests
from support.console import ConsoleBrowser, make_link
from support.console_crawl import STARTS, crawl, shape_of
from support.hostile_console import FULL, make_hostile
from support.hostile_texts import PAYLOADS, WatchedPage, fields_in, hostile
from support.serving import serving

pytestmark = pytest.mark.acceptance

ADDRESS, FORM = 80, 81  # fields of texts that are not stored
_NAMES = ("account", "region", "group", "version", "stack", "old", "new", "operation", "run", "type")
_TEXTS = """
document.documentElement.textContent
+ [...document.querySelectorAll('input, textarea, option')].map((each) => each.value).join(' ')
"""
_ACTION = re.compile(r'<form\b[^>]*\bmethod="post"[^>]*\baction="([^"]+)"')
_FORMS = """
[...document.querySelectorAll('form[method=post]')].map((form, place) => ({
  place, action: form.getAttribute('action') ?? location.pathname,
})).filter((each) => each.action !== '/leave')
"""
_SUBMIT = """
((place, text) => {
  const form = [...document.querySelectorAll('form[method=post]')][place];
  if (form === undefined) return false;  // what it acted on is gone
  for (const each of form.elements) {
    if (each.name !== 'form_token' && /^(text|search|hidden|textarea|url|number)$/.test(each.type)) each.value = text;
  }
  window.left = true;
  HTMLFormElement.prototype.submit.call(form);
  return true;
})
"""


@pytest.fixture(scope="module")
def hostile_server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("hostile"), forked=True) as running:
        yield running, [each.rpartition("/")[2] for each in make_hostile(running)]


@pytest.fixture(scope="module")
def paths(hostile_server):
    server, (whole, failed, *tagged, named) = hostile_server
    starts = (
        f"/stacks/{whole}",
        *STARTS,
        *(f"/stacks/{failed}{each}" for each in ("", "/events", *(f"/resources/Bad{number}" for number in range(10)))),
        *(f"/stacks/{each}/values" for each in tagged),
        f"/stacks/{named}/resources",
    )
    return crawl(ConsoleBrowser.entered(server), starts=starts, each=2)


@pytest.fixture(scope="module")
def watched(hostile_server, tmp_path_factory):
    with browser_of_tests(tmp_path_factory.mktemp("profile")) as browser:
        page = BrowserPage(browser)
        page.open(make_link(hostile_server[0]))
        page.wait_for("location.pathname === '/stacks' && document.readyState === 'complete'")
        yield WatchedPage(page)


@pytest.fixture(scope="module")
def origin(watched):
    return watched.page.value("location.origin")


def test_stored(watched, origin, paths):
    found, seen = {}, {}
    for path in paths:
        watched.page.open(f"{origin}{path}")
        watched.page.value("for (const each of document.querySelectorAll('details')) each.open = true")
        for field, numbers in fields_in(watched.page.value(_TEXTS)).items():
            seen.setdefault(field, set()).update(numbers)
        if attacks := watched.attacks():
            found[path] = attacks[:3]
    assert not found, json.dumps(found, indent=1)
    shown = {field: len(numbers) for field, numbers in sorted(seen.items())}
    assert {field: shown.get(field, 0) for field in FULL} == dict.fromkeys(FULL, len(PAYLOADS)), shown


def test_in_searches(watched, origin, hostile_server):
    """Each text as what is searched for, which the page repeats."""
    _, (whole, *_) = hostile_server
    searches = ("/stacks?q=", f"/stacks/{whole}/events?q=", "/registry?account=111111111111&region=us-east-1&q=")
    found, shown = {}, set()
    for number in range(len(PAYLOADS)):
        path = f"{searches[number % 3]}{quote(hostile(ADDRESS, number), safe='')}"
        watched.page.open(f"{origin}{path}")
        shown |= fields_in(watched.page.value(_TEXTS)).get(ADDRESS, set())
        if attacks := watched.attacks():
            found[path] = attacks[:3]
    assert not found, json.dumps(found, indent=1)
    assert len(shown) == len(PAYLOADS)


def test_in_addresses(watched, origin, paths):
    """Texts as a segment of a path, and as the value and the name of a parameter, of one kind of page after the other."""
    kinds = list({shape_of(path): path for path in paths}.values())
    found = {}
    for number in range(0, len(PAYLOADS), 2):
        text = quote(hostile(ADDRESS, number), safe="")
        split = urlsplit(kinds[number // 2 % len(kinds)])
        segments = split.path.split("/")
        segments[-1 - number // 2 // len(kinds) % (len(segments) - 1)] = text
        given = [each.partition("=")[0] for each in split.query.split("&") if each]
        name = [*given, *_NAMES][number // 2 % (len(given) + len(_NAMES))]
        path = "/".join(segments) if number % 4 else split.path
        watched.page.open(f"{origin}{path}?{name}={text}&{text}={text}")
        if attacks := watched.attacks():
            found[path] = attacks[:3]
    assert not found, json.dumps(found, indent=1)


@pytest.mark.slow  # three minutes: it is part of `make conformance`
def test_in_forms(watched, origin, paths):
    """Each kind of form, all of its fields with some of the texts, and what it answers."""
    forms, found, number, shown = {}, {}, 0, 0
    for path, text in paths.items():
        actions = {shape_of(html.unescape(each)) for each in _ACTION.findall(text)}
        if actions <= {*forms, shape_of("/leave")}:
            continue
        watched.page.open(f"{origin}{path}")
        for form in watched.page.value(_FORMS):
            forms.setdefault(shape_of(form["action"]), (path, form["place"]))
    assert len(forms) >= 8, forms
    for path, place in forms.values():
        for _ in range(2):
            watched.page.open(f"{origin}{path}")
            number += 7
            if not watched.page.value(f"{_SUBMIT}({place}, {json.dumps(hostile(FORM, number))})"):
                continue
            watched.page.arrive()
            shown += FORM in fields_in(watched.page.value(_TEXTS))
            if attacks := watched.attacks():
                found[f"{path}, form {place}"] = attacks[:3]
    assert not found, json.dumps(found, indent=1)
    assert shown > 2


def test_markup_of_a_page_is_not_run_by_htmx(watched, origin, paths):
    """Parts that htmx puts into a page are without scripts and evaluate nothing, whatever they were to contain."""
    watched.page.open(f"{origin}{next(iter(paths))}")
    part = "<div id=part><script>pwn(1)</script><p hx-on:click='pwn(2)' hx-vals='js:{a: pwn(3)}' hx-get=/stacks>x</p></div>"
    watched.page.value(
        f"(() => {{ const part = document.createElement('div'); part.id = 'part'; document.body.append(part);"
        f"htmx.swap(part, {json.dumps(part)}, {{ swapStyle: 'outerHTML' }}); document.querySelector('#part p').click() }})()"
    )
    watched.page.value("new Promise((done) => setTimeout(done, 300))")
    assert [each for each in watched.page.value("window.pwned") if isinstance(each, int)] == []
