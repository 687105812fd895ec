"""The organization in the type name is reserved.

Finds: a `typeName` that begins with Alexa, AMZN, Amazon, ASK, AWS, Custom or Dev, which cannot be used, or with
AWSQuickStart, which cannot be published; in any case.

Why: CloudFormation refuses to register or to publish such a type. AWS and Alexa are warnings, because their own types
are schemas too.

Example: `"typeName": "Amazon::Store::Thing"`

Fix: use the name of your own organization.

Source: user guide, Resource type schema, Hooks structure and Modeling resource types.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.reserved-organization"
SEVERITY = Severity.ERROR
# Organization → whether it is AWS itself that has types under this name.
_RESERVED = {
    "alexa": True,
    "amazon": False,
    "amzn": True,
    "ask": False,
    "aws": True,
    "awsquickstart": True,
    "custom": False,
    "dev": False,
}


def is_reserved(type_name: str) -> bool:
    """Whether the organization of `type_name`, such as `Amazon` in `Amazon::Store::Thing`, is reserved."""
    return _organization(type_name).lower() in _RESERVED


def check(checked: Checked) -> Iterator[Problem]:
    name = str(checked.value.get("typeName"))
    organization = _organization(name)
    used = _RESERVED.get(organization.lower())
    if used is None:
        return
    yield Problem(
        ("typeName",),
        f'the organization "{organization}" is reserved',
        "the name of your own organization",
        f'write "YourOrganization{name[len(organization) :]}"',
        severity=Severity.WARNING if used else None,
    )


def _organization(type_name: str) -> str:
    return type_name.split("::", maxsplit=1)[0]
