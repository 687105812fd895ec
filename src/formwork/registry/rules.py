"""The guide's rules on names and quantities.

Source: user guide (seed 002), "Modeling resource types" (namespaces), the schemas' typeName (reserved organizations),
"Viewing contract test logs" (whose contract tests run at registration); quotas as `spec` 3.16 has them from AWS's.
"""

from formwork.aws.scope import Scope
from formwork.extensions import TYPE_NAME_RULE, ExtensionKind, is_type_name
from formwork.registry.errors import registry_error, validation_error

# Types with these organizations can be registered, which runs their contract tests, and cannot be published.
TESTED_NAMESPACES = frozenset({"aws", "amzn", "alexa", "amazon", "awsquickstart"})
# Types with these cannot be registered at all.
RESERVED = frozenset({"ask", "custom", "dev"})
MOST_TYPES = {ExtensionKind.RESOURCE: 50, ExtensionKind.MODULE: 100, ExtensionKind.HOOK: 100}
MOST_VERSIONS = {ExtensionKind.RESOURCE: 50, ExtensionKind.MODULE: 100, ExtensionKind.HOOK: 100}


def organization(name: str) -> str:
    """Return the first part of a type name, in lower case."""
    return name.partition("::")[0].lower()


def is_tested_at_registration(name: str) -> bool:
    """Return whether registration runs the contract tests; the same types cannot be published."""
    return organization(name) in TESTED_NAMESPACES


def check_name(name: str, kind: ExtensionKind) -> None:
    """Refuse a name that no type of the kind may have.

    Raises:
        RegistryError: it has the wrong form, or its organization is reserved.
    """
    if not is_type_name(name, kind):
        raise validation_error(f"TypeName '{name}' is not {kind.pattern}: {TYPE_NAME_RULE}")
    if organization(name) in RESERVED:
        raise registry_error(f"The organization '{name.partition('::')[0]}' in TypeName '{name}' is reserved.")


def check_public_region(scope: Scope) -> None:
    """Refuse a Region that has no public registry.

    Raises:
        RegistryError: it is in China or GovCloud.
    """
    if scope.partition != "aws":
        raise registry_error(f"The public registry is not available in the Region '{scope.region}'.")
