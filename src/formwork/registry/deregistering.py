"""DeregisterType: a version, or a type with its last version, marked DEPRECATED in every Region of the account.

The rules hold in the Region of the call. A version that is the default one among several in another Region stays there.
"""

from sqlalchemy import Connection, delete, func, select, update

from formwork.aws.scope import Scope
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import RegistryError, registry_error, type_not_found
from formwork.registry.finding import AnyRow, Named, get_version, read_reference
from formwork.registry.names import parse_version_id
from formwork.registry.requests import TypeReference
from formwork.registry.tables import configurations, types, versions
from formwork.registry.versions import NO_SUCH_VERSION

_SEVERAL = (
    "This type has more than one active version. Please deregister non-default active versions before attempting to "
    "deregister the type."
)


def deregister_type(parts: RegistryDependencies, scope: Scope, reference: TypeReference) -> None:
    """Deregister a version, or a type by its last version.

    Raises:
        RegistryError: it does not exist, or may not be deregistered by the guide's rules.
    """
    named = read_reference(scope, reference)
    with parts.database.begin() as connection:
        rows = _everywhere(connection, scope, named)
        row = next((each for each in rows if each.region == scope.region), None)
        if row is None:
            raise type_not_found(named.name)
        if row.publisher_id is not None:
            raise registry_error(f"The type '{row.name}' is activated from a publisher. Deactivate it instead.")
        number = _number(connection, row, named, by_arn=reference.arn is not None)
        for each in rows:
            if each.publisher_id is None:
                _deregister(connection, each, number, parts.settings.now())
                parts.settings.observer.checkpoint("deregister-one")
    parts.settings.observer.checkpoint("deregister-done")


def _number(connection: Connection, row: AnyRow, named: Named, *, by_arn: bool) -> int | None:
    """Return the version that goes; None where the type does.

    AWS refuses the ARN of the default version even where it is the last one (recorded), while the guide lets a version
    id take the type along.
    """
    alone = _live(connection, row) == 1
    if named.version is None:
        if not alone:
            raise registry_error(_SEVERAL)
        return None
    number = parse_version_id(named.version)
    version = None if number is None else get_version(connection, row.id, number)
    if version is None or version.status != "LIVE":
        raise registry_error(NO_SUCH_VERSION)
    if number != row.default_number:
        return number
    if alone and not by_arn:
        return None
    raise _default(row, named.version)


def _default(row: AnyRow, version: str) -> RegistryError:
    kind = {"RESOURCE": "resource", "MODULE": "resource", "HOOK": "hook"}[row.kind]
    return registry_error(
        f"Version '{version}' is the default version and cannot be deregistered. Deregister the {kind} type "
        f"'{row.name}' instead."
    )


def _live(connection: Connection, row: AnyRow) -> int:
    query = select(func.count()).select_from(versions)
    found: int = connection.execute(query.where(versions.c.type_id == row.id, versions.c.status == "LIVE")).scalar_one()
    return found


def _everywhere(connection: Connection, scope: Scope, named: Named) -> list[AnyRow]:
    """The type in every Region of the account, held in an order of their own, so that two calls never wait in turn."""
    query = select(types).where(
        types.c.account == scope.account,
        types.c.kind == str(named.kind),
        types.c.name == named.name,
        types.c.status == "LIVE",
    )
    return list(connection.execute(query.order_by(types.c.id).with_for_update()).all())


def _deregister(connection: Connection, row: AnyRow, number: int | None, now: float) -> None:
    chosen = update(versions).where(versions.c.type_id == row.id, versions.c.status == "LIVE")
    if number is not None and not (number == row.default_number and _live(connection, row) == 1):
        if number != row.default_number:
            connection.execute(chosen.where(versions.c.number == number).values(status="DEPRECATED"))
        return
    connection.execute(chosen.values(status="DEPRECATED"))
    connection.execute(update(types).where(types.c.id == row.id).values(status="DEPRECATED", updated=now))
    forget_configurations(connection, row)


def forget_configurations(connection: Connection, row: AnyRow) -> None:
    """Delete the configurations of a deregistered type."""
    connection.execute(
        delete(configurations).where(
            configurations.c.account == row.account,
            configurations.c.region == row.region,
            configurations.c.kind == row.kind,
            configurations.c.name == row.name,
        )
    )
