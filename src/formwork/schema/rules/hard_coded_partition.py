"""A pattern knows only the partition aws.

Finds: patterns with `arn:aws:`.

Why: ARNs in China and GovCloud begin with `arn:aws-cn:` and `arn:aws-us-gov:`, so the type refuses them there.

Example: `"pattern": "^arn:aws:iam::.*$"`

Fix: write `arn:aws[a-zA-Z-]*:`, or `arn:(aws|aws-cn|aws-us-gov):`.

Source: AWS CloudFormation CLI.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.hard-coded-partition"
SEVERITY = Severity.WARNING
KEYWORDS = ("pattern",)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    if "arn:aws:" in node["pattern"]:
        hint = "write arn:aws[a-zA-Z-]*: instead of arn:aws:"
        yield Problem((*path, "pattern"), "the pattern accepts ARNs of the partition aws only", "all partitions", hint)
