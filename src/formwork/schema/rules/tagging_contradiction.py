"""What is said of tags contradicts itself.

Finds: `tagOnCreate`, `tagUpdatable` or `cloudFormationSystemTags` of a type that is not `taggable`; `tagUpdatable` of
a type without an update handler.

Why: tools and contract tests act on what is said here.

Example: `"tagging": {"taggable": false, "tagUpdatable": true}`

Fix: say the same everywhere.

Source: user guide, Resource type schema, tagging.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.tagging-contradiction"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)
_ABILITIES = ("tagOnCreate", "tagUpdatable", "cloudFormationSystemTags")


def check(checked: Checked) -> Iterator[Problem]:
    tagging = checked.value.get("tagging")
    if not isinstance(tagging, dict):
        return
    if tagging.get("taggable") is False:
        for name in _ABILITIES:
            if tagging.get(name) is True:
                message = f'the type takes no tags, and "{name}" is true'
                yield Problem(("tagging", name), message, "false", 'write false, or "taggable": true')
    handlers = checked.value.get("handlers")
    updates = not isinstance(handlers, dict) or "update" in handlers
    if tagging.get("taggable") is True and tagging.get("tagUpdatable") is True and not updates:
        message = "tags can be updated, and there is no update handler"
        yield Problem(("tagging", "tagUpdatable"), message, "an update handler", 'write false, or add "update"')
