"""An author's folders as archive members: links that leave the project refused, caches and logs left out."""

import re
import stat
from collections.abc import Iterator
from pathlib import Path

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.package.archive import ArchiveMember

# What tools leave behind; rpdk.log is the incumbent's, and registration refuses a package that holds one.
_LEFT_BEHIND = re.compile(
    r"__pycache__|.*\.py[co]|rpdk\.log(\.\d+)?|\.DS_Store|Thumbs\.db|.*\.sw[op]|.*\.egg-info"
    r"|\.(git|hg|svn|idea|vscode|venv|tox|nox|hypothesis|(mypy|pytest|ruff)_cache)"
)


def folder_members(folder: Path, *, prefix: str, root: Path) -> list[ArchiveMember]:
    """Return every file below `folder`, sorted, named `prefix` + its path there; `root` is the project's folder.

    Raises:
        BadInputError: a link leads out of the project or round in a circle.
        EnvironmentProblemError: something there can't be read.
    """
    try:
        return sorted(_walk(folder, prefix, root.resolve(), (folder.resolve(),)), key=lambda member: member.name)
    except OSError as error:
        raise EnvironmentProblemError(f'cannot read "{error.filename or folder}": {error.strerror}') from error


def is_left_behind(name: str) -> bool:
    """Return whether a file or folder of that name is a tool's leftover and no part of a package."""
    return _LEFT_BEHIND.fullmatch(name) is not None


def _walk(folder: Path, prefix: str, root: Path, above: tuple[Path, ...]) -> Iterator[ArchiveMember]:
    for path in folder.iterdir():
        if is_left_behind(path.name):
            continue
        if path.is_symlink():
            _check_link(path, root, above)
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            yield from _walk(path, f"{prefix}{path.name}/", root, (*above, path.resolve()))
        elif stat.S_ISREG(mode):  # pipes and sockets cannot be packaged, and reading one could block forever
            yield ArchiveMember(prefix + path.name, path, executable=bool(mode & stat.S_IXUSR))


def _check_link(path: Path, root: Path, above: tuple[Path, ...]) -> None:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        raise _link_problem(path, "leads nowhere", "remove it") from None
    if not target.is_relative_to(root):
        raise _link_problem(path, f'leads out of the project, to "{target}"', "copy what it leads to into the project")
    if target in above:
        raise _link_problem(path, "leads to a folder that holds it", "remove it")


def _link_problem(path: Path, what: str, hint: str) -> BadInputError:
    return BadInputError.of("package.link", f'the link "{path.name}" {what}', location=Location(str(path)), hint=hint)
