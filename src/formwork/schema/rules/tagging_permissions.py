"""Nothing in the permissions is about tags.

Finds: a type that says `"taggable": true` while neither `tagging.permissions` nor any handler has an action with
`Tag` in its name.

Why: handlers cannot set, change or read tags without such permissions.

Example: `"tagging": {"taggable": true}` and `"permissions": ["sqs:CreateQueue"]`

Fix: add the service's actions, such as `sqs:TagQueue`, to `tagging.permissions`; an empty list there says that tags
need none.

Source: what reviewers of public types ask for.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.tagging-permissions"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    tagging, handlers = checked.value.get("tagging"), checked.value.get("handlers")
    if not isinstance(tagging, dict) or tagging.get("taggable") is not True or not isinstance(handlers, dict):
        return
    if tagging.get("permissions") == []:  # said on purpose: the tags live where no permission is needed
        return
    permissions = [*tagging.get("permissions", []), *(each for one in handlers.values() for each in one["permissions"])]
    if any(permissions) and not any("tag" in each.lower() or "*" in each for each in permissions):
        message = "the type takes tags, and no permission is about tags"
        yield Problem(("tagging",), message, "an action such as sqs:TagQueue", 'add "permissions" to tagging', key=True)
