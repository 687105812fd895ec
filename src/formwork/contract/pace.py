"""Decisions of a run that depend on how fast handlers answer: a replay of recorded calls has to take the same ones."""

import threading
from collections.abc import Callable, Mapping, Sequence


class Pace:
    """Takes each decision by the clock and remembers it; or, with those of an earlier run, takes them again."""

    def __init__(self, recorded: Mapping[str, Sequence[bool]] | None = None) -> None:
        """`recorded` are the decisions of an earlier run: by part of the run and question, and in their order."""
        self.decisions: dict[str, list[bool]] = {}
        self._recorded = None if recorded is None else {question: list(each) for question, each in recorded.items()}
        self._part = ""
        self._lock = threading.Lock()

    def begin(self, part: str) -> None:
        """Begin a part of the run, which names the decisions that follow, since a replay may skip parts."""
        with self._lock:
            self._part = part

    def decide(self, question: str, by_clock: Callable[[], bool]) -> bool:
        """Return the decision on `question`: the next recorded one, the last of them again where there is none left."""
        with self._lock:
            key = f"{self._part}: {question}"
            taken = self.decisions.setdefault(key, [])
            known = None if self._recorded is None else self._recorded.get(key)
            decision = known[min(len(taken), len(known) - 1)] if known else by_clock()
            taken.append(decision)
            return decision
