"""What the stack engine asks of the registry: a type as it is provisioned."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from sqlalchemy import bindparam, select

from formwork.aws.scope import Scope
from formwork.documents import DocumentFormat, load_document
from formwork.extensions import ExtensionKind
from formwork.project.config import CONFIG_FILE, ProjectConfig, parse_config
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.finding import AnyRow, Named, expect_version, get_configuration, version_arn
from formwork.registry.names import DEFAULT_ALIAS, type_arn, version_id
from formwork.registry.packages import Package, package_at
from formwork.registry.requests import LoggingConfig
from formwork.registry.tables import configurations, types, versions

_NO_PACKAGE = "none"  # of AWS's managed hooks; never a digest

# Asked before each call of a handler, so it is built once.
_HOOKS = (
    select(types, configurations.c.content)
    .outerjoin(
        configurations,
        (configurations.c.account == types.c.account)
        & (configurations.c.region == types.c.region)
        & (configurations.c.kind == types.c.kind)
        & (configurations.c.name == types.c.name)
        & (configurations.c.alias == DEFAULT_ALIAS),
    )
    .where(
        types.c.account == bindparam("account"),
        types.c.region == bindparam("region"),
        types.c.kind == str(ExtensionKind.HOOK),
        types.c.status == "LIVE",
    )
    .order_by(types.c.name)
)


class RegisteredVersion(Struct, frozen=True, kw_only=True):
    """A version of a type as the engine needs it.

    `configuration` is the type's configuration in this account and Region, its dynamic references not resolved; {}
    where none is set. `original_name` is that of an activated public type. `is_default` says whether operations take
    this version by themselves.
    """

    scope: Scope
    kind: ExtensionKind
    name: str
    number: int
    arn: str
    type_arn: str
    is_default: bool
    schema: Mapping[str, Any]
    package: Package
    configuration: Mapping[str, Any]
    provisioning: str | None
    execution_role_arn: str | None
    original_name: str | None
    logging: LoggingConfig | None

    @property
    def version_id(self) -> str:
        """`00000001`."""
        return version_id(self.number)

    def load_config(self) -> ProjectConfig:
        """Return the package's `.rpdk-config`, which says how the handlers are called."""
        path = self.package.files / CONFIG_FILE
        document = load_document(path, name=CONFIG_FILE, format=DocumentFormat.JSON)
        return parse_config(document, registered=self.name)[0]


def expect_type(
    parts: RegistryDependencies, scope: Scope, name: str, kind: ExtensionKind, version: str | None = None
) -> RegisteredVersion:
    """Return the version of a type that operations use: the default one, or the one named.

    Raises:
        RegistryError: TypeNotFoundException; the caller has no such type that is LIVE.
    """
    with parts.database.read() as connection:
        row, found = expect_version(connection, scope, Named(kind, name, version))
        content = get_configuration(connection, scope, kind, name)
    return _registered(parts, scope, row, found, content)


def list_resource_types(parts: RegistryDependencies, scope: Scope) -> list[str]:
    """Return the names of the resource types that are LIVE, sorted."""
    with parts.database.read() as connection:
        query = select(types.c.name).where(
            types.c.account == scope.account,
            types.c.region == scope.region,
            types.c.kind == str(ExtensionKind.RESOURCE),
            types.c.status == "LIVE",
        )
        return list(connection.execute(query.order_by(types.c.name)).scalars())


def list_hooks(parts: RegistryDependencies, scope: Scope) -> list[RegisteredVersion]:
    """Return the default versions of the hooks that are LIVE, by name."""
    with parts.database.read() as connection:
        rows = connection.execute(_HOOKS, {"account": scope.account, "region": scope.region}).all()
        found = [
            (
                row,
                connection.execute(
                    select(versions).where(versions.c.type_id == row.id, versions.c.number == row.default_number)
                ).one(),
            )
            for row in rows
        ]
    return [_registered(parts, scope, row, version, row.content) for row, version in found]


def _registered(
    parts: RegistryDependencies, scope: Scope, row: AnyRow, version: AnyRow, configuration: str | None
) -> RegisteredVersion:
    kind = ExtensionKind(row.kind)
    logging = None
    if version.log_role is not None:
        logging = LoggingConfig(version.log_role, version.log_group)
    return RegisteredVersion(
        scope=scope,
        kind=kind,
        name=row.name,
        number=version.number,
        arn=version_arn(row, version.number),
        type_arn=type_arn(scope, kind, row.name),
        is_default=version.number == row.default_number,
        schema=json.loads(version.schema),
        package=package_at(parts.state, version.package or _NO_PACKAGE),
        configuration=json.loads(configuration) if configuration else {},
        provisioning=version.provisioning,
        execution_role_arn=version.execution_role,
        original_name=row.original_name,
        logging=logging,
    )
