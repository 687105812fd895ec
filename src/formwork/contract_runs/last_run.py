"""Stores the failed tests, the seed and the states of clauses of a project's last run of contract tests."""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from formwork.command_context.places import cache_folder
from formwork.contract.requirement import REQUIREMENTS
from formwork.contract_results.findings import ClauseResult, ClauseState
from formwork.contract_results.test_result import TestResult

# What pytest calls the option; taken from its words, too.
_LAST_FAILED = frozenset({"--lf", "--last-failed"})
_SEED = "seed.json"
_CLAUSES = "clauses.json"
_JUDGED = frozenset({ClauseState.PROVED, ClauseState.VIOLATED, ClauseState.WARNED})


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
        return bool(self._failures)

    @property
    def _failed(self) -> Path:
        return self.folder / "v" / "cache" / "lastfailed"

    @property
    def _failures(self) -> dict[str, bool]:
        try:
            found = json.loads(self._failed.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def clauses(self) -> dict[str, str]:
        """What each clause came to when it was last judged: proved, violated or warned."""
        try:
            found = json.loads((self.folder / _CLAUSES).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {key: str(each) for key, each in found.items()} if isinstance(found, dict) else {}

    def keep_clauses(self, results: Iterable[ClauseResult]) -> None:
        """Note what clauses came to; those that a run did not judge keep what is noted of them."""
        judged = {each.clause: str(each.state) for each in results if each.state in _JUDGED}
        if judged:
            with contextlib.suppress(OSError):
                self.folder.mkdir(parents=True, exist_ok=True)
                (self.folder / _CLAUSES).write_text(json.dumps({**self.clauses, **judged}), encoding="utf-8")

    def keep_failures(self, results: Iterable[TestResult]) -> None:
        """Note which tests failed, as pytest's cache does: its `--lf` and `--ff` read it, too."""
        before = self._failures
        failures = dict(before)
        for each in results:
            name, bracket, inputs = each.name.partition("[")
            if (requirement := REQUIREMENTS.get(name)) is None:
                continue
            node = f"{requirement.module}.py::{name}{bracket}{inputs.encode('unicode_escape').decode()}"
            if each.violations:
                failures[node] = True
            else:
                failures.pop(node, None)
        if failures != before:
            with contextlib.suppress(OSError):
                self._failed.parent.mkdir(parents=True, exist_ok=True)
                self._failed.write_text(json.dumps(failures, indent=2), encoding="utf-8")

    def keep_seed(self, seed: int) -> None:
        """Note the seed of a run that begins; a cache that cannot be written is done without."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / _SEED).write_text(json.dumps(seed), encoding="utf-8")


def wants_last_failed(words: Sequence[str]) -> bool:
    """Return whether pytest's arguments ask for the tests that failed last."""
    return any(each in _LAST_FAILED for each in words)
