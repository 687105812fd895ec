"""A $ref leads nowhere.

Finds: a `$ref` into the same document whose pointer is malformed, names nothing, or names what is not a schema.

Why: what the property is remains unknown; CloudFormation refuses the schema.

Example: `{"$ref": "#/definitions/Tga"}`

Fix: write the name of a definition or property that exists.

Source: JSON Schema draft-07; user guide, Patterns for modeling.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.documents.refs import split_local_ref
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.unresolvable-ref"
SEVERITY = Severity.ERROR
KEYWORDS = ("$ref",)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    ref = node["$ref"]
    fault = checked.ref_fault(ref)
    # A chain is faulty at its last link alone; the links before it lead somewhere.
    if fault is None or (ref not in fault and "pointer" not in fault) or fault.endswith("refers to itself"):
        return
    if "pointer" in fault:
        yield Problem((*path, "$ref"), fault, "a pointer such as #/definitions/Name")
        return
    if "no schema" in fault:
        yield Problem(
            (*path, "$ref"), fault, "a definition or property", "write #/definitions/Name or #/properties/Name"
        )
        return
    yield Problem(
        (*path, "$ref"), f'"{ref}" leads nowhere', "a definition or property that exists", _suggest(checked, ref)
    )


def _suggest(checked: Checked, ref: str) -> str | None:
    tokens = split_local_ref(ref) or ()
    if len(tokens) != 2 or not isinstance(checked.value.get(tokens[0]), dict):
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only for a fault

    close = get_close_matches(tokens[1], list(checked.value[tokens[0]]), 1)
    return f'write "#/{tokens[0]}/{close[0]}"' if close else None
