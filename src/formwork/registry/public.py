"""Public types: what publishers have made visible to every account of a Region."""

import json

from sqlalchemy import Connection, select

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry.configuration_schema import configuration_schema
from formwork.registry.errors import type_not_found
from formwork.registry.finding import AnyRow, Named
from formwork.registry.managed import PUBLISHER, managed_hooks
from formwork.registry.names import public_type_arn
from formwork.registry.results import TypeDescription
from formwork.registry.semantic_version import major_of, order_of
from formwork.registry.tables import public_versions, types


def published(connection: Connection, region: str, publisher: str, kind: ExtensionKind, name: str) -> list[AnyRow]:
    """Return the published versions of a type, oldest first by their numbers."""
    if publisher == PUBLISHER:
        return [each for each in managed_hooks(region) if (each.kind, each.name) == (str(kind), name)]
    rows = connection.execute(
        select(public_versions).where(
            public_versions.c.region == region,
            public_versions.c.publisher_id == publisher,
            public_versions.c.kind == str(kind),
            public_versions.c.name == name,
        )
    ).all()
    return sorted(rows, key=lambda row: order_of(row.version))


def latest_version(connection: Connection, row: AnyRow) -> str | None:
    """Return the newest published version of an activated type; None for other types."""
    if row.publisher_id is None:
        return None
    found = published(connection, row.region, row.publisher_id, ExtensionKind(row.kind), row.original_name)
    return found[-1].version if found else None


def newest_of_major(rows: list[AnyRow], major: int | None) -> AnyRow | None:
    """Return the newest of sorted versions, or of those of one major version."""
    return next((row for row in reversed(rows) if major is None or major_of(row.version) == major), None)


def is_activated(connection: Connection, scope: Scope, row: AnyRow) -> bool:
    """Return whether the caller has the published type of `row` activated."""
    query = select(types.c.id).where(
        types.c.account == scope.account,
        types.c.region == scope.region,
        types.c.publisher_id == row.publisher_id,
        types.c.original_name == row.name,
        types.c.kind == row.kind,
        types.c.status == "LIVE",
    )
    return connection.execute(query).first() is not None


def describe_public(
    connection: Connection, scope: Scope, named: Named, publisher: str, version: str | None
) -> tuple[TypeDescription, str]:
    """Return a public type or one of its versions, and its package.

    Raises:
        RegistryError: nothing like it is published in the Region.
    """
    rows = published(connection, scope.region, publisher, named.kind, named.name)
    wanted = version or named.version
    row = next((each for each in rows if each.version == wanted), None) if wanted else (rows[-1] if rows else None)
    if row is None:
        raise type_not_found(named.name)
    described = TypeDescription(
        arn=public_type_arn(scope, named.kind, named.name, publisher),
        kind=named.kind,
        name=named.name,
        schema=row.schema,
        visibility="PUBLIC",
        description=row.description,
        provisioning=row.provisioning,
        configuration_schema=configuration_schema(scope, named.kind, named.name, json.loads(row.schema)),
        source_url=row.source_url,
        documentation_url=row.documentation_url,
        publisher_id=publisher,
        public_version=row.version,
        latest_public_version=None if wanted else rows[-1].version,
        is_activated=is_activated(connection, scope, row),
    )
    return described, str(row.package)
