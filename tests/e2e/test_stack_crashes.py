"""Kill -9 in the middle of operations on a stack: whoever comes next brings them to their right end.

The stack, its types and its story are in `support/crash_life.py`. Each process finishes what the one before it left,
judges what has come of it, begins the next operation, and dies in it.
"""

import json
import os
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from support import forked
from support.crash_life import child

SMALL, WHOLE = 8, 30

# At which moment, the how-manieth time, the process dies in the operations of the story. In turn they are: create, update,
# replacement, an update that fails, a replacement that fails, fewer resources, more, delete, a creation that fails, delete.
ROUNDS = [
    [
        *(("noted", 1), ("opened-update", 1), ("before-create", 2), ("failing", 1), ("undoing", 1)),
        *(("leftovers-noted", 1), ("completing", 1), ("before-delete", 1), ("removing", 1), ("ending", 1)),
    ],
    [
        *(("claimed", 1), ("after-update", 2), ("leftover-noted", 2), ("rolled-back", 1), ("status-set", 1)),
        *(("after-delete", 2), ("after-create", 2), ("removed", 1), ("deploying", 1), ("ended", 1)),
    ],
    [
        *(("waiting-create", 1), ("kept-update", 2), ("cleaning-up", 1), ("failed", 1), ("opened-create", 3)),
        *(("cleaned-up", 1), ("kept-create", 1), ("waiting-delete", 1), ("deployed", 1), ("noted", 1)),
    ],
]
# The same in the ways out of failures. In turn they are: create, a replacement that fails and is kept, its rollback; an
# update whose rollback fails, and is continued; one that fails and is kept, a rollback of it that fails, is continued in
# vain, and by force; delete; a creation that fails and is kept, its rollback, delete.
WAYS_OUT = [
    [
        *(("after-create", 1), ("failed", 1), ("noted", 1), ("failing", 2), ("finished-rollback", 1), ("ended", 1)),
        *(("before-update", 1), ("ending", 1), ("claimed", 1), ("removed", 1), ("failed", 1), ("removing", 1)),
        *(("removed", 1),),
    ],
    [
        *(("deployed", 1), ("leftover-noted", 1), ("cleaning-up", 1), ("undoing", 1), ("before-update", 1)),
        *(("failed", 1), ("saving", 1), ("failing", 1), ("ending", 1), ("before-delete", 2), ("ending", 1)),
        *(("after-delete", 1), ("claimed", 1)),
    ],
    [
        *(("finished-deploy", 4), ("ended", 1), ("finished-cleanup", 1), ("opened-update", 4), ("after-update", 1)),
        *(("ending", 1), ("claimed", 1), ("rolled-back", 1), ("finishing", 3), ("after-delete", 1), ("deployed", 1)),
        *(("finished-delete", 1), ("noted", 1)),
    ],
]
# The same for a stack of thirty resources, where more is under way.
OF_THE_WHOLE = [
    *(("hooks-told", 5), ("after-read", 9), ("finished-deploy", 20), ("finished-rollback", 2), ("before-read", 3)),
    *(("finished-cleanup", 4), ("saving", 40), ("finished-delete", 9)),
]


@pytest.fixture(scope="module")
def processes():
    return forked.processes()


def play(context, folder, size, deaths, story="operations_of_users"):
    """Live the story, a process for each death; every complaint, by the turn it is about."""
    found = {}
    for turn, die in enumerate([*deaths, None]):
        report = folder / f"{turn}.json"
        process = context.Process(target=child, args=(folder / "state", story, size, turn, die, report))
        process.start()
        process.join(300)
        if process.exitcode != (0 if die is None else -9):
            process.kill()
            found[f"turn {turn}, {die}"] = f"ended with {process.exitcode}"
        complaints = json.loads(report.read_text()) if report.exists() else ["it judged nothing"]
        if complaints:
            found[f"turn {turn}, after {deaths[turn - 1] if turn else None}"] = complaints
        if found:
            break  # what follows would only repeat it
    return found


def test_there_are_thirty_checkpoints():
    assert len({name for each in (*ROUNDS, OF_THE_WHOLE) for name, _ in each}) >= 30


@pytest.mark.acceptance
def test_stacks_that_are_killed(processes, tmp_path):
    """Each in every operation; at the same time, since most of a life is waiting."""
    lives = {
        **{deaths[0][0]: (SMALL, deaths) for deaths in ROUNDS},
        "thirty": (WHOLE, OF_THE_WHOLE),
        "ways out": (SMALL, WAYS_OUT[0][:5], "ways_out"),
    }

    def live(name):
        size, deaths, *story = lives[name]
        folder = tmp_path / name
        folder.mkdir()
        return play(processes, folder, size, [["at", *each] for each in deaths], *story)

    with ThreadPoolExecutor() as threads:
        assert dict(zip(lives, threads.map(live, lives), strict=True)) == {each: {} for each in lives}


@pytest.mark.slow
@pytest.mark.parametrize("deaths", WAYS_OUT, ids=lambda deaths: deaths[0][0])
def test_ways_out_of_failures_that_are_killed(processes, tmp_path, deaths):
    assert play(processes, tmp_path, SMALL, [["at", *each] for each in deaths], "ways_out") == {}


@pytest.mark.slow
@pytest.mark.parametrize("group", range(10))
def test_a_stack_of_thirty_that_is_killed_anywhere(processes, tmp_path, group):
    """Thirty moments each; in every third operation a handler is killed too, before that."""
    moments = random.Random(1000 * int(os.environ.get("FORMWORK_SEED", "9")) + group)
    deaths = []
    for number in range(30):
        longest = float(os.environ.get("FORMWORK_CRASH_SECONDS", "1.0"))
        moment = moments.uniform(0, longest)
        deaths.append(["after", moment, moments.uniform(0, moment) if number % 3 == 2 else None])
    assert play(processes, tmp_path, WHOLE, deaths) == {}
