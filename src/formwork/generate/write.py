"""Writes plans to the disk: the only module of `formwork.generate` that does.

Each text is first written to a temporary file beside its place; when all are on the disk, each is renamed. A full disk,
a read-only folder or Ctrl-C before that leaves the project unchanged, and no file is ever partly written.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec import Struct

from formwork.diagnostics import EnvironmentProblemError
from formwork.documents.opening import open_file
from formwork.generate.plan import Plan, PlannedFile, Policy

# Beside its final place, so that the rename stays within one file system.
_STAGED_SUFFIX = ".formwork-new"


class WriteReport(Struct, frozen=True):
    """The result for the planned files, as sorted relative paths.

    `kept` are existing files of the author, `removed` are obsolete files of earlier runs.
    """

    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def write_plan(plan: Plan, root: os.PathLike[str], *, force: bool = False) -> WriteReport:
    """Write a plan's files under the folder `root`, which is created if missing; `force` also overwrites the author's.

    Raises:
        EnvironmentProblemError: the folder can't be written, a file's place is taken by something else, or a symbolic
        link
            leads out of `root`.
    """
    root = Path(root)
    _expect_inside(plan, root)
    groups: dict[str, list[str]] = {"created": [], "updated": [], "unchanged": [], "kept": []}
    for name, file in sorted(plan.items()):
        groups[_outcome(_place(root, name), file, force=force)].append(name)
    changed = {name: plan[name].text for name in (*groups["created"], *groups["updated"])}
    leftovers = sorted(_leftovers(plan, root))
    with _as_environment_problem(root):
        _replace_all(root, changed)
        for name in leftovers:
            (root / name).unlink()
    return WriteReport(**{key: tuple(names) for key, names in groups.items()}, removed=tuple(leftovers))


def _place(root: Path, name: str) -> Path:
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or ".." in parts:
        raise ValueError(f"a plan holds paths below the project's folder, not {name!r}")
    return root.joinpath(*parts)


def _expect_inside(plan: Plan, root: Path) -> None:
    """Refuse folders outside `root` by symbolic links; a link in place of a file is replaced, its target stays."""
    own = os.path.realpath(root)
    for folder in sorted({_place(root, name).parent for name in plan}):
        real = os.path.realpath(folder)
        if os.path.commonpath([own, real]) != own:
            raise EnvironmentProblemError(
                f'"{folder}" leads out of the project, to "{real}"', hint="replace the symbolic link by a folder"
            )


def _outcome(path: Path, file: PlannedFile, *, force: bool) -> str:
    try:
        with open_file(path) as file_there:
            current = file_there.read()
    except FileNotFoundError:
        return "created"
    except NotADirectoryError:
        raise EnvironmentProblemError(
            f'"{path.parent}" is a file, and a folder is needed there', hint="move it away"
        ) from None
    except IsADirectoryError:
        raise EnvironmentProblemError(
            f'"{path}" is a folder, and a file is needed there', hint="move it away"
        ) from None
    except OSError as error:
        raise EnvironmentProblemError(f'cannot read "{path}": {error.strerror}') from error
    if current == file.text.encode():
        return "unchanged"
    return "kept" if file.policy is Policy.SEED and not force else "updated"


def _replace_all(root: Path, texts: dict[str, str]) -> None:
    staged: dict[Path, Path] = {}
    made: list[Path] = []
    try:
        for name, text in texts.items():
            path = _place(root, name)
            missing = [each for each in (path.parent, *path.parent.parents) if not each.exists()]
            made += reversed(missing)
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_name(f".{path.name}.{os.getpid()}{_STAGED_SUFFIX}")
            staged[path] = beside
            beside.unlink(missing_ok=True)
            with beside.open("xb") as file:  # never follows a link
                file.write(text.encode())
            if path.exists():
                beside.chmod(stat.S_IMODE(path.stat().st_mode))
        _take_places(staged)
    finally:
        for beside in staged.values():
            beside.unlink(missing_ok=True)
        for folder in reversed(made):
            with contextlib.suppress(OSError):  # not empty: its files were renamed already
                folder.rmdir()


def _take_places(staged: dict[Path, Path]) -> None:
    """Rename all staged files; Ctrl-C is delayed meanwhile, so that a project never has old and new files."""
    interrupt: KeyboardInterrupt | None = None
    pending = list(staged.items())
    while pending:
        path, beside = pending[-1]
        try:
            if beside.exists():  # missing if Ctrl-C came between its rename and its removal from the list
                beside.replace(path)
            pending.pop()
        except KeyboardInterrupt as caught:
            interrupt = caught
    if interrupt is not None:
        raise interrupt


def _leftovers(plan: Plan, root: Path) -> Iterator[str]:
    seen: set[tuple[PurePosixPath, str, str]] = set()
    for name, file in plan.items():
        if not file.sweeps:
            continue
        place = PurePosixPath(name)
        first_line = file.text.partition("\n")[0]
        if (place.parent, place.suffix, first_line) in seen:
            continue
        seen.add((place.parent, place.suffix, first_line))
        for path in _files_starting_with(first_line, root / place.parent, place.suffix):
            relative = str(place.parent / path.name)
            if relative not in plan:
                yield relative


def _files_starting_with(first_line: str, folder: Path, suffix: str) -> Iterator[Path]:
    if not folder.is_dir():
        return
    expected = first_line.encode() + b"\n"
    for path in folder.iterdir():
        if path.suffix != suffix or not path.is_file():
            continue
        with path.open("rb") as file:
            if file.read(len(expected)) == expected:
                yield path


@contextlib.contextmanager
def _as_environment_problem(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f'cannot write below "{root}": {error.strerror or error}'
        raise EnvironmentProblemError(
            message, hint="no file is incomplete; fix the cause and run the command again"
        ) from error
