r"""A pattern is not a regular expression that Java takes.

Finds: a `pattern`, or a key of `patternProperties`, that `java.util.regex` refuses: unknown escapes, a bare `{`,
ranges that run backwards, brackets that are never closed.

Why: CloudFormation checks values with Java's engine; a pattern it refuses makes every value invalid, or the
registration fail.

Example: `"pattern": "{{resolve:.*}}"`

Fix: correct the pattern: `\{\{resolve:.*\}\}`.

Source: cloudformation-resource-schema runs on Java; JSON Schema draft-07, pattern.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem, list_patterns
from formwork.schema.findings import Path, show_value

CODE = "schema.pattern-refused"
SEVERITY = Severity.WARNING
KEYWORDS = ("pattern", "patternProperties")


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    for where, text in list_patterns(path, node):
        found = checked.pattern_fault(text)
        if found is not None:
            marked = text[: found.position] + "⟦here⟧" + text[found.position :] if found.position else text
            message = f"the pattern is not a regular expression: {found}"
            shown = show_value(marked, limit=90)
            yield Problem(
                where, message, "a regular expression of Java's dialect", f"look at {shown}", key=where[-1] != "pattern"
            )
