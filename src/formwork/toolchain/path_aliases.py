"""Path aliases of a tsconfig.json (`paths`) that compiled code still names: the compiler leaves them to run time."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from formwork.toolchain.reach import read_tsconfig

_MODULES = re.compile(r"""(?:\brequire\s*\(|\bfrom|\bimport\s*\(?)\s*["']([^"'.\n][^"'\n]*)["']""")
_NOT_READ = frozenset({"node_modules", ".git"})
_MOST_EXTENDED = 20


def aliases_of(folder: Path) -> tuple[str, ...]:
    """Return the aliases (`@shared/*`) in the tsconfig.json of `folder`, or in the one that it extends."""
    path = folder / "tsconfig.json"
    for _ in range(_MOST_EXTENDED):
        config = read_tsconfig(path)
        options = config.get("compilerOptions")
        if isinstance(options, Mapping) and isinstance(options.get("paths"), Mapping):
            return tuple(name for name in options["paths"] if isinstance(name, str) and name != "*")
        extended: Any = config.get("extends")
        if not isinstance(extended, str) or not extended.startswith("."):
            break
        path = Path(os.path.normpath(path.parent / extended))
        path = path if path.suffix == ".json" else path.with_name(f"{path.name}.json")
    return ()


def alias_of(module: str, aliases: tuple[str, ...]) -> str | None:
    """Return the alias that a module's name is written with, or None."""
    for alias in aliases:
        start, star, end = alias.partition("*")
        if module == alias or (star and module.startswith(start) and module.endswith(end) and start):
            return alias
    return None


def unresolved_aliases(folder: Path, top: Path) -> Iterator[tuple[str, str, str]]:
    """Yield file, module and alias of the imports in compiled files below `folder` that Node does not find.

    `top` is the last folder around it in which packages may be installed.
    """
    aliases = aliases_of(folder)
    for file in _compiled(folder) if aliases else ():
        for module in dict.fromkeys(_MODULES.findall(file.read_text(encoding="utf-8", errors="replace"))):
            alias = alias_of(module, aliases)
            if alias is not None and not _is_installed(module, file.parent, top):
                yield file.relative_to(folder).as_posix(), module, alias


def _compiled(folder: Path) -> Iterator[Path]:
    for current, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in _NOT_READ)
        yield from (Path(current, name) for name in sorted(names) if name.endswith((".js", ".mjs", ".cjs")))


def _is_installed(module: str, folder: Path, top: Path) -> bool:
    package = "/".join(module.split("/")[: 2 if module.startswith("@") else 1])
    for place in (folder, *folder.parents):
        if (place / "node_modules" / package).exists():
            return True
        if place == top:
            break
    return False
