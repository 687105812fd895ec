"""A target of a hook is not a type name.

Finds: a target name that is not three parts joined by `::`, `*` and `?` aside, or one that stands twice.

Why: the hook is never called for it.

Example: `"targetNames": ["S3::Bucket"]`

Fix: write `AWS::S3::Bucket`.

Source: user guide, Hooks structure.
"""

import re
from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.hook-target"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.HOOK,)
_TARGET = re.compile(r"[a-zA-Z0-9*?]{1,64}::[a-zA-Z0-9*?]{1,64}::[a-zA-Z0-9*?]{1,64}(?:::MODULE)?|\*|STACK|CHANGE_SET")


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    for name, handler in handlers.items() if isinstance(handlers, dict) else ():
        targets = handler["targetNames"]
        for index, target in enumerate(targets):
            if target in targets[:index]:
                at = ("handlers", name, "targetNames", index)
                yield Problem(at, f'"{target}" stands twice', "every target once", "remove one")
            if not _TARGET.fullmatch(target):
                path = ("handlers", name, "targetNames", index)
                yield Problem(
                    path, f'"{target}" is not a type name', "Organization::Service::Resource", "write its full name"
                )
