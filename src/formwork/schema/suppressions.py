"""Warnings that a schema's authors have decided to live with.

`"$comment": "formwork: ignore schema.long-enum - the service has not changed in years"` silences that warning where the
comment stands and in all below it. Several codes are separated by commas. Errors cannot be silenced.
"""

import re

from msgspec import Struct

from formwork.diagnostics import Diagnostic, Severity, parse_pointer
from formwork.documents import Document
from formwork.schema.checking import list_nodes
from formwork.schema.findings import Path
from formwork.schema.view import SchemaView

CODE = "schema.suppression"
_COMMENT = re.compile(
    r"formwork:\s*ignore\s+(?P<codes>[a-z.,\s-]*?[a-z])\s*(?:(?:--?|\N{EN DASH}|\N{EM DASH})\s+(?P<reason>.*))?\Z",
    re.DOTALL,
)

_LONGEST = 1_000  # characters of a comment that are read


class Suppression(Struct, frozen=True):
    """One comment: its place, the codes that it names, and why."""

    path: Path
    codes: tuple[str, ...]
    reason: str

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Return whether it silences `diagnostic`."""
        tokens = parse_pointer(diagnostic.location.pointer or "")
        above = tuple(map(str, self.path))
        return diagnostic.code in self.codes and tokens[: len(above)] == above


def find_suppressions(document: Document) -> list[Suppression]:
    """Return every suppression in a schema document."""
    if "formwork:" not in document.text or not isinstance(document.value, dict):
        return []
    found = []
    view = SchemaView(document.value)
    for node in (view.root, *list_nodes(view)):
        comment = node.get("$comment")
        match = _COMMENT.fullmatch(comment.strip()[:_LONGEST]) if isinstance(comment, str) else None
        if match:
            named = [each.strip() for each in match["codes"].split(",")]
            codes = tuple(each if each.startswith("schema.") else f"schema.{each}" for each in named)
            found.append(Suppression(node.path, codes, (match["reason"] or "").strip()))
    return found


def suppress(document: Document, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Return `diagnostics` without the suppressed ones, and with those about the suppressions themselves."""
    suppressions = find_suppressions(document)
    kept, used = [], set()
    for each in diagnostics:
        by = [one for one in suppressions if each.severity is not Severity.ERROR and one.covers(each)]
        used |= {(one.path, each.code) for one in by}
        if not by:
            kept.append(each)
    for one in suppressions:
        place = document.locate((*one.path, "$comment"))
        if not one.reason:
            words = "the suppression gives no reason"
            kept.append(
                Diagnostic(CODE, Severity.WARNING, words, place, "a reason", 'write "… - <reason>" behind the codes')
            )
        for code in one.codes:
            if (one.path, code) not in used:
                words = f'the suppression of "{code}" has nothing to silence'
                kept.append(Diagnostic(CODE, Severity.WARNING, words, place, "a warning of that code", "remove it"))
    return kept
