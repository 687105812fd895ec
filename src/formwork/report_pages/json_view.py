"""A JSON value as a report shows it: one line per member, marked where a finding says that it differs."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

from msgspec import Struct

from formwork.report_pages.markup import Child, Markup, element, joined

Path: TypeAlias = tuple[str, ...]
_MOST_LINES = 400
_MOST_CHARACTERS = 4000  # of one text


class ValueMark(Struct, frozen=True):
    """What is said at a place of a value: `kind` is was, is or missing; a missing member is shown as `text`."""

    kind: str
    note: str
    text: str = ""


def render_json_value(value: Any, marks: Mapping[Path, ValueMark] | None = None) -> Markup:
    """Return the value in lines; `marks` are by path, with the numbers of elements as texts."""
    lines = list(islice(_JsonLines(marks or {}).of(value, (), None, ""), _MOST_LINES + 1))
    if len(lines) > _MOST_LINES:
        lines[-1] = Markup("… more lines\n")
    return element("pre", *lines, class_="json")


class _JsonLines:
    """Makes the lines of a value; the depth of a line is the length of its path."""

    def __init__(self, marks: Mapping[Path, ValueMark]) -> None:
        self._marks = marks
        self._above = {path[:length] for path in marks for length in range(len(path))}

    def of(self, value: Any, path: Path, name: str | None, comma: str) -> Iterator[Markup]:
        """Yield the lines of the value at `path`, which is the member `name`, or an element if that is None."""
        label: Child = None
        if name is not None:
            label = joined(element("span", json.dumps(name, ensure_ascii=False), class_="key"), ": ")
        if not isinstance(value, dict | list) or not (value or path in self._above):
            yield self._line(path, joined(label, _scalar(value), comma))
            return
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        yield self._line(path, joined(label, opening))
        yield from self._members(value, path)
        yield joined("  " * len(path), closing, comma, "\n")

    def _members(self, value: dict[str, Any] | list[Any], path: Path) -> Iterator[Markup]:
        named = isinstance(value, dict)
        members = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        for place, (key, member) in enumerate(members, 1):
            comma = "," if place < len(members) else ""
            yield from self.of(member, (*path, str(key)), str(key) if named else None, comma)
        for missing, mark in self._marks.items():
            if missing and missing[:-1] == path and mark.kind == "missing":
                name = f"{json.dumps(missing[-1], ensure_ascii=False)}: " if named else ""
                yield self._line(missing, f"{name}{mark.text}")

    def _line(self, path: Path, content: Child) -> Markup:
        indent = "  " * len(path)
        mark = self._marks.get(path)
        if mark is None:
            return joined(indent, content, "\n")
        note = element("span", f"  ◂ {mark.note}", class_="note")
        return element("span", indent, content, note, class_=f"marked {mark.kind}")  # a block: it ends its line


def _scalar(value: Any) -> Markup:
    kind = "string" if isinstance(value, str) else "number" if isinstance(value, int | float) else "word"
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > _MOST_CHARACTERS:
        text = f"{text[:_MOST_CHARACTERS]}… ({len(text)} characters)"
    return element("span", text, class_=kind)
