"""The schema holds characters outside ASCII.

Finds: a string or name with characters other than the printable ASCII ones.

Why: parts of the registration break on them or show them garbled; typographic quotes and dashes pasted from documents
are the usual cause.

Example: `"description": "Größe"`

Fix: write `'`, `-` and `"`.

Source: AWS CloudFormation CLI.
"""

import re
from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.non-ascii"
SEVERITY = Severity.WARNING
_ODD = re.compile(r"[^ -~\n\t\r]")
_PLAIN = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2013": "-",
    "\u2014": "-",
    "\u2026": "...",
    "\u00a0": " ",
}


def check(checked: Checked) -> Iterator[Problem]:
    if checked.document.text.isascii() and "\\u" not in checked.document.text:
        return  # nothing to find, which one look at the text shows
    pending: list[tuple[Path, Any]] = [((), checked.value)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            for name, child in value.items():
                pending.append(((*path, name), child))
                if not _is_plain(name):
                    yield from _look(name, (*path, name), key=True)
        elif isinstance(value, list):
            pending += [((*path, index), child) for index, child in enumerate(value)]
        elif isinstance(value, str) and not _is_plain(value):
            yield from _look(value, path, key=False)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _look(text: str, path: Path, *, key: bool) -> Iterator[Problem]:
    odd = _ODD.search(text)
    if odd is not None and not (path and path[-1] == "pattern"):
        better = _PLAIN.get(odd[0])
        hint = f"write {better}" if better else None
        yield Problem(path, f'"{odd[0]}" (U+{ord(odd[0]):04X}) is outside ASCII', "printable ASCII", hint, key=key)
