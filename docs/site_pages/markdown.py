"""Pages as the site's generator reads them.

GitHub reads CommonMark, in which the text of a list item is indented as far as the text behind its marker; the
generator's Markdown wants four spaces a level, a blank line before a list, and `|` unescaped in code in a table.
"""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .sources import INSTALL, README, ROOT

_FENCE = re.compile(r"^\s*(```+|~~~+)")
_ITEM = re.compile(r"^(?:[-*+]|\d+[.)]) +")
_LATER_ITEM = re.compile(r"^(?!1[.)])\d+[.)] ")  # which does not interrupt a paragraph
_NUMBER_IN_TEXT = re.compile(r"^(\s*\d+)([.)] )")
_CODE = re.compile(r"`[^`]+`")
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:)([^)#\s]*)(#[^)\s]*)?(?=\))")
_LEVEL = "    "


@dataclass(frozen=True, slots=True)
class _Item:
    """An open list item: the columns of its marker and of its text."""

    marker: int
    text: int


def reindent(text: str) -> str:
    """The page with its lists as the generator reads them; what is in a fence is moved with it and not changed."""
    lines: list[str] = []
    items: list[_Item] = []
    fence = ""
    for line in text.split("\n"):
        if not line.strip():
            lines.append("")
        elif fence:
            lines.append(_moved(line, items))
            fence = "" if line.strip() == fence else fence
        else:
            fence = _fence(line)
            begins = _begins_item(line, lines, items)
            if begins or fence or not _continues(lines) or line.lstrip().startswith("#"):
                indent = _indent(line)
                items = [item for item in items if item.text <= indent]
            _put(_moved(line, items), lines, items, begins=begins)
            if begins:
                marker = _ITEM.match(line.lstrip())
                items.append(_Item(_indent(line), _indent(line) + len(marker.group() if marker else "")))
    return "\n".join(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _fence(line: str) -> str:
    found = _FENCE.match(line)
    return found.group(1) if found else ""


def _continues(lines: list[str]) -> bool:
    """Whether the next line may continue the paragraph of the line before it."""
    return bool(lines) and bool(lines[-1]) and not _FENCE.match(lines[-1])


def _begins_item(line: str, lines: list[str], items: list[_Item]) -> bool:
    """Whether a line begins a list item; a number other than 1 in a paragraph does so only beside other items."""
    if not _ITEM.match(line.lstrip()):
        return False
    beside = any(item.marker == _indent(line) for item in items)
    return beside or not _continues(lines) or not _LATER_ITEM.match(line.lstrip())


def _moved(line: str, items: list[_Item]) -> str:
    """The line, indented by four spaces for each open item in place of the columns of their texts."""
    column = items[-1].text if items else 0
    own = line.lstrip() if line[:column].strip() else line[column:]
    return _LEVEL * len(items) + own


def _put(line: str, lines: list[str], items: list[_Item], *, begins: bool) -> None:
    """Add a line outside fences, after a blank one where it begins a list below a paragraph."""
    if begins and not items and _continues(lines) and not _ITEM.match(lines[-1]) and not lines[-1].startswith(" "):
        lines.append("")
    lines.append(_unescape_cells(line if begins else _NUMBER_IN_TEXT.sub(r"\1\\\2", line)))


def _unescape_cells(line: str) -> str:
    return _CODE.sub(lambda code: code.group().replace(r"\|", "|"), line) if line.startswith("|") else line


def relink(text: str, file: Path, page: str, files: dict[Path, str], elsewhere: Callable[[str], str]) -> str:
    """The text with its links as they are in the site, where `file` is `page`.

    `files` are the site's other pages and pictures; `elsewhere` gives the address of a file that is not one of them.
    """

    def link(found: re.Match[str]) -> str:
        name, fragment = found.group(1), found.group(2) or ""
        if not name:
            return found.group()
        target = (file.parent / name).resolve()
        if target.is_dir() and target / "README.md" in files:
            target /= "README.md"
        if (target, fragment) == (README, "#install"):
            return posixpath.relpath(INSTALL, posixpath.dirname(page) or ".")
        named = files.get(target)
        if named is None:
            return elsewhere(target.relative_to(ROOT).as_posix()) + fragment
        return posixpath.relpath(named, posixpath.dirname(page) or ".") + fragment

    parts = re.split(r"(^ *(?:```|~~~).*?^ *(?:```|~~~) *$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else _LINK.sub(link, part) for index, part in enumerate(parts))
