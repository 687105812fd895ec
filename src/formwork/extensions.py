"""The kinds of extensions, their type names, and the file and package names made of these.

For `Org::Svc::Res` the schema file, the package and the log group are named `org-svc-res`, the role's ARN holds
`Org-Svc-Res`, and the Python package is `org_svc_res`.

The reasons are in docs/decisions/1300.
"""

import re
from enum import StrEnum
from typing import assert_never


class ExtensionKind(StrEnum):
    """The kind of an extension; the value is its name on the wire, in `.rpdk-config` and in the registry's tables."""

    RESOURCE = "RESOURCE"
    HOOK = "HOOK"
    MODULE = "MODULE"

    @property
    def noun(self) -> str:
        """The kind in lower case: in messages, ARNs, and names of files and options."""
        return self.value.lower()

    @classmethod
    def from_noun(cls, noun: str) -> "ExtensionKind":
        """Return the kind that `noun` names; raises ValueError for any other text."""
        return cls(noun.upper())

    @property
    def pattern(self) -> str:
        """The shape of this kind's type names, for a reader."""
        match self:
            case ExtensionKind.RESOURCE:
                return "Organization::Service::Resource"
            case ExtensionKind.HOOK:
                return "Organization::Service::Hook"
            case ExtensionKind.MODULE:
                return "Organization::Service::Name::MODULE"
            case _:
                assert_never(self)


_PART = r"[a-zA-Z0-9]{2,64}"
_THREE_PARTS = re.compile(rf"{_PART}::{_PART}::{_PART}")

TYPE_NAME_RULE = 'parts joined by "::", each of 2 to 64 letters and digits'


def is_type_name(name: str, kind: ExtensionKind) -> bool:
    """Return whether `name` is a type name of that kind."""
    if kind is ExtensionKind.MODULE:
        return name.endswith("::MODULE") and _THREE_PARTS.fullmatch(name.removesuffix("::MODULE")) is not None
    return _THREE_PARTS.fullmatch(name) is not None


def hyphenated_name(type_name: str) -> str:
    """`org-svc-res`: the name of the schema file, the package, the log group and the role's stack."""
    return type_name.replace("::", "-").lower()


def arn_name(type_name: str) -> str:
    """`Org-Svc-Res`: the name in the type's ARN, case kept."""
    return type_name.replace("::", "-")


def package_name(type_name: str) -> str:
    """`org_svc_res`: the handlers' Python package."""
    return type_name.replace("::", "_").lower()
