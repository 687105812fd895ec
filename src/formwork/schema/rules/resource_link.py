"""The resource link and its mappings do not fit.

Finds: a mapping to a property that does not exist, a name in the link without a mapping, and a mapping that the link
does not use.

Why: the link leads nowhere.

Example: `"templateUri": "/s3?b=${Bucket}", "mappings": {"BucketName": "/BucketName"}`

Fix: let each `${Name}` have a mapping to a property.

Source: resource schema document, resourceLink.
"""

import re
from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.resource-link"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)
_NAME = re.compile(r"\$\{([^}]*)\}")
_GIVEN = frozenset({"awsRegion", "awsPartition", "awsAccountId", "accountId", "region", "partition"})


def check(checked: Checked) -> Iterator[Problem]:
    link = checked.value.get("resourceLink")
    if not isinstance(link, dict):
        return
    used, mappings = set(_NAME.findall(link["templateUri"])), link["mappings"]
    for name in sorted(used - mappings.keys() - _GIVEN):
        yield Problem(("resourceLink", "templateUri"), f'"${{{name}}}" has no mapping', f'a mapping "{name}"', "add it")
    for name, text in mappings.items():
        pointer = checked.pointer(("resourceLink", "mappings", name), "/properties" + text.removeprefix("/properties"))
        if not pointer.found:
            yield Problem(pointer.at, f'"{text}" names no property', "a pointer such as /Name", "correct the pointer")
        elif name not in used:
            yield Problem(
                pointer.at, f'the link does not use "{name}"', f'"${{{name}}}" in the link', "remove it", key=True
            )
