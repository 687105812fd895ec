"""Small changes to a JSON text that leave the rest of it, its layout too, as it is."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, assert_never

from msgspec import Struct

from formwork.documents.json_map import JsonMap, MemberOffsets


class Replace(Struct, frozen=True):
    """Put `value` where the value at `path` is."""

    path: tuple[str | int, ...]
    value: Any


class Rename(Struct, frozen=True):
    """Call the member at `path` by another name."""

    path: tuple[str | int, ...]
    name: str


class Insert(Struct, frozen=True):
    """Add a member to the object at `path`, behind its last one."""

    path: tuple[str | int, ...]
    name: str
    value: Any


class Remove(Struct, frozen=True):
    """Take out the member or item at `path`."""

    path: tuple[str | int, ...]


Edit: TypeAlias = Replace | Rename | Insert | Remove


def edit_json(text: str, edits: Iterable[Edit]) -> str:
    """`text`, which must be valid JSON without a BOM, with `edits` made.

    Left out are an edit of a path that leads nowhere, one that overlaps an earlier one, and one that gives a name that
    its object has already.
    """
    places = JsonMap(text)
    changes: list[tuple[int, int, str]] = []
    names: set[tuple[tuple[str | int, ...], str]] = set()
    for edit in edits:
        named = _new_name(edit)
        if named in names or (named is not None and places.member((*named[0], named[1])) is not None):
            continue  # the object would have the name twice
        change = _change(text, places, edit)
        if named is not None and change is not None:
            names.add(named)
        if change is not None and not any(change[0] < end and start < change[1] for start, end, _ in changes):
            changes.append(change)
    for start, end, new in sorted(changes, key=lambda change: change[:2], reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _new_name(edit: Edit) -> tuple[tuple[str | int, ...], str] | None:
    """Return the object's path and the name that `edit` gives to one of its members, or None."""
    match edit:
        case Insert():
            return edit.path, edit.name
        case Rename():
            return edit.path[:-1], edit.name
        case _:
            return None


def _change(text: str, places: JsonMap, edit: Edit) -> tuple[int, int, str] | None:
    member = places.member(edit.path)
    if member is None:
        return None
    match edit:
        case Replace():
            spread = "\n" in text[member.start : member.end]
            return member.start, member.end, _render(text, member.key_start if spread else member.start, edit.value)
        case Rename():
            return member.key_start, member.key_end, json.dumps(edit.name)
        case Insert():
            return _insert(text, places, edit, member)
        case Remove():
            return _remove(places, edit.path, member)
        case _:
            assert_never(edit)


def _insert(text: str, places: JsonMap, edit: Insert, holder: MemberOffsets) -> tuple[int, int, str]:
    members = places.members(edit.path)
    written = f"{json.dumps(edit.name)}: "
    if not members:
        return holder.start + 1, holder.start + 1, written + json.dumps(edit.value)
    last = members[-1][1]
    indent = _indent(text, last.key_start)
    gap = " " if indent is None else f"\n{indent}"
    return last.end, last.end, f",{gap}{written}{_render(text, last.key_start, edit.value)}"


def _remove(places: JsonMap, path: Sequence[str | int], member: MemberOffsets) -> tuple[int, int, str]:
    siblings = [each for _, each in places.members(path[:-1])]
    at = siblings.index(member)
    if at > 0:
        return siblings[at - 1].end, member.end, ""
    if len(siblings) > 1:
        return member.key_start, siblings[1].key_start, ""
    return member.key_start, member.end, ""


def _indent(text: str, offset: int) -> str | None:
    """Return the blanks before `offset` if it is the first on its line, else None."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line if "\n" in text[:offset] and not line.strip() else None


def _render(text: str, offset: int, value: Any) -> str:
    """`value` as JSON, spread over lines as the text around `offset` is."""
    indent = _indent(text, offset)
    if indent is None or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value)
    step = 2 if len(indent) <= 2 or len(indent) % 4 else 4
    lines = json.dumps(value, indent="\t" if indent.startswith("\t") else step).split("\n")
    return f"\n{indent}".join(lines)
