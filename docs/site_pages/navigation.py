"""The navigation: every page once, in the order of navigation.toml."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .sources import SiteError

_ORDER = Path(__file__).with_name("navigation.toml")
Entry = dict[str, Any]


def navigation(titles: dict[str, str]) -> list[Entry]:
    """The entries, as the generator reads them, of the pages in `titles`.

    Raises:
        SiteError: the order names a page that does not exist, or has no place for one that does.
    """
    parts = tomllib.loads(_ORDER.read_text(encoding="utf-8"))["part"]
    named = [page for part in parts for group in (part, *part.get("group", ())) for page in group.get("pages", ())]
    if missing := sorted(set(named) - titles.keys()):
        raise SiteError(f"docs/site_pages/navigation.toml names pages that do not exist: {', '.join(missing)}")
    left = {page: title for page, title in titles.items() if page not in named}
    entries = [_part(part, titles, left) for part in parts]
    if left:
        raise SiteError(f"docs/site_pages/navigation.toml has no part for {', '.join(sorted(left))}")
    return entries


def _part(part: dict[str, Any], titles: dict[str, str], left: dict[str, str]) -> Entry:
    """A part or group; what it takes of `left` is removed there. Groups come first: they are the more special ones."""
    groups = [_part(group, titles, left) for group in part.get("group", ())]
    pages = list(part.get("pages", ()))
    if "rest" in part:
        rest = sorted((page for page in left if page.startswith(f"{part['rest']}/")), key=left.__getitem__)
        for page in rest:
            del left[page]
        pages += rest
    if len(pages) == 1 and not groups:
        return {part["title"]: pages[0]}
    if groups and len(pages) > len(part.get("pages", ())):
        first = part.get("pages", ())
        more = {part.get("rest_title", "More"): _entries(pages[len(first) :], titles)}
        return {part["title"]: [*_entries(first, titles), *groups, more]}
    return {part["title"]: [*_entries(pages, titles), *groups]}


def _entries(pages: Iterable[str], titles: dict[str, str]) -> list[Entry]:
    return [{titles[page]: page} for page in pages]
