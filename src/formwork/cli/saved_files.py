"""Which files of a project were saved: their times are polled, without hidden files and what tools write.

A project has few files, and looking at their times costs less than a millisecond. The reasons are in
docs/decisions/0510.
"""

import contextlib
import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path

INTERVAL = 0.04  # seconds between two looks at the files
_SETTLED = 0.03  # seconds without a change after which a save counts as finished
# Folders that builds, tools and editors write into; what is in them is made of other files.
_IGNORED = frozenset({"__pycache__", "build", "dist", "target", "bin", "node_modules", "venv", "docs"})
# Sources and settings; not what handlers under test may write, such as a database or a log.
_SUFFIXES = frozenset(
    [
        ".py",
        ".ts",
        ".js",
        ".mjs",
        ".cjs",
        ".java",
        ".kt",
        ".go",
        ".smithy",
        ".mod",
        ".sum",
        ".json",
        ".yaml",
        ".yml",
        ".toml",
        ".txt",
        ".xml",
        ".cfg",
        ".ini",
    ]
)
_CONFIG = ".rpdk-config"


class SavedFiles:
    """The files below a folder, without hidden ones, what tools write, and `reports`; `more` are files elsewhere."""

    def __init__(self, root: Path, reports: Collection[Path | None], more: Collection[Path] = ()) -> None:
        self._root = root
        self._reports = {each.resolve() for each in reports if each is not None}
        self._more = more
        self._seen = self._look()

    def wait(self) -> frozenset[str]:
        """Wait until files are written, added or removed since the last time; their paths, relative to the folder."""
        while not (changed := self.changed()):
            time.sleep(INTERVAL)
        return changed

    def changed(self) -> frozenset[str]:
        """Return what `wait` does, at once: an empty set where no file was saved."""
        if (now := self._look()) == self._seen:
            return frozenset()
        while True:  # a save may write several files
            time.sleep(_SETTLED)
            if now == (again := self._look()):
                break
            now = again
        before, self._seen = self._seen, now
        return frozenset(name for name in {*before, *now} if before.get(name) != now.get(name))

    def forget(self) -> None:
        """Take the files as they are for known: a command of ours has written some."""
        self._seen = self._look()

    def _look(self) -> dict[str, tuple[int, int]]:
        found = {name: (status.st_mtime_ns, status.st_size) for name, status in self._walk(str(self._root))}
        for path in self._more:
            with contextlib.suppress(OSError):  # removed meanwhile
                status = path.stat()
                found[os.path.relpath(path, self._root)] = (status.st_mtime_ns, status.st_size)
        return found

    def _walk(self, folder: str) -> Iterator[tuple[str, os.stat_result]]:
        try:
            entries = list(os.scandir(folder))
        except OSError:
            return  # removed meanwhile
        for entry in entries:
            if entry.name.startswith(".") and entry.name != _CONFIG:
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _IGNORED:
                        yield from self._walk(entry.path)
                elif self._is_source(entry):
                    yield os.path.relpath(entry.path, self._root), entry.stat()
            except OSError:
                continue

    def _is_source(self, entry: "os.DirEntry[str]") -> bool:
        if entry.name != _CONFIG and os.path.splitext(entry.name)[1] not in _SUFFIXES:  # noqa: PTH122 - a string's
            return False
        return not self._reports or Path(entry.path).resolve() not in self._reports
