"""SetTypeDefaultVersion."""

from sqlalchemy import update

from formwork.aws.scope import Scope
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import registry_error, type_not_found
from formwork.registry.finding import get_version, lock_type, read_reference
from formwork.registry.names import parse_version_id
from formwork.registry.requests import TypeReference
from formwork.registry.tables import types

# AWS's answer where the type is there and the version is not, as recorded.
NO_SUCH_VERSION = "TypeName is invalid"


def set_default_version(parts: RegistryDependencies, scope: Scope, reference: TypeReference) -> None:
    """Set the version of a type that operations use.

    Raises:
        RegistryError: there is no such type, or no such version that is LIVE.
    """
    named = read_reference(scope, reference)
    if named.version is None:
        raise registry_error("The version to be the default one must be specified, by VersionId or in the Arn.")
    with parts.database.begin() as connection:
        row = lock_type(connection, scope, named.kind, named.name)
        if row is None or row.status != "LIVE":
            raise type_not_found(named.name)
        if row.publisher_id is not None:
            raise registry_error(
                f"The type '{row.name}' is activated from a publisher, whose versions have no default one."
            )
        number = parse_version_id(named.version)
        version = None if number is None else get_version(connection, row.id, number)
        if version is None or version.status != "LIVE":
            raise registry_error(NO_SUCH_VERSION)
        now = parts.settings.now()
        connection.execute(update(types).where(types.c.id == row.id).values(default_number=number, updated=now))
        parts.settings.observer.checkpoint("default-set")
