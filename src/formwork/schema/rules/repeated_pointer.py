"""A list names the same property twice.

Finds: two entries of one list that mean the same property, and an additional identifier that repeats another
identifier.

Why: one of them was probably meant to be another property.

Example: `"readOnlyProperties": ["/properties/Arn", "/properties/Arn"]`

Fix: remove or correct one of them.

Source: user guide, Resource type schema.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import POINTER_LISTS, Checked, Problem
from formwork.schema.paths import PropertyPath

CODE = "schema.repeated-pointer"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    for keyword in POINTER_LISTS:
        seen: set[PropertyPath] = set()
        for pointer in checked.pointers(keyword):
            if pointer.path in seen:
                yield Problem(
                    pointer.at, f'"{pointer.text}" stands twice in {keyword}', "every property once", "remove one"
                )
            seen.add(pointer.path)
    identifiers = [frozenset(checked.paths("primaryIdentifier"))]
    lists: dict[Any, list[PropertyPath]] = {}
    for pointer in checked.pointers("additionalIdentifiers"):
        lists.setdefault(pointer.at[1], []).append(pointer.path)
    for index, paths in lists.items():
        if frozenset(paths) in identifiers:
            path = ("additionalIdentifiers", index)
            yield Problem(path, "the identifier repeats an earlier one", "another set of properties", "remove it")
        identifiers.append(frozenset(paths))
