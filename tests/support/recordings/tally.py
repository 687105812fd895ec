"""How much of what was recorded is answered alike: verdicts of cases, by member, with what explains the rest."""

import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

from support.recordings.comparison import Comparison, Member, Verdict, leaves
from support.recordings.scenarios import (
    SCENARIOS,
    any_texts,
    load_recording,
    load_scenarios,
    normalise,
    play,
    recordings,
)
from support.recordings.service import open_service

NOT_YET = "not yet"


@dataclass
class CaseTally:
    """What became of the members of one recorded case: how many are equal, why others are not or do not count."""

    equal: int = 0
    extra: int = 0
    different: Counter = field(default_factory=Counter)
    excluded: Counter = field(default_factory=Counter)

    def as_json(self):
        return {
            "equal": self.equal,
            "different": dict(sorted(self.different.items())),
            "not applicable": dict(sorted(self.excluded.items())),
            "extra": self.extra,
        }


@cache
def exclusions():
    """What is not compared: recording → case, or `*` for all → a code; or → the name of an answer → a code."""
    return _read("exclusions.yaml")


@cache
def differences():
    """Known differences: (pattern of RECORDING::CASE/PLACE, why, the code where it does not count)."""
    return [(re.compile(each["at"]), each.get("why"), each.get("code")) for each in _read("differences.yaml")]


def _read(name):
    return yaml.safe_load((SCENARIOS.parent / name).read_text(encoding="utf-8"))


def excluded(recording, case):
    """The code for which a whole case is not compared, codes by answer for a part of it, or None."""
    found = exclusions()["cases"].get(recording, {})
    return found.get(case, found.get("*"))


def all_cases():
    """Every recorded case: (recording, case)."""
    return [(recording, case) for recording in recordings() for case in load_recording(recording)]


@cache
def scenario_cases():
    """The cases that are replayed."""
    return [(recording, case) for recording, cases in load_scenarios().items() for case in cases]


def runs_functions(recording, case):
    """Whether a scenario has macros, each of which is a process."""
    return "'macro':" in str(load_scenarios()[recording][case])


def compare_case(recording, case):
    """Replay a case; every member that counts, with its verdict."""
    scenario = load_scenarios()[recording][case]
    recorded = normalise(load_recording(recording)[case], scenario)
    with tempfile.TemporaryDirectory() as folder, open_service(Path(folder)) as service:
        ours = play(service, scenario, recorded)
    comparison = Comparison(any_texts(scenario))
    for name, theirs in recorded.items():
        if name in ours:
            yield from comparison.compare(theirs, ours[name], (name,))
        elif name not in (excluded(recording, case) or {}):
            yield from (Member(path, Verdict.MISSING, leaf) for path, leaf in leaves(theirs, (name,)))


def tally_case(recording, case):
    """The tally of one case."""
    recorded = load_recording(recording)[case]
    tally = CaseTally()
    code = excluded(recording, case)
    if isinstance(code, str):
        tally.excluded[code] += len(list(leaves(recorded)))
        return tally
    for name, each in (code or {}).items():
        tally.excluded[each] += len(list(leaves(recorded[name])))
    if (recording, case) not in scenario_cases():
        tally.different["no scenario is written yet"] += len(list(leaves(recorded))) - tally.excluded.total()
        return tally
    for member in compare_case(recording, case):
        if member.verdict is Verdict.EQUAL:
            tally.equal += 1
        elif member.verdict is Verdict.EXTRA:
            tally.extra += 1
        else:
            why, code = explain(recording, case, member)
            (tally.excluded if code else tally.different)[code or why] += 1
    return tally


def explain(recording, case, member):
    """Why a member differs, and the code for which that does not count."""
    place = f"{recording}::{case}/{member.place}"
    found = ((why, code) for pattern, why, code in differences() if pattern.search(place))
    return next(found, (NOT_YET, None))


def render(tallies):
    """The golden file's text: {recording: {case: tally}}."""
    by_recording = {}
    for (recording, case), tally in tallies.items():
        by_recording.setdefault(recording, {})[case] = tally.as_json()
    return json.dumps(by_recording, indent=1) + "\n"
