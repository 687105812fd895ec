"""ListTypeVersions and ListTypeRegistrations."""

from typing import Any

from sqlalchemy import Connection, Select, select, tuple_

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import type_not_found
from formwork.registry.finding import AnyRow, get_type, read_reference, version_arn
from formwork.registry.names import public_type_arn, version_id
from formwork.registry.paging import page_size, read_token, render_page
from formwork.registry.public import published
from formwork.registry.requests import (
    ListTypeRegistrationsRequest,
    ListTypeVersionsRequest,
    TypeReference,
)
from formwork.registry.results import Listed, VersionSummary, moment
from formwork.registry.tables import registrations, types, versions


def list_type_versions(
    parts: RegistryDependencies, scope: Scope, request: ListTypeVersionsRequest
) -> Listed[VersionSummary]:
    """Return the versions of a type, oldest first.

    Raises:
        RegistryError: there is no such type.
    """
    named = read_reference(scope, request.type)
    publisher = request.publisher_id or named.publisher
    with parts.database.read() as connection:
        if publisher is not None:
            return _public_versions(connection, scope, request, publisher)
        row = get_type(connection, scope, named.kind, named.name)
        if row is None or row.status in ("PENDING", "FAILED") or (row.status != "LIVE" and request.status == "LIVE"):
            raise type_not_found(named.name)
        key = read_token(request.page, int)
        query = (
            select(*(column for column in versions.c if column.name != "schema"))
            .where(versions.c.type_id == row.id, versions.c.status == request.status)
            .order_by(versions.c.number)
            .limit(page_size(request.page) + 1)
        )
        if key is not None:
            query = query.where(versions.c.number > key[0])
        rows = connection.execute(query).all()
    return render_page(rows, request.page, lambda each: _version(row, each), lambda each: (each.number,))


def _version(row: AnyRow, version: AnyRow) -> VersionSummary:
    activated = row.publisher_id is not None
    return VersionSummary(
        kind=ExtensionKind(row.kind),
        name=row.name,
        arn=version_arn(row, version.number),
        version_id=version_id(version.number),
        is_default=None if activated else row.status == "LIVE" and version.number == row.default_number,
        created=moment(version.created),
        description=version.description,
        public_version=version.public_version,
    )


def _public_versions(
    connection: Connection, scope: Scope, request: ListTypeVersionsRequest, publisher: str
) -> Listed[VersionSummary]:
    named = read_reference(scope, request.type)
    rows = published(connection, scope.region, publisher, named.kind, named.name)
    if not rows:
        raise type_not_found(named.name)
    key = read_token(request.page, int)
    later = [row for row in rows if key is None or row.id > key[0]]
    later.sort(key=lambda row: row.id)
    arn = public_type_arn(scope, named.kind, named.name, publisher)
    return render_page(
        later,
        request.page,
        lambda row: VersionSummary(
            kind=named.kind,
            name=named.name,
            arn=f"{arn}/{row.version}",
            version_id=row.version,
            created=moment(row.created),
            description=row.description,
            public_version=row.version,
        ),
        lambda row: (row.id,),
    )


def list_type_registrations(
    parts: RegistryDependencies, scope: Scope, request: ListTypeRegistrationsRequest
) -> Listed[str]:
    """Return the tokens of registrations with a status, newest first."""
    key = read_token(request.page, float, str)
    query = (
        select(registrations.c.token, registrations.c.created)
        .where(
            registrations.c.account == scope.account,
            registrations.c.region == scope.region,
            registrations.c.status == request.status,
        )
        .order_by(registrations.c.created.desc(), registrations.c.token.desc())
        .limit(page_size(request.page) + 1)
    )
    if key is not None:
        query = query.where(tuple_(registrations.c.created, registrations.c.token) < tuple_(*key))
    with parts.database.read() as connection:
        query = _of_type(connection, scope, request.type, query)
        rows = connection.execute(query).all()
    return render_page(rows, request.page, lambda row: str(row.token), lambda row: (row.created, row.token))


def _of_type(connection: Connection, scope: Scope, reference: TypeReference, query: Select[Any]) -> Select[Any]:
    if reference.arn is None and reference.name is None:
        if reference.kind is None:
            return query
        return query.join(types, types.c.id == registrations.c.type_id).where(types.c.kind == str(reference.kind))
    if reference.arn is None and reference.kind is None:
        return query.join(types, types.c.id == registrations.c.type_id).where(types.c.name == reference.name)
    named = read_reference(scope, reference)
    row = get_type(connection, scope, named.kind, named.name)
    return query.where(registrations.c.type_id == (-1 if row is None else row.id))
