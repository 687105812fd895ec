"""What a TypeScript project reads outside its own folder, found in its tsconfig.json files and its imports.

The compiler follows `extends`, `references`, `paths` and relative imports wherever they lead, and a build in a copy of
the project's folder needs copies of what they lead to, at the same relative places.

The reasons are in docs/decisions/1113.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from formwork.toolchain.workspaces import Workspace, find_workspace, local_dependencies

_SOURCES = re.compile(r".+\.[cm]?[jt]sx?")
_IMPORTS = re.compile(
    r"""(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\(|\bpath\s*=)\s*["'](\.\.?(?:/[^"'\n]*)?)["']"""
)
_PACKAGES = re.compile(
    r"""(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](@[\w.-]+/[\w.-]+|[\w][\w.-]*)(?:/[^"'\n]*)?["']"""
)
_LISTS = ("files", "include")
_OPTIONS = ("baseUrl", "rootDir")
_LIST_OPTIONS = ("rootDirs", "typeRoots")
_NOT_READ = frozenset({".git", "node_modules", ".aws-sam", "dist", "build", "coverage"})
# Comments and strings of a tsconfig.json, which is JSON with comments and trailing commas.
_TOKENS = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)*[}\]])', re.DOTALL)


class Reach(Struct, frozen=True):
    """The files that a project reads outside its folder.

    `top` is the folder that contains the project and all of it; `folders` are whole packages or folders, `files` single
    files beside them. `workspace` is the npm workspace that the project is a member of, None where it is of none.
    `packages` are the names of installed packages that sources and configurations read.
    """

    top: Path
    folders: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    workspace: Workspace | None = None
    packages: frozenset[str] = frozenset()

    @property
    def is_inside(self) -> bool:
        """Whether the project reads its own folder alone."""
        return not self.folders and not self.files and self.workspace is None

    def needs_from_around(self, group: str, package: str) -> bool:
        """Return whether a build may need a dependency of a folder around it, by its group in package.json.

        Of the tools there that is the compiler, declarations, and what sources and configurations name: the others are
        for the author's tests and style.
        """
        is_read = package == "typescript" or package.startswith("@types/") or package in self.packages
        return group != "devDependencies" or is_read


def find_reach(root: Path) -> Reach:
    """Return what the project in `root` reads outside of it; nothing of what doesn't exist."""
    search = _Search(root)
    search.follow(root)
    workspace = find_workspace(root)
    if workspace is not None:
        for member in local_dependencies(root, workspace):
            search.add_folder(member)
    search.finish()
    places = [root, *search.folders, *search.files, *([workspace.root] if workspace else [])]
    top = Path(os.path.commonpath(places)) if len(places) > 1 else root
    return Reach(top, tuple(sorted(search.folders)), tuple(sorted(search.files)), workspace, frozenset(search.packages))


class _Search(Struct):
    root: Path
    folders: set[Path] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)
    waiting: list[Path] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)

    def finish(self) -> None:
        while self.waiting:
            self.follow(self.waiting.pop())

    def follow(self, folder: Path) -> None:
        for config in sorted(folder.glob("tsconfig*.json")):
            self.follow_config(config)
        compiled = _compiled(folder)
        for source in _sources(folder):
            self.follow_imports(source, compiled=any(source.is_relative_to(each) for each in compiled))

    def follow_imports(self, source: Path, *, compiled: bool = True) -> None:
        try:
            text = source.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        if compiled:  # tests beside it name packages that no build reads
            self.packages.update(match[1] for match in _PACKAGES.finditer(text))
        for match in _IMPORTS.finditer(text):
            self.add(_existing(_resolved(source.parent, match[1])))

    def follow_config(self, path: Path) -> None:
        config = read_tsconfig(path)
        extended = config.get("extends")
        for name in [extended] if isinstance(extended, str) else _texts(extended):
            self.packages.update(_package_named(name))
            base = _resolved(path.parent, name) if name.startswith((".", "/")) else None
            base = base if base is None or base.suffix == ".json" else base.with_name(f"{base.name}.json")
            if base is not None and base.is_file() and not self.is_known(base):
                self.files.add(base)
                self.follow_config(base)
        options = config.get("compilerOptions")
        self.packages.update(_texts(options.get("types")) if isinstance(options, dict) else ())
        for name in _paths_in(config):
            self.add(_existing(_resolved(path.parent, re.split(r"[*?]", name)[0])))

    def add(self, place: Path | None) -> None:
        """Add the package or folder that contains `place`, or the file alone where the project is in that folder."""
        if place is None or self.is_known(place) or self.root.is_relative_to(place):
            return
        folder = place if place.is_dir() else place.parent
        if self.root.is_relative_to(folder):
            self.files.add(place)
            self.follow_imports(place)
            return
        while not ((folder / "package.json").is_file() or (folder / "tsconfig.json").is_file()):
            if self.root.is_relative_to(folder.parent):
                break
            folder = folder.parent
        self.add_folder(folder)

    def add_folder(self, folder: Path) -> None:
        if not self.is_known(folder):
            self.folders.add(folder)
            self.waiting.append(folder)

    def is_known(self, place: Path) -> bool:
        return place in self.files or any(place.is_relative_to(each) for each in (self.root, *self.folders))


def read_tsconfig(path: Path) -> dict[str, Any]:
    """Return the object in a tsconfig.json, {} where it can't be read: its errors are the compiler's to tell."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        config = json.loads(_TOKENS.sub(lambda found: found[0] if found[0].startswith('"') else "", text))
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}


def _compiled(folder: Path) -> list[Path]:
    """The files and folders that the tsconfig.json of `folder` includes; the folder itself where it names none."""
    config = read_tsconfig(folder / "tsconfig.json")
    named = [each for key in _LISTS for each in _texts(config.get(key))]
    return [_resolved(folder, re.split(r"[*?]", each)[0] or ".") for each in named] or [folder]


def _paths_in(config: dict[str, Any]) -> Iterator[str]:
    for key in _LISTS:
        yield from _texts(config.get(key))
    for each in config.get("references") or []:
        if isinstance(each, dict):
            yield from _texts([each.get("path")])
    options = config.get("compilerOptions")
    if not isinstance(options, dict):
        return
    yield from _texts([options.get(key) for key in _OPTIONS])
    for key in _LIST_OPTIONS:
        yield from _texts(options.get(key))
    base = options.get("baseUrl") if isinstance(options.get("baseUrl"), str) else "."
    for targets in (options.get("paths") or {}).values():
        yield from (f"{base}/{each}" for each in _texts(targets))


def _package_named(path: str) -> Iterator[str]:
    """Yield the name of the installed package that `path` leads into, where it leads into one."""
    parts = path.split("/")
    if parts[0] and not path.startswith((".", "/")):
        yield "/".join(parts[: 2 if path.startswith("@") else 1])


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _resolved(folder: Path, path: str) -> Path:
    return Path(os.path.normpath(folder / path))


def _existing(place: Path) -> Path | None:
    """Return the file or folder that a path without its suffix means."""
    if place.exists():
        return place
    for suffix in (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"):
        for name in (f"{place.name}{suffix}", f"{place.stem}{suffix}"):  # an import of a.js may mean a.ts
            if place.with_name(name).is_file():
                return place.with_name(name)
    return None


def _sources(folder: Path) -> Iterator[Path]:
    for current, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in _NOT_READ)
        yield from (Path(current, name) for name in sorted(names) if _SOURCES.fullmatch(name))
