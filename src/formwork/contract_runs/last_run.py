"""Stores the failed tests and the seed of a project's last run of contract tests."""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from formwork.command_context.places import cache_folder

# What pytest calls the option; taken from its words, too.
_LAST_FAILED = frozenset({"--lf", "--last-failed"})
_SEED = "seed.json"


class LastRun:
    """The memory of one project's runs, in the user's cache folder: nothing is written into the project."""

    def __init__(self, project: Path) -> None:
        digest = hashlib.sha256(str(project.resolve()).encode()).hexdigest()[:16]
        self.folder = cache_folder() / "contract" / digest  # pytest's own cache, and the seed beside it

    @property
    def seed(self) -> int | None:
        """The seed of the last run, None if there was none."""
        try:
            found = json.loads((self.folder / _SEED).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, int) else None

    @property
    def has_failures(self) -> bool:
        """Whether a test failed in the last run that ran it."""
        try:
            return bool(json.loads((self.folder / "v" / "cache" / "lastfailed").read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return False

    def keep_seed(self, seed: int) -> None:
        """Note the seed of a run that begins; a cache that cannot be written is done without."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / _SEED).write_text(json.dumps(seed), encoding="utf-8")


def wants_last_failed(words: Sequence[str]) -> bool:
    """Return whether pytest's arguments ask for the tests that failed last."""
    return any(each in _LAST_FAILED for each in words)
