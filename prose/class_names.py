"""Names of public classes that are defined more than once, or are a picture in place of the field's word."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

# Word of a class name → the field's word.
PICTURES = {
    "Door": "Route, Endpoint",
    "Bell": "ChangeNotifier",
    "Happening": "EventDraft",
    "Surroundings": "…Dependencies",
    "Desk": "the concrete service",
    "Course": "RunOrder",
    "Turns": "Schedule",
    "Trial": "TestCase",
    "Bench": "…Runner",
    "Made": "CreatedResource",
    "Book": "…Store",
    "Late": "Lazy…",
}


def public_classes(paths: Iterable[Path]) -> dict[str, list[tuple[Path, int]]]:
    """Return where each public top-level class of these Python files is defined, by name."""
    classes = defaultdict(list)
    for path in paths:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append((path, node.lineno))
    return dict(classes)


def picture(name: str) -> str | None:
    """Return the word of a class name that `PICTURES` replaces, or None."""
    if name == "Made":  # `InvocationMade` and the like are events
        return name
    words = re.findall(r"[A-Z][a-z]*", name)
    return next((word for word in words if word in PICTURES and word != "Made"), None)
