"""The Go module that a folder belongs to: its root, its requirements, and the sources of its programs."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from formwork.diagnostics import BadInputError, Location
from formwork.toolchain import Tool, run_build

# Folders that tools create in a module's folder, ignored as sources unless they contain packages.
_LEFT_OUT = frozenset({"bin", "build", "docs", "inputs", "rpdk.log", ".hypothesis", ".pytest_cache", ".git", ".idea"})


class GoModule(Struct, frozen=True):
    """A module on this machine, read with `go mod edit -json` (`go help mod edit`).

    `root` contains its go.mod, `path` is its import path, `requires` has the versions of required modules by their
    paths, and `sources` are the files and folders that its programs come from, local replacements and workspaces
    included.
    """

    root: Path
    path: str
    requires: Mapping[str, str]
    sources: tuple[Path, ...]


def read_module(folder: Path, go: Tool, environment: Mapping[str, str]) -> GoModule:
    """Return the module that `folder` is in: the nearest go.mod (a repository may have several types in one module).

    Raises:
        BadInputError: there is no go.mod, or Go can't read it.
    """
    root = _root(folder)
    command = [str(go.executable), "mod", "edit", "-json"]
    printed = run_build(command, folder=root, environment=environment, what="`go mod edit`")
    found = json.loads(printed[printed.index("{") :])
    requires = {each["Path"]: each["Version"] for each in found.get("Require") or ()}
    local = [each["New"]["Path"] for each in found.get("Replace") or () if not each["New"].get("Version")]
    sources = {*_parts(root), *_replacements(root, local), *_workspace(root)}
    return GoModule(root, found.get("Module", {}).get("Path", ""), requires, tuple(sorted(sources)))


def module_sources(folder: Path) -> tuple[Path, ...]:
    """Return `GoModule.sources` without local replacements, for machines without Go to read go.mod.

    Raises:
        BadInputError: there is no go.mod.
    """
    root = _root(folder)
    return tuple(sorted({*_parts(root), *_workspace(root)}))


def import_path_in(folder: Path) -> str:
    """Return the import path of the package in `folder`, read without Go, as `cfn generate` does not need Go.

    Raises:
        BadInputError: there is no go.mod.
    """
    root = _root(folder)
    text = (root / "go.mod").read_text(encoding="utf-8", errors="replace")
    found = re.search(r"^module\s+\"?([^\s\"]+)", text, re.MULTILINE)
    return "/".join((found[1] if found else "", *folder.resolve().relative_to(root).parts))


def _root(folder: Path) -> Path:
    folder = folder.resolve()
    root = next((each for each in (folder, *folder.parents) if (each / "go.mod").is_file()), None)
    if root is None:
        raise BadInputError.of(
            "build.go-module",
            "there is no go.mod",
            location=Location(str(folder / "go.mod")),
            hint="`go mod init NAME`, with the import path that .rpdk-config has in its settings",
        )
    return root


def _parts(root: Path) -> Iterator[Path]:
    return (each for each in root.iterdir() if each.suffix != ".zip" and not _is_left_out(each))


def _is_left_out(path: Path) -> bool:
    return path.name in _LEFT_OUT and (path.name.startswith(".") or next(path.rglob("*.go"), None) is None)


def _replacements(root: Path, local: list[str]) -> Iterator[Path]:
    places = ((root / path).resolve() for path in local)
    return (place for place in places if not place.is_relative_to(root))


def _workspace(root: Path) -> Iterator[Path]:
    workspace = next((each for each in root.parents if (each / "go.work").is_file()), None)
    return iter(()) if workspace is None else _parts(workspace)
