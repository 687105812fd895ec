"""A keyword or member is not known.

Finds: any name that the meta-schema does not have at that place: a slip of the pen, a keyword of a newer JSON Schema,
a member of another place.

Why: it has no effect, and CloudFormation refuses the schema.

Example: `"Name": {"type": "string", "minLenght": 1}`

Fix: write the keyword as the reference spells it, or remove it.

Source: resource schema document; user guide, Resource type schema and Hooks structure.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.unknown-keyword"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    if finding.slug != "unknown-member":
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only for a fault

    from formwork.schema.vocabulary import known_names  # noqa: PLC0415

    name = str(finding.path[-1])
    known = known_names(finding.path[:-1])
    folded = {each.lower(): each for each in known}
    close = [folded[name.lower()]] if name.lower() in folded else get_close_matches(name, known, 1)
    if name in close:
        words = f'"{name}" is not for this kind of extension'
        return finding._replace(message=words, expected="what its kind has", hint="remove it, or correct the typeName")
    place = "a property's schema" if "type" in known and "insertionOrder" in known else "this place"
    return finding._replace(
        message=f'"{name}" is not known in {place}',
        expected=f"one of {', '.join(known[:12])}{', …' if len(known) > 12 else ''}" if known else "no such member",
        hint=f'write "{close[0]}"' if close else "remove it",
    )
