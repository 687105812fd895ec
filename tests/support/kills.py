"""Which tests of the suite report each mutant under its clause: `tests/golden/contract/kills/`, a file a clause group.

Written by `pytest -m slow tests/unit/contract/test_kills.py --update-golden`; the reference shows it as a table.
"""

import json
from pathlib import Path

from formwork.contract.suite import run_suite
from formwork.simulate import Simulator
from support.contract_subjects import subject_of
from support.hooks import HOOK_MUTANTS, hook_subject
from support.mutants import MUTANTS, SCHEMA_MUTANTS, behaviour_of, mutated
from support.shapes import SHAPES

FOLDER = Path(__file__).parents[1] / "golden" / "contract" / "kills"
HOOK = "hook"


def cases():
    """Every mutant with each shape that it is let loose on: (name, clause, shape)."""
    found = [(each.name, each.clause, shape) for each in MUTANTS for shape in each.shapes]
    found += [(each.name, each.clause, "named") for each in SCHEMA_MUTANTS]
    return found + [(each.name, each.clause, HOOK) for each in HOOK_MUTANTS]


def groups():
    return sorted({clause.partition(".")[0] for _, clause, _ in cases()})


def stored():
    """{mutant: {shape: tests}} of all groups."""
    found = {}
    for path in sorted(FOLDER.glob("*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def run_case(name, shape, tests=None):
    """The mutant and the result of the suite on it, or of these tests of it (of a hook always the whole suite)."""
    if shape == HOOK:
        each = next(each for each in HOOK_MUTANTS if each.name == name)
        return each, run_suite(hook_subject(each.handler))
    schema = SHAPES[shape]()
    for each in SCHEMA_MUTANTS:
        if each.name == name:
            changed = each.change(schema)
            return each, run_suite(subject_of(Simulator(changed, behaviour_of(each), seed=11), changed), names=tests)
    each = next(each for each in MUTANTS if each.name == name)
    return each, run_suite(subject_of(mutated(each, schema), schema), names=tests)


def killers(each, result):
    """The tests that reported the mutant's clause, as what it is: a violation, or a warning."""
    return [
        test.name
        for test in result.tests
        if any(one.clause == each.clause and one.is_violation is not each.warns for one in test.findings)
    ]
