"""Outlines of many runs compared with golden files: what each test called, found and left open."""

import itertools

from formwork.contract.suite import run_suite
from formwork.simulate import Behaviour, Simulator
from support.awkward import AWKWARD, handlers_of, schema_of
from support.broken import BROKEN
from support.broken import subject_of as broken_subject
from support.broken_hooks import BROKEN_HOOKS
from support.contract_subjects import subject_of
from support.mutants import MUTANTS, mutated
from support.run_outlines import check_outlines
from support.shapes import SHAPES

BEHAVIOURS = {
    "small pages": Behaviour(page_size=2),
    "slow": Behaviour(stabilization=2, delay_seconds=30),
    "lagging": Behaviour(lag=2, throttled=1, page_size=1),
}


def test_sound_handlers(golden):
    found = []
    for (name, make), (words, behaviour) in itertools.product(SHAPES.items(), BEHAVIOURS.items()):
        schema = make()
        found.append((f"{name}, {words}", run_suite(subject_of(Simulator(schema, behaviour, seed=1), schema, seed=1))))
    check_outlines("sound", found, golden)


def test_broken_handlers(golden):
    subjects = [(each.name, broken_subject(each, SHAPES[each.shape]())[0]) for each in BROKEN[1::3]]
    check_outlines("broken", [(name, run_suite(subject)) for name, subject in subjects], golden)


def test_awkward_handlers(golden):
    found = []
    for place, each in enumerate(AWKWARD[2::8]):
        schema = schema_of(each.shapes[place % len(each.shapes)])
        found.append((each.name, run_suite(subject_of(handlers_of(each, schema)[0], schema))))
    check_outlines("awkward", found, golden)


def test_small_violations(golden):
    found = []
    for each in MUTANTS[2::6]:
        schema = SHAPES[each.shapes[0]]()
        found.append((each.name, run_suite(subject_of(mutated(each, schema), schema))))
    check_outlines("mutants", found, golden)


def test_broken_hooks(golden):
    check_outlines("broken-hooks", [(each.name, run_suite(each.subject())) for each in BROKEN_HOOKS], golden)
