"""The cursor in a YAML text, by the indentation of the lines above it.

Block style is read line by line, flow style from the bracket that opens it. Texts over several lines and anchors are
not followed: at worst the place is one above.
"""

import re

from msgspec.structs import replace

from formwork.editor.reading.json_cursor import find_json_cursor
from formwork.editor.reading.place import CursorPlace, Tokens

_LINE = re.compile(r"(?P<indent> *)(?P<dashes>(?:-(?: +|$))*)(?P<rest>.*)")
_KEY = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"{\[&*!|>%@`-](?:[^#:]|:(?!\s|$))*?|-[^\s:#](?:[^#:]|:(?!\s|$))*?)"""
    r"(?P<gap>\s{0,20}:)(?=\s|$)"
)
_TAG = re.compile(r"(?:[!&][^\s]*\s+)*")
_MOST_LINES = 20_000  # looked at above the cursor
_LONGEST = 4000  # characters of a line that are looked at


class _Row:
    """A line as block style has it: its items' columns, its key with the column of it, and where its value begins."""

    __slots__ = ("column", "dashes", "key", "start", "value")

    def __init__(self, line: str, start: int) -> None:
        line = line[:_LONGEST]
        found = _LINE.match(line)
        assert found
        self.start = start
        at = len(found["indent"])
        self.dashes: list[int] = []
        for match in re.finditer(r"-(?: +|$)", found["dashes"]):
            self.dashes.append(at + match.start())
        self.column = found.start("rest")
        named = _KEY.match(found["rest"])
        self.key = None if named is None else _bare(named["key"])
        behind = self.column + (named.end() if named is not None else 0)
        self.value = behind + len(line[behind:]) - len(line[behind:].lstrip(" "))

    @property
    def first(self) -> int:
        return self.dashes[0] if self.dashes else self.column


def find_yaml_cursor(text: str, offset: int) -> CursorPlace:
    """Return the place at `offset`."""
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[begin : len(text) if end < 0 else end].rstrip("\r")
    row = _Row(line, begin)
    at = offset - begin
    path = _parents(text[:begin], row, at)
    path, inside_key = _own(path, row, at)
    value = begin + row.value
    tag = _TAG.match(text, value)
    opener = value if tag is None else tag.end()
    if not inside_key and opener < offset and text[opener : opener + 1] in ("{", "["):
        flow = find_json_cursor(text, offset, opener, path)
        return CursorPlace(flow.holder, flow.key, flow.in_key, flow.start, flow.end, flow.word, flow.typed, flow.quote,
                           "flow", flow.followed, flow.siblings)  # fmt: skip
    if row.key is not None and at < row.column:  # in the indentation or the dashes before a key
        return CursorPlace(path, "", True, offset, offset, "", "", "", "yaml")  # noqa: FBT003 - fields
    found = _word(text, offset, row, line, path, in_key=inside_key)
    return replace(found, siblings=_siblings(text[:begin], row)) if found.in_key else found


def _own(path: Tokens, row: _Row, at: int) -> tuple[Tokens, bool]:
    """Return the path of the word at the cursor, and whether that is a key."""
    if row.key is not None and at > row.column + _key_length(row) - 1 and at >= row.value:
        return (*path, row.key), False
    if row.key is not None and at >= row.column:
        return (*path, row.key), True
    return path, False


def _key_length(row: _Row) -> int:
    return row.value - row.column


def _word(  # noqa: PLR0913 - what is known of the line
    text: str, offset: int, row: _Row, line: str, path: Tokens, *, in_key: bool
) -> CursorPlace:
    begin = row.start
    first = begin + (row.column if in_key or row.key is None else row.value)
    if in_key or row.key is None:
        named = _KEY.match(line, row.column)
        last = begin + (named.end("key") if named else len(line.rstrip()))
    else:
        last = begin + len(line.rstrip())
    tag = _TAG.match(text, first)
    if not in_key and tag is not None and tag.end() <= offset:
        first = min(tag.end(), max(last, first))
    first, last = min(first, offset), max(last, first, offset)
    written = text[first:last]
    quote = written[:1] if written[:1] in ("'", '"') else ""
    typed = text[first:offset].removeprefix(quote)
    bare = _bare(written)
    if in_key:
        return CursorPlace(path[:-1], bare, True, first, last, bare, typed, quote, "yaml", True)  # noqa: FBT003 - fields
    if row.key is None:
        # A word alone: the beginning of a key, or the item of a list.
        item = bool(row.dashes)
        key: str | int = path[-1] if item and path else bare
        holder = path[:-1] if item and path else path
        return CursorPlace(holder, key, not item, first, last, bare, typed, quote, "yaml")
    return CursorPlace(path[:-1], path[-1], False, first, last, bare, typed, quote, "yaml")  # noqa: FBT003 - as above


def _parents(above: str, row: _Row, at: int) -> Tokens:  # noqa: C901 - one walk with its state
    """Return the path of what holds the row's word: the keys and item numbers of lines above it."""
    dashes = [each for each in row.dashes if each < at]
    blank = row.key is None and not row.dashes and row.column >= at
    limit = min(row.first, at) if blank else row.first
    path: list[str | int] = []
    index = 0
    counting = bool(dashes)  # items of the list that the row's first dash belongs to are counted
    lines = above.split("\n")[:-1][-_MOST_LINES:]
    for line in reversed(lines):
        stripped = line.strip()
        if not stripped or stripped.startswith("#") or stripped in ("---", "..."):
            continue
        other = _Row(line.rstrip("\r"), 0)
        if counting and other.dashes and other.dashes[0] == limit:
            index += 1
            continue
        if counting and other.key is not None and other.column == limit and not other.dashes:
            path = [other.key, index, *path]  # a list at the column of its key
            counting, index, limit = False, 0, other.column
            continue
        if other.first >= limit and not (other.dashes and other.column < limit):
            continue
        inner = other.key is not None and other.column < limit
        if counting and (inner or other.first < limit):
            path, counting, index = [index, *path], False, 0
        if inner and other.key is not None:
            path = [other.key, *path]
        elif other.column == limit and other.dashes:
            pass  # the first member of the item that the row is in
        limit = other.column if inner else limit
        if other.dashes and other.dashes[-1] < limit:
            counting, index, limit = True, 0, other.dashes[0]
    if counting:
        path = [index, *path]
    return (*path, *(0 for _ in dashes[1:]))


def _siblings(above: str, row: _Row) -> frozenset[str]:
    """Return the keys above the row's in the same object."""
    found: list[str] = []
    lines = above.split("\n")[:-1][-_MOST_LINES:] if not row.dashes else []
    for line in reversed(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        other = _Row(line, 0)
        if other.column == row.column and other.key is not None:
            found.append(other.key)
        if other.first < row.column:
            break
    return frozenset(found)


def _bare(written: str) -> str:
    if written[:1] == '"':
        return written[1:].removesuffix('"')
    if written[:1] == "'":
        return written[1:].removesuffix("'").replace("''", "'")
    return written.strip()
