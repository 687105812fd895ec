"""The source map of a JSON text, made only as far as it is asked for.

A container on the way to a wanted value is indexed once, its members skipped by a C scanner, so the cost of all
questions together is bounded by the text's length times its depth.
"""

import re
from collections.abc import Callable, Sequence
from json import JSONDecoder
from typing import Any

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder

from formwork.diagnostics import Position
from formwork.documents.positions import LineIndex

_BLANK = re.compile(r"[ \t\n\r]*")
# What comes before the value of a member or an item: after the one before, or after the bracket.
_KEY = re.compile(r'[ \t\n\r]*,?[ \t\n\r]*"([^"\\]*(?:\\.[^"\\]*)*)"[ \t\n\r]*:[ \t\n\r]*')
_ITEM = re.compile(r"[ \t\n\r]*+,?[ \t\n\r]*+(?=[^\]])")
_MEMBERS, _ITEMS = Decoder(dict[str, Raw]), Decoder(list[Raw])
_SCAN: Callable[[str, int], tuple[Any, int]] = JSONDecoder().scan_once  # type: ignore[attr-defined]


class MemberOffsets(Struct, frozen=True):
    """Offsets of one object member or array item: of its key (equal to the value's for an item) and its value."""

    key_start: int
    key_end: int
    start: int
    end: int


class JsonMap:
    """Places in `text`, which must be one valid JSON value, BOM removed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._bytes = text.encode() if text.isascii() else b""  # where the offsets of both are the same
        self._lines = LineIndex(text)
        self._members: dict[int, dict[str, MemberOffsets]] = {}
        start = _skip(text, 0)
        self._root = MemberOffsets(start, start, start, len(text.rstrip()))

    def span(self, tokens: Sequence[str | int], *, key: bool) -> tuple[Position, Position]:
        """See `SourceMap.span`."""
        member, found = self._root, True
        for token in tokens:
            child = self._index(member).get(str(token))
            if child is None:
                found = False
                break
            member = child
        wants_key = key and found and bool(tokens)
        start, end = (member.key_start, member.key_end) if wants_key else (member.start, member.end)
        return self._lines.position(start), self._lines.position(end)

    def member(self, tokens: Sequence[str | int]) -> MemberOffsets | None:
        """Return the offsets of the member or item at `tokens`, or None."""
        member = self._root
        for token in tokens:
            child = self._index(member).get(str(token))
            if child is None:
                return None
            member = child
        return member

    def members(self, tokens: Sequence[str | int]) -> list[tuple[str, MemberOffsets]]:
        """Return the members of the object, or items of the array, at `tokens`, in order; empty where there is none."""
        member = self.member(tokens)
        return list(self._index(member).items()) if member is not None else []

    def _index(self, container: MemberOffsets) -> dict[str, MemberOffsets]:
        start = container.start
        if start not in self._members:
            self._members[start] = dict(self._skim(container) or list_members(self._text, start))
        return self._members[start]

    def _skim(self, container: MemberOffsets) -> list[tuple[str, MemberOffsets]]:
        """Return the members by the lengths that msgspec finds, in a fifth of the time of Python's scanner.

        Empty where it can't: outside ASCII, for what it does not take for JSON, and for repeated keys.
        """
        try:
            text = self._bytes[container.start : container.end]
            values = [*_MEMBERS.decode(text).values()] if text.startswith(b"{") else _ITEMS.decode(text)
            lengths = map(len, values)
            members = list_members(self._text, container.start, scan=lambda _text, at: (None, at + next(lengths)))
        except (DecodeError, RecursionError, StopIteration):
            return []
        return members if len(members) == len(values) else []

    def duplicate_keys(self) -> list[tuple[tuple[str, ...], Position, Position]]:
        """Return every member whose key an earlier member of the same object has: its path and the key's place."""
        found: list[tuple[tuple[str, ...], Position, Position]] = []
        pending: list[tuple[tuple[str, ...], int]] = [((), self._root.start)]
        while pending:
            path, start = pending.pop()
            seen: set[str] = set()
            for name, member in list_members(self._text, start):
                if name in seen:
                    place = self._lines.position(member.key_start), self._lines.position(member.key_end)
                    found.append(((*path, name), *place))
                seen.add(name)
                if self._text[member.start] in "{[":
                    pending.append(((*path, name), member.start))
        return found


def list_members(
    text: str, start: int, *, scan: Callable[[str, int], tuple[Any, int]] = _SCAN
) -> list[tuple[str, MemberOffsets]]:
    """Return the members of the object, or items of the array by index, at offset `start`; empty for a scalar.

    `scan` reads a value from its offset on, and returns its end.
    """
    members: list[tuple[str, MemberOffsets]] = []
    end = start + 1
    if text[start] == "{":
        while (match := _KEY.match(text, end)) is not None:
            name, at = match[1], match.end()
            key_start, key_end = match.start(1) - 1, match.end(1) + 1
            if "\\" in name:
                name = _SCAN(text, key_start)[0]
            end = scan(text, at)[1]
            members.append((name, MemberOffsets(key_start, key_end, at, end)))
    elif text[start] == "[":
        while (match := _ITEM.match(text, end)) is not None:
            at = match.end()
            end = scan(text, at)[1]
            members.append((str(len(members)), MemberOffsets(at, end, at, end)))
    return members


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    assert match
    return match.end()
