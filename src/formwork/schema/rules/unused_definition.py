"""A definition is not used.

Finds: definitions that no property leads to through `$ref`.

Why: readers look for its use in vain; often a `$ref` was lost.

Example: `"definitions": {"Tag": {…}}` and no `$ref` to it

Fix: use it, or remove it.

Source: user guide, Resource type schema.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.unused-definition"
SEVERITY = Severity.WARNING


def check(checked: Checked) -> Iterator[Problem]:
    definitions = checked.value.get("definitions")
    if not isinstance(definitions, dict) or not definitions:
        return
    uses: dict[str, set[str]] = {}
    for node in checked.nodes:
        ref = node.value.get("$ref")
        if isinstance(ref, str) and (target := _definition(ref)) is not None:
            user = str(node.path[1]) if node.path[0] == "definitions" else ""
            uses.setdefault(user, set()).add(target)
    reached: set[str] = set()
    pending = list(uses.get("", ()))
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += uses.get(name, ())
    for name in definitions:
        if name not in reached:
            yield Problem(
                ("definitions", name),
                f'the definition "{name}" is not used',
                "a $ref to it",
                "use it, or remove it",
                key=True,
            )


def _definition(ref: str) -> str | None:
    prefix, _, rest = ref.partition("#/definitions/")
    return rest.split("/", maxsplit=1)[0] if rest and prefix in ("", "resource-schema.json") else None
