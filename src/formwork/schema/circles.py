"""Schemas that are parts or alternatives of themselves, through `$ref`."""

from collections.abc import Iterator

from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path
from formwork.schema.view import COMBINERS, Subschema

_LEADING = frozenset({"$ref", *COMBINERS})


def find_circles(checked: Checked) -> Iterator[Problem]:
    """Schemas that are parts or alternatives of themselves; chains of nothing but `$ref` are another fault."""
    yield from (
        Problem((*fault.at, "$ref"), fault.message, fault.expected)
        for fault in checked.reference_faults()
        if fault.circular
    )
    leads: dict[Path, list[tuple[Path, Path]]] = {
        node.path: list(_references(node))
        for node in checked.nodes
        if len(node.path) == 2 and not _LEADING.isdisjoint(node.value)
    }
    for path, references in leads.items():
        for at, target in references:
            if at[-2] != path[-1] and _reaches(leads, target, path):
                message = f'"#/{"/".join(map(str, path))}" is a part of itself'
                yield Problem(at, message, "parts that end in schemas", "take this part out")


def _references(node: Subschema) -> Iterator[tuple[Path, Path]]:
    """Yield the path of each `$ref` in a schema or its combined parts, and the path of the target."""
    for part in (node, *node.combined):
        ref = part.get("$ref")
        if isinstance(ref, str) and ref.startswith("#/"):
            yield (*part.path, "$ref"), tuple(ref[2:].split("/"))


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
