"""The handlers are not enough to provision the type.

Finds: a schema without `handlers`, with an empty one, or without one of `create`, `read` and `delete`; a `list` handler
without `read`.

Why: without them CloudFormation cannot provision, check or remove a resource; what is listed must be readable.

Example: `"handlers": {"create": {…}, "delete": {…}}`

Fix: add the missing handlers.

Source: user guide, handlers ("CloudFormation can't actually provision the resource").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.handler-set"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    if not isinstance(handlers, dict) or not handlers:
        message = "the type has no handlers, so CloudFormation cannot provision it"
        at, hint = ((), 'add "handlers"') if handlers is None else (("handlers",), "add create, read and delete")
        yield Problem(at, message, '"handlers" with create, read and delete', hint, key=bool(at))
        return
    missing = [name for name in ("create", "read", "delete") if name not in handlers]
    if missing:
        listed = " and ".join(missing)
        message = f"without {listed} CloudFormation cannot provision the type"
        yield Problem(("handlers",), message, "create, read and delete", f"add {listed}", key=True)
