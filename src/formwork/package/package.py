"""A project to the zip file that registration takes.

    configuration-schema.json  .rpdk-config  schema.json  inputs/*  [target-info.json  target-schemas/*]
    what the language puts in (Python: ResourceProvider.zip  src/<package>/*)  .cfn_metadata.json  overrides.json
    a module's:  .rpdk-config  schema.json  fragments/*  overrides.json

Members, order and names are the incumbent's; the archive itself is stored, the provider's inside it is compressed.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic
from formwork.documents import DocumentFormat
from formwork.extensions import ExtensionKind
from formwork.package.archive import ArchiveMember, write_archive
from formwork.package.files import folder_members
from formwork.package.metadata import render_metadata
from formwork.package.provider import LeftOut, Provider, ProviderBuild
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import CONFIG_FILE, Project
from formwork.project.fragment import find_fragment
from formwork.project.inputs import INPUTS_FOLDER
from formwork.project.module import load_module, render_module_schema
from formwork.project.overrides import OVERRIDES_FILE
from formwork.project.schema_file import ExtensionSchema, expect_project_schema
from formwork.project.yaml_source import check_generated, render_json
from formwork.schema import HookSchema

if TYPE_CHECKING:
    from formwork.package.hook_targets import PackagedTargets

# What Lambda unpacks at most.
MAX_UNPACKED_BYTES = 250 * 1024 * 1024


class PackageReport(Struct, frozen=True):
    """The built package: file, size, unpacked size, omitted files, and warnings about the input.

    `targets_at_hand` are target types whose schemas came from this machine, not the project; `target` names what the
    handlers were built for, and `remarks` are lines about them.
    """

    path: Path
    size: int
    unpacked: int
    left_out: tuple[LeftOut, ...]
    diagnostics: tuple[Diagnostic, ...]
    targets_at_hand: tuple[str, ...] = ()
    target: str = ""
    remarks: tuple[str, ...] = ()


def package_project(project: Project, path: Path, *, build: ProviderBuild | None) -> PackageReport:
    """Package `project` into the zip file `path`; only a module needs no `build`.

    Raises:
        BadInputError: the project, its schema or its requirements have errors.
        EnvironmentProblemError: a tool of the language, its index or the disk fails.
    """
    if project.kind is ExtensionKind.MODULE:
        return _package_module(project, path)
    schema, warnings = expect_project_schema(project)
    assert build is not None
    targets = _targets(project, schema)
    provider = build.provide(project)
    with TemporaryFolder("package") as folder:
        inner = []
        if provider.archive is not None:
            inner = [ArchiveMember(provider.archive, folder / provider.archive)]
            write_archive(provider.members, folder / provider.archive, compress=True)
        write_archive(
            _members(project, schema, targets.members, (*inner, *provider.sources), provider), path, compress=False
        )
    return PackageReport(
        path,
        path.stat().st_size,
        sum(each.size for each in provider.members) if provider.unpacked is None else provider.unpacked,
        provider.left_out,
        (*project.diagnostics, *warnings, *check_generated(project.schema_path), *targets.diagnostics),
        targets.at_hand,
        provider.target,
        provider.remarks,
    )


def _package_module(project: Project, path: Path) -> PackageReport:
    """Return a module's package holds its fragment and the schema that follows from it, and no code."""
    module = load_module(project)
    if module.template is None or not module.valid:
        raise BadInputError(module.diagnostics)
    fragment = find_fragment(project)
    members = [
        ArchiveMember(CONFIG_FILE, project.root / CONFIG_FILE),
        ArchiveMember("schema.json", render_module_schema(project, module.template).encode()),
        ArchiveMember(fragment.relative_to(project.root).as_posix(), fragment),
        *_overrides(project),
    ]
    write_archive(members, path, compress=False)
    return PackageReport(path, path.stat().st_size, 0, (), (*project.diagnostics, *module.diagnostics))


def _targets(project: Project, schema: ExtensionSchema) -> "PackagedTargets":
    from formwork.package.hook_targets import PackagedTargets, package_targets  # noqa: PLC0415 - hooks only

    return package_targets(project, schema) if isinstance(schema, HookSchema) else PackagedTargets([])


def _members(
    project: Project,
    schema: ExtensionSchema,
    targets: Sequence[ArchiveMember],
    code: Sequence[ArchiveMember],
    provider: Provider,
) -> Iterator[ArchiveMember]:
    if schema.type_configuration:
        yield ArchiveMember("configuration-schema.json", _render(_configuration_schema(schema)))
    yield ArchiveMember(CONFIG_FILE, project.root / CONFIG_FILE)
    yield ArchiveMember("schema.json", _schema_text(schema))
    yield from _inputs(project)
    yield from targets
    yield from code
    yield ArchiveMember(".cfn_metadata.json", render_metadata(provider.metadata).encode())
    yield from _overrides(project)


def _overrides(project: Project) -> Iterator[ArchiveMember]:
    if (project.root / OVERRIDES_FILE).is_file():
        yield ArchiveMember(OVERRIDES_FILE, project.root / OVERRIDES_FILE)


def _configuration_schema(schema: ExtensionSchema) -> dict[str, Any]:
    value: dict[str, Any] = dict(schema.type_configuration or {})
    if schema.definitions:
        value["definitions"] = schema.definitions
    if "remote" in schema.value:  # where references into other documents lead
        value["remote"] = schema.value["remote"]
    return value | {"typeName": schema.type_name}


def _schema_text(schema: ExtensionSchema) -> bytes:
    """Return the schema's text, or for a YAML schema its JSON; the service embeds referenced documents."""
    document = schema.document
    return (document.text if document.format is DocumentFormat.JSON else render_json(document)).encode()


def _inputs(project: Project) -> Iterator[ArchiveMember]:
    folder = project.root / INPUTS_FOLDER
    if folder.is_dir():
        for member in folder_members(folder, prefix=f"{INPUTS_FOLDER}/", root=project.root):
            if member.name.count("/") == 1:  # the incumbent lists the folder itself only
                yield member


def _render(value: Any) -> bytes:
    return (json.dumps(value, indent=4, ensure_ascii=False) + "\n").encode()
