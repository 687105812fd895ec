"""DescribeType: a type of the caller's, a public one, or one of AWS's that the registry knows."""

import json
from typing import Any

from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry.builtin import builtin_schema
from formwork.registry.checking import provisioning_type
from formwork.registry.configuration_schema import configuration_schema
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import registry_error, type_not_found
from formwork.registry.finding import AnyRow, Named, expect_version, get_type, read_reference, version_arn
from formwork.registry.names import public_type_arn, version_id
from formwork.registry.packages import package_at
from formwork.registry.public import describe_public, latest_version
from formwork.registry.requests import DescribeTypeRequest, LoggingConfig
from formwork.registry.required_types import required_types
from formwork.registry.results import TypeDescription, moment

_DESCRIBABLE = ("LIVE", "DEPRECATED")


def describe_type(parts: RegistryDependencies, scope: Scope, request: DescribeTypeRequest) -> TypeDescription:
    """Everything about a type, or a version of it.

    Raises:
        RegistryError: there is none, or its registration has not ended.
    """
    named = read_reference(scope, request.type)
    publisher = request.publisher_id or named.publisher
    if publisher is not None:
        with parts.database.read() as connection:
            found, package = describe_public(connection, scope, named, publisher, request.public_version)
        return _with_required_types(parts, scope, found, package)
    if request.public_version is not None:
        raise registry_error("PublicVersionNumber can be specified only together with PublisherId.")
    if (builtin := builtin_schema(named.kind, named.name)) is not None:
        return _describe_builtin(scope, named, builtin)
    with parts.database.read() as connection:
        registered = not named.public and get_type(connection, scope, named.kind, named.name) is not None
    if not registered and (at_hand := _schema_at_hand(parts, named)) is not None:
        return _describe_builtin(scope, named, at_hand)
    if named.public:
        raise type_not_found(named.name)
    with parts.database.read() as connection:
        row, version = expect_version(connection, scope, named, statuses=_DESCRIBABLE)
        latest = latest_version(connection, row)
    described = _describe(scope, named, row, version, latest)
    return _with_required_types(parts, scope, described, version.package)


def _schema_at_hand(parts: RegistryDependencies, named: Named) -> dict[str, Any] | None:
    """Return the schema of an unregistered resource type, if the server has it."""
    if named.kind is not ExtensionKind.RESOURCE or named.version is not None:
        return None
    text = parts.settings.schemas_at_hand.find(named.name)
    return None if text is None else json.loads(text)


def _describe(scope: Scope, named: Named, row: AnyRow, version: AnyRow, latest: str | None) -> TypeDescription:
    kind = ExtensionKind(row.kind)
    activated = row.publisher_id is not None
    tested = named.version is not None and not activated
    return TypeDescription(
        arn=version_arn(row, version.number),
        kind=kind,
        name=row.name,
        schema=version.schema,
        visibility="PUBLIC" if activated else "PRIVATE",
        description=version.description,
        default_version=None if activated else version_id(row.default_number),
        is_default=None if activated else version.number == row.default_number,
        status=version.status,
        provisioning=version.provisioning,
        configuration_schema=configuration_schema(scope, kind, row.name, json.loads(version.schema)),
        source_url=version.source_url,
        documentation_url=version.documentation_url,
        execution_role_arn=version.execution_role,
        logging=_logging(version),
        updated=moment(row.updated),
        created=moment(version.created),
        tests_status=version.test_status if tested else None,
        tests_description=version.test_description if tested else None,
        **(_activation(scope, row, version, latest) if activated else {}),
    )


def _with_required_types(
    parts: RegistryDependencies, scope: Scope, found: TypeDescription, package: str
) -> TypeDescription:
    if found.kind is not ExtensionKind.MODULE:
        return found
    return replace(found, required_types=required_types(package_at(parts.state, package), found.name, scope.region))


def _activation(scope: Scope, row: AnyRow, version: AnyRow, latest: str | None) -> dict[str, Any]:
    return {
        "publisher_id": row.publisher_id,
        "original_name": row.original_name,
        "original_arn": public_type_arn(scope, ExtensionKind(row.kind), row.original_name, row.publisher_id),
        "public_version": version.public_version,
        "latest_public_version": latest,
        "is_activated": row.status == "LIVE",
        "auto_update": row.auto_update,
    }


def _logging(version: AnyRow) -> LoggingConfig | None:
    if version.log_role is None or version.log_group is None:
        return None
    return LoggingConfig(version.log_role, version.log_group)


def _describe_builtin(scope: Scope, named: Named, schema: dict[str, Any]) -> TypeDescription:
    return TypeDescription(
        arn=public_type_arn(scope, named.kind, named.name, None),
        kind=named.kind,
        name=named.name,
        schema=json.dumps(schema),
        visibility="PUBLIC",
        description=schema.get("description", ""),
        is_default=True,
        status="LIVE",
        provisioning=provisioning_type(schema),
        documentation_url=schema.get("documentationUrl"),
    )
