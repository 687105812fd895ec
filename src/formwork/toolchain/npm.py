"""The packages of a Node project: installed by npm into the cache, by the content of package.json and its lock."""

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.toolchain.build import BuildSettings, run_build
from formwork.toolchain.cache import build_once, content_key
from formwork.toolchain.node import find_node, find_npm
from formwork.toolchain.skew import has_skew, mend_skew
from formwork.toolchain.workspaces import Workspace

MANIFEST = "package.json"
LOCKS = ("npm-shrinkwrap.json", "package-lock.json")
# Optional dependencies are installed though a project's .npmrc says otherwise: the incumbent's build does so too, and
# its runtime's AWS SDK is one.
_OPTIONS = (
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    "--color=false",
    "--include=optional",
)
_GROUPS = ("dependencies", "devDependencies", "optionalDependencies")
# Settings of npm that change what is installed; they come as variables too.
_DECISIVE = frozenset(
    f"npm_config_{each}" for each in ("cpu", "include", "legacy_peer_deps", "libc", "omit", "os", "registry")
)
_LAST_LINES = 20
_GONE = re.compile(
    r"404 Not Found - GET \S+?//[^/\s]+/(?P<name>(?:@[^/\s]+/)?[^/\s]+)/-/[^/\s]*?-(?P<version>\d[^/\s]*)\.tgz"
)


def read_manifest(root: Path) -> dict[str, Any]:
    """Return the project's package.json; an empty object where it has none.

    Raises:
        BadInputError: it is not a JSON object.
    """
    path = root / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise _unreadable(path, str(error)) from error
    if not isinstance(manifest, dict):
        raise _unreadable(path, "it is not an object")
    return manifest


def installed_packages(
    root: Path,
    settings: BuildSettings,
    *,
    production: bool = False,
    scripts: bool = True,
    needs: Callable[[str, str], bool] | None = None,
) -> Path | None:
    """Return the node_modules folder of the project in `root`; None where it needs nothing.

    The author's own node_modules is taken where npm made it after the last change of package.json and the lock; any
    other is made once in the cache. With `production` it is without devDependencies, and never the author's. Without
    `scripts` those of package.json are not run, which may need more of the folder than is there. `needs` says
    which dependencies are installed, by the group in package.json and the name; None: all.

    Raises:
        BadInputError: package.json can't be used.
        EnvironmentProblemError: npm is missing or failed.
    """
    manifest = read_manifest(root)
    groups = [each for each in _GROUPS if not (production and each == "devDependencies")]
    if not any(manifest.get(each) for each in groups):
        return None
    own = root / "node_modules"
    if needs is not None:
        manifest = _only_needed(manifest, needs)
        if not any(manifest.get(each) for each in groups):
            return None
    if not production and _is_current(own, root):
        return own
    words = _machine_words(settings, production=production)
    local = [root / path for path in _local_packages(manifest)]
    sources = [root / each for each in (MANIFEST, *LOCKS, ".npmrc")]
    words += [] if needs is None else [f"{group} {name}" for group in groups for name in manifest.get(group) or ()]
    key = content_key([*sources, *local], *words, root=root, leave_out=["node_modules"])
    place = settings.cache / "npm" / key
    if not scripts:
        manifest = _without_scripts(manifest)
    locked = needs is None  # else the lock has more than the manifest, which only `npm install` takes

    def install(folder: Path) -> None:
        _install(root, folder, manifest, settings, production=production, locked=locked)

    return build_once(place, install) / "node_modules"


def _only_needed(manifest: Mapping[str, Any], needs: Callable[[str, str], bool]) -> dict[str, Any]:
    """Return the manifest with those of its dependencies that `needs` says are needed."""
    return {
        key: {name: each for name, each in value.items() if needs(key, name)}
        if key in _GROUPS and isinstance(value, dict)
        else value
        for key, value in manifest.items()
    }


def _machine_words(settings: BuildSettings, *, production: bool) -> list[str]:
    """Return what besides the manifests decides what is installed."""
    words = [os.uname().machine if hasattr(os, "uname") else "", sys.platform, str(production)]
    words += [f"{name}={value}" for name, value in sorted(settings.environment.items()) if name in _DECISIVE]
    return [*words, str(find_node(settings.environment).version[0])]


def installed_workspace(
    workspace: Workspace, member: Path, settings: BuildSettings, *, production: bool = False
) -> Path:
    """The folder in which the packages of the `member` of a workspace are installed: at its top, and beside members.

    It is the author's own where npm made it after the last change, else one in the cache with the manifests alone.

    Raises:
        BadInputError: the workspace's package.json can't be used.
        EnvironmentProblemError: npm is missing or failed.
    """
    root = workspace.root
    if not production and _is_current(root / "node_modules", root):
        return root
    manifests = [each / MANIFEST for each in workspace.members.values()]
    sources = [root / each for each in (MANIFEST, *LOCKS, ".npmrc")]
    path = member.relative_to(root)
    words = [*_machine_words(settings, production=production), "workspace", path.as_posix()]
    key = content_key([*sources, *manifests], *words, root=root)

    def install(folder: Path) -> None:
        settings.note(f"installing the packages of {member.name}, a workspace of {root.name}, with npm")
        _copy_manifests(workspace, folder)
        which = ["--omit=dev"] if production else ["--include-workspace-root"]
        lock = any((root / each).is_file() for each in LOCKS)
        _npm_install(member.name, [*_OPTIONS, f"--workspace={path}", *which], folder, settings, locked=lock)

    return build_once(settings.cache / "npm" / key, install)


def _copy_manifests(workspace: Workspace, folder: Path) -> None:
    manifest = _without_scripts(read_manifest(workspace.root))
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    for name in (*LOCKS, ".npmrc"):
        if (workspace.root / name).is_file():
            shutil.copyfile(workspace.root / name, folder / name)
    for member in workspace.members.values():
        place = folder / member.relative_to(workspace.root)
        place.mkdir(parents=True)
        (place / MANIFEST).write_text(json.dumps(_without_scripts(read_manifest(member))), encoding="utf-8")


def _without_scripts(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in manifest.items() if key != "scripts"}


def _is_current(folder: Path, root: Path) -> bool:
    try:
        made = (folder / ".package-lock.json").stat().st_mtime_ns
    except OSError:
        return False
    inputs = [root / each for each in (MANIFEST, *LOCKS)]
    return all(made >= each.stat().st_mtime_ns for each in inputs if each.is_file()) and not has_skew(folder)


def _local_packages(manifest: Mapping[str, Any]) -> list[str]:
    """Return the folders and archives that dependencies name by their path."""
    specs = [spec for group in _GROUPS for spec in (manifest.get(group) or {}).values() if isinstance(spec, str)]
    return [each.removeprefix("file:") for each in specs if each.startswith(("file:", "./", "../"))]


def _install(  # noqa: PLR0913 - what an installation depends on
    root: Path, folder: Path, manifest: dict[str, Any], settings: BuildSettings, *, production: bool, locked: bool
) -> None:
    settings.note(f"installing the packages of {root.name} with npm")
    lock = next((root / each for each in LOCKS if (root / each).is_file()), None)
    if _local_packages(manifest):
        lock = None  # its paths are the project's, not the cache's
    (folder / MANIFEST).write_text(json.dumps(_with_absolute_paths(manifest, root)), encoding="utf-8")
    for path in filter(None, (lock, root / ".npmrc")):
        if path.is_file():
            shutil.copyfile(path, folder / path.name)
    options = [*_OPTIONS, "--install-links", *(["--omit=dev"] if production else [])]
    _npm_install(root.name, options, folder, settings, locked=locked and lock is not None)


def _npm_install(name: str, options: list[str], folder: Path, settings: BuildSettings, *, locked: bool) -> None:
    """Let npm install what the manifests in `folder` name, as its lock says where that fits."""
    npm = find_npm(settings.environment)
    try:
        if not locked or not _npm_ci(npm, options, folder, settings):
            _npm(npm, "install", options, folder, settings)
    except BadInputError as error:
        (diagnostic,) = error.diagnostics
        raise EnvironmentProblemError(
            f"npm can't install the packages of {name}",
            hint=_install_hint(diagnostic.notes),
            notes=diagnostic.notes[-_LAST_LINES:],
        ) from error
    (folder / "node_modules").mkdir(exist_ok=True)
    mend_skew(folder / "node_modules", settings.note)


def _install_hint(lines: Sequence[str]) -> str:
    """Return what to do about npm's failure: its own lines name an address for what is gone from the registry."""
    gone = next(filter(None, map(_GONE.search, lines)), None)
    if gone is None:
        return "check package.json and the connection: the first install needs the network, later ones do not"
    return (
        f"the package registry does not have {gone['name']} {gone['version']}, which the lock file names; "
        f"`npm update {gone['name']}` chooses another version"
    )


def _npm_ci(npm: Path, options: list[str], folder: Path, settings: BuildSettings) -> bool:
    """Install what the lock says; False where that is out of step with package.json, which `npm install` fixes."""
    try:
        _npm(npm, "ci", options, folder, settings)
    except BadInputError:
        return False
    return True


def _npm(npm: Path, command: str, options: list[str], folder: Path, settings: BuildSettings) -> None:
    run_build([str(npm), command, *options], folder=folder, environment=settings.environment, what=f"npm {command}")


def _with_absolute_paths(manifest: dict[str, Any], root: Path) -> dict[str, Any]:
    def absolute(spec: object) -> object:
        if isinstance(spec, str) and spec.startswith(("file:", "./", "../")):
            return f"file:{(root / spec.removeprefix('file:')).resolve()}"
        return spec

    changed = dict(manifest)
    for group in _GROUPS:
        if isinstance(manifest.get(group), dict):
            changed[group] = {name: absolute(spec) for name, spec in manifest[group].items()}
    return changed


def _unreadable(path: Path, why: str) -> BadInputError:
    return BadInputError.of("build.package-json", f"package.json can't be used: {why}", location=Location(str(path)))
