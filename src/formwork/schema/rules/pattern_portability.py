r"""A pattern means something else outside Java.

Finds: a `pattern` with constructs that only Java's engine knows: `\p{Alpha}`, possessive quantifiers, atomic groups,
`\Q…\E`, inline flags, `\A`, `\Z`, classes in classes and `&&`.

Why: CloudFormation is fine with it; editors, cfn-lint and other tools that follow ECMA-262 refuse it or read it
otherwise.

Example: `"pattern": "^\\p{Alpha}++$"`

Fix: write what every engine knows: `^[A-Za-z]+$`.

Source: JSON Schema draft-07 (patterns are ECMA-262).
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem, list_patterns
from formwork.schema.findings import Path

CODE = "schema.pattern-portability"
SEVERITY = Severity.INFO
KEYWORDS = ("pattern", "patternProperties")


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    for where, text in list_patterns(path, node):
        found = checked.pattern(text)
        if found is not None and found.java_only:
            listed = ", ".join(found.java_only[:4])
            message = f"other engines than Java's refuse or misread the pattern: {listed}"
            yield Problem(where, message, "constructs that every engine knows", None, key=where[-1] != "pattern")
