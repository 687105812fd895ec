"""What a TypeScript project reads outside its own folder, found in its tsconfig.json files and its imports.

The compiler follows `extends`, `references`, `paths` and relative imports wherever they lead, and a build in a copy of
the project's folder needs copies of what they lead to, at the same relative places.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from formwork.toolchain.workspaces import Workspace, find_workspace, local_dependencies

_SOURCES = re.compile(r".+\.[cm]?[jt]sx?")
_IMPORTS = re.compile(
    r"""(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\(|\bpath\s*=)\s*["'](\.\.?(?:/[^"'\n]*)?)["']"""
)
_LISTS = ("files", "include")
_OPTIONS = ("baseUrl", "rootDir")
_LIST_OPTIONS = ("rootDirs", "typeRoots")
_NOT_READ = frozenset({".git", "node_modules", ".aws-sam", "dist", "build", "coverage"})
# Comments and strings of a tsconfig.json, which is JSON with comments and trailing commas.
_TOKENS = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)*[}\]])', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reach:
    """What is read outside the project's folder.

    `top` is the folder that contains the project and all of it; `folders` are whole packages or folders, `files` single
    files beside them. `workspace` is the npm workspace that the project is a member of, None where it is of none.
    """

    top: Path
    folders: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    workspace: Workspace | None = None

    @property
    def is_inside(self) -> bool:
        """Whether the project reads its own folder alone."""
        return not self.folders and not self.files and self.workspace is None


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
    return Reach(top, tuple(sorted(search.folders)), tuple(sorted(search.files)), workspace)


@dataclass
class _Search:
    root: Path
    folders: set[Path] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)
    waiting: list[Path] = field(default_factory=list)

    def finish(self) -> None:
        while self.waiting:
            self.follow(self.waiting.pop())

    def follow(self, folder: Path) -> None:
        for config in sorted(folder.glob("tsconfig*.json")):
            self.follow_config(config)
        for source in _sources(folder):
            self.follow_imports(source)

    def follow_imports(self, source: Path) -> None:
        try:
            text = source.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        for match in _IMPORTS.finditer(text):
            self.add(_existing(_resolved(source.parent, match[1])))

    def follow_config(self, path: Path) -> None:
        config = read_tsconfig(path)
        extended = config.get("extends")
        for name in [extended] if isinstance(extended, str) else _texts(extended):
            base = _resolved(path.parent, name) if name.startswith((".", "/")) else None
            base = base if base is None or base.suffix == ".json" else base.with_name(f"{base.name}.json")
            if base is not None and base.is_file() and not self.is_known(base):
                self.files.add(base)
                self.follow_config(base)
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


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _resolved(folder: Path, path: str) -> Path:
    return Path(os.path.normpath(folder / path))


def _existing(place: Path) -> Path | None:
    """The file or folder that a path without its suffix means."""
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
