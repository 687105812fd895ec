"""ListTypes."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Select, and_, func, or_, select, tuple_

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry.builtin import builtin_types
from formwork.registry.checking import provisioning_type
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.finding import AnyRow, version_arn
from formwork.registry.managed import PUBLISHER, managed_hooks
from formwork.registry.names import public_type_arn, version_id
from formwork.registry.paging import page_size, read_token, render_page
from formwork.registry.public import is_activated, latest_version
from formwork.registry.requests import (
    ListTypesRequest,
)
from formwork.registry.results import Listed, TypeSummary, moment
from formwork.registry.semantic_version import order_of
from formwork.registry.tables import public_versions, publishers, types, versions
from formwork.schema.at_hand import SchemaCatalog

# What AWS lists of resource types where no provisioning type is asked for; modules and hooks have none.
_USUAL_PROVISIONING = "FULLY_MUTABLE"


def list_scopes(connection: Connection) -> list[Scope]:
    """Return the accounts and Regions that have types."""
    query = select(types.c.account, types.c.region).distinct().order_by(types.c.account, types.c.region)
    return [Scope(row.account, row.region) for row in connection.execute(query)]


def list_types(parts: RegistryDependencies, scope: Scope, request: ListTypesRequest) -> Listed[TypeSummary]:
    """Types that the caller sees, by name and kind; see `ListTypesRequest`."""
    with parts.database.read() as connection:
        if request.visibility == "PUBLIC":
            return _list_public(connection, scope, request, parts.settings.schemas_at_hand)
        return _list_private(connection, scope, request)


def _list_private(connection: Connection, scope: Scope, request: ListTypesRequest) -> Listed[TypeSummary]:
    key = read_token(request.page, str, str)
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
        query = query.where(func.substr(types.c.name, 1, len(request.prefix)) == request.prefix)
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


def _list_public(
    connection: Connection, scope: Scope, request: ListTypesRequest, at_hand: SchemaCatalog
) -> Listed[TypeSummary]:
    """Return the published types of the Region and AWS's own, a page by name, kind and publisher.

    There are few enough of the former to be put together in memory: a version of each is what takes the room. Of AWS's
    types, which are many, only the schemas of one page are read.
    """
    key = read_token(request.page, str, str, str)
    size = page_size(request.page) + 1
    found: list[TypeSummary] = []
    if request.category in (None, "THIRD_PARTY", "ACTIVATED"):
        found += _third_party(connection, scope, request)
    if request.publisher_id in {None, PUBLISHER} and request.category != "THIRD_PARTY":
        found += _managed(connection, scope, request)
    if request.category in (None, "AWS_TYPES") and request.publisher_id is None:
        found += _aws(scope, request)
        found += itertools.islice(_at_hand(scope, request, at_hand, after=key[0] if key else ""), size)
    found.sort(key=_public_key)
    later = [each for each in found if key is None or _public_key(each) > tuple(key)]
    return render_page(later[:size], request.page, lambda each: each, _public_key)


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


def _managed(connection: Connection, scope: Scope, request: ListTypesRequest) -> list[TypeSummary]:
    return [
        summary
        for row in managed_hooks(scope.region)
        if _wanted(request, row.kind, row.name, row.provisioning)
        for summary in [_public(connection, scope, row, None)]
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
    return [
        summary
        for name, schema in builtin_types().items()
        if (summary := _of_schema(scope, request, name, schema)) is not None
    ]


def _at_hand(scope: Scope, request: ListTypesRequest, at_hand: SchemaCatalog, *, after: str) -> Iterator[TypeSummary]:
    """Return the types after the name `after` that are not registered but have a schema at hand, by name.

    A schema is read when it is its turn.
    """
    prefix = "AWS::" if request.category == "AWS_TYPES" else ""
    for name in sorted({*at_hand.matching("*")} - {*builtin_types()}):
        if name <= after or not (name.startswith(prefix) and name.startswith(request.prefix or "")):
            continue
        text = at_hand.find(name)
        summary = None if text is None else _of_schema(scope, request, name, json.loads(text))
        if summary is not None:
            yield summary


def _of_schema(scope: Scope, request: ListTypesRequest, name: str, schema: dict[str, Any]) -> TypeSummary | None:
    """Return a type of AWS's as it is listed; None where the request asks for others."""
    kind = ExtensionKind.RESOURCE
    if not _wanted(request, kind, name, provisioning_type(schema)):
        return None
    arn = public_type_arn(scope, kind, name, None)
    return TypeSummary(kind=kind, name=name, arn=arn, description=schema.get("description", ""))
