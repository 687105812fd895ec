"""Which resource types a registry lists by a name with `*` and `?` in it."""

import itertools
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from formwork.diagnostics import EnvironmentProblemError

_LITERAL = re.compile(r"[^*?]*")
# What ListTypes takes for TypeNamePrefix.
_PREFIX = re.compile(r"([A-Za-z0-9]{2,64}::){0,2}([A-Za-z0-9]{2,64}:?){0,1}", re.ASCII)
_PAGE = 100
# ListTypes answers the first of them alone where a request names none.
_PROVISIONING = ("FULLY_MUTABLE", "IMMUTABLE", "NON_PROVISIONABLE")


def list_resource_types(client: Any, pattern: str) -> list[str]:
    """Return the resource types that match, sorted: private ones, AWS's, and third parties' where they are activated.

    Raises:
        EnvironmentProblemError: the registry is out of reach, or refuses the caller.
    """
    import botocore.exceptions  # noqa: PLC0415 - comes with the client

    try:
        return sorted({name for name in _names(client, pattern) if fnmatchcase(name, pattern)})
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError) as error:
        raise EnvironmentProblemError(f"the registry does not list its types: {error}") from None


def _names(client: Any, pattern: str) -> Iterator[str]:
    literal = _LITERAL.match(pattern)
    prefix = literal.group() if literal else ""
    filters = {"Filters": {"TypeNamePrefix": prefix}} if prefix and _PREFIX.fullmatch(prefix) else {}
    options = {"Type": "RESOURCE", "DeprecatedStatus": "LIVE", **filters, "PaginationConfig": {"PageSize": _PAGE}}
    lists = client.get_paginator("list_types")
    for visibility, provisioning in itertools.product(("PUBLIC", "PRIVATE"), _PROVISIONING):
        for page in lists.paginate(**options, Visibility=visibility, ProvisioningType=provisioning):
            for each in page["TypeSummaries"]:
                if not each.get("PublisherId") or each.get("IsActivated"):
                    yield each["TypeName"]
