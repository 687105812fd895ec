"""An enum is long and likely to grow.

Finds: enums of more than 15 values.

Why: each new value of the service needs a new version of the type before anyone can use it.

Example: `"InstanceType": {"type": "string", "enum": ["m1.small", …]}`

Fix: use a pattern or a plain string, and let the service refuse what it does not know.

Source: AWS CloudFormation CLI.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.long-enum"
SEVERITY = Severity.WARNING
KEYWORDS = ("enum",)
_MOST = 15


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    count = len(node["enum"])
    if count > _MOST:
        hint = "use a pattern or a plain string"
        yield Problem(
            (*path, "enum"), f"the enum has {count} values and is likely to grow", f"at most {_MOST}", hint, key=True
        )
