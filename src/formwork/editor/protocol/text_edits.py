"""Edits that turn one text into another."""

from difflib import SequenceMatcher
from typing import Any

from formwork.editor.protocol.positions import PositionIndex

_MOST_LINES = 4000  # more are compared by their common beginning and end only: comparing takes the square of them


def minimal_edits(before: str, after: str, index: PositionIndex) -> list[dict[str, Any]]:
    """Return the edits of whole lines that turn `before`, whose positions are `index`, into `after`."""
    return [{"range": index.range(start, end), "newText": text} for start, end, text in changes(before, after)]


def changes(before: str, after: str) -> list[tuple[int, int, str]]:
    """Return (start, end, text) for each part of `before` that differs, in order; they do not overlap."""
    if before == after:
        return []
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    inner_old, inner_new = old[first : len(old) - last], new[first : len(new) - last]
    start = sum(map(len, old[:first]))
    if len(inner_old) + len(inner_new) > _MOST_LINES:
        return [(start, start + sum(map(len, inner_old)), "".join(inner_new))]
    offsets = [start]
    for line in inner_old:
        offsets.append(offsets[-1] + len(line))
    matcher = SequenceMatcher(None, inner_old, inner_new, autojunk=False)
    return [
        (offsets[i1], offsets[i2], "".join(inner_new[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
