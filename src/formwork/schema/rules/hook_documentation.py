"""A hook names no documentation.

Finds: a hook without `documentationUrl`.

Why: the guide lists it as required; users find nothing about the hook otherwise.

Example: no `documentationUrl`

Fix: add an https URL.

Source: user guide, Hooks structure (documentationUrl, "Required: Yes").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.hook-documentation"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.HOOK,)


def check(checked: Checked) -> Iterator[Problem]:
    if "documentationUrl" not in checked.value:
        yield Problem(
            (), "the hook names no documentation", '"documentationUrl"', 'add "documentationUrl": "https://…"'
        )
