"""A format is not one of JSON Schema's.

Finds: a `format` that draft-07 does not define and CloudFormation does not use, such as a regular expression. In a type
configuration `password` is known: it has the value masked.

Why: it is not checked; if it is an expression, `pattern` was meant.

Example: `"Arn": {"type": "string", "format": "^arn:"}`

Fix: use `pattern`, or a format that exists.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path, show_value

CODE = "schema.unknown-format"
SEVERITY = Severity.INFO
KEYWORDS = ("format",)
_KNOWN = frozenset(
    {
        *("date-time", "date", "time", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6"),
        *("uri", "uri-reference", "iri", "iri-reference", "uri-template", "json-pointer", "relative-json-pointer"),
        *("regex", "uuid", "duration"),
        *("int32", "int64", "float", "double", "timestamp", "byte", "string"),
    }
)
# Marks a secret of the type configuration, there or in a definition that it refers to.
_FORMAT_OF_SECRETS = "password"
_MAY_HOLD_SECRETS = ("typeConfiguration", "definitions")


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    known = node["format"]
    if known == _FORMAT_OF_SECRETS and path and path[0] in _MAY_HOLD_SECRETS:
        return
    if known not in _KNOWN and not known.startswith("AWS::"):
        odd = any(each in known for each in "^$[(\\*")
        hint = 'this looks like a regular expression: write "pattern"' if odd else "use a known format, or remove it"
        yield Problem((*path, "format"), f"{show_value(known)} is not a known format", "a format of JSON Schema", hint)
