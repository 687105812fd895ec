"""The public types that a public module needs: a third-party resource in its fragment says whose it is.

Source: user guide (seed 002), "Specifying publisher metadata for public third-party resources".
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, select

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.project import load_project
from formwork.project.module import load_module
from formwork.registry.errors import registry_error
from formwork.registry.packages import Package
from formwork.registry.tables import types
from formwork.template import Resource, to_value


class RequiredType(Struct, frozen=True):
    """A public type that must be activated under `alias` for a module to be; `majors` are those that will do."""

    alias: str
    original_name: str
    publisher_id: str
    majors: tuple[int, ...]


def required_types(package: Package, name: str, region: str) -> tuple[RequiredType, ...]:
    """Return what the fragment of the package of the module `name` needs in a Region, by name."""
    template = load_module(load_project(package.files, registered=name)).template
    resources = () if template is None else template.resources.values()
    found = {each.alias: each for resource in resources for each in _required(resource, region)}
    return tuple(found[name] for name in sorted(found))


def _required(resource: Resource, region: str) -> Iterator[RequiredType]:
    metadata: Any = to_value(resource.metadata) if resource.metadata is not None else None
    if not isinstance(metadata, dict) or "PublisherId" not in metadata:
        return
    regional = metadata.get("RegionalPublisherId")
    regional = regional if isinstance(regional, dict) else {}
    majors = metadata.get("SupportMajorVersions")
    yield RequiredType(
        alias=resource.type,
        original_name=str(metadata.get("OriginalTypeName", resource.type)),
        publisher_id=str(regional.get(region, metadata["PublisherId"])),
        majors=tuple(each for each in majors if isinstance(each, int)) if isinstance(majors, list) else (),
    )


def check_required_types(connection: Connection, scope: Scope, package: Package, name: str) -> None:
    """See that what the module `name` needs is activated.

    Raises:
        RegistryError: some of it is not.
    """
    needed = required_types(package, name, scope.region)
    missing = [each for each in needed if not _is_activated(connection, scope, each)]
    if missing:
        names = ", ".join(f"'{each.alias}' ('{each.original_name}' of '{each.publisher_id}')" for each in missing)
        raise registry_error(
            f"The module needs public types that are not activated in this account and Region: {names}."
        )


def _is_activated(connection: Connection, scope: Scope, required: RequiredType) -> bool:
    found = connection.execute(
        select(types.c.major).where(
            types.c.account == scope.account,
            types.c.region == scope.region,
            types.c.kind == str(ExtensionKind.RESOURCE),
            types.c.name == required.alias,
            types.c.publisher_id == required.publisher_id,
            types.c.original_name == required.original_name,
            types.c.status == "LIVE",
        )
    ).first()
    return found is not None and (not required.majors or found.major in required.majors)
