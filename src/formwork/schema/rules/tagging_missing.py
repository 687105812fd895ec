"""The schema does not say whether the type takes tags.

Finds: a schema without `tagging`.

Why: by default a type is taken to support tags in every way, and contract tests judge it so.

Example: no `tagging` member

Fix: add `"tagging": {"taggable": false}`, or say which property holds the tags.

Source: user guide, tagging ("you must set taggable to false or your resource type will fail contract testing").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.tagging-missing"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    if "tagging" not in checked.value:
        hint = 'add "tagging": {"taggable": false}, or true with a tagProperty'
        yield Problem((), "the schema does not say whether the type takes tags", '"tagging"', hint)
