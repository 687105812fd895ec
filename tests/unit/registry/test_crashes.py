"""kill -9 at named checkpoints, and at random moments: nothing is lost, nothing is half there."""

import json
import os
import time

import pytest

from support import forked
from support.registry_crash import CHECKPOINTS, child, make_template, random_moments

# Where the process passes more than once, every second trial dies the second time.
_OFTEN = {each for each in CHECKPOINTS if each.startswith(("register-", "unpack-"))}
_OFTEN -= {"register-failing", "register-failed", "register-prove"}
_TRIALS = [(name, 1 + index % 2 if name in _OFTEN else 1, None) for index, name in enumerate(CHECKPOINTS)]
_AT_ONCE = 6
_GROUPS = [_TRIALS[at : at + _AT_ONCE] for at in range(0, len(_TRIALS), _AT_ONCE)]


@pytest.fixture(scope="module")
def processes():
    return forked.processes()


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    folder = tmp_path_factory.mktemp("template") / "state"
    make_template(folder)
    return folder


@pytest.fixture(scope="module")
def postgres_template(make_database, tmp_path_factory):
    folder = tmp_path_factory.mktemp("template")
    make_template(folder, make_database())
    return folder


def die_and_judge(context, template, tmp_path, trials):
    """Every complaint by trial; the processes of the trials run at the same time."""
    places = [(tmp_path / f"{index}", tmp_path / f"{index}.json") for index in range(len(trials))]
    lives = []
    for (folder, report), moment in zip(places, trials, strict=True):
        lives.append(context.Process(target=child, args=(template, folder, report, moment)))
        lives[-1].start()
    for each in lives:
        each.join(120)
    found = {}
    judges = []
    for index, ((folder, report), trial) in enumerate(zip(places, trials, strict=True)):
        if trial[2] is None and lives[index].exitcode != -9:
            found[str(trial)] = report.read_text() if report.exists() else f"ended with {lives[index].exitcode}"
            continue
        report.unlink(missing_ok=True)
        judges.append((context.Process(target=child, args=(template, folder, report, (None, 1, None))), report, trial))
        judges[-1][0].start()
    for process, report, trial in judges:
        process.join(120)
        complaints = json.loads(report.read_text()) if report.exists() else [f"judge ended with {process.exitcode}"]
        if complaints:
            found[str(trial)] = complaints
    return found


@pytest.mark.parametrize("trials", _GROUPS, ids=lambda trials: trials[0][0])
def test_killed_at_a_checkpoint(processes, template, tmp_path, trials):
    assert die_and_judge(processes, template, tmp_path, trials) == {}


@pytest.mark.parametrize(
    "trials",
    [
        _GROUPS[2],
        *(pytest.param(each, marks=pytest.mark.slow) for each in _GROUPS if each is not _GROUPS[2]),
    ],
    ids=lambda trials: trials[0][0],
)
def test_killed_at_a_checkpoint_on_postgresql(processes, postgres_template, tmp_path, trials):
    assert die_and_judge(processes, postgres_template, tmp_path, trials) == {}


def test_there_are_thirty_checkpoints():
    assert len(set(CHECKPOINTS)) == 30


@pytest.mark.slow
@pytest.mark.parametrize("group", range(25))
def test_killed_at_a_random_moment(processes, template, tmp_path, group):
    started = time.monotonic()
    whole = processes.Process(target=child, args=(template, tmp_path / "whole", tmp_path / "w.json", ("none", 1, None)))
    whole.start()
    whole.join(120)
    seconds = time.monotonic() - started
    assert json.loads((tmp_path / "w.json").read_text()) == ["it did not die"]
    seed = int(os.environ.get("FORMWORK_SEED", "8")) * 1000 + group
    moments = [(None, 1, moment) for moment in random_moments(8, seconds, seed)]
    assert die_and_judge(processes, template, tmp_path, moments) == {}
