"""A mutant: one small change of one source file."""

from collections import Counter
from dataclasses import dataclass

_LONGEST = 90


@dataclass(frozen=True)
class Mutant:
    """`text` is the changed file whole; `name` says where and what the change is, and is unique within the file."""

    name: str
    scope: str
    text: str


@dataclass(frozen=True)
class Edit:
    """A change of a text: what is between `start` and `end` becomes `new`; `change` says so for a reader."""

    scope: str
    change: str
    start: int
    end: int
    new: str


def named_mutants(texts):
    """Mutants of [(scope, change, text)], in that order; of equal names all but the first get a number."""
    seen = Counter()
    mutants = []
    for scope, change, text in texts:
        name = f"{scope}: {change}"
        seen[name] += 1
        mutants.append(Mutant(name if seen[name] == 1 else f"{name} ({seen[name]})", scope, text))
    return mutants


def shortened(code):
    """Code on one line, as much of it as a name may hold."""
    line = " ".join(code.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
