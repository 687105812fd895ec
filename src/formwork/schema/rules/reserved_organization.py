"""The organization in the type name is reserved.

Finds: a `typeName` that begins with ASK, Custom or Dev, which cannot be registered, or with Alexa, Amazon, AMZN, AWS or
AWSQuickStart, which can be registered and not published; in any case.

Why: the guide lists the first three, Alexa, Amazon, AMZN and AWS as reserved, and says elsewhere that types of the last
five organizations may be registered privately, under contract tests, and cannot be published: warnings.

Example: `"typeName": "Dev::Store::Thing"`

Fix: use the name of your own organization.

Source: user guide, Resource type schema, Hooks structure and Modeling resource types.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.reserved-organization"
SEVERITY = Severity.ERROR
# Organization → whether types under this name can be registered, and only not published.
_RESERVED = {
    "alexa": True,
    "amazon": True,
    "amzn": True,
    "ask": False,
    "aws": True,
    "awsquickstart": True,
    "custom": False,
    "dev": False,
}


def reserved_from(type_name: str) -> str | None:
    """Return what a type of this organization cannot be, "registered" or "published"; None if it can be both."""
    registrable = _RESERVED.get(_organization(type_name).lower())
    return None if registrable is None else "published" if registrable else "registered"


def check(checked: Checked) -> Iterator[Problem]:
    name = str(checked.value.get("typeName"))
    organization = _organization(name)
    refused = reserved_from(name)
    if refused is None:
        return
    yield Problem(
        ("typeName",),
        f'the organization "{organization}" is reserved: the type cannot be {refused}',
        "the name of your own organization",
        f'write "YourOrganization{name[len(organization) :]}"',
        severity=Severity.WARNING if refused == "published" else None,
    )


def _organization(type_name: str) -> str:
    return type_name.split("::", maxsplit=1)[0]
