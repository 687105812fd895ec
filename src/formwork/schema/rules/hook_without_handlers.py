"""A hook has no handler or no target.

Finds: a hook without `handlers` or with an empty one, and a handler without target names.

Why: it would never be called. A handler without targets is a warning, since hooks in use have one.

Example: `"handlers": {}`

Fix: add `preCreate`, `preUpdate` or `preDelete` with at least one target.

Source: user guide, Hooks structure ("At least one value must be specified", "Specify at least one target name").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.hook-without-handlers"
SEVERITY = Severity.ERROR
KINDS = (ExtensionKind.HOOK,)


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    if not isinstance(handlers, dict) or not handlers:
        path: Path = ("handlers",) if "handlers" in checked.value else ()
        yield Problem(path, "the hook has no handler", "preCreate, preUpdate or preDelete", 'add one to "handlers"')
        return
    for name, handler in handlers.items():
        if not handler["targetNames"]:
            path = ("handlers", name, "targetNames")
            yield Problem(path, f"{name} has no target", "at least one type name", severity=Severity.WARNING)
