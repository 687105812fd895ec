"""The installed packages of a project and of what it reads outside its folder, linked into a build of both."""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from formwork.toolchain.build import BuildSettings
from formwork.toolchain.npm import MANIFEST, installed_packages, installed_workspace, read_manifest
from formwork.toolchain.reach import Reach
from formwork.toolchain.workspaces import Workspace, is_linked, local_dependencies


def packages_of(root: Path, reach: Reach, settings: BuildSettings) -> dict[Path, Path]:
    """Folder → the node_modules to link there, for every folder in which Node would look for packages.

    Raises:
        BadInputError: a package.json can't be used.
        EnvironmentProblemError: npm is missing or failed.
    """
    found: dict[Path, Path | None] = {}
    members: dict[Path, Path] = {}
    if reach.workspace is not None and reach.workspace.by_npm:
        made = installed_workspace(reach.workspace, root, settings)
        found[reach.workspace.root] = made / "node_modules"
        for member in reach.workspace.members.values():
            members[member] = made / member.relative_to(reach.workspace.root) / "node_modules"
    for folder in (root, *reach.folders):
        found[folder] = (
            members[folder] if folder in members else packages_beside_members(folder, reach.workspace, settings)
        )
    around = () if reach.is_inside else (each for each in root.parents if each.is_relative_to(reach.top))
    for folder in around:
        if folder not in found and (folder / MANIFEST).is_file():
            found[folder] = installed_packages(folder, settings, scripts=False, needs=reach.needs_from_around)
    return {folder: modules for folder, modules in found.items() if modules is not None and modules.is_dir()}


def packages_beside_members(
    folder: Path, workspace: Workspace | None, settings: BuildSettings, *, production: bool = False
) -> Path | None:
    """Return the node_modules of the package in `folder`, without members of a workspace that npm does not know.

    Raises:
        BadInputError: package.json can't be used.
        EnvironmentProblemError: npm is missing or failed.
    """
    if workspace is None or not any(is_linked(folder, name, workspace) for name in workspace.members):
        return installed_packages(folder, settings, production=production)

    def needs(_group: str, name: str) -> bool:
        return not is_linked(folder, name, workspace)

    return installed_packages(folder, settings, production=production, needs=needs)


def link_reached_packages(reach: Reach, packages: Mapping[Path, Path], tree: Path) -> None:
    """Let the copies of folders in `tree` have their packages, and members of the workspace as copies in `tree`."""
    for folder, modules in packages.items():
        place = tree / folder.relative_to(reach.top) / "node_modules"
        if reach.workspace is None or folder != reach.workspace.root:
            _link(modules, place)
            continue
        for name in registry_packages(modules, reach.workspace):
            if reach.workspace.members.get(name) not in reach.folders:
                _link(modules / name, place / name)
    if reach.workspace is not None:
        place = tree / reach.workspace.root.relative_to(reach.top) / "node_modules"
        for name, member in reach.workspace.members.items():
            if member in reach.folders:
                _link(tree / member.relative_to(reach.top), place / name, relative=True)


def members_to_build(root: Path, reach: Reach, tree: Path) -> Iterator[Path]:
    """The copies in `tree` of workspace members that the project needs built and whose author hasn't, deepest first."""
    if reach.workspace is None:
        return
    for member in reversed(local_dependencies(root, reach.workspace)):
        folder = tree / member.relative_to(reach.top)
        main = read_manifest(folder).get("main")
        if not (folder / (main if isinstance(main, str) else "index.js")).is_file():
            yield folder


def registry_packages(modules: Path, workspace: Workspace) -> Iterator[str]:
    """Yield the names of what is in a node_modules folder but members of the workspace, which npm links.

    A package of the registry may be called as a member is: one that needs another version than the member's has it.
    """
    place = modules.resolve()
    for name in _package_names(modules):
        if name not in workspace.members or (place / name).resolve().is_relative_to(place):
            yield name


def _package_names(modules: Path) -> Iterator[str]:
    """Yield the names of the packages in a node_modules folder, and what npm keeps beside them."""
    for entry in sorted(modules.iterdir()):
        if entry.name.startswith("@"):
            yield from (f"{entry.name}/{each.name}" for each in sorted(entry.iterdir()))
        elif entry.is_dir():
            yield entry.name


def _link(target: Path, place: Path, *, relative: bool = False) -> None:
    """Link `place` to `target`; a `relative` link leads within the build, which is moved when it is made."""
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        place.symlink_to(os.path.relpath(target, place.parent) if relative else target, target_is_directory=True)
    except OSError:  # Windows without the right to make links
        shutil.copytree(target, place, symlinks=True)
