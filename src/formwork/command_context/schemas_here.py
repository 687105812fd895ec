"""The schemas of resource types on this machine: the one order in which the commands look for a hook's targets.

Folders that the call names, `schemas` in the state folder, an installed cfn-lint, the schemas that are shipped, the
registry of a server that runs. That registry describes types that are not registered by the first four, too.

The reasons are in docs/decisions/0554.
"""

import argparse
import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.command_context.output import CommandOutput
from formwork.command_context.places import state_folder
from formwork.command_context.remote import kept_documents
from formwork.command_context.work_options import check_schema_folders
from formwork.diagnostics.errors import BadInputError, EnvironmentProblemError

if TYPE_CHECKING:
    from formwork.project import Project
    from formwork.schema.at_hand import SchemaCatalog


def add_schema_arguments(parser: argparse.ArgumentParser) -> None:
    """The option that names folders of schemas."""
    parser.add_argument(
        "--schemas",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a folder with schemas of a hook's target types, where the project lacks them (repeatable; `schemas` in "
        "the state folder is another)",
    )


def open_project(arguments: argparse.Namespace, output: CommandOutput, *, registry: Any = None) -> "Project":
    """Return the project in this folder, for the commands that fetch nothing.

    `registry` is a client of CloudFormation to ask for target schemas that are not on this machine; None: none is.
    """
    from formwork.project import load_project

    here = schemas_here(arguments.schemas, output, registry=registry)
    return load_project(Path(), remote=kept_documents(), schemas_at_hand=here)


def schemas_here(
    folders: list[Path], output: CommandOutput, *, running: bool = True, registry: Any = None
) -> "SchemaCatalog":
    """Return the catalog of schemas on this machine.

    `folders` come first; `running` includes a server that runs here, `registry` is a client of another
    registry, which comes last.

    Raises:
        UsageError: one of `folders` does not exist.
    """
    from formwork.schema.at_hand import SchemaFolder, SchemasAtHand, find_schemas

    others: list[SchemaCatalog] = [find_schemas()]
    if running:
        others.append(_RegistrySchemas(lambda: _find_running(output)))
    if registry is not None:
        others.append(_RegistrySchemas(lambda: registry))
    users = SchemaFolder(state_folder() / "schemas")
    return SchemasAtHand([schemas_in(folders), users, _WholePatterns(SchemasAtHand(others))])


def schemas_in(folders: list[Path]) -> "SchemaCatalog":
    """Return the catalog of the schemas in `folders`.

    Raises:
        UsageError: one of them does not exist.
    """
    from formwork.schema.at_hand import SchemaFolder, SchemasAtHand

    check_schema_folders(folders)
    return SchemasAtHand([SchemaFolder(each.absolute()) for each in folders])


def _find_running(output: CommandOutput) -> Any:
    from formwork.command_context.registry_target import running_registry

    return running_registry(output)


class _WholePatterns:
    """Schemas in which a pattern means types of AWS's only where AWS's types in general are known.

    A pattern stands for all the types that AWS has: the few that are shipped would be taken for all of them.
    """

    def __init__(self, schemas: "SchemaCatalog") -> None:
        self._schemas = schemas

    def find(self, name: str) -> str | None:
        """Return the text of a type's schema, or None."""
        return self._schemas.find(name)

    def matching(self, pattern: str) -> list[str]:
        """Return the names of the types that the pattern means."""
        from formwork.schema.at_hand import knows_awss_types

        names = [*self._schemas.matching(pattern)]
        others = [name for name in names if not name.startswith("AWS::")]
        return names if len(others) == len(names) or knows_awss_types(self._schemas) else others


class _RegistrySchemas:
    """The schemas that a registry has; its client is wanted when it is first asked, None makes it empty."""

    def __init__(self, find_client: Callable[[], Any]) -> None:
        self._find_client = find_client

    @functools.cached_property
    def _client(self) -> Any:
        return self._find_client()

    def find(self, name: str) -> str | None:
        """Return the text of a type's schema, or None."""
        from formwork.aws.registered_types import RegisteredType, describe_schema

        if self._client is None:
            return None
        try:
            return describe_schema(self._client, RegisteredType(name, "RESOURCE", type_name=name))
        except (BadInputError, EnvironmentProblemError):
            return None

    def matching(self, pattern: str) -> list[str]:
        """Return the names of the types that the pattern means."""
        from formwork.aws.listed_types import list_resource_types

        if self._client is None:
            return []
        try:
            return list_resource_types(self._client, pattern)
        except EnvironmentProblemError:
            return []
