"""`ResourceProvider.zip` of a TypeScript project: the compiler's output, and the packages that handlers need."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from formwork.diagnostics import BadInputError, Location
from formwork.languages.typescript.managed_sources import managed_sources
from formwork.package.archive import ArchiveMember
from formwork.package.files import folder_members
from formwork.package.provider import LeftOut, PackagingSettings, Provider
from formwork.project import Project
from formwork.toolchain import BuildSettings
from formwork.toolchain.npm import installed_packages, installed_workspace, read_manifest
from formwork.toolchain.reached_packages import packages_beside_members, registry_packages
from formwork.toolchain.typescript import build_project
from formwork.toolchain.workspaces import Workspace, find_workspace, local_dependencies

SOURCE_FOLDER = "src"

# Files of a build that no handler reads: sources and settings of tools.
_SOURCES = re.compile(
    r"(tests?|__tests__)/.*|.*\.(ts|mts|cts|tsbuildinfo|md)|tsconfig[^/]*\.json|package-lock\.json|npm-shrinkwrap\.json"
    r"|\.npmrc|\.gitignore|\.rpdk-config|Makefile|template\.ya?ml|(resource|hook)-role\.yaml|jest\.config\.[^/]*"
)
# Files of installed packages for compilers and readers. Files that Node loads are kept whatever their names:
# aws-sdk/clients/licensemanager.js is code, not a licence.
_UNREAD = re.compile(
    r".*\.([mc]?ts|[mc]?js\.map|[mc]?ts\.map|css\.map|md|markdown)"
    r"|.*/(LICEN[SC]E|CHANGELOG|AUTHORS)([-.][^/]*)?(?<!\.js)(?<!\.cjs)(?<!\.mjs)(?<!\.json)(?<!\.node)(?<!\.wasm)",
    re.IGNORECASE,
)
_TOOLS = re.compile(r"node_modules/(\.bin/.*|\.package-lock\.json|\.cache/.*)")


class NodeBuild:
    """The build of a TypeScript project for Lambda."""

    def __init__(self, settings: PackagingSettings) -> None:
        self._settings = settings

    def provide(self, project: Project) -> Provider:
        """Build `project` without changing its folder."""
        root = project.root.resolve()
        settings = BuildSettings(self._settings.environment, self._settings.cache, self._settings.say)
        if project.settings.get("buildCommand"):
            self._settings.say('"buildCommand" in .rpdk-config is not run: projects are built here without SAM')
        built = build_project(root, settings, replaced=managed_sources(project))
        code = [each for each in _built_members(built) if _SOURCES.fullmatch(each.name) is None]
        _expect_handler(project, code)
        packages, left_out = _packages(root, built, settings)
        members = {each.name: each for each in (*packages, *code)}
        return Provider(
            "ResourceProvider.zip",
            tuple(members[name] for name in sorted(members)),
            tuple(folder_members(root / SOURCE_FOLDER, prefix=f"{SOURCE_FOLDER}/", root=root)),
            left_out=left_out,
        )


def _built_members(built: Path) -> list[ArchiveMember]:
    """Return the files of a build except its packages, which are a link to those of the compilation."""
    members: list[ArchiveMember] = []
    for path in sorted(built.iterdir()):
        if path.is_dir() and path.name != "node_modules":
            members += folder_members(path, prefix=f"{path.name}/", root=built)
        elif path.is_file():
            members.append(ArchiveMember(path.name, path))
    return members


def _expect_handler(project: Project, members: list[ArchiveMember]) -> None:
    entry = project.entrypoint or ""
    stem = entry.rpartition(".")[0]
    if not any(each.name in (f"{stem}.js", f"{stem}.mjs", f"{stem}.cjs") for each in members):
        raise BadInputError.of(
            "package.no-handlers",
            f'the entry point "{entry}" names {stem}.js, which is not in the build',
            location=Location(str(project.root / ".rpdk-config")),
            hint='fix "entrypoint", or "outDir" in tsconfig.json',
        )


def is_read(path: str) -> bool:
    """Return whether a running handler may read this file of an installed package."""
    return _UNREAD.fullmatch(path) is None


def _packages(root: Path, built: Path, settings: BuildSettings) -> tuple[list[ArchiveMember], tuple[LeftOut, ...]]:
    """Return the files of packages for Lambda, and what was left out."""
    workspace = find_workspace(root)
    if workspace is not None:
        found = list(_workspace_members(root, built, workspace, settings))
    elif any(read_manifest(root).get(each) for each in ("dependencies", "optionalDependencies")):
        folder = installed_packages(root, settings, production=True)
        assert folder is not None
        found = folder_members(folder, prefix="node_modules/", root=folder)
    else:
        return [], ()
    found = [each for each in found if _TOOLS.fullmatch(each.name) is None]
    kept = [replace(each, executable=False) for each in found if is_read(each.name)]
    size = sum(each.size for each in found) - sum(each.size for each in kept)
    if not size:
        return kept, ()
    return kept, (LeftOut("types, source maps and texts of packages", "not read at run time", size),)


def _workspace_members(
    root: Path, built: Path, workspace: Workspace, settings: BuildSettings
) -> Iterator[ArchiveMember]:
    """Yield the files of installed packages, and those of workspace members that the project depends on, built."""
    modules_of = _modules_of_members(root, workspace, settings)
    for modules in modules_of(root):
        yield from _installed(modules, "node_modules/", workspace)
    names = {folder: name for name, folder in workspace.members.items()}
    for member in local_dependencies(root, workspace, production=True):
        prefix = f"node_modules/{names[member]}/"
        code = _built_members(Path(os.path.normpath(built / os.path.relpath(member, root))))
        yield from (replace(each, name=f"{prefix}{each.name}") for each in code if not _SOURCES.fullmatch(each.name))
        for modules in modules_of(member)[-1:]:
            yield from _installed(modules, f"{prefix}node_modules/", workspace)


def _modules_of_members(root: Path, workspace: Workspace, settings: BuildSettings) -> Callable[[Path], list[Path]]:
    """Return a function that returns a member's node_modules folders, shared ones first, its own last."""
    if workspace.by_npm:
        made = installed_workspace(workspace, root, settings, production=True)
        return lambda member: [made / each / "node_modules" for each in (".", member.relative_to(workspace.root))]

    def modules_of(member: Path) -> list[Path]:
        own = packages_beside_members(member, workspace, settings, production=True)
        return [] if own is None else [own]

    return modules_of


def _installed(modules: Path, prefix: str, workspace: Workspace) -> Iterator[ArchiveMember]:
    for name in registry_packages(modules, workspace) if modules.is_dir() else ():
        yield from folder_members(modules / name, prefix=f"{prefix}{name}/", root=modules)
