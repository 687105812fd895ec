"""Diagnostics for readers and machines: values to text."""

import functools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from formwork.diagnostics.diagnostic import Diagnostic, Position, Severity
from formwork.diagnostics.visible import in_columns, painted, visible

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}

# What ends a line for `Position`; str.splitlines knows more such characters.
_NEWLINE = re.compile(r"\r\n|\n|\r")


def render_text(
    diagnostics: Iterable[Diagnostic],
    *,
    colour: bool = False,
    source: Callable[[str], str | None] = lambda _file: None,
) -> str:
    """Return a block for each diagnostic: severity and code, message, place, the source line, expected, hint.

    `source` gives the text of a file by the name in the diagnostic's location, or None: then no line is shown.
    """
    lines_of = functools.cache(lambda file: _NEWLINE.split(source(file) or ""))  # a file is read and split once
    blocks = ["\n".join(_block(each, colour=colour, lines_of=lines_of)) for each in diagnostics]
    return "".join(block + "\n" for block in blocks)


def _block(diagnostic: Diagnostic, *, colour: bool, lines_of: Callable[[str], Sequence[str]]) -> list[str]:
    head = f"{diagnostic.severity}[{diagnostic.code}]"
    if colour:
        head = painted(head, f"1;{_COLOURS[diagnostic.severity]}", colour=True)
    lines = [f"{head}: {visible(diagnostic.message)}"]
    location = diagnostic.location
    if location.file is not None:
        place = visible(location.file)
        if location.start is not None:
            place += f":{location.start.line}:{location.start.column}"
        if location.pointer is not None:
            place += f"  {visible(location.pointer) or '(the whole document)'}"
        lines.append(f" --> {place}")
        if location.start is not None and not location.confidential:
            lines += _excerpt(lines_of(location.file), location.start, location.end)
    lines += [f"  = {visible(note)}" for note in diagnostic.notes]
    if diagnostic.expected is not None:
        lines.append(f"  = expected: {visible(diagnostic.expected)}")
    if diagnostic.hint is not None:
        lines.append(f"  = help: {visible(diagnostic.hint)}")
    return lines


def _excerpt(lines: Sequence[str], start: Position, end: Position | None) -> list[str]:
    if not 0 < start.line <= len(lines) or lines == [""]:
        return []
    line = lines[start.line - 1]
    last = end.column if end is not None and end.line == start.line else len(line) + 1
    first, shown = start.column, in_columns(line)
    if len(shown) > 110:  # a minified document is one line: show the part that matters
        cut = max(0, first - 30)
        first, last, shown = first - cut, last - cut, shown[cut : cut + 110]
    width = max(1, min(last, len(shown) + 1) - first)
    number = str(start.line)
    return [f"{number} | {shown}", f"{' ' * len(number)} | {' ' * (first - 1)}{'^' * width}"]


def diagnostic_to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """The JSON form: code, severity, message, file, line, column, pointer, expected, hint (null where not known)."""
    location = diagnostic.location
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "file": location.file,
        "line": location.start.line if location.start else None,
        "column": location.start.column if location.start else None,
        "pointer": location.pointer,
        "expected": diagnostic.expected,
        "hint": diagnostic.hint,
        **({"notes": list(diagnostic.notes)} if diagnostic.notes else {}),
    }


def render_json(diagnostics: Iterable[Diagnostic], **more: Any) -> str:
    """One JSON object with a `diagnostics` array and the members of `more`."""
    report = {"diagnostics": [diagnostic_to_json(each) for each in diagnostics], **more}
    try:
        return msgspec.json.format(json.dumps(report), indent=2) + "\n"  # a third of the time of `dumps` with `indent`
    except msgspec.DecodeError:  # half a surrogate pair, as in the name of a file that is not in UTF-8
        return json.dumps(report, indent=2) + "\n"


def render_summary(diagnostics: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`, or `no problems`."""
    counts = [
        f"{count} {severity}{'' if count == 1 else 's'}"
        for severity in (Severity.ERROR, Severity.WARNING)
        if (count := sum(each.severity is severity for each in diagnostics))
    ]
    return ", ".join(counts) or "no problems"
