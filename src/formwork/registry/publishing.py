"""PublishType: a tested version, made visible to every account of the Region."""

from sqlalchemy import Connection, insert, select

from formwork.aws.scope import Scope
from formwork.registry.activating import activate_version
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import registry_error, type_not_found
from formwork.registry.finding import AnyRow, expect_version, lock_type, read_reference
from formwork.registry.names import public_type_arn
from formwork.registry.public import published
from formwork.registry.publishers import expect_publisher
from formwork.registry.requests import PublishTypeRequest
from formwork.registry.rules import check_public_region, is_tested_at_registration
from formwork.registry.semantic_version import SemanticVersion, major_of, order_of
from formwork.registry.tables import public_versions, types, versions

_FIRST = SemanticVersion(1, 0, 0)


def publish_type(parts: RegistryDependencies, scope: Scope, request: PublishTypeRequest) -> str:
    """Publish a version, the default one where none is named; the public type's ARN.

    Raises:
        RegistryError: no publisher is registered, the tests are not passed, or the name or number can't be published.
    """
    named = read_reference(scope, request.type)
    check_public_region(scope)
    if is_tested_at_registration(named.name):
        raise registry_error(f"The organization in '{named.name}' is reserved: such types cannot be published.")
    with parts.database.begin() as connection:
        if lock_type(connection, scope, named.kind, named.name) is None:
            raise type_not_found(named.name)
        row, version = expect_version(connection, scope, named)
        if row.publisher_id is not None:
            raise registry_error(f"The type '{row.name}' is activated from another publisher.")
        publisher = expect_publisher(connection, scope)
        if version.test_status != "PASSED":
            raise registry_error(
                f"The type '{row.name}' has the test status {version.test_status}. It must be PASSED to publish it."
            )
        number = _number(published(connection, scope.region, publisher.id, named.kind, named.name), request.version)
        made = _insert(connection, parts, row, version, publisher.id, number)
        parts.settings.observer.checkpoint("publishing")
        _update_activated(connection, parts, made)
    parts.settings.observer.checkpoint("published")
    return public_type_arn(scope, named.kind, named.name, publisher.id)


def _number(earlier: list[AnyRow], wanted: str | None) -> SemanticVersion:
    """Return the version number to publish as.

    Raises:
        RegistryError: the one that is wanted is none, is taken, or would not be the newest of its major version.
    """
    if not earlier:
        if wanted is not None:
            raise registry_error("PublicVersionNumber cannot be specified the first time a type is published.")
        return _FIRST
    if wanted is None:
        newest = SemanticVersion.parse(earlier[-1].version)
        assert newest is not None
        return newest.next_minor
    version = SemanticVersion.parse(wanted)
    if version is None:
        raise registry_error(f"PublicVersionNumber '{wanted}' is not MAJOR.MINOR.PATCH of Semantic Versioning 2.0.0.")
    same_major = [each for each in earlier if major_of(each.version) == version.major]
    if same_major and order_of(same_major[-1].version) >= version.order:
        raise registry_error(f"PublicVersionNumber '{wanted}' is not higher than '{same_major[-1].version}'.")
    return version


def _insert(  # noqa: PLR0913, PLR0917 - what the row is made of
    connection: Connection,
    parts: RegistryDependencies,
    row: AnyRow,
    version: AnyRow,
    publisher: str,
    number: SemanticVersion,
) -> AnyRow:
    shared = ("description", "provisioning", "source_url", "documentation_url", "package", "schema")
    made = connection.execute(
        insert(public_versions).values(
            publisher_id=publisher,
            region=row.region,
            kind=row.kind,
            name=row.name,
            version=str(number),
            created=parts.settings.now(),
            **{name: getattr(version, name) for name in shared},
        )
    )
    assert made.inserted_primary_key is not None
    return connection.execute(select(public_versions).where(public_versions.c.id == made.inserted_primary_key[0])).one()


def _update_activated(connection: Connection, parts: RegistryDependencies, made: AnyRow) -> None:
    """Activate a new minor version in the accounts that have automatic updates."""
    query = select(types).where(
        types.c.publisher_id == made.publisher_id,
        types.c.region == made.region,
        types.c.original_name == made.name,
        types.c.kind == made.kind,
        types.c.status == "LIVE",
        types.c.auto_update.is_(True),
        types.c.major == major_of(made.version),
    )
    for row in connection.execute(query.order_by(types.c.id).with_for_update()).all():
        current = connection.execute(
            select(versions).where(versions.c.type_id == row.id, versions.c.number == row.default_number)
        ).one()
        if order_of(made.version) > order_of(current.public_version):
            activate_version(connection, row, made, now=parts.settings.now())
            parts.settings.observer.checkpoint("auto-updated")
