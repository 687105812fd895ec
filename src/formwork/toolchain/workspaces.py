"""npm workspaces: which one a project is a member of, and which of its dependencies are members too."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_GROUPS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_VERSION = re.compile(r"(\d+)(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?")
_ANY = frozenset({"", "*", "latest", "x"})


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folder whose package.json names the workspaces, and its members: package name → folder."""

    root: Path
    members: Mapping[str, Path]


def find_workspace(root: Path) -> Workspace | None:
    """Return the workspace that the project in `root` is a member of, None where it is of none."""
    for folder in root.parents:
        globs = _globs(_manifest(folder))
        if globs:
            folders = [
                each for glob in globs for each in sorted(folder.glob(glob)) if (each / "package.json").is_file()
            ]
            if root not in folders:
                return None
            named = {_manifest(each).get("name"): each for each in folders}
            return Workspace(folder, {name: each for name, each in named.items() if isinstance(name, str)})
        if (folder / ".git").exists():
            return None
    return None


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
    """Whether the parts that `operator` fixes are the same."""
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


def _globs(manifest: Mapping[str, Any]) -> list[str]:
    named = manifest.get("workspaces")
    named = named.get("packages") if isinstance(named, dict) else named
    texts = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
    return [each.removeprefix("./").rstrip("/") for each in texts if each and not each.startswith(("!", "/", ".."))]


def _manifest(folder: Path) -> Mapping[str, Any]:
    try:
        manifest = json.loads((folder / "package.json").read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return manifest if isinstance(manifest, dict) else {}
