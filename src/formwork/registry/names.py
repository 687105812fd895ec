"""ARNs of types, versions and configurations, and type names out of them."""

import re

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind, arn_name

DEFAULT_ALIAS = "default"
# The service's model leaves out the publisher of AWS's managed hooks.
_PUBLISHER = "[0-9a-zA-Z]{12,40}|aws-hooks"
_TYPE_ARN = re.compile(
    r"arn:(?P<partition>aws[A-Za-z0-9-]*):cloudformation:(?P<region>[A-Za-z0-9-]+):(?P<account>[0-9]{12})?:"
    rf"type/(?P<kind>resource|module|hook)/(?:(?P<publisher>{_PUBLISHER})/)?"
    r"(?P<name>[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+)(?:/(?P<version>[A-Za-z0-9.+-]+))?"
)
_CONFIGURATION_ARN = re.compile(
    r"arn:aws[A-Za-z0-9-]*:cloudformation:(?P<region>[A-Za-z0-9-]+):(?P<account>[0-9]{12}):"
    r"type-configuration/(?P<kind>resource|module|hook)/(?P<name>[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+)/"
    r"(?P<alias>[A-Za-z0-9]{1,256})"
)


class TypeArn(Struct, frozen=True):
    """The parts of an ARN; `account` and `publisher` are None where it has none, `version` is what follows the name."""

    region: str
    account: str | None
    kind: ExtensionKind
    name: str
    publisher: str | None = None
    version: str | None = None


def version_id(number: int) -> str:
    """`00000001`: how versions are numbered for clients."""
    return f"{number:08d}"


def parse_version_id(text: str) -> int | None:
    """Return the number of a version id; None where it is none."""
    return int(text) if re.fullmatch(r"[0-9]{1,8}", text, re.ASCII) else None


def type_arn(scope: Scope, kind: ExtensionKind, name: str, number: int | None = None) -> str:
    """Return the ARN of a type in an account and Region, or with `number` of one of its versions."""
    suffix = "" if number is None else f"/{version_id(number)}"
    return f"{_prefix(scope)}:{scope.account}:type/{kind.noun}/{arn_name(name)}{suffix}"


def public_type_arn(scope: Scope, kind: ExtensionKind, name: str, publisher: str | None) -> str:
    """Return the ARN of a public type in a Region; AWS's own types have no publisher."""
    owner = "" if publisher is None else f"{publisher}/"
    return f"{_prefix(scope)}::type/{kind.noun}/{owner}{arn_name(name)}"


def configuration_arn(scope: Scope, kind: ExtensionKind, name: str, alias: str) -> str:
    """Return the ARN of a type configuration."""
    return f"{_prefix(scope)}:{scope.account}:type-configuration/{kind.noun}/{arn_name(name)}/{alias}"


def parse_type_arn(arn: str) -> TypeArn | None:
    """Return the parts of a type's or version's ARN; None for another text."""
    found = _TYPE_ARN.fullmatch(arn)
    if found is None:
        return None
    kind = ExtensionKind.from_noun(found["kind"])
    name = found["name"].replace("-", "::")
    return TypeArn(found["region"], found["account"], kind, name, found["publisher"], found["version"])


def parse_configuration_arn(arn: str) -> tuple[Scope, ExtensionKind, str, str] | None:
    """Scope, kind, type name and alias of a configuration's ARN; None where it is none."""
    found = _CONFIGURATION_ARN.fullmatch(arn)
    if found is None:
        return None
    scope = Scope(found["account"], found["region"])
    return scope, ExtensionKind.from_noun(found["kind"]), found["name"].replace("-", "::"), found["alias"]


def _prefix(scope: Scope) -> str:
    return f"arn:{scope.partition}:cloudformation:{scope.region}"
