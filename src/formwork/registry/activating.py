"""ActivateType and DeactivateType: a publisher's type as one of the account's own, under its name or an alias."""

from sqlalchemy import Connection, insert, update

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.deregistering import forget_configurations
from formwork.registry.errors import registry_error, type_not_found
from formwork.registry.finding import AnyRow, get_version, lock_type, read_reference, version_arn
from formwork.registry.inserting import insert_or_ignore
from formwork.registry.packages import package_at
from formwork.registry.public import newest_of_major, published
from formwork.registry.requests import ActivateTypeRequest, TypeReference
from formwork.registry.required_types import check_required_types
from formwork.registry.rules import check_name
from formwork.registry.semantic_version import major_of
from formwork.registry.tables import types, versions


def activate_type(parts: RegistryDependencies, scope: Scope, request: ActivateTypeRequest) -> str:
    """Activate a public type, or change how it is activated; its ARN in this account and Region.

    Raises:
        RegistryError: nothing like it is published, or its name is taken here.
    """
    if request.bump is not None and request.major is not None:
        raise registry_error("Either MajorVersion or VersionBump can be specified, not both.")
    named = read_reference(scope, request.type)
    publisher = named.publisher or request.publisher_id
    if publisher is None:
        raise registry_error("Either PublicTypeArn, or Type, TypeName and PublisherId must be specified.")
    name = request.alias or named.name
    check_name(name, named.kind)
    with parts.database.begin() as connection:
        rows = published(connection, scope.region, publisher, named.kind, named.name)
        if not rows:
            raise type_not_found(named.name)
        row = _hold(connection, scope, named.kind, name, parts.settings.now())
        _check_free(row, publisher, named.name)
        chosen = _activate(connection, parts, request, row, rows)
        if named.kind is ExtensionKind.MODULE:
            check_required_types(connection, scope, package_at(parts.state, chosen.package), named.name)
        parts.settings.observer.checkpoint("activated")
        return version_arn(row)


def _hold(connection: Connection, scope: Scope, kind: ExtensionKind, name: str, now: float) -> AnyRow:
    key = {"account": scope.account, "region": scope.region, "kind": str(kind), "name": name}
    insert_or_ignore(connection, types, **key, status="PENDING", last_number=0, created=now, updated=now)
    row = lock_type(connection, scope, kind, name)
    assert row is not None
    return row


def _check_free(row: AnyRow, publisher: str, original: str) -> None:
    same = (row.publisher_id, row.original_name) == (publisher, original)
    private = row.publisher_id is None and (row.status == "LIVE" or (row.last_number > 0 and row.status == "PENDING"))
    if private or (row.status == "LIVE" and not same):
        raise registry_error(
            f"The type '{row.name}' is already in use in this account and Region. Specify another TypeNameAlias."
        )


def _activate(
    connection: Connection, parts: RegistryDependencies, request: ActivateTypeRequest, row: AnyRow, rows: list[AnyRow]
) -> AnyRow:
    """Write the rows; the published version that is used from now on."""
    current = get_version(connection, row.id, row.default_number) if row.status == "LIVE" else None
    chosen = _choose(request, rows, current)
    auto_update = request.auto_update
    if auto_update is None:
        auto_update = True if current is None else row.auto_update
    now = parts.settings.now()
    connection.execute(
        update(types)
        .where(types.c.id == row.id)
        .values(
            status="LIVE",
            publisher_id=chosen.publisher_id,
            original_name=chosen.name,
            auto_update=auto_update,
            updated=now,
        )
    )
    activate_version(connection, row, chosen, now=now, request=request)
    return chosen


def _choose(request: ActivateTypeRequest, rows: list[AnyRow], current: AnyRow | None) -> AnyRow:
    """Return the published version to use: AWS's rules of MajorVersion and VersionBump.

    Raises:
        RegistryError: the publisher has no such major version.
    """
    newest = rows[-1]
    if request.major is not None:
        chosen = newest_of_major(rows, request.major)
        if chosen is None:
            raise registry_error(f"There is no major version {request.major} of '{newest.name}'.")
        return chosen
    if current is None:
        return newest_of_major(rows, major_of(newest.version)) or newest
    if request.bump == "MAJOR":
        return newest
    if request.bump == "MINOR":
        return newest_of_major(rows, major_of(current.public_version)) or newest
    return next((each for each in rows if each.version == current.public_version), newest)


def activate_version(
    connection: Connection, row: AnyRow, chosen: AnyRow, *, now: float, request: ActivateTypeRequest | None = None
) -> None:
    """Have the activated type of `row` use the published version `chosen`; role and logging stay unless asked."""
    before = None if row.default_number is None else get_version(connection, row.id, row.default_number)
    logging = request.logging if request is not None else None
    role = request.execution_role_arn if request is not None else None
    connection.execute(update(versions).where(versions.c.type_id == row.id).values(status="DEPRECATED"))
    number = row.last_number + 1
    shared = ("description", "provisioning", "source_url", "documentation_url", "package", "schema")
    connection.execute(
        insert(versions).values(
            type_id=row.id,
            number=number,
            status="LIVE",
            created=now,
            public_version=chosen.version,
            execution_role=role or (before.execution_role if before else None),
            log_role=logging.log_role_arn if logging else (before.log_role if before else None),
            log_group=logging.log_group_name if logging else (before.log_group if before else None),
            test_status="NOT_TESTED",
            **{name: getattr(chosen, name) for name in shared},
        )
    )
    connection.execute(
        update(types)
        .where(types.c.id == row.id)
        .values(last_number=number, default_number=number, major=major_of(chosen.version), updated=now)
    )


def deactivate_type(parts: RegistryDependencies, scope: Scope, reference: TypeReference) -> None:
    """Take an activated type out of use, and forget its configuration.

    Raises:
        RegistryError: the account has no such activated type.
    """
    named = read_reference(scope, reference)
    with parts.database.begin() as connection:
        row = lock_type(connection, scope, named.kind, named.name)
        if row is None or row.status != "LIVE" or row.publisher_id is None:
            raise type_not_found(named.name)
        now = parts.settings.now()
        connection.execute(update(types).where(types.c.id == row.id).values(status="DEPRECATED", updated=now))
        connection.execute(update(versions).where(versions.c.type_id == row.id).values(status="DEPRECATED"))
        forget_configurations(connection, row)
        parts.settings.observer.checkpoint("deactivated")
