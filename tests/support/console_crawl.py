"""Finds the pages of the console as a person does: by following links."""

import html
import re
from urllib.parse import unquote, urlsplit

# What differs between pages of one kind: ids, names, versions.
_VARIES = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{8}|\d{12}")
_LINK = re.compile(r'<a\b[^>]*\bhref="([^"#]+)')
STARTS = ("/stacks", "/stacks?deleted=1", "/deploy", "/registry", "/nothing")


def shape_of(path, names=frozenset()):
    """A key that is the same for pages of one kind; `names` are segments that only name something."""
    split = urlsplit(path)
    parts = [unquote(each) for each in split.path.split("/")]
    segments = ["*" if each in names or "::" in each else _VARIES.sub("*", each) for each in parts]
    keys = sorted(each.partition("=")[0] for each in split.query.split("&") if each)
    return "/".join(segments), tuple(keys)


def crawl(browser, *, starts=STARTS, each=2, names=frozenset()):
    """The text of `starts`, and of each page that links lead to, at most `each` of a kind; by path.

    `browser` is a ConsoleBrowser.
    """
    pages, kinds, waiting = {}, {}, list(starts)
    while waiting:
        path = waiting.pop(0)
        shape = shape_of(path, names)
        if path in pages or (path not in starts and kinds.get(shape, 0) >= each):
            continue
        kinds[shape] = kinds.get(shape, 0) + 1
        status, text = browser.get(path)
        while status == 303:
            status, text = browser.get(browser.headers["location"])
        assert status in {200, 400, 404}, (path, status, text)
        pages[path] = text
        waiting += [html.unescape(link) for link in _LINK.findall(text) if link.startswith("/")]
    return pages
