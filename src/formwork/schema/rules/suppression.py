"""A suppression has no reason or nothing to do.

Finds: a `$comment` of the form `formwork: ignore <code>` without a reason, or that silences nothing here or below.

Why: readers must know why a warning is lived with; one that is no longer there hides the next of its kind.

Example: `"$comment": "formwork: ignore schema.long-enum"`

Fix: write `"$comment": "formwork: ignore schema.long-enum - <reason>"`, or remove it.

Source: Formwork's own; `schema/suppressions.py` finds it after all other rules have run.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.suppression"
SEVERITY = Severity.WARNING


def check(checked: Checked) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    """Yield nothing: unused suppressions are known only after all rules have run."""
    yield from ()
