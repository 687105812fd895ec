"""A pattern matches nothing.

Finds: a pattern in which characters must stand before `^` or behind `$`.

Why: no value is ever valid.

Example: `"pattern": "$vpc-[0-9]{8,10}^"`

Fix: put `^` first and `$` last, or escape them where the characters are meant.

Source: reviews of providers; the resource schema document's own example has it.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem, list_patterns
from formwork.schema.findings import Path

CODE = "schema.pattern-never-matches"
SEVERITY = Severity.WARNING
KEYWORDS = ("pattern", "patternProperties")


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    for where, text in list_patterns(path, node):
        if "$" not in text[:-1] and "^" not in text[1:]:
            continue  # nothing to be in the wrong place
        from formwork.patterns.anchors import never_matches  # noqa: PLC0415 - few schemas have such a pattern

        found = checked.pattern(text)
        if found is not None and never_matches(found.root):
            message = "the pattern matches nothing: something stands before the beginning or behind the end"
            yield Problem(where, message, "^ first and $ last", "swap or escape them", key=where[-1] != "pattern")
