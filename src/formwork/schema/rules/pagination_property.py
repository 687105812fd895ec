"""A property is about paging.

Finds: properties named like `MaxResults`, `NextToken` or `NextPageToken`.

Why: they belong to a list request, not to the state of a resource.

Example: `"NextToken": {"type": "string"}`

Fix: remove the property; the list handler gets its token otherwise.

Source: AWS CloudFormation CLI.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.pagination-property"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)
_NAMES = frozenset(
    {"maxresults", "maxrecords", "maxitems", "nexttoken", "nextmarker", "nextpagetoken", "pagetoken", "paginationtoken"}
)


def check(checked: Checked) -> Iterator[Problem]:
    for name in checked.value["properties"]:
        if name.lower() in _NAMES:
            yield Problem(
                ("properties", name), f'"{name}" is about paging, not about the resource', None, "remove it", key=True
            )
