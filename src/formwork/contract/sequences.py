"""Sequences of steps for whole lives: drawn from a seed, and shortened to what a violation needs.

The reasons are in docs/decisions/1362.
"""

from collections.abc import Callable
from random import Random

from formwork.contract.machine import MOST_ALIVE, OPERATIONS, Step

Steps = tuple[Step, ...]
_FEWEST = 2


def draw_sequence(random: Random, *, longest: int, inputs: int) -> Steps:
    """Return two to `longest` steps, each with one of so many `inputs`."""
    return tuple(
        (random.choice(OPERATIONS), random.randrange(MOST_ALIVE), random.randrange(inputs))
        for _ in range(random.randint(_FEWEST, longest))
    )


def shorten(steps: Steps, fails: Callable[[Steps], bool]) -> Steps:
    """Return a part of `steps` that still `fails`, of which no step can be left out, and with plain creates if they do.

    Halves are left out first, then ever smaller parts: each try lives a whole life. Numbers stay, which no reader sees.
    """
    tried = {steps: True, (): False}

    def still_fails(some: Steps) -> bool:
        if some not in tried:
            tried[some] = fails(some)
        return tried[some]

    size = max(len(steps) // 2, 1)
    while True:
        fewer = _without_parts(steps, size, still_fails)
        if size == 1 and fewer == steps:
            break
        steps, size = fewer, max(size // 2, 1)
    for place, (name, which, what) in enumerate(steps):
        if name.startswith("create_"):
            changed = (*steps[:place], ("create", which, what), *steps[place + 1 :])
            steps = changed if still_fails(changed) else steps
    return steps


def _without_parts(steps: Steps, size: int, still_fails: Callable[[Steps], bool]) -> Steps:
    """Leave out each part of `size` steps that is not needed, the last ones first."""
    for place in reversed(range(0, len(steps), size)):
        fewer = steps[:place] + steps[place + size :]
        if still_fails(fewer):
            steps = fewer
    return steps
