"""Schemas that are parts or alternatives of themselves, through `$ref`."""

from collections.abc import Iterator
from typing import Any

from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

_COMBINERS = ("allOf", "anyOf", "oneOf")
_LEADING = frozenset({"$ref", *_COMBINERS})


def find_circles(checked: Checked) -> Iterator[Problem]:
    """Schemas that are parts or alternatives of themselves; chains of nothing but `$ref` are another fault."""
    yield from (
        Problem((*fault.at, "$ref"), fault.message, fault.expected)
        for fault in checked.reference_faults()
        if fault.circular
    )
    leads: dict[Path, list[tuple[Path, Path]]] = {
        path: list(_references(path, node)) for path, node in checked.nodes if len(path) == 2 and _LEADING & node.keys()
    }
    for path, references in leads.items():
        for at, target in references:
            if at[-2] != path[-1] and _reaches(leads, target, path):
                message = f'"#/{"/".join(map(str, path))}" is a part of itself'
                yield Problem(at, message, "parts that end in schemas", "take this part out")


def _references(path: Path, node: dict[str, Any]) -> Iterator[tuple[Path, Path]]:
    """Where `node`, or a part or alternative of it, refers to, and the place of the `$ref`."""
    parts: list[tuple[Path, Any]] = [(path, node)]
    for keyword in _COMBINERS:
        listed = node.get(keyword)
        parts += [((*path, keyword, n), each) for n, each in enumerate(listed if isinstance(listed, list) else ())]
    for where, part in parts:
        ref = part.get("$ref") if isinstance(part, dict) else None
        if isinstance(ref, str) and ref.startswith("#/"):
            yield (*where, "$ref"), tuple(ref[2:].split("/"))


def _reaches(leads: dict[Path, list[tuple[Path, Path]]], start: Path, goal: Path) -> bool:
    seen, pending = set[Path](), [start]
    while pending:
        path = pending.pop()
        if path == goal:
            return True
        if path not in seen:
            seen.add(path)
            pending += [target for _, target in leads.get(path, ())]
    return False
