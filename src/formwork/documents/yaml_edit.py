"""Small changes to a YAML text at known places, which leave comments, order and layout as they are.

YAML can be written in too many ways to know each change to be right beforehand: a change counts only if the changed
text means what the change says, which is seen by reading it again.

A round trip by ruamel.yaml was the alternative: it keeps comments, but lays out the rest again and is one more
dependency of the base install.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, TypeAlias, assert_never

from formwork.diagnostics import BadInputError, Position, get_at
from formwork.documents.document import Document, DocumentFormat
from formwork.documents.json_edit import Edit, Insert, Remove, Rename, Replace
from formwork.documents.load import parse_document

Tokens: TypeAlias = Sequence[str | int]
# A part of the text and what to put there.
_Change: TypeAlias = tuple[int, int, str]

_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9/*_.-]*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\n\r]*)?(?=[\n\r]|\Z)")
_ABSENT = object()


def edit_yaml(document: Document, edits: Sequence[Edit]) -> Document | None:
    """Return `document` with all `edits` applied; None if one can't be applied without changing other parts."""
    changes = _Places(document).changes(edits)
    return None if changes is None else _changed(document, changes, edits)


def edit_yaml_groups(document: Document, groups: Sequence[Sequence[Edit]]) -> tuple[Document, list[bool]]:
    """`document` with each group of edits made wholly or not at all, and for each group whether it was.

    All paths are meant in `document` as it is. Groups that change the same place, which an alias repeats, go together.
    """
    together = edit_yaml(document, [edit for group in groups for edit in group])
    if together is not None:
        return together, [True] * len(groups)
    places = _Places(document)
    alike: dict[Any, list[int]] = {}
    for number, group in enumerate(groups):
        changes = places.changes(group)
        alike.setdefault(number if changes is None else tuple(sorted(changes)), []).append(number)
    changed, accepted, made = document, list[Edit](), set[int]()
    for numbers in alike.values():
        wanted = [*accepted, *(edit for number in numbers for edit in groups[number])]
        tried = edit_yaml(document, wanted)
        if tried is not None:
            changed, accepted = tried, wanted
            made.update(numbers)
    return changed, [number in made for number in range(len(groups))]


def _changed(document: Document, changes: set[_Change], edits: Sequence[Edit]) -> Document | None:
    text = document.text
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    try:
        changed = parse_document(text, name=document.name, format=DocumentFormat.YAML)
    except BadInputError:
        return None
    wanted = _applied(document.value, edits)
    return changed if wanted is not _ABSENT and changed.value == wanted else None


class _Places:
    """Where the parts of a YAML document stand in its text."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text = document.text
        self._lines = [0, *(match.end() for match in _LINE_END.finditer(document.text))]

    def changes(self, edits: Sequence[Edit]) -> set[_Change] | None:
        """Return the changes of the text that make all `edits`; None where one can't be made, or two overlap."""
        found: set[_Change] = set()
        for edit in edits:
            change = self._change(edit)
            if change is None:
                return None
            if any(change[0] < end and start < change[1] for start, end, _ in found - {change}):
                return None
            found.add(change)
        return found

    def _change(self, edit: Edit) -> _Change | None:
        value = get_at(self._document.value, tuple(map(str, edit.path)), _ABSENT)
        if value is _ABSENT:
            return None
        match edit:
            case Rename():
                start, end = self._span(edit.path, key=True)
                return start, end, _scalar(edit.name)
            case Replace():
                return self._replace(edit, value)
            case Insert():
                return self._insert(edit, value)
            case Remove():
                return self._remove(edit)
            case _:
                assert_never(edit)

    def _replace(self, edit: Replace, value: Any) -> _Change | None:
        start, end = self._span(edit.path)
        if value == edit.value and type(value) is type(edit.value):
            return start, start, ""
        return (start, end, _flow(edit.value)) if self._is_exact(value, start, end) else None

    def _insert(self, edit: Insert, value: Any) -> _Change | None:
        if not isinstance(value, dict) or edit.name in value:
            return None
        start, _ = self._span(edit.path)
        written = f"{_scalar(edit.name)}: {_flow(edit.value)}"
        if self._text[start : start + 1] == "{":
            if not value:
                return start + 1, start + 1, written
            name = list(value)[-1]
            key, _ = self._span((*edit.path, name), key=True)
            _, end = self._span((*edit.path, name))
            gap = f"\n{self._before(key)}" if not self._before(key).strip() and self._line(key) else " "
            return end, end, f",{gap}{written}"
        return self._insert_in_block(edit, value, written)

    def _insert_in_block(self, edit: Insert, value: dict[str, Any], written: str) -> _Change | None:
        """Below the type, else below the last member that fits on a line, else before the first member."""
        keys = [(name, *self._span((*edit.path, name), key=True)) for name in value]
        if not keys:
            return None
        indent = " " * (keys[0][1] - self._lines[self._line(keys[0][1])])
        for name in ("type", *reversed(value)):
            if name not in value or isinstance(value[name], (dict, list)):
                continue
            start, end = self._span((*edit.path, name))
            rest = _REST_OF_LINE.match(self._text, end)
            if rest is not None and self._line(start) == self._line(end) and self._is_exact(value[name], start, end):
                return rest.end(), rest.end(), f"\n{indent}{written}"
        first = min(start for _, start, _ in keys)
        return first, first, f"{written}\n{indent}"

    def _remove(self, edit: Remove) -> _Change | None:
        holder = get_at(self._document.value, tuple(map(str, edit.path[:-1])))
        names = [str(each) for each in (holder if isinstance(holder, dict) else range(len(holder)))]
        at = names.index(str(edit.path[-1]))
        key, _ = self._span(edit.path, key=True)
        start, end = self._span(edit.path)
        opening, _ = self._span(edit.path[:-1])
        if self._text[opening : opening + 1] in ("{", "["):
            if at > 0:
                return self._span((*edit.path[:-1], names[at - 1]))[1], end, ""
            following = self._span((*edit.path[:-1], names[1]), key=True)[0] if len(names) > 1 else end
            return key, following, ""
        if len(names) == 1 or not self._is_exact(get_at(self._document.value, tuple(map(str, edit.path))), start, end):
            return None
        before = self._before(key).strip()
        rest = _REST_OF_LINE.match(self._text, end)
        if rest is None or before != ("" if isinstance(holder, dict) else "-"):
            return None
        line = self._lines[self._line(key)]
        below = _LINE_END.match(self._text, rest.end())
        if below is not None:
            return line, below.end(), ""
        return max(0, line - 1), rest.end(), ""

    def _is_exact(self, value: Any, start: int, end: int) -> bool:
        """Whether the value is written from `start` to `end` and nowhere else: on a line, or between brackets."""
        if isinstance(value, (dict, list)):
            return self._text[start : start + 1] in ("{", "[")
        return self._line(start) == self._line(end) and end > start

    def _span(self, path: Tokens, *, key: bool = False) -> tuple[int, int]:
        location = self._document.locate([str(each) for each in path], key=key)
        assert location.start is not None
        assert location.end is not None
        return self._offset(location.start), self._offset(location.end)

    def _offset(self, position: Position) -> int:
        line = min(position.line, len(self._lines)) - 1
        return min(self._lines[line] + position.column - 1, len(self._text))

    def _line(self, offset: int) -> int:
        return bisect_right(self._lines, offset) - 1

    def _before(self, offset: int) -> str:
        return self._text[self._lines[self._line(offset)] : offset]


def _applied(value: Any, edits: Sequence[Edit]) -> Any:
    """Return the value with the edits made, every path meant as it was before all of them."""
    changed = json.loads(json.dumps(value))  # a copy that shares nothing, where aliases do
    for edit in sorted(edits, key=_turn):
        path = tuple(map(str, edit.path))
        holder = get_at(changed, path[:-1]) if path else None
        target = get_at(changed, path, _ABSENT)
        match edit:
            case Insert():
                target[edit.name] = edit.value
            case _ if holder is None or target is _ABSENT:
                return _ABSENT
            case Replace():
                holder[_key(holder, path[-1])] = edit.value
            case Rename():
                holder[edit.name] = holder.pop(path[-1])
            case Remove():
                del holder[_key(holder, path[-1])]
            case _:
                assert_never(edit)
    return changed


def _turn(edit: Edit) -> tuple[int, int, int]:
    """Return the sort key of an edit: those that change no paths first, then deeper ones, then later list items."""
    item = edit.path[-1] if edit.path else ""
    index = int(item) if str(item).isdecimal() else 0
    return (2 if isinstance(edit, Remove) else int(isinstance(edit, Rename)), -len(edit.path), -index)


def _key(holder: Any, token: str) -> Any:
    return int(token) if isinstance(holder, list) else token


def _flow(value: Any) -> str:
    """`value` in YAML's flow style, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(name)}: {_flow(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value) if isinstance(value, str) else json.dumps(value)


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else json.dumps(text)
