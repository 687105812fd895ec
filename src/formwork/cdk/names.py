"""Names of the CDK's L1 classes, as its own generator makes them from CloudFormation's.

Source: aws-cdk's `tools/@aws-cdk/spec2cdk/lib/naming` with npm's `camelcase` 6, and `toSnakeCase` of jsii-pacmak for
Python. `tests/conformance/cdk` compares them with the classes in `aws-cdk-lib`.
"""

import keyword
import re
from collections.abc import Collection, Iterable

_SEPARATED = re.compile(r"[_.\- ]+([^\W_]|$)")
_AFTER_DIGITS = re.compile(r"\d+[^\W_]")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]+")
# Endings whose capitals do not become words of their own.
_PLURALS = {"ARNs": "Arns", "MBs": "MBs", "AZs": "AZs"}
_LOWER_UPPER = re.compile(r"([a-z\d])([A-Z])")
_UPPER_WORD = re.compile(r"([A-Z]+)([A-Z][a-z\d]+)")
# Members that every `cdk.CfnResource` has, in TypeScript's spelling.
_OF_EVERY_RESOURCE = frozenset(
    {
        "addDeletionOverride",
        "addDependency",
        "addDependsOn",
        "addMetadata",
        "addOverride",
        "addPropertyDeletionOverride",
        "addPropertyOverride",
        "applyRemovalPolicy",
        "cdkTagManager",
        "cfnOptions",
        "cfnProperties",
        "cfnResourceType",
        "constructor",
        "creationStack",
        "env",
        "getAtt",
        "getMetadata",
        "inspect",
        "logicalId",
        "node",
        "obtainDependencies",
        "obtainResourceDependencies",
        "overrideLogicalId",
        "ref",
        "removeDependency",
        "renderProperties",
        "replaceDependency",
        "shouldSynthesize",
        "stack",
        "toString",
        "updatedProperties",
        "validateProperties",
        "with",
    }
)


def property_name(name: str) -> str:
    """Return the name of a property: `bucketName` for `BucketName`, `dbName` for `DBName`."""
    changed = camel_case(name)
    for ending, kept in _PLURALS.items():
        if name.endswith(ending):
            return changed[: -len(ending)] + kept
    return changed


def attribute_name(name: str) -> str:
    """Return the name of an attribute: `attrEndpointAddress` for `Endpoint.Address`."""
    pascal = camel_case(_NOT_IN_NAMES.sub("_", name))
    return f"attr{pascal[:1].upper()}{pascal[1:]}"


def class_name(type_name: str) -> str:
    """Return the name of the class of a type: `CfnThing` for `Acme::Store::Thing`, `CfnThingModule` for a module."""
    parts = type_name.split("::")
    module = len(parts) > 3 and parts[-1] == "MODULE"
    name = _NOT_IN_NAMES.sub("", parts[-2] if module else parts[-1]) or "Resource"
    return f"Cfn{name[0].upper()}{name[1:]}{'Module' if module else ''}"


def member_names(names: Iterable[str], *, of_class: bool) -> dict[str, str]:
    """Return the names of properties, all different; `of_class`: none is that of a member of every resource."""
    found: dict[str, str] = {}
    taken = set(_OF_EVERY_RESOURCE if of_class else ())
    for name in names:
        plain = property_name(_NOT_IN_NAMES.sub("_", name)) or "property"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        found[name] = unused(plain, taken)
        taken.add(found[name])
    return found


def unused(plain: str, taken: Collection[str]) -> str:
    """Return `plain`, or the first of `plain_`, `plain_2`, … that is not in `taken`."""
    candidate, number = plain, 1
    while candidate in taken:
        candidate = f"{plain}_" if number == 1 else f"{plain}_{number}"
        number += 1
    return candidate


def camel_case(text: str) -> str:
    """Return `text` as npm's `camelcase` does: words at changes of case, capitals in a row are one word."""
    text = text.strip()
    if len(text) <= 1:
        return text.lower()
    words = _divided(text).lstrip("_.- ").lower()
    words = _SEPARATED.sub(lambda found: found.group(1).upper(), words)
    return _AFTER_DIGITS.sub(lambda found: found.group().upper(), words)


def _divided(text: str) -> str:
    """Put a hyphen where a new word begins: `DBName` → `DB-Name`, `subnetIds` → `subnet-Ids`."""
    parts: list[str] = []
    lower = upper = before_upper = False
    for character in text:
        is_lower, is_upper = character.islower(), character.isupper()
        if lower and is_upper:
            parts.append("-")
            lower, before_upper, upper = False, upper, True
        elif upper and before_upper and is_lower:
            parts.insert(-1, "-")
            before_upper, upper, lower = upper, False, True
        else:
            lower, before_upper, upper = is_lower, upper, is_upper
        parts.append(character)
    return "".join(parts)


def snake_case(name: str) -> str:
    """Return the name that jsii gives to a member in Python: `db_name` for `dbName`, `from_` for `from`."""
    text = _LOWER_UPPER.sub(r"\1_\2", name)
    text = _UPPER_WORD.sub(r"\1_\2", text).lower()
    return f"{text}_" if keyword.iskeyword(text) else text
