"""Random kills of a server in the middle of mixed work, with a clock that is set by days: see support/campaign.

The campaign is 1,000 kills on SQLite and 200 on PostgreSQL, in seeds of 40: `KILL_SEEDS=1-25` names those of a run (by
default some minutes of them). What each came to is a line of the file `KILL_RESULTS`; seeds that passed are not run
again, so that a campaign can be cut. With `KILL_OLDER=PYTHON`, the Python of an environment with an older Formwork, the
servers of the first half of each seed are that one's, and the next one upgrades what they left.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from support import forked
from support.campaign.killing import Campaign
from support.campaign.wall_clock import WallClock

KILLS = int(os.environ.get("KILLS_PER_SEED", "40"))


def named_seeds(default):
    first, _, last = os.environ.get("KILL_SEEDS", default).partition("-")
    return range(int(first), int(last or first) + 1)


@pytest.fixture(scope="module")
def clock(tmp_path_factory):
    """The clock of all servers; the process that they are forked from is started with it."""
    found = WallClock(tmp_path_factory.mktemp("clock"))
    forked.stop()
    with found.preloaded():
        yield found
    forked.stop()


def finished(name):
    """Seeds of which a run before this one has noted what they came to."""
    kept = os.environ.get("KILL_RESULTS")
    if kept is None or not Path(kept).exists():
        return set()
    lines = [json.loads(line) for line in Path(kept).read_text(encoding="utf-8").splitlines()]
    return {line["seed"] for line in lines if line["database"] == name and not line["wrong"]}


def note(name, result):
    if kept := os.environ.get("KILL_RESULTS"):
        with Path(kept).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"database": name, **asdict(result)}) + "\n")


def play(name, seed, folder, clock, database=None):
    if seed in finished(name):
        pytest.skip("finished by an earlier run")
    result = Campaign(seed, folder, clock, database, os.environ.get("KILL_OLDER")).run(KILLS)
    note(name, result)
    assert not result.wrong, f"seed {seed}, clock {clock.shift:+}: " + "\n".join(result.wrong)


@pytest.mark.slow
@pytest.mark.parametrize("seed", named_seeds("1-2"))
def test_killed_on_sqlite(seed, tmp_path, clock):
    play("sqlite", seed, tmp_path, clock)


@pytest.mark.slow
@pytest.mark.parametrize("seed", named_seeds("1-1"))
def test_killed_on_postgresql(seed, tmp_path, clock, make_database):
    play("postgresql", seed, tmp_path, clock, make_database())
