"""A built documentation site, as its files: what its pages link to, load and show."""

import posixpath
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# Elements that load what an attribute names, without being asked to.
_LOADING = {
    "script": ("src",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "link": ("href",),
    "use": ("href",),
    "input": ("src",),
}


class BuiltPage(HTMLParser):
    """One page: the `anchors` it has, the `links` in it, what it `loads`, and the `prose` outside code."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads, self.navigation, self.prose = set(), [], [], [], []
        self._silent = []
        self._menus = 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
            if self._menus:
                self.navigation.append(values["href"])
        if not (tag == "link" and values.get("rel") in {"canonical", "next", "prev"}):
            self.loads += [values[name] for name in _LOADING.get(tag, ()) if name in values]
        if tag == "nav":
            self._menus += 1
        if tag in {"code", "pre", "script", "style", "title"}:
            self._silent.append(tag)

    def handle_endtag(self, tag):
        if tag == "nav":
            self._menus -= 1
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()

    def handle_data(self, data):
        if not self._silent:
            self.prose.append(data)


def read_site(folder):
    """{path below the folder: page} of every page."""
    found = sorted(folder.rglob("*.html"))
    return {path.relative_to(folder).as_posix(): BuiltPage(path.read_text(encoding="utf-8")) for path in found}


def target(page, link):
    """The path of the file that a link in `page` leads to, and the fragment; None for another host."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path))) if parts.path else page
    return path, unquote(parts.fragment)
