"""The schema uses taggable instead of tagging.

Finds: the member `taggable` at the top, and one that contradicts `tagging`.

Why: it is deprecated and says less.

Example: `"taggable": false`

Fix: write `"tagging": {"taggable": false}`; `cfn validate --fix` does.

Source: resource schema document, taggable.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.taggable-deprecated"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    if "taggable" not in checked.value:
        return
    tagging = checked.value.get("tagging")
    if isinstance(tagging, dict) and tagging["taggable"] != checked.value["taggable"]:
        message = '"taggable" says another thing than "tagging"'
    else:
        message = '"taggable" is deprecated'
    yield Problem(("taggable",), message, '"tagging"', "say it in tagging alone", key=True)
