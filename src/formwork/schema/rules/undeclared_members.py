"""An object does not forbid undeclared members.

Finds: an object with `properties` or `patternProperties` and no `additionalProperties`.

Why: misspelled members pass unnoticed; a later version of AWS's own tools will refuse the schema.

Example: `"Rule": {"type": "object", "properties": {…}}`

Fix: add `"additionalProperties": false`; `cfn validate --fix` does.

Source: resource schema document, Constraints.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.undeclared-members"
SEVERITY = Severity.WARNING
KEYWORDS = ("properties", "patternProperties")


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    in_combiner = any(each in ("allOf", "anyOf", "oneOf", "dependencies") for each in path)
    if "additionalProperties" not in node and not in_combiner and path[:1] != ("handlers",):
        hint = 'add "additionalProperties": false'
        message = "the object does not forbid undeclared members"
        yield Problem(path, message, '"additionalProperties": false', hint, key=True)
