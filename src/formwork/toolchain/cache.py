"""A cache of builds, by the content that they were built from."""

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError

# Builds that were not used for this long are removed when another is made, in seconds.
_KEPT_FOR = 30 * 24 * 3600


def content_key(sources: Iterable[Path], *words: str, root: Path, leave_out: Collection[str] = ()) -> str:
    """Return a name for the content of `sources` (files and folders below `root`) and for `words`; 32 hex digits.

    A source that is missing counts as missing; files and folders named in `leave_out` don't count.
    """
    digest = hashlib.sha256()
    for word in words:
        digest.update(b"word %d " % len(word.encode()) + word.encode())
    for path in _files(sources, frozenset(leave_out)):
        name = os.fsencode(os.path.relpath(path, root))
        content = path.read_bytes()
        digest.update(b"file %d %d " % (len(name), len(content)) + name + content)
    return digest.hexdigest()[:32]


def _files(sources: Iterable[Path], leave_out: frozenset[str]) -> Iterator[Path]:
    for source in sources:
        if source.is_file():
            yield source
            continue
        for folder, folders, names in os.walk(source):
            folders[:] = sorted(each for each in folders if each not in leave_out)
            yield from (
                path for name in sorted(names) if name not in leave_out and (path := Path(folder, name)).is_file()
            )


def build_once(place: Path, build: Callable[[Path], None]) -> Path:
    """Return the folder `place`, filled by `build` (which gets an empty folder) unless it is there already.

    It is made beside its place and moved there in one step, so that parallel runs never see half of it.

    Raises:
        EnvironmentProblemError: the cache's folder can't be used.
    """
    if place.is_dir():
        _mark_used(place)
        return place
    with _as_environment_problem(place.parent):
        place.parent.mkdir(parents=True, exist_ok=True)
        _remove_unused(place.parent)
        making = Path(tempfile.mkdtemp(dir=place.parent, prefix="making-"))  # no dot: tsc looks past such folders
    try:
        build(making)
        with _as_environment_problem(place.parent):
            try:
                os.rename(making, place)  # noqa: PTH104 - Path.rename's replacing differs by platform
            except OSError:
                if not place.is_dir():  # otherwise another run was faster, with the same content
                    raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return place


def _mark_used(place: Path) -> None:
    with contextlib.suppress(OSError):  # a cache on a read-only disk serves all the same
        os.utime(place)


def _remove_unused(folder: Path) -> None:
    before = time.time() - _KEPT_FOR
    for each in folder.iterdir():
        with contextlib.suppress(OSError):
            if each.stat().st_mtime < before:
                shutil.rmtree(each, ignore_errors=True)


@contextlib.contextmanager
def _as_environment_problem(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EnvironmentProblemError(
            f'the cache folder "{folder}" can\'t be used: {error.strerror or error}',
            hint="set FORMWORK_CACHE to another folder",
        ) from error
