"""The Go module that a folder belongs to: where it begins, and everything that its programs may be made of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from formwork.diagnostics import BadInputError, Location

# What tools leave in a module's folder and no program is made of, unless there are packages in it.
_LEFT_OUT = frozenset({"bin", "build", "docs", "inputs", "rpdk.log", ".hypothesis", ".pytest_cache", ".git", ".idea"})
_LOCAL_REPLACE = re.compile(r"=>\s+(\.{1,2}(?:/\S*)?)\s*(?://.*)?$", re.MULTILINE)
_COMMENT = re.compile(r"//.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GoModule:
    """A module on this machine.

    `root` holds its go.mod, `text` is that file's; `sources` are the files and folders that its programs come from,
    local replacements and workspaces included.
    """

    root: Path
    text: str
    sources: tuple[Path, ...]

    @property
    def path(self) -> str:
        """Its import path, as go.mod has it."""
        found = re.search(r"^module\s+\"?([^\s\"]+)", self.text, re.MULTILINE)
        return found.group(1) if found else ""

    def import_path(self, folder: Path) -> str:
        """The path by which Go programs import what is in `folder`, which is in the module."""
        return "/".join((self.path, *folder.resolve().relative_to(self.root).parts))

    def required_version(self, path: str) -> str | None:
        """The version of the module `path` that go.mod requires, such as "v1.2.0"; None where it doesn't."""
        found = re.search(rf"^\s*(?:require\s+)?{re.escape(path)}\s+(v\S+)", _COMMENT.sub("", self.text), re.MULTILINE)
        return found.group(1) if found else None


def find_module(folder: Path) -> GoModule:
    """The module that `folder` is in: its own, or one further up (a repository with many types in one module).

    Raises:
        BadInputError: there is no go.mod.
    """
    folder = folder.resolve()
    root = next((each for each in (folder, *folder.parents) if (each / "go.mod").is_file()), None)
    if root is None:
        raise BadInputError.of(
            "build.go-module",
            "there is no go.mod",
            location=Location(str(folder / "go.mod")),
            hint="`go mod init NAME`, with the import path that .rpdk-config has in its settings",
        )
    text = (root / "go.mod").read_text(encoding="utf-8", errors="replace")
    return GoModule(root, text, tuple(sorted({*_parts(root), *_elsewhere(root, text)})))


def _parts(root: Path) -> Iterator[Path]:
    return (each for each in root.iterdir() if each.suffix != ".zip" and not _is_left_out(each))


def _is_left_out(path: Path) -> bool:
    return path.name in _LEFT_OUT and (path.name.startswith(".") or next(path.rglob("*.go"), None) is None)


def _elsewhere(root: Path, text: str) -> Iterator[Path]:
    for found in _LOCAL_REPLACE.finditer(text):
        place = (root / found.group(1)).resolve()
        if not place.is_relative_to(root):
            yield place
    workspace = next((each for each in root.parents if (each / "go.work").is_file()), None)
    if workspace is not None:
        yield from _parts(workspace)
