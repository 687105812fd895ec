"""The page around a report: its style and script, and a policy that lets the browser run no other.

A report repeats what handlers, schemas and templates say. Whatever that is, the Content-Security-Policy in the page
allows the one script and the one style below, by their hashes, and no request. A server that shows reports in a frame
sends `frame_policy()`, by which they have no origin either (docs/decisions/1341).
"""

import base64
import functools
import hashlib
from collections.abc import Iterable
from pathlib import Path

from formwork.report_pages.markup import Child, Markup, element, joined

_FOLDER = Path(__file__).parent
_SYMBOLS = {"good": "✓", "bad": "✕", "open": "!"}


@functools.cache
def _asset(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").strip()


def _source(name: str) -> str:
    digest = hashlib.sha256(_asset(name).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@functools.cache
def page_policy() -> str:
    """Return the Content-Security-Policy of every report: it is in the page, and holds for a file as well."""
    return (
        f"default-src 'none'; script-src {_source('report.js')}; style-src {_source('report.css')}; "
        "base-uri 'none'; form-action 'none'"
    )


def frame_policy() -> str:
    """Return the policy that a server sends with a report that only its own pages may show in a frame.

    The frame needs `sandbox="allow-scripts"`; the report then has no origin, storage or cookies. The fragment
    `#theme=dark` or `#theme=light` in its address makes it look like the page around it.
    """
    return f"{page_policy()}; frame-ancestors 'self'; sandbox allow-scripts"


def render_page(title: str, *content: Child, sections: Iterable[tuple[str, str, Child]] = ()) -> Markup:
    """Return the whole document; `sections` are those that the bar at its top leads to: id, name and what is beside."""
    head = joined(
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=page_policy()),
        element("title", title),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("style", Markup(_asset("report.css"))),
    )
    theme = element(
        "button", "◐", type="button", class_="quiet", id="theme", aria_label="Switch between light and dark"
    )
    body = joined(
        element("a", "Skip to the content", class_="skip", href="#content"),
        element(
            "header", element("span", _BRAND, " Formwork", class_="brand"), _navigation(sections), theme, class_="top"
        ),
        element("main", *content, id="content", tabindex="-1"),
        element("script", Markup(_asset("report.js"))),
    )
    return Markup(f"<!doctype html>\n{element('html', element('head', head), element('body', body), lang='en')}\n")


def _navigation(sections: Iterable[tuple[str, str, Child]]) -> Markup:
    links = (element("a", name, " ", element("b", more), href=f"#{place}") for place, name, more in sections)
    return element("nav", *links, aria_label="Report")


_BRAND = Markup(
    '<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">'
    '<path d="M1 2h14v3H1zM1 7h9v3H1zM1 12h5v2H1z"/></svg>'
)


def render_verdict(kind: str, what: str, name: str, said: str, more: Child = None) -> Markup:
    """Return the first line of a report, which can be read across a room; `kind` is good, bad or open."""
    return element(
        "div",
        element("span", _SYMBOLS[kind], class_="symbol", aria_hidden="true"),
        element(
            "div",
            element("p", what, class_="kicker"),
            element("h1", name),
            element("p", said, class_="said"),
            more,
        ),
        class_=f"verdict {kind}",
    )
