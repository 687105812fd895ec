"""Workspaces of npm, pnpm and lerna: which one a project is a member of, which of its dependencies are members too."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import BadInputError
from formwork.documents import DocumentFormat, load_document

_GROUPS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_VERSION = re.compile(r"(\d+)(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?")
_NOT_WALKED = frozenset({".git", "node_modules"})
_ANY = frozenset({"", "*", "latest", "x"})


class Workspace(Struct, frozen=True):
    """The folder that names the members, and these: package name → folder.

    `by_npm` says that npm knows them, from package.json; of pnpm's and lerna's lists it knows nothing.
    """

    root: Path
    members: Mapping[str, Path]
    by_npm: bool = True


def find_workspace(root: Path) -> Workspace | None:
    """Return the workspace that the project in `root` is a member of, None where it is of none."""
    for folder in root.parents:
        npm = _globs(_manifest(folder).get("workspaces"))
        globs = npm or _pnpm_globs(folder) or _lerna_globs(folder)
        if globs:
            folders = list(_matching(folder, globs))
            if root not in folders:
                return None
            named = {_manifest(each).get("name"): each for each in folders}
            members = {name: each for name, each in named.items() if isinstance(name, str)}
            return Workspace(folder, members, by_npm=bool(npm))
        if (folder / ".git").exists():
            return None
    return None


def _matching(top: Path, globs: list[str]) -> Iterator[Path]:
    """Yield the folders below `top` with a package.json that the globs mean; those after `!` are left out."""
    wanted = [_pattern(each) for each in globs if not each.startswith("!")]
    unwanted = [_pattern(each[1:]) for each in globs if each.startswith("!")]
    deepest = None if any("**" in each for each in globs) else max(each.count("/") for each in globs) + 1
    for current, folders, names in os.walk(top):
        path = Path(current).relative_to(top)
        is_deep = deepest is not None and len(path.parts) >= deepest
        folders[:] = [] if is_deep else sorted(each for each in folders if each not in _NOT_WALKED)
        text = path.as_posix()
        if "package.json" not in names or text == ".":
            continue
        if any(each.fullmatch(text) for each in wanted) and not any(each.fullmatch(text) for each in unwanted):
            yield Path(current)


def _pattern(glob: str) -> re.Pattern[str]:
    """Return a glob of folders as npm, pnpm and lerna read it: `*` stays in a folder, `**` means any number of them."""
    parts = re.split(r"(\*\*/?|\*|\?)", glob.removeprefix("./").rstrip("/"))
    meant = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meant.get(part) or re.escape(part) for part in parts))


def _pnpm_globs(folder: Path) -> list[str]:
    path = folder / "pnpm-workspace.yaml"
    if not path.is_file():
        return []
    try:
        value = load_document(path, format=DocumentFormat.YAML).value
    except BadInputError:
        return []
    return _globs(value.get("packages") if isinstance(value, dict) else None)


def _lerna_globs(folder: Path) -> list[str]:
    try:
        value = json.loads((folder / "lerna.json").read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return []
    return _globs(value.get("packages", ["packages/*"])) if isinstance(value, dict) else []


def local_dependencies(root: Path, workspace: Workspace, *, production: bool = False) -> tuple[Path, ...]:
    """Return the members that the package in `root` depends on, those of its dependencies included, without `root`."""
    found: dict[Path, None] = {}
    waiting = [root]
    while waiting:
        for name, wanted in _dependencies(_manifest(waiting.pop()), production=production):
            member = workspace.members.get(name)
            if member is None or member in found or member == root:
                continue
            if satisfies(str(_manifest(member).get("version", "")), wanted):
                found[member] = None
                waiting.append(member)
    return tuple(found)


def is_linked(folder: Path, name: str, workspace: Workspace) -> bool:
    """Whether the package in `folder` depends on the member called `name`, rather than on one from the registry."""
    member = workspace.members.get(name)
    version = "" if member is None else str(_manifest(member).get("version", ""))
    wanted = (each for key, each in _dependencies(_manifest(folder), production=False) if key == name)
    return member is not None and any(satisfies(version, each) for each in wanted)


def satisfies(version: str, wanted: str) -> bool:
    """Whether npm would link a member of `version` for a dependency on `wanted`, rather than ask the registry."""
    wanted = wanted.strip().removeprefix("workspace:")
    if wanted in _ANY or wanted in ("^", "~") or wanted.startswith("file:"):
        return True
    have = _numbers(version)
    for alternative in wanted.split("||"):
        match = re.fullmatch(r"\s*(\^|~|>=|=|v)?\s*v?(\S+)\s*", alternative)
        least = _numbers(match[2]) if match else None
        if match is None or have is None or least is None:
            continue
        padded = (*least, 0, 0)[:3]
        if (*have, 0, 0)[:3] >= padded and _same_start(match[1], have, least):
            return True
    return False


def _same_start(operator: str | None, have: tuple[int, ...], least: tuple[int, ...]) -> bool:
    """Return whether the parts that `operator` fixes are the same."""
    if operator == ">=":
        return True
    if operator == "^":
        significant = next((index for index, part in enumerate(least) if part), len(least) - 1)
        return have[: significant + 1] == least[: significant + 1]
    fixed = min(2, len(least)) if operator == "~" else len(least)
    return have[:fixed] == least[:fixed]


def _numbers(text: str) -> tuple[int, ...] | None:
    found = _VERSION.match(text)
    return tuple(int(each) for each in found.groups() if each is not None and each.isdecimal()) if found else None


def _dependencies(manifest: Mapping[str, Any], *, production: bool) -> Iterator[tuple[str, str]]:
    for group in _GROUPS:
        named = manifest.get(group)
        if isinstance(named, dict) and not (production and group == "devDependencies"):
            yield from ((name, wanted) for name, wanted in named.items() if isinstance(wanted, str))


def _globs(named: Any) -> list[str]:
    """Return the globs in a list of workspaces, as npm, yarn, pnpm and lerna write it."""
    named = named.get("packages") if isinstance(named, dict) else named
    texts = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
    return [each for each in texts if each and not each.lstrip("!").startswith(("/", ".."))]


def _manifest(folder: Path) -> Mapping[str, Any]:
    try:
        manifest = json.loads((folder / "package.json").read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return manifest if isinstance(manifest, dict) else {}
