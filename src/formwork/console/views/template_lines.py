"""The lines of a template, each with what there is to say about it: statuses, failures, hooks, drift."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import BadInputError
from formwork.documents import Document, parse_document

_KEY = re.compile(
    r"""(?P<before>\s*(?:-\s+)*)(?P<key>"(?:[^"\\]|\\.)*"|[\w:.$/-]+)(?P<after>\s*:(?=\s|$).*)""", re.ASCII
)
_SINGLE_LINE = 400  # characters of a line: longer templates of one line are indented anew
_MOST_LINES = 20_000


class LineNote(Struct, frozen=True):
    """A sentence by `source` about the place that `path` leads to; `kind` is its colour."""

    path: Sequence[str | int]
    kind: str
    source: str
    text: str


class TemplateLine(Struct):
    """A line of a template in three parts: what precedes a member's name, the name, and the rest."""

    number: int
    before: str
    key: str
    rest: str
    resource: str | None = None  # the logical id that is declared in this line
    notes: list[LineNote] = field(default_factory=list)


def template_lines(shown: str, original: str, notes: Sequence[LineNote]) -> list[TemplateLine]:
    """Return the lines of a template with notes at their places.

    `shown` is the text with secrets masked, `original` the text itself, which has the places: a mask may not be YAML.
    A template in one long line is indented.
    """
    shown, original = _indented(shown), _indented(original)
    texts = shown.split("\n")[:_MOST_LINES]
    lines = [_parts(number, text) for number, text in enumerate(texts, 1)]
    document = _parsed(original)
    if document is None or original.count("\n") != shown.count("\n"):  # a secret of several lines
        return lines
    for name in _resources(document.value):
        if (line := _line(document, ("Resources", name), lines)) is not None:
            line.resource = line.resource or name
    for note in notes:
        if (line := _line(document, note.path, lines)) is not None:
            line.notes.append(note)
    return lines


def _indented(text: str) -> str:
    """Return JSON of few and long lines with one member per line; other texts as they are, with plain line ends."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(plain) < _SINGLE_LINE or plain.count("\n") * _SINGLE_LINE > len(plain):
        return plain
    try:
        return json.dumps(json.loads(plain), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return plain


def _parsed(text: str) -> Document | None:
    try:
        return parse_document(text, name="template", short_tags=True)
    except BadInputError:
        return None


def _resources(template: Any) -> Sequence[str]:
    resources = template.get("Resources") if isinstance(template, Mapping) else None
    return list(resources) if isinstance(resources, Mapping) else []


def _line(document: Document, path: Sequence[str | int], lines: Sequence[TemplateLine]) -> TemplateLine | None:
    start = document.locate(_existing(document.value, path), key=True).start
    return lines[start.line - 1] if start is not None and start.line <= len(lines) else None


def _existing(value: Any, path: Sequence[str | int]) -> Sequence[str | int]:
    """Return the path as far as it leads: the place of an absent member is the name of the nearest one above."""
    for at, step in enumerate(path):
        if isinstance(value, Mapping) and str(step) in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return path[:at]
    return path


def _parts(number: int, text: str) -> TemplateLine:
    found = _KEY.match(text)
    if found is None:
        return TemplateLine(number, "", "", text)
    return TemplateLine(number, found["before"], found["key"], found["after"])
