"""The project folder: its files and its `.rpdk-config`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import DocumentFormat, load_document
from formwork.documents.remote import RemoteDocuments
from formwork.extensions import ExtensionKind, arn_name, hyphenated_name, package_name
from formwork.project.config import CONFIG_FILE, ProjectConfig, parse_config

if TYPE_CHECKING:
    from formwork.schema.at_hand import SchemaCatalog

SCHEMA_SUFFIXES = (".json", ".yaml", ".yml")


# In a project whose schema is converted from a Smithy model: which one, and how.
SMITHY_BUILD_FILE = "smithy-build.json"


class Project(Struct, frozen=True):
    """A project folder and its config.

    `schema_path` is the file that the schema is written in: where `cfn generate` made a JSON one of a YAML one, the
    latter; the JSON one's name where no such file exists yet; a module's is the generated `schema.json`. `diagnostics`
    are the warnings about the config. `remote` says how to fetch documents on other machines that the schema refers to,
    `schemas_at_hand` has the schemas of a hook's targets that the folder lacks; None where there are none.
    """

    root: Path
    config: ProjectConfig
    schema_path: Path
    diagnostics: tuple[Diagnostic, ...] = ()
    remote: RemoteDocuments | None = None
    schemas_at_hand: "SchemaCatalog | None" = None

    @property
    def kind(self) -> ExtensionKind:
        """The kind of extension: resource, hook or module."""
        return self.config.kind

    @property
    def type_name(self) -> str:
        """The type name, such as `Org::Svc::Res`."""
        return self.config.type_name

    @property
    def language(self) -> str | None:
        """The language as the incumbent names it (`python311`); None in a module."""
        return self.config.language

    @property
    def runtime(self) -> str | None:
        """The Lambda runtime (`python3.11`); None in a module."""
        return self.config.runtime

    @property
    def entrypoint(self) -> str | None:
        """The function that Lambda calls (`org_svc_res.handlers.resource`)."""
        return self.config.entrypoint

    @property
    def test_entrypoint(self) -> str | None:
        """The function that takes the user guide's test events (`org_svc_res.handlers.test_entrypoint`)."""
        return self.config.test_entrypoint

    @property
    def settings(self) -> Mapping[str, Any]:
        """The `settings` of `.rpdk-config`, of the language and of other tools."""
        return self.config.settings

    @property
    def hyphenated_name(self) -> str:
        """The type name as `org-svc-res`, the stem of file names."""
        return hyphenated_name(self.type_name)

    @property
    def arn_name(self) -> str:
        """The type name as `Org-Svc-Res`, as in ARNs."""
        return arn_name(self.type_name)

    @property
    def package_name(self) -> str:
        """The type name as `org_svc_res`, the handlers' Python package."""
        return package_name(self.type_name)


def load_project(
    root: Path,
    *,
    remote: RemoteDocuments | None = None,
    schemas_at_hand: "SchemaCatalog | None" = None,
    registered: str | None = None,
) -> Project:
    """Return the project in the folder `root`; without `remote` its schema refers to files only.

    `schemas_at_hand` is as in `Project`, `registered` as for `parse_config`.

    Raises:
        BadInputError: the folder is not a project, or its `.rpdk-config` cannot be read.
    """
    path = root / CONFIG_FILE
    if not path.is_file():
        raise _no_project(root)
    config, warnings = parse_config(load_document(path, format=DocumentFormat.JSON), registered=registered)
    schema_path, more = _find_schema(root, config)
    return Project(root, config, schema_path, (*warnings, *more), remote, schemas_at_hand)


def is_project(root: Path) -> bool:
    """Return whether the folder `root` holds a `.rpdk-config`."""
    return (root / CONFIG_FILE).is_file()


def _no_project(root: Path) -> BadInputError:
    hint = "run `cfn init` to create one here, or change to the folder of the project"
    above = next((each for each in root.resolve().parents if is_project(each)), None)
    if above is not None:
        hint = f"{above} is a project: run the command there"
    message = f'"{root.resolve()}" is not a project: {CONFIG_FILE} not found'
    return BadInputError.of("project.not-found", message, location=Location(str(root / CONFIG_FILE)), hint=hint)


def _find_schema(root: Path, config: ProjectConfig) -> tuple[Path, tuple[Diagnostic, ...]]:
    if config.kind is ExtensionKind.MODULE:
        return root / "schema.json", ()
    stem = hyphenated_name(config.type_name)
    candidates = [root / (stem + suffix) for suffix in SCHEMA_SUFFIXES]
    found = [each for each in candidates if each.is_file()]
    if len(found) < 2:
        return (found or candidates)[0], ()
    if candidates[0] in found:
        from formwork.project.yaml_source import is_generated  # noqa: PLC0415 - only where YAML stands beside JSON

        if is_generated(candidates[0]):
            del found[0]
    if len(found) < 2:
        return found[0], ()
    used, *others = found
    message = f'the schema is in more than one file; "{used.name}" is used'
    names = " and ".join(each.name for each in others)
    hint = f"to use {names} instead, move {used.name} to another folder; to keep both, give one another name"
    warning = Diagnostic("project.schema-twice", Severity.WARNING, message, Location(str(used)), hint=hint)
    return used, (warning,)


def has_smithy_source(project: Project) -> bool:
    """Return whether the project's schema comes from a Smithy model."""
    return (project.root / SMITHY_BUILD_FILE).is_file()
