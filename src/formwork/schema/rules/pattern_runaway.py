r"""A pattern can run forever.

Finds: a repetition inside a repetition where the same text can be divided between the two in many ways, such as
`(a+)+` or `(\w|\d)*`, with something after it that can fail.

Why: a value of some dozens of characters that does not fit keeps the engine busy for years.

Example: `"pattern": "^([a-z]+)*$"`

Fix: let only one of the two repeat: `^[a-z]*$`.

Source: known as catastrophic backtracking; Java's engine has no guard against it.
"""

import re
from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem, list_patterns
from formwork.schema.findings import Path

CODE = "schema.pattern-runaway"
SEVERITY = Severity.WARNING
_REPEATED_GROUP = re.compile(r"\)[*+{]")
KEYWORDS = ("pattern", "patternProperties")


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    for where, text in list_patterns(path, node):
        if not _REPEATED_GROUP.search(text):
            continue
        from formwork.patterns.danger import can_run_away  # noqa: PLC0415 - few schemas have such a pattern

        found = checked.pattern(text)
        if found is not None and can_run_away(found.root):
            message = "the pattern can run forever on a value that does not fit"
            yield Problem(
                where,
                message,
                "one way only to read each text",
                "let only one of the nested parts repeat",
                key=where[-1] != "pattern",
            )
