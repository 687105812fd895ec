"""ListTypes, ListTypeVersions and ListTypeRegistrations."""

from typing import Any

from sqlalchemy import Connection, Select, and_, or_, select, tuple_

from formwork.project.names import ExtensionKind
from formwork.registry.builtin import builtin_types
from formwork.registry.checking import provisioning_type
from formwork.registry.errors import type_not_found
from formwork.registry.finding import AnyRow, get_type, read_reference, version_arn
from formwork.registry.names import public_type_arn, version_id
from formwork.registry.paging import page_size, read_token, render_page
from formwork.registry.parts import Parts
from formwork.registry.public import is_activated, latest_version, published
from formwork.registry.requests import (
    ListTypeRegistrationsRequest,
    ListTypesRequest,
    ListTypeVersionsRequest,
    TypeReference,
)
from formwork.registry.results import Listed, TypeSummary, VersionSummary, moment
from formwork.registry.scope import Scope
from formwork.registry.semantic_version import order_of
from formwork.registry.tables import public_versions, publishers, registrations, types, versions

# What AWS lists of resource types where no provisioning type is asked for; modules and hooks have none.
_USUAL_PROVISIONING = "FULLY_MUTABLE"


def list_types(parts: Parts, scope: Scope, request: ListTypesRequest) -> Listed[TypeSummary]:
    """Types that the caller sees, by name and kind; see `ListTypesRequest`."""
    with parts.database.read() as connection:
        if request.visibility == "PUBLIC":
            return _list_public(connection, scope, request)
        return _list_private(connection, scope, request)


def _list_private(connection: Connection, scope: Scope, request: ListTypesRequest) -> Listed[TypeSummary]:
    key = read_token(request.page, parts=2)
    if request.category in ("THIRD_PARTY", "AWS_TYPES"):
        return Listed(())
    query = _private_query(scope, request)
    if key is not None:
        query = query.where(tuple_(types.c.name, types.c.kind) > tuple_(*key))
    rows = connection.execute(query.limit(page_size(request.page) + 1)).all()
    return render_page(rows, request.page, lambda row: _private(connection, row), lambda row: (row.name, row.kind))


def _private_query(scope: Scope, request: ListTypesRequest) -> Select[Any]:
    shown = (*types.c, versions.c.description, versions.c.public_version)
    query = (
        select(*shown)
        .join(
            versions,
            and_(versions.c.type_id == types.c.id, versions.c.number == types.c.default_number),
        )
        .where(types.c.account == scope.account, types.c.region == scope.region, types.c.status == request.status)
        .order_by(types.c.name, types.c.kind)
    )
    if request.kind is not None:
        query = query.where(types.c.kind == str(request.kind))
    if request.category is not None:
        activated = types.c.publisher_id.is_not(None)
        query = query.where(activated if request.category == "ACTIVATED" else ~activated)
    if request.publisher_id is not None:
        query = query.where(types.c.publisher_id == request.publisher_id)
    if request.prefix is not None:
        query = query.where(types.c.name.startswith(request.prefix, autoescape=True))
    if request.provisioning is not None:
        return query.where(versions.c.provisioning == request.provisioning)
    return query.where(or_(versions.c.provisioning == _USUAL_PROVISIONING, versions.c.provisioning.is_(None)))


def _private(connection: Connection, row: AnyRow) -> TypeSummary:
    activated = row.publisher_id is not None
    return TypeSummary(
        kind=ExtensionKind(row.kind),
        name=row.name,
        arn=version_arn(row),
        default_version=None if activated else version_id(row.default_number),
        updated=moment(row.updated),
        description=row.description,
        publisher_id=row.publisher_id,
        original_name=row.original_name,
        public_version=row.public_version,
        latest_public_version=latest_version(connection, row),
        is_activated=row.status == "LIVE" if activated else None,
    )


def _list_public(connection: Connection, scope: Scope, request: ListTypesRequest) -> Listed[TypeSummary]:
    """The published types of the Region and AWS's own, a page by name, kind and publisher.

    There are few enough of them to be put together in memory: a version of each is what takes the room.
    """
    key = read_token(request.page, parts=3)
    found: list[TypeSummary] = []
    if request.category in (None, "THIRD_PARTY", "ACTIVATED"):
        found += _third_party(connection, scope, request)
    if request.category in (None, "AWS_TYPES") and request.publisher_id is None:
        found += _aws(scope, request)
    found.sort(key=_public_key)
    later = [each for each in found if key is None or _public_key(each) > tuple(key)]
    return render_page(later[: page_size(request.page) + 1], request.page, lambda each: each, _public_key)


def _public_key(each: TypeSummary) -> tuple[str, str, str]:
    return each.name, str(each.kind), each.publisher_id or ""


def _wanted(request: ListTypesRequest, kind: str, name: str, provisioning: str | None) -> bool:
    return (
        (request.kind is None or kind == request.kind)
        and (request.prefix is None or name.startswith(request.prefix))
        and provisioning in ((request.provisioning,) if request.provisioning else (_USUAL_PROVISIONING, None))
        and request.status == "LIVE"
    )


def _third_party(connection: Connection, scope: Scope, request: ListTypesRequest) -> list[TypeSummary]:
    shown = [column for column in public_versions.c if column.name != "schema"]
    query = select(*shown).where(public_versions.c.region == scope.region)
    if request.publisher_id is not None:
        query = query.where(public_versions.c.publisher_id == request.publisher_id)
    newest: dict[tuple[str, str, str], AnyRow] = {}
    for row in connection.execute(query):
        at = (row.publisher_id, row.kind, row.name)
        if at not in newest or order_of(row.version) > order_of(newest[at].version):
            newest[at] = row
    known = {row.id: row for row in connection.execute(select(publishers))}
    return [
        summary
        for row in newest.values()
        if _wanted(request, row.kind, row.name, row.provisioning)
        for summary in [_public(connection, scope, row, known.get(row.publisher_id))]
        if request.category != "ACTIVATED" or summary.is_activated
    ]


def _public(connection: Connection, scope: Scope, row: AnyRow, publisher: AnyRow | None) -> TypeSummary:
    kind = ExtensionKind(row.kind)
    return TypeSummary(
        kind=kind,
        name=row.name,
        arn=public_type_arn(scope, kind, row.name, row.publisher_id),
        description=row.description,
        publisher_id=row.publisher_id,
        latest_public_version=row.version,
        publisher_identity=None if publisher is None else publisher.identity,
        publisher_name=None if publisher is None else publisher.account,
        is_activated=is_activated(connection, scope, row),
    )


def _aws(scope: Scope, request: ListTypesRequest) -> list[TypeSummary]:
    kind = ExtensionKind.RESOURCE
    return [
        TypeSummary(
            kind=kind,
            name=name,
            arn=public_type_arn(scope, kind, name, None),
            description=schema["description"],
            is_activated=True,
        )
        for name, schema in builtin_types().items()
        if _wanted(request, kind, name, provisioning_type(schema))
    ]


def list_type_versions(parts: Parts, scope: Scope, request: ListTypeVersionsRequest) -> Listed[VersionSummary]:
    """The versions of a type, oldest first.

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
        key = read_token(request.page, parts=1)
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
    key = read_token(request.page, parts=1)
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


def list_type_registrations(parts: Parts, scope: Scope, request: ListTypeRegistrationsRequest) -> Listed[str]:
    """The tokens of registrations with a status, newest first."""
    key = read_token(request.page, parts=2)
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
