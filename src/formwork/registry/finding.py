"""From what a request says of a type to its rows."""

from typing import Any, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, Row, Select, select

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry.errors import registry_error, type_not_found
from formwork.registry.names import DEFAULT_ALIAS, parse_type_arn, parse_version_id, type_arn
from formwork.registry.requests import TypeReference
from formwork.registry.tables import configurations, types, versions

AnyRow: TypeAlias = Row[Any]


# AWS's types that can't be here, and what to do instead.
_UNAVAILABLE = {
    (ExtensionKind.HOOK, "AWS::ControlTower::Hook"): (
        "which controls are enabled is known to Control Tower alone. Activate AWS::Hooks::GuardHook with the rules of "
        "the controls that you need."
    )
}


class Named(Struct, frozen=True):
    """A type or version as a request names it; `publisher` is set, or the account absent, for a public type's ARN."""

    kind: ExtensionKind
    name: str
    version: str | None = None
    publisher: str | None = None
    public: bool = False


def read_reference(scope: Scope, reference: TypeReference) -> Named:
    """Return the type or version that `reference` names.

    Raises:
        RegistryError: it names nothing, contradicts itself, or names another account's or Region's type, or one of
            AWS's that is unavailable here.
    """
    named = _read_names(scope, reference)
    reason = _UNAVAILABLE.get((named.kind, named.name))
    if reason is not None:
        raise registry_error(f"{named.name} is not available here: {reason}")
    return named


def _read_names(scope: Scope, reference: TypeReference) -> Named:
    if reference.arn is None:
        if reference.name is None or reference.kind is None:
            raise registry_error("Either Arn, or both Type and TypeName must be specified.")
        return Named(reference.kind, reference.name, reference.version)
    arn = parse_type_arn(reference.arn)
    if arn is None:
        raise registry_error(f"'{reference.arn}' is not the ARN of a type.")
    if arn.account not in (None, scope.account) or arn.region != scope.region:
        raise type_not_found(reference.arn)
    if arn.version and reference.version and arn.version != reference.version:
        raise registry_error(f"VersionId '{reference.version}' contradicts '{reference.arn}'.")
    return Named(arn.kind, arn.name, arn.version or reference.version, arn.publisher, arn.account is None)


def owned(scope: Scope, kind: ExtensionKind, name: str) -> Select[Any]:
    """Return the query for the row of an account's type."""
    return select(types).where(
        types.c.account == scope.account,
        types.c.region == scope.region,
        types.c.kind == str(kind),
        types.c.name == name,
    )


def get_type(connection: Connection, scope: Scope, kind: ExtensionKind, name: str) -> AnyRow | None:
    """Return the row of an account's type, whatever its status."""
    return connection.execute(owned(scope, kind, name)).first()


def lock_type(connection: Connection, scope: Scope, kind: ExtensionKind, name: str) -> AnyRow | None:
    """Return the row, locked against other writers until the transaction ends."""
    return connection.execute(owned(scope, kind, name).with_for_update()).first()


def get_version(connection: Connection, type_id: int, number: int) -> AnyRow | None:
    """Return the row of a version, whatever its status."""
    return connection.execute(
        select(versions).where(versions.c.type_id == type_id, versions.c.number == number)
    ).first()


def expect_version(
    connection: Connection, scope: Scope, named: Named, *, statuses: tuple[str, ...] = ("LIVE",)
) -> tuple[AnyRow, AnyRow]:
    """Return the rows of a type and of the version that is named, without a name of the default one.

    Raises:
        RegistryError: there is none with one of those statuses.
    """
    row = get_type(connection, scope, named.kind, named.name)
    number = None if row is None else row.default_number
    if row is not None and named.version is not None:
        number = parse_version_id(named.version)
    found = None if row is None or number is None else get_version(connection, row.id, number)
    if row is None or found is None or found.status not in statuses:
        raise type_not_found(named.name)
    return row, found


def version_arn(row: AnyRow, number: int | None = None) -> str:
    """Return the ARN of a type's row, or of one of its versions."""
    return type_arn(Scope(row.account, row.region), ExtensionKind(row.kind), row.name, number)


def get_configuration(connection: Connection, scope: Scope, kind: ExtensionKind, name: str) -> str | None:
    """Return the text of a type's default configuration; None where none is set."""
    found = connection.execute(
        select(configurations.c.content).where(
            configurations.c.account == scope.account,
            configurations.c.region == scope.region,
            configurations.c.kind == str(kind),
            configurations.c.name == name,
            configurations.c.alias == DEFAULT_ALIAS,
        )
    ).scalar()
    return None if found is None else str(found)
