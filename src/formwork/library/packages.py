"""`formwork.package`: packages of projects, built and read."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from formwork.diagnostics import EnvironmentProblemError
from formwork.documents import Document, load_document
from formwork.extensions import ExtensionKind
from formwork.languages.packages import package_build
from formwork.package.package import PackageReport, package_project
from formwork.package.provider import PackagingSettings
from formwork.package.template import Architecture, architecture_of
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import CONFIG_FILE, load_project
from formwork.project.config import parse_config
from formwork.registry.packages import check_parts, unpack_archive
from formwork.schema.at_hand import find_schemas


class PackageContents(Struct, frozen=True):
    """What a package contains: `schema` as its `schema.json` has it, `files` the sorted names of its members.

    `runtime` and `entrypoint` are None for a module, which has no handlers.
    """

    kind: ExtensionKind
    type_name: str
    schema: Document
    files: tuple[str, ...]
    runtime: str | None
    entrypoint: str | None


def build_package(  # noqa: PLR0913 - the options of `cfn package`
    folder: os.PathLike[str],
    path: os.PathLike[str],
    *,
    environment: Mapping[str, str] | None = None,
    cache: os.PathLike[str] | None = None,
    architecture: Architecture | None = None,
    aws_runtime: bool = False,
) -> PackageReport:
    """Build the package of the project in a folder as the file `path`; an existing file is replaced.

    `environment` are the variables that pip, npm, Go or Maven run with, such as `os.environ`; by default there are
    none. `cache` is a folder that keeps downloads and builds for the next package. `architecture` is by default that of
    `template.yml`. With `aws_runtime` the package keeps AWS's handler library.

    Raises:
        BadInputError: the project, its schema or its requirements have errors.
        EnvironmentProblemError: a tool of the language, its index or the disk fails.
        UsageError: the language or the runtime is not supported.
    """
    project = load_project(Path(folder), schemas_at_hand=find_schemas())
    if project.kind is ExtensionKind.MODULE:
        return package_project(project, Path(path), build=None)
    said: list[str] = []
    with TemporaryFolder("package") as temporary:
        settings = PackagingSettings(
            environment=dict(environment or {}),
            cache=temporary if cache is None else Path(cache),
            say=said.append,
            architecture=architecture or architecture_of(project.root / "template.yml"),
            aws_runtime=aws_runtime,
        )
        report = package_project(project, Path(path), build=package_build(project, settings))
    return replace(report, remarks=(*said, *report.remarks))


def read_package(source: bytes | os.PathLike[str]) -> PackageContents:
    """Return what a package contains, given as the bytes or the path of the archive.

    Raises:
        BadInputError: it is not a package that can be registered; with every reason.
        EnvironmentProblemError: the file can't be read.
    """
    content = source if isinstance(source, bytes) else _read(Path(source))
    with TemporaryFolder("package") as temporary:
        folder = temporary / "files"
        folder.mkdir()
        unpack_archive(content, folder, "the package")
        files = sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file())
        if not (folder / CONFIG_FILE).is_file():
            check_parts(folder, ExtensionKind.RESOURCE)  # raises: what the kind is, this file says
        config, _ = parse_config(load_document(folder / CONFIG_FILE, name=CONFIG_FILE))
        check_parts(folder, config.kind)
        schema = load_document(folder / "schema.json", name="schema.json")
    return PackageContents(config.kind, config.type_name, schema, tuple(files), config.runtime, config.entrypoint)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise EnvironmentProblemError(f'cannot read "{path}": {error.strerror}') from error
